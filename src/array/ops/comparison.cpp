#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> comparison_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    static constexpr Ufunc rows[] = {
        {"equal", 2, common, R::boolean, "a == b", "a == b", "a == b", "a.re == b.re && a.im == b.im"},
        {"not_equal", 2, common, R::boolean, "a != b", "a != b", "a != b",
         "a.re != b.re || a.im != b.im"},
        {"less", 2, common, R::boolean, "a < b", "a < b", "a < b", "heald_::less(a, b)", "complex_order"},
        {"less_equal", 2, common, R::boolean, "a <= b", "a <= b", "a <= b",
         "heald_::less_equal(a, b)", "complex_order"},
        {"greater", 2, common, R::boolean, "a > b", "a > b", "a > b", "heald_::less(b, a)",
         "complex_order"},
        {"greater_equal", 2, common, R::boolean, "a >= b", "a >= b", "a >= b",
         "heald_::less_equal(b, a)", "complex_order"},
    };
    return rows;
}

}  // namespace heald::array
