#include <heald/device.hpp>

#include "src/base/check.hpp"
#include "src/core/current.hpp"
#include "src/core/deferred.hpp"
#include "src/core/registry.hpp"
#include "src/core/timed_wait.hpp"

namespace heald {

Device::Device() : state_(core::current_device()) {}
Device::Device(std::string_view name) : state_(core::device_by_name(name)) {}

std::vector<Device> Device::all() {
    std::vector<Device> result;
    for (auto& state : core::usable_devices()) result.emplace_back(std::move(state));
    return result;
}

std::string Device::why_no_gpu() {
    return core::why_no_gpu();
}
std::string Device::name() const {
    return state_->name();
}
DeviceKind Device::kind() const noexcept {
    return state_->kind();
}
int Device::ordinal() const noexcept {
    return state_->ordinal();
}
const DeviceProperties& Device::properties() const {
    return state_->backend().properties();
}
Device::MemoryInfo Device::memory_info() const {
    return state_->backend().memory_info();
}
Stream Device::default_stream() const {
    return Stream(state_->default_stream());
}
MemoryPool Device::memory() const {
    return MemoryPool(state_);
}

void Device::synchronize() const {
    struct Reached {
        std::shared_ptr<core::Timeline> timeline;
        std::uint64_t position;
    };
    std::vector<Reached> reached;
    for (auto& timeline : state_->timelines()) reached.push_back({timeline, timeline->enqueued()});
    state_->backend().synchronize();
    for (const Reached& entry : reached) entry.timeline->complete(entry.position);
    core::drop_finished();
    state_->checks().look();
}

bool Device::synchronize_for(std::chrono::nanoseconds timeout) const {
    const auto done = [&] {
        for (auto& timeline : state_->timelines())
            if (!timeline->is_complete(timeline->enqueued())) return false;
        return true;
    };
    if (!core::poll_until(done, timeout)) return false;
    synchronize();
    return true;
}

bool Device::can_access(const Device& peer) const {
    if (state_ == peer.state_) return true;
    if (kind() != peer.kind()) return false;
    return state_->backend().can_access(peer.state_->backend());
}

}  // namespace heald
