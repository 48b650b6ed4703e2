#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> selection_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        // Operand a of "where" is the condition, a bool; the loop is that of b and c.
        {"where", 3, common, R::loop, "a ? b : c", "a ? b : c", "a ? b : c", "a ? b : c",
         Mixed::boolean_first},
        // The operand is converted to the loop's dtype, as it is for every operation.
        {"cast", 1, common, R::loop, "a", "a", "a", "a"},
        {"maximum",
         2,
         common,
         R::loop,
         "a || b",
         "a > b ? a : b",
         {"heald_::maximum(a, b)", "extremes"},
         {"heald_::is_nan(a) || heald_::less_equal(b, a) ? a : b", "complex_order"}},
        {"minimum",
         2,
         common,
         R::loop,
         "a && b",
         "a < b ? a : b",
         {"heald_::minimum(a, b)", "extremes"},
         {"heald_::is_nan(a) || heald_::less_equal(a, b) ? a : b", "complex_order"}},
        {"fmax",
         2,
         common,
         R::loop,
         "a || b",
         "a > b ? a : b",
         {"heald_::fmaximum(a, b)", "extremes"},
         {"heald_::is_nan(b) || heald_::less_equal(b, a) ? a : b", "complex_order"}},
        {"fmin",
         2,
         common,
         R::loop,
         "a && b",
         "a < b ? a : b",
         {"heald_::fminimum(a, b)", "extremes"},
         {"heald_::is_nan(b) || heald_::less_equal(a, b) ? a : b", "complex_order"}},
        {"clip",
         3,
         common,
         R::loop,
         "(a || b) && c",
         "(a > b ? a : b) < c ? (a > b ? a : b) : c",
         {"heald_::clip(a, b, c)", "extremes"},
         {"heald_::clip(a, b, c)", "complex_order"}},
        // b, c and d stand for NaN, infinity and minus infinity.
        {"nan_to_num",
         4,
         common,
         R::loop,
         "a",
         "a",
         {"heald_::replace(a, b, c, d)", "replace"},
         {"T{heald_::replace(a.re, b.re, c.re, d.re), heald_::replace(a.im, b.re, c.re, d.re)}",
          "replace"}},
    };
    return rows;
}

}  // namespace heald::array
