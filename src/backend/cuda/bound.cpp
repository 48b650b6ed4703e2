#include "src/backend/cuda/bound.hpp"

#include "src/backend/cuda/launch_call.hpp"
#include "src/base/check.hpp"
#include "src/base/settings.hpp"

#include <cstring>

namespace heald::cuda {

using driver::Result;

Bound::Bound(Kernel& kernel, std::shared_ptr<Queue> queue, const heald::LaunchConfig& config,
             const PackedArguments& arguments, const LaunchSite& site)
    : kernel_(kernel),
      queue_(std::move(queue)),
      config_(config),
      site_(site),
      plain_(launch_policy() == LaunchPolicy::plain ||
             setting_flag(Setting::launch_blocking, false)) {
    // Each value in 16 bytes' alignment: enough for every parameter type.
    constexpr std::size_t alignment = 16;
    const auto& sizes = kernel.parameter_sizes();
    std::vector<std::size_t> offsets;
    std::size_t total = 0;
    for (const std::size_t size : sizes) {
        offsets.push_back(total);
        total += (size + alignment - 1) / alignment * alignment;
    }
    storage_.resize(total);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::memcpy(storage_.data() + offsets[i], arguments.values[i], sizes[i]);
        values_.push_back(storage_.data() + offsets[i]);
    }
    const Current current(queue_->context());
    kernel_.note_use(*queue_);
    if (config_.cluster.volume() > 8) kernel_.allow_large_clusters();
    if (!plain_)
        graph_ = GraphLaunch::make(queue_->context(), kernel_, config_, queue_->priority(),
                                   values_.data(), true);
}

Bound::~Bound() {
    if (!graph_) return;
    without_throwing("closing a bound launch", [this] {
        const InternalCall internal;
        const Current current(queue_->context());
        GraphLaunch::retire(std::move(graph_), queue_->context(), queue_->stream());
    });
}

Result Bound::launch_once() {
    if (graph_ && !queue_->capturing()) {
        const std::lock_guard lock(mutex_);
        return graph_->launch(queue_->stream());
    }
    return launch_plain(queue_->context(), kernel_, queue_->stream(), config_, values_.data());
}

void Bound::launch() {
    Context& context = queue_->context();
    const Current current(context);
    queue_->log().add(kernel_.lasting_name(), site_);
    const Result result = launch_once();
    if (result != Result::success) [[unlikely]]
        refuse_launch(context, result, kernel_, config_);
}

}  // namespace heald::cuda
