#pragma once

#include <heald/kernel.hpp>

#include <cstdint>

namespace heald::cuda {

/// What a cached launch is keyed by, within one queue: everything but the arguments. Cooperative
/// and cluster launches are not cached.
struct LaunchShape {
    std::uint64_t kernel = 0;  ///< Kernel::id(), never used again
    Dim3 grid;
    Dim3 block;
    std::uint32_t shared = 0;

    bool operator==(const LaunchShape&) const = default;

    [[nodiscard]] std::uint64_t hash() const noexcept {
        std::uint64_t h = kernel;
        for (const std::uint64_t part :
             {std::uint64_t{grid.x} << 32 | grid.y, std::uint64_t{grid.z} << 32 | block.x,
              std::uint64_t{block.y} << 32 | block.z, std::uint64_t{shared}})
            h = (h ^ part) * 0x9E3779B97F4A7C15u;
        return h ^ h >> 32;
    }
};

}  // namespace heald::cuda
