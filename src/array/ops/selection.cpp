#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> selection_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    static constexpr Ufunc rows[] = {
        // Operand a of "where" is the condition, a bool; the loop is that of b and c.
        {"where", 3, common, R::loop, "a ? b : c", "a ? b : c", "a ? b : c", "a ? b : c",
         "", Mixed::boolean_first},
        // The operand is converted to the loop's dtype, as it is for every operation.
        {"cast", 1, common, R::loop, "a", "a", "a", "a"},
        {"maximum", 2, common, R::loop, "a || b", "a > b ? a : b", "heald_::maximum(a, b)",
         "heald_::maximum(a, b)", "extremes"},
        {"minimum", 2, common, R::loop, "a && b", "a < b ? a : b", "heald_::minimum(a, b)",
         "heald_::minimum(a, b)", "extremes"},
    };
    return rows;
}

}  // namespace heald::array
