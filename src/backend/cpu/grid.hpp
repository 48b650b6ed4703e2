#pragma once

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/queue.hpp"

#include <heald/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heald::cpu {

/// Everything about a launch but its arguments.
struct Grid {
    BlocksFunction function = nullptr;
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t block[3] = {1, 1, 1};
    std::uint32_t dynamic_shared = 0;  ///< bytes
    std::size_t shared_bytes = 0;      ///< static and dynamic
    std::size_t frame_bytes = 0;       ///< of all warps of a block
    bool flush_denormals = false;
    const std::string* kernel = nullptr;  ///< for people; lives as long as the code
    LaunchSite site;

    [[nodiscard]] std::uint64_t blocks() const noexcept {
        return std::uint64_t{grid[0]} * grid[1] * grid[2];
    }
    [[nodiscard]] std::uint32_t threads() const noexcept { return block[0] * block[1] * block[2]; }
};

/// Runs blocks [first, last) on this thread. What fails goes to `queue`, whose other blocks are
/// asked to stop.
void run_blocks(const Grid& grid, void* const* arguments, Queue& queue, std::uint64_t first,
                std::uint64_t last) noexcept;

}  // namespace heald::cpu
