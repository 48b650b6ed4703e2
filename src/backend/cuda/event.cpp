#include "src/backend/cuda/event.hpp"

#include "src/base/check.hpp"

#include <utility>

namespace heald::cuda {

using driver::Result;

Event::Event(std::shared_ptr<Context> context, bool timing)
    : context_(std::move(context)), timing_(timing) {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    const unsigned flags = timing ? 0 : driver::event_disable_timing;
    context_->check(context_->api().cuEventCreate(&event_, flags), "Event");
}

Event::~Event() {
    if (context_->faulted() || driver::forked_since_initialisation()) return;
    without_throwing("closing an event", [this] {
        const InternalCall internal;
        const Current current(*context_);
        driver::check(context_->api().cuEventDestroy_v2(event_), "cuEventDestroy");
    });
}

void Event::record(Queue& queue) {
    const Current current(queue.context());
    queue.context().check(context_->api().cuEventRecord(event_, queue.stream()), "Event.record");
    recorded_.store(true, std::memory_order_relaxed);
}

void Event::synchronize() {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    context_->check(context_->api().cuEventSynchronize(event_), "Event.synchronize");
}

bool Event::done() {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    const Result result = context_->api().cuEventQuery(event_);
    if (result == Result::not_ready) return false;
    context_->check(result, "Event.done");
    return true;
}

float Event::elapsed(Event& start, Event& stop) {
    constexpr auto operation = "[Event.elapsed_since] ";
    const auto each = [&](auto&& test, auto&&... message) {
        for (const auto& [event, name] : {std::pair{&start, "start"}, std::pair{&stop, "stop"}})
            if (test(*event))
                fail(ErrorKind::invalid_value, operation, "the ", name, " event ", message...);
    };
    if (start.context_ != stop.context_)
        fail(ErrorKind::invalid_value, operation, "the events are of different devices (",
             start.context_->name(), " and ", stop.context_->name(),
             "): record both on streams of one device");
    each([](Event& e) { return !e.timing_; },
         "was made without timing: make both with Event(timing=true)");
    each([](Event& e) { return !e.recorded_.load(std::memory_order_relaxed); },
         "was never recorded: call stream.record or event.record first");
    each([](Event& e) { return !e.done(); }, "is not done yet: synchronise it or its stream first");
    const Current current(*stop.context_);
    float milliseconds = 0;
    stop.context_->check(
        stop.context_->api().cuEventElapsedTime(&milliseconds, start.event_, stop.event_),
        "Event.elapsed_since");
    return milliseconds;
}

}  // namespace heald::cuda
