#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> comparison_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        {"equal", 2, common, R::boolean, "a == b", "a == b", "a == b",
         "a.re == b.re && a.im == b.im"},
        {"not_equal", 2, common, R::boolean, "a != b", "a != b", "a != b",
         "a.re != b.re || a.im != b.im"},
        {"less",
         2,
         common,
         R::boolean,
         "a < b",
         "a < b",
         "a < b",
         {"heald_::less(a, b)", "complex_order"}},
        {"less_equal",
         2,
         common,
         R::boolean,
         "a <= b",
         "a <= b",
         "a <= b",
         {"heald_::less_equal(a, b)", "complex_order"}},
        {"greater",
         2,
         common,
         R::boolean,
         "a > b",
         "a > b",
         "a > b",
         {"heald_::less(b, a)", "complex_order"}},
        {"greater_equal",
         2,
         common,
         R::boolean,
         "a >= b",
         "a >= b",
         "a >= b",
         {"heald_::less_equal(b, a)", "complex_order"}},
        // A signed integer and a uint64, which have no common integer type.
        {"equal_uint64", 2, common, R::boolean, "", "a >= T(0) && (U)a == b", "", "",
         Mixed::uint64_second},
        {"not_equal_uint64", 2, common, R::boolean, "", "a < T(0) || (U)a != b", "", "",
         Mixed::uint64_second},
        {"less_uint64", 2, common, R::boolean, "", "a < T(0) || (U)a < b", "", "",
         Mixed::uint64_second},
        {"less_equal_uint64", 2, common, R::boolean, "", "a < T(0) || (U)a <= b", "", "",
         Mixed::uint64_second},
        {"greater_uint64", 2, common, R::boolean, "", "a >= T(0) && (U)a > b", "", "",
         Mixed::uint64_second},
        {"greater_equal_uint64", 2, common, R::boolean, "", "a >= T(0) && (U)a >= b", "", "",
         Mixed::uint64_second},
    };
    return rows;
}

}  // namespace heald::array
