#pragma once

#include "src/array/lazy/kernels.hpp"
#include "src/array/lazy/plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heald::array {

/// Memory that a group's output was written to.
struct Written {
    core::Block* block = nullptr;
    void* data = nullptr;
};

/// Allocates the group's outputs and enqueues its kernel. What its nodes need was enqueued.
/// `missing`: what to do if the kernel was not compiled yet; nullopt if it still is not then.
[[nodiscard]] std::optional<std::vector<Written>> launch_group(const Group& group, Missing missing);

/// A single operation on settled operands that lie as its result does, or are one element: what
/// launch_group does, on a shorter way. nullopt: the node is something else.
[[nodiscard]] std::optional<Written> launch_flat(const Node& node);

/// The text of the kernels that the group needs, in the order in which they run.
[[nodiscard]] std::vector<std::string> kernel_sources(const Group& group);

}  // namespace heald::array
