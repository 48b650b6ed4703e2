#include "src/backend/cpu/bound_launch.hpp"

#include <cstring>

namespace heald::cpu {

BoundLaunch::BoundLaunch(Function& function, std::shared_ptr<Queue> queue,
                         const LaunchConfig& config, const PackedArguments& arguments,
                         const LaunchSite& site)
    : owner_(function.owner()),
      function_(function),
      queue_(std::move(queue)),
      grid_(function.grid(config, site)) {
    const ArgumentLayout& layout = function.layout();
    bytes_.resize(layout.bytes + 16);
    void* begin = bytes_.data();
    std::size_t space = bytes_.size();
    auto* aligned = static_cast<std::byte*>(std::align(16, layout.bytes, begin, space));
    for (std::size_t i = 0; i < layout.slots.size(); ++i) {
        values_.push_back(aligned + layout.slots[i].offset);
        std::memcpy(values_.back(), arguments.values[i], layout.slots[i].size);
    }
}

void BoundLaunch::launch() {
    launch_grid(grid_, function_, values_.data(), *queue_);
}

}  // namespace heald::cpu
