#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> arithmetic_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        {"add", 2, common, R::loop, "a || b", "(T)((U)a + (U)b)", "a + b", "a + b"},
        {"subtract", 2, common, R::loop, "", "(T)((U)a - (U)b)", "a - b", "a - b"},
        {"multiply", 2, common, R::loop, "a && b", "(T)((U)a * (U)b)", "a * b", "a * b"},
        {"divide", 2, float64, R::loop, "", "", "a / b", "a / b"},
        {"negative", 1, common, R::loop, "", "(T)(U(0) - (U)a)", "-a", "-a"},
        {"positive", 1, common, R::loop, "", "a", "a", "a"},
        {"absolute", 1, common, R::real_part, "a", "a < T(0) ? (T)(U(0) - (U)a) : a", "fabs(a)",
         "hypot(a.re, a.im)"},
        {"square", 1, no_boolean, R::loop, "", "(T)((U)a * (U)a)", "a * a", "a * a"},
    };
    return rows;
}

}  // namespace heald::array
