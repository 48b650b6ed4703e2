#include <heald/stream.hpp>

#include "src/base/check.hpp"
#include "src/core/device_state.hpp"
#include "src/core/event_state.hpp"
#include "src/core/timed_wait.hpp"

namespace heald {

Stream::Stream(const Device& device, const StreamOptions& options)
    : state_(device.state().make_stream(options)) {}

Stream Stream::from_handle(const Device& device, std::uintptr_t handle) {
    return Stream(device.state().wrap_stream(handle));
}

core::StreamState& Stream::state() const {
    HEALD_EXPECTS(state_ != nullptr && !state_->closed.load(std::memory_order_relaxed), closed,
                  "[Stream] this stream was closed: make a new one with Stream(device)");
    return *state_;
}

Device Stream::device() const {
    return Device(state().device.shared_from_this());
}
bool Stream::is_default() const noexcept {
    return state_ != nullptr && state_->is_default;
}
std::uintptr_t Stream::handle() const {
    return state().queue->handle();
}
int Stream::priority() const {
    return state().queue->priority();
}

void Stream::synchronize() const {
    state().finish();
}

bool Stream::synchronize_for(std::chrono::nanoseconds timeout) const {
    core::StreamState& own = state();
    if (!core::poll_until([&] { return own.device.backend().done(*own.queue); }, timeout))
        return false;
    synchronize();
    return true;
}

bool Stream::done() const {
    core::StreamState& own = state();
    return own.device.backend().done(*own.queue);
}

void Stream::wait(const Event& event) const {
    core::StreamState& own = state();
    core::EventState& other = event.state();
    if (const auto recorded = other.recorded()) {
        own.timeline->keep_position_apart();
        core::wait_for_event(own.device, *own.queue, other.device, *other.impl);
        own.timeline->count();
        own.timeline->note_wait(*recorded->timeline, recorded->position);
    }
}

void Stream::wait(const Stream& other) const {
    core::StreamState& own = state();
    core::Timeline& timeline = *other.state().timeline;
    // Other libraries put work into a GPU's streams, which nobody counts here: what is in the
    // stream now counts as one operation more.
    const bool shared = timeline.device().kind() == DeviceKind::cuda && &own != &other.state();
    core::wait_for(own, timeline, shared ? timeline.count() : timeline.enqueued());
}

Event Stream::record(bool timing) const {
    Event event(device(), timing);
    event.record(*this);
    return event;
}

void Stream::host_function(std::function<void()> function) const {
    HEALD_EXPECTS(function != nullptr, invalid_value,
                  "[Stream.host_function] the function is empty");
    core::StreamState& own = state();
    if (own.device.several_streams()) own.timeline->keep_position_apart();
    own.device.backend().host_function(*own.queue, std::move(function));
    own.timeline->count();
}

void Stream::cancel() const {
    core::StreamState& own = state();
    own.device.backend().cancel(*own.queue);
}

void Stream::close() {
    if (state_ == nullptr || state_->is_default) return;
    if (!state_->closed.exchange(true)) state_->timeline->retire();
}

bool Stream::closed() const noexcept {
    return state_ == nullptr || state_->closed;
}

}  // namespace heald
