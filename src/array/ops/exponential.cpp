#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> exponential_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    static constexpr Ufunc rows[] = {
        {"sqrt", 1, floating, R::loop, "", "", "sqrt(a)", ""},
        {"exp", 1, floating, R::loop, "", "", "exp(a)", ""},
        {"log", 1, floating, R::loop, "", "", "log(a)", ""},
    };
    return rows;
}

}  // namespace heald::array
