#pragma once

#include "src/array/lazy/plan.hpp"

#include <vector>

namespace heald::array {

/// Memory that a group's output was written to.
struct Written {
    core::Block* block = nullptr;
    void* data = nullptr;
};

/// Compiles the group's kernel if that was not done, allocates its outputs and enqueues it. What
/// its nodes need was enqueued.
[[nodiscard]] std::vector<Written> launch_group(const Group& group);

}  // namespace heald::array
