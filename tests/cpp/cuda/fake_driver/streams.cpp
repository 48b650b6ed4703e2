// Streams run inline: work is done when it was enqueued.

#include "tests/cpp/cuda/fake_driver/internals.hpp"

#include <atomic>
#include <thread>

namespace heald::cuda::driver {

using fake::control;

namespace {

double& clock_us() {
    static double time = 0;
    return time;
}

}  // namespace

Result cuStreamCreateWithPriority(Stream* stream, unsigned, int priority) {
    ENTER(cuStreamCreateWithPriority);
    if (fake::current_stack().empty()) return Result::invalid_context;
    *stream = new StreamHandle{fake::current_stack().back(), priority};
    ++control().streams_alive;
    return Result::success;
}
Result cuStreamDestroy_v2(Stream stream) {
    ENTER(cuStreamDestroy_v2);
    delete stream;
    --control().streams_alive;
    return Result::success;
}
Result cuStreamGetPriority(Stream stream, int* priority) {
    *priority = stream->priority;
    return Result::success;
}
Result cuStreamGetCtx(Stream stream, Context* context) {
    *context = stream->context;
    return Result::success;
}
Result cuStreamSynchronize(Stream) {
    ENTER_HOT(cuStreamSynchronize);
    return Result::success;
}
Result cuStreamQuery(Stream) {
    ENTER_HOT(cuStreamQuery);
    return control().hold ? Result::not_ready : Result::success;
}
Result cuStreamWaitEvent(Stream, Event, unsigned) {
    ENTER(cuStreamWaitEvent);
    return Result::success;
}
#ifndef HEALD_FAKE_OLD
Result cuStreamWaitValue32_v2(Stream, DevicePointer address, std::uint32_t value, unsigned) {
    {
        ENTER(cuStreamWaitValue32_v2);
    }
    // The fake's streams run inline: this is where the stream stands still.
    const std::atomic_ref<std::uint32_t> word(*reinterpret_cast<std::uint32_t*>(address));
    while (word.load() != value) std::this_thread::yield();
    return Result::success;
}
#endif
Result cuStreamIsCapturing(Stream, CaptureStatus* status) {
    ENTER_HOT(cuStreamIsCapturing);
    *status = control().capturing ? CaptureStatus::active : CaptureStatus::none;
    return Result::success;
}
Result cuEventCreate(Event* event, unsigned flags) {
    ENTER(cuEventCreate);
    *event = new EventHandle;
    (*event)->timing = (flags & event_disable_timing) == 0;
    ++control().events_alive;
    return Result::success;
}
Result cuEventDestroy_v2(Event event) {
    const std::lock_guard lock(control().mutex);
    delete event;
    --control().events_alive;
    return Result::success;
}
Result cuEventRecord(Event event, Stream) {
    ENTER_HOT(cuEventRecord);
    clock_us() += control().microseconds_per_event;
    *event = {true, control().hold, event->timing, clock_us()};
    return Result::success;
}
Result cuEventQuery(Event event) {
    ENTER_HOT(cuEventQuery);
    return event->held && control().hold ? Result::not_ready : Result::success;
}
Result cuEventSynchronize(Event) {
    ENTER(cuEventSynchronize);
    return Result::success;
}
Result cuEventElapsedTime(float* milliseconds, Event start, Event stop) {
    ENTER(cuEventElapsedTime);
    if (!start->timing || !stop->timing || !start->recorded || !stop->recorded)
        return Result::invalid_handle;
    *milliseconds = static_cast<float>((stop->time - start->time) / 1e3);
    return Result::success;
}
Result cuLaunchHostFunc(Stream, HostFunction function, void* data) {
    {
        ENTER(cuLaunchHostFunc);
    }
    function(data);
    return Result::success;
}

// The benchmarks' C program calls a few more.
extern "C" __attribute__((visibility("default"))) Result cuStreamCreate(Stream* stream, unsigned) {
    return cuStreamCreateWithPriority(stream, 0, 0);
}

}  // namespace heald::cuda::driver
