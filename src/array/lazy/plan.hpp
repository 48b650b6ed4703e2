#pragma once

#include "src/array/lazy/node.hpp"

#include <memory>
#include <span>
#include <vector>

namespace heald::array {

/// Nodes that one kernel computes. They have one iteration shape and one stream; operands that are
/// members too are values in registers.
struct Group {
    std::vector<const Node*> nodes;    ///< operands before consumers
    std::vector<const Node*> outputs;  ///< of these, what is written to memory
};

/// Divides pending nodes (operands before consumers) into kernels, in an order in which they can
/// run. `roots` are written to memory, as is what somebody else holds. Without `fuse`, each node is
/// a group of its own.
[[nodiscard]] std::vector<Group> plan_groups(std::span<const std::shared_ptr<core::Block>> blocks,
                                             std::span<const std::shared_ptr<core::Block>> roots,
                                             bool fuse);

/// The nodes of a group, each a group of its own, in an order in which they can run.
[[nodiscard]] std::vector<Group> one_by_one(const Group& group);

/// True if the operand is all of its node's result, element by element in the iteration of a
/// consumer: the value can stay in a register.
[[nodiscard]] bool reads_in_place(const Operand& operand, const Shape& iteration) noexcept;

}  // namespace heald::array
