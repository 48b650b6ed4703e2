#include "src/array/lazy/launch_group.hpp"

#include "src/array/lazy/launch_parts.hpp"
#include "src/array/lazy/lowered.hpp"

namespace heald::array {

std::optional<std::vector<Written>> launch_group(const Group& group, Missing missing) {
    Lowered lowered = lower(group);
    const Node& any = *group.nodes.front();
    if (!lowered.folded.empty()) return launch_reduction(lowered, any, missing);
    return launch_elementwise(std::move(lowered), any, missing);
}

std::vector<std::string> kernel_sources(const Group& group) {
    const Lowered lowered = lower(group);
    return lowered.folded.empty() ? elementwise_sources(lowered, *group.nodes.front())
                                  : reduction_sources(lowered);
}

}  // namespace heald::array
