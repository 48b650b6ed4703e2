#pragma once

#include "src/backend/cuda/graph_launch.hpp"
#include "src/backend/cuda/kernel.hpp"
#include "src/backend/cuda/queue.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace heald::cuda {

/// A launch with everything fixed: an executable graph, so that a repeat is one driver call.
class Bound final : public core::BoundImpl {
public:
    Bound(Kernel& kernel, std::shared_ptr<Queue> queue, const heald::LaunchConfig& config,
          const PackedArguments& arguments, const LaunchSite& site);
    ~Bound() override;

    void launch() override;

private:
    [[nodiscard]] driver::Result launch_once();

    Kernel& kernel_;
    std::shared_ptr<Queue> queue_;
    heald::LaunchConfig config_;
    LaunchSite site_;
    std::vector<std::byte> storage_;
    std::vector<void*> values_;  ///< into storage_
    bool plain_;
    std::mutex mutex_;
    std::unique_ptr<GraphLaunch> graph_;
};

}  // namespace heald::cuda
