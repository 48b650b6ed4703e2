#pragma once

#include "src/plan/fft/problem.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace heald::fft::cufft {

/// Arguments of cufftMakePlanMany64, and calls at further places: cuFFT knows one batch axis.
struct Layout {
    struct Side {
        std::vector<long long> embed;
        long long stride = 1;
        long long distance = 0;
    };
    std::vector<long long> n;
    Side in;
    Side out;
    long long batch = 1;
    std::vector<Axis> loops;  ///< strides in elements

    [[nodiscard]] std::int64_t calls() const noexcept;
};

constexpr std::size_t most_axes = 3;
constexpr std::int64_t most_calls = 16;  ///< more cost more than copies

/// nullopt: cuFFT cannot take the problem as it lies in memory.
[[nodiscard]] std::optional<Layout> layout_of(const Problem& problem);

}  // namespace heald::fft::cufft
