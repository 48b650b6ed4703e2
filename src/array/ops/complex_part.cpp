#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> complex_part_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        {"conjugate", 1, no_boolean, R::loop, "", "a", "a", "T{a.re, -a.im}"},
        {"real", 1, common, R::real_part, "a", "a", "a", "a.re"},
        {"imag", 1, common, R::real_part, "false", "T(0)", "T(0)", "a.im"},
        {"angle", 1, floating, R::real_part, "", "", "atan2(T(0), a)", "atan2(a.im, a.re)"},
    };
    return rows;
}

}  // namespace heald::array
