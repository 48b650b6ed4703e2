#include "src/core/event_state.hpp"

#include "src/base/check.hpp"
#include "src/core/timed_wait.hpp"

namespace heald {

core::EventState::~EventState() {
    if (!device.usable()) (void)std::make_unique<std::shared_ptr<EventImpl>>(impl).release();
}

Event::Event(const Device& device, bool timing)
    : state_(std::make_shared<core::EventState>(device.state(), timing)) {}

core::EventState& Event::state() const {
    HEALD_EXPECTS(state_ != nullptr && !state_->closed.load(std::memory_order_relaxed), closed,
                  "[Event] this event was closed: make a new one with Event(device)");
    return *state_;
}

void Event::record(const Stream& stream) {
    core::EventState& own = state();
    core::StreamState& on = stream.state();
    HEALD_EXPECTS(&on.device == &own.device, invalid_value, "[Event.record] the event is of ",
                  own.device.name(), ", the stream of ", on.device.name(),
                  ": use an event of the stream's device, as Stream.record makes one");
    const std::uint64_t position = on.timeline->enqueued();
    on.device.backend().record(*own.impl, *on.queue);
    own.set_recorded({on.timeline, position});
}

void Event::synchronize() const {
    core::EventState& own = state();
    const auto recorded = own.recorded();
    if (!recorded) return;  // as in CUDA: an event without a record is done
    own.device.backend().synchronize(*own.impl);
    recorded->timeline->complete(recorded->position);
    own.device.checks().look();
}

bool Event::synchronize_for(std::chrono::nanoseconds timeout) const {
    if (!core::poll_until([&] { return done(); }, timeout)) return false;
    synchronize();
    return true;
}

bool Event::done() const {
    core::EventState& own = state();
    return !own.recorded() || own.device.backend().done(*own.impl);
}

bool Event::recorded() const {
    return state().recorded().has_value();
}
bool Event::timing() const {
    return state().timing;
}
Device Event::device() const {
    return Device(state().device.shared_from_this());
}
std::uintptr_t Event::handle() const {
    return state().impl->handle();
}

float Event::elapsed_since(const Event& start) const {
    core::EventState& first = start.state();
    core::EventState& last = state();
    constexpr const char* operation = "[Event.elapsed_since] ";
    HEALD_EXPECTS(&first.device == &last.device, invalid_value, operation, "the events are of ",
                  first.device.name(), " and ", last.device.name(),
                  ": times compare on one device only");
    for (const core::EventState* event : {&first, &last}) {
        const char* which = event == &first ? "the start event" : "the end event";
        HEALD_EXPECTS(event->timing, invalid_value, operation, which,
                      " was made without timing: make it with timing=true");
        HEALD_EXPECTS(event->recorded(), invalid_value, operation, which,
                      " was never recorded: record it on a stream first");
    }
    for (core::EventState* event : {&first, &last}) {
        const char* which = event == &first ? "the start event" : "the end event";
        HEALD_EXPECTS(event->device.backend().done(*event->impl), invalid_value, operation, which,
                      " is recorded but not done yet: synchronize it first");
    }
    return last.device.backend().elapsed(*first.impl, *last.impl);
}

void Event::close() {
    if (state_ != nullptr) state_->closed.store(true);
}

bool Event::closed() const noexcept {
    return state_ == nullptr || state_->closed;
}

}  // namespace heald
