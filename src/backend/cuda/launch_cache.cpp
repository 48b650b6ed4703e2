#include "src/backend/cuda/launch_cache.hpp"

#include "src/backend/cuda/context.hpp"
#include "src/backend/cuda/kernel.hpp"
#include "src/backend/cuda/launch_call.hpp"
#include "src/base/check.hpp"

#include <chrono>

namespace heald::cuda {

using driver::Result;

LaunchCache::Slot* LaunchCache::find(const LaunchShape& shape) {
    ++clock_;
    if (last_ != nullptr && last_->shape == shape) {
        last_->last_used = clock_;
        misses_.store(0, std::memory_order_relaxed);
        return last_;
    }
    const std::uint64_t start = shape.hash();
    Slot* oldest = nullptr;
    for (std::size_t way = 0; way < ways; ++way) {
        Slot& slot = table_[(start + way) % slots];
        if (slot.shape == shape) {
            slot.last_used = clock_;
            misses_.store(0, std::memory_order_relaxed);
            return last_ = &slot;
        }
        if (oldest == nullptr || slot.last_used < oldest->last_used) oldest = &slot;
    }
    misses_.fetch_add(1, std::memory_order_relaxed);
    // A shape with a graph stays unless it was not used for a while: grids that change at every
    // launch must not drive out the shapes that repeat.
    constexpr std::uint64_t idle = 4096;
    if (oldest->graph && clock_ - oldest->last_used < idle) return nullptr;
    if (oldest->graph || oldest->probe) empty(*oldest);
    oldest->chooser = PathChooser();
    oldest->last_plain = {};
    oldest->shape = shape;
    oldest->last_used = clock_;
    return last_ = oldest;
}

void LaunchCache::empty(Slot& slot) noexcept {
    without_throwing("closing a launch",
                     [&] { GraphLaunch::retire(std::move(slot.graph), context_, stream_); });
    slot.probe.reset();
    slot.chooser = PathChooser();
    slot.last_plain = {};
    slot.shape = LaunchShape();
    slot.last_used = 0;
}

Result LaunchCache::plain(Slot* slot, Kernel& kernel, const heald::LaunchConfig& config,
                          void** values) {
    if (slot != nullptr && slot->chooser.times_host()) {
        // From one call to the next: what the caller does between them counts as well.
        using Clock = std::chrono::steady_clock;
        const auto now = Clock::now();
        if (slot->last_plain != Clock::time_point())
            slot->chooser.host_cost(
                std::chrono::duration<double, std::micro>(now - slot->last_plain).count());
        slot->last_plain = now;
    }
    return launch_plain(context_, kernel, stream_, config, values);
}

Result LaunchCache::launch_in(Slot& slot, Kernel& kernel, const heald::LaunchConfig& config,
                              void** values, std::uint64_t launches) {
    PathChooser::Path path = slot.chooser.next();
    if (launch_policy() == LaunchPolicy::graph) path = PathChooser::Path::graph;
    if (path == PathChooser::Path::graph && !slot.graph) {
        if (GraphLaunch::alive() < most_graphs)
            slot.graph = GraphLaunch::make(context_, kernel, config, priority_, values, true);
        if (!slot.graph) {
            slot.chooser.give_up();
            path = PathChooser::Path::plain;
        } else if (!slot.probe) {
            slot.probe = std::make_unique<GpuProbe>(context_);
        }
    }
    const Result result = path == PathChooser::Path::graph ? slot.graph->launch(stream_, values)
                                                           : plain(&slot, kernel, config, values);
    if (slot.probe && slot.chooser.at_window_end())
        slot.probe->window_end(stream_, launches, path, slot.chooser);
    return result;
}

Result LaunchCache::launch(Kernel& kernel, const heald::LaunchConfig& config, void** values,
                           std::uint64_t launches) {
    const std::uint32_t misses = misses_.load(std::memory_order_relaxed);
    if (misses >= many_misses) {
        misses_.store(misses + 1, std::memory_order_relaxed);
        if (misses % look_every != 0) return plain(nullptr, kernel, config, values);
    }
    const LaunchShape shape{kernel.id(), config.grid, config.block,
                            static_cast<std::uint32_t>(config.shared_memory)};
    {
        const std::lock_guard lock(mutex_);
        if (Slot* slot = find(shape)) return launch_in(*slot, kernel, config, values, launches);
    }
    return plain(nullptr, kernel, config, values);
}

void LaunchCache::forget(std::uint64_t kernel) noexcept {
    const std::lock_guard lock(mutex_);
    for (Slot& slot : table_)
        if (slot.shape.kernel == kernel) empty(slot);
}

void LaunchCache::clear() noexcept {
    const std::lock_guard lock(mutex_);
    for (Slot& slot : table_) empty(slot);
}

std::size_t LaunchCache::graphs() const noexcept {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const Slot& slot : table_) count += slot.graph != nullptr;
    return count;
}

}  // namespace heald::cuda
