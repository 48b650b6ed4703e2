#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> trigonometric_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    static constexpr Ufunc rows[] = {
        {"sin", 1, floating, R::loop, "", "", "sin(a)", ""},
        {"cos", 1, floating, R::loop, "", "", "cos(a)", ""},
        {"tanh", 1, floating, R::loop, "", "", "tanh(a)", ""},
    };
    return rows;
}

}  // namespace heald::array
