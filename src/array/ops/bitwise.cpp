#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> bitwise_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        {"bitwise_and", 2, common, R::loop, "a && b", "a & b", "", ""},
        {"bitwise_or", 2, common, R::loop, "a || b", "a | b", "", ""},
        {"bitwise_xor", 2, common, R::loop, "a != b", "a ^ b", "", ""},
        {"invert", 1, common, R::loop, "!a", "~a", "", ""},
        {"bitwise_count",
         1,
         no_boolean,
         R::uint8,
         "",
         {"__popcll((unsigned long long)heald_::magnitude<T, U>(a))", "magnitude"},
         "",
         ""},
        {"left_shift",
         2,
         no_boolean,
         R::loop,
         "",
         {"heald_::shift_left<T, U>(a, b)", "shifts"},
         "",
         ""},
        {"right_shift",
         2,
         no_boolean,
         R::loop,
         "",
         {"heald_::shift_right<T, U>(a, b)", "shifts"},
         "",
         ""},
        {"logical_and", 2, common, R::boolean, "a && b", "a != T(0) && b != T(0)",
         "a != T(0) && b != T(0)", "heald_::is_true(a) && heald_::is_true(b)"},
        {"logical_or", 2, common, R::boolean, "a || b", "a != T(0) || b != T(0)",
         "a != T(0) || b != T(0)", "heald_::is_true(a) || heald_::is_true(b)"},
        {"logical_xor", 2, common, R::boolean, "a != b", "(a != T(0)) != (b != T(0))",
         "(a != T(0)) != (b != T(0))", "heald_::is_true(a) != heald_::is_true(b)"},
        {"logical_not", 1, common, R::boolean, "!a", "a == T(0)", "a == T(0)",
         "!heald_::is_true(a)"},
    };
    return rows;
}

}  // namespace heald::array
