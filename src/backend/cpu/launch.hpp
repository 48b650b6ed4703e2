#pragma once

#include "src/backend/cpu/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heald::cpu {

/// Sizes of the values that a kernel takes, and where each lies in one packed block.
struct ArgumentLayout {
    struct Slot {
        std::uint32_t offset = 0;
        std::uint32_t size = 0;
    };
    std::vector<Slot> slots;
    std::size_t bytes = 0;

    static ArgumentLayout of(const Signature& signature);
};

/// How much work a launch is, as far as the compiler bounds it.
struct WorkBound {
    bool bounded = false;            ///< every loop by a constant
    bool may_wait = false;           ///< some loop may wait for another thread
    std::uint64_t instructions = 0;  ///< per thread, at most

    [[nodiscard]] bool is_short(std::uint64_t blocks, std::uint32_t threads) const noexcept;
};

class Function;

/// Runs a short launch on the spot if the queue is idle, else queues it with a copy of its
/// arguments; the code that holds `function` lives until it is done.
void launch_grid(const Grid& grid, const Function& function, void* const* values, Queue& queue);

void launches_before_fork() noexcept;
void launches_after_fork() noexcept;

}  // namespace heald::cpu
