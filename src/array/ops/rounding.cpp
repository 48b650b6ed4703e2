#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> rounding_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    static constexpr Ufunc rows[] = {
        {"floor", 1, common, R::loop, "a", "a", "floor(a)", ""},
        {"isnan", 1, common, R::boolean, "false", "false", "a != a", "a.re != a.re || a.im != a.im"},
    };
    return rows;
}

}  // namespace heald::array
