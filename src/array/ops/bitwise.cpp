#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> bitwise_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    static constexpr Ufunc rows[] = {
        {"bitwise_and", 2, common, R::loop, "a && b", "a & b", "", ""},
        {"bitwise_or", 2, common, R::loop, "a || b", "a | b", "", ""},
        {"bitwise_xor", 2, common, R::loop, "a != b", "a ^ b", "", ""},
        {"invert", 1, common, R::loop, "!a", "~a", "", ""},
        {"logical_and", 2, common, R::boolean, "a && b", "a != T(0) && b != T(0)",
         "a != T(0) && b != T(0)", "heald_::is_true(a) && heald_::is_true(b)"},
        {"logical_or", 2, common, R::boolean, "a || b", "a != T(0) || b != T(0)",
         "a != T(0) || b != T(0)", "heald_::is_true(a) || heald_::is_true(b)"},
        {"logical_not", 1, common, R::boolean, "!a", "a == T(0)", "a == T(0)",
         "!heald_::is_true(a)"},
    };
    return rows;
}

}  // namespace heald::array
