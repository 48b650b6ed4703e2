#include "src/array/lazy/launch_group.hpp"

#include "src/array/lazy/launch_parts.hpp"
#include "src/array/lazy/lowered.hpp"

namespace heald::array {

std::vector<Written> launch_group(const Group& group) {
    Lowered lowered = lower(group);
    const Node& any = *group.nodes.front();
    if (!lowered.folded.empty()) return launch_reduction(lowered, any);
    return launch_elementwise(std::move(lowered), any);
}

}  // namespace heald::array
