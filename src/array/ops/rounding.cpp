#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> rounding_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        {"floor", 1, common, R::loop, "a", "a", "floor(a)", ""},
        {"ceil", 1, common, R::loop, "a", "a", "ceil(a)", ""},
        {"trunc", 1, common, R::loop, "a", "a", "trunc(a)", ""},
        {"rint", 1, floating, R::loop, "", "", "rint(a)", "T{rint(a.re), rint(a.im)}"},
    };
    return rows;
}

}  // namespace heald::array
