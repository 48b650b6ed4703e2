#include "src/backend/cuda/graph_launch.hpp"

#include "src/backend/cuda/context.hpp"
#include "src/backend/cuda/kernel.hpp"
#include "src/base/check.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>

namespace heald::cuda {

using driver::Result;

namespace {

std::atomic<std::size_t> alive_graphs{0};

Result set_attributes(driver::Api& api, driver::GraphNode node, const heald::LaunchConfig& config,
                      int priority) {
    Result result = Result::success;
    driver::LaunchAttributeValue value{};
    const auto set = [&](driver::LaunchAttributeId id) {
        if (result == Result::success) result = api.cuGraphKernelNodeSetAttribute(node, id, &value);
    };
    if (priority != 0) {
        value.priority = priority;
        set(driver::LaunchAttributeId::priority);
    }
    if (config.cooperative) {
        value = {};
        value.cooperative = 1;
        set(driver::LaunchAttributeId::cooperative);
    }
    if (config.cluster.x != 0) {
        value = {};
        value.cluster = {config.cluster.x, config.cluster.y, config.cluster.z};
        set(driver::LaunchAttributeId::cluster_dimension);
    }
    return result;
}

/// Takes over a value; true if it was there already.
template <class Word>
bool replace(std::byte* last, const void* value) {
    Word before;
    Word now;
    std::memcpy(&before, last, sizeof before);
    std::memcpy(&now, value, sizeof now);
    std::memcpy(last, &now, sizeof now);
    return before == now;
}
bool replace(std::byte* last, const void* value, std::size_t size) {
    if (std::memcmp(last, value, size) == 0) return true;
    std::memcpy(last, value, size);
    return false;
}

}  // namespace

std::unique_ptr<GraphLaunch> GraphLaunch::make(Context& context, Kernel& kernel,
                                               const heald::LaunchConfig& config, int priority,
                                               void** values, bool optional) {
    driver::Api& api = context.api();
    if (optional && (!api.cuGraphExecKernelNodeSetParams_v2 || !api.cuGraphAddKernelNode_v2 ||
                     !api.cuGraphInstantiateWithFlags || !api.cuGraphLaunch))
        return nullptr;
    kernel.allow_shared(config.shared_memory);
    const DuringCapture relaxed(context);
    std::unique_ptr<GraphLaunch> launch(new GraphLaunch(context, kernel));
    driver::KernelNodeParameters& p = launch->parameters_;
    p.function = kernel.function();
    p.grid_x = config.grid.x, p.grid_y = config.grid.y, p.grid_z = config.grid.z;
    p.block_x = config.block.x, p.block_y = config.block.y, p.block_z = config.block.z;
    p.shared_bytes = static_cast<unsigned>(config.shared_memory);
    p.parameters = values;
    Result result = api.cuGraphCreate(&launch->graph_, 0);
    if (result == Result::success)
        result = api.cuGraphAddKernelNode_v2(&launch->node_, launch->graph_, nullptr, 0, &p);
    if (result == Result::success) result = set_attributes(api, launch->node_, config, priority);
    if (result == Result::success)
        result = api.cuGraphInstantiateWithFlags(&launch->executable_, launch->graph_, 0);
    if (result != Result::success) {
        if (optional && !driver::is_fault(result)) return nullptr;
        context.check(result, "Kernel.bind");
    }
    alive_graphs.fetch_add(1, std::memory_order_relaxed);
    launch->last_.resize(kernel.argument_bytes());
    (void)launch->same_arguments(values);
    return launch;
}

GraphLaunch::~GraphLaunch() {
    driver::Api& api = context_.api();
    if (executable_ != nullptr) {
        api.cuGraphExecDestroy(executable_);
        alive_graphs.fetch_sub(1, std::memory_order_relaxed);
    }
    if (graph_ != nullptr) api.cuGraphDestroy(graph_);
}

bool GraphLaunch::same_arguments(void** values) {
    bool same = true;
    std::byte* last = last_.data();
    for (const std::size_t size : kernel_->parameter_sizes()) {
        same &= size == 8   ? replace<std::uint64_t>(last, *values)
                : size == 4 ? replace<std::uint32_t>(last, *values)
                            : replace(last, *values, size);
        last += size;
        ++values;
    }
    return same;
}

Result GraphLaunch::launch(driver::Stream stream, void** values) {
    if (!same_arguments(values)) {
        parameters_.parameters = values;
        const Result result =
            context_.api().cuGraphExecKernelNodeSetParams_v2(executable_, node_, &parameters_);
        if (result != Result::success) {
            // What the graph now holds is not known: never take it for unchanged.
            if (!last_.empty()) last_[0] = ~last_[0];
            return result;
        }
    }
    return launch(stream);
}

Result GraphLaunch::launch(driver::Stream stream) {
    return context_.api().cuGraphLaunch(executable_, stream);
}

void GraphLaunch::retire(std::unique_ptr<GraphLaunch> graph, Context& context,
                         driver::Stream stream) {
    if (!graph) return;
    // std::function wants copyable captures.
    context.deferred().after(
        {stream}, [shared = std::shared_ptr<GraphLaunch>(std::move(graph)), &context]() mutable {
            const DuringCapture relaxed(context);
            shared.reset();
        });
}

std::size_t GraphLaunch::alive() noexcept {
    return alive_graphs.load(std::memory_order_relaxed);
}

}  // namespace heald::cuda
