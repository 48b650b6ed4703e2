#include "src/backend/cuda/backend.hpp"

#include "src/backend/cuda/event.hpp"
#include "src/backend/cuda/host_functions.hpp"
#include "src/backend/cuda/properties.hpp"
#include "src/base/check.hpp"
#include "src/base/log.hpp"
#include "src/base/settings.hpp"

#include <algorithm>

namespace heald::cuda {

namespace {

Queue& as_queue(core::QueueImpl& queue) {
    return static_cast<Queue&>(queue);
}
Event& as_event(core::EventImpl& event) {
    return static_cast<Event&>(event);
}

}  // namespace

Backend::Backend(int ordinal)
    : context_(std::make_shared<Context>(ordinal)),
      properties_(ask_properties(*context_)),
      blocking_(setting_flag(Setting::launch_blocking, false)),
      memory_(context_),
      host_memory_(context_),
      staging_(*context_) {
    default_queue_ = keep(cuda::wrap_queue(context_, 1));
    meet_peers();
}

Backend::~Backend() {
    leave_peers();
    if (context_->faulted() || driver::forked_since_initialisation()) return;
    without_throwing("closing a GPU", [this] {
        for (const auto& queue : queues()) {
            const Current current(*context_);
            queue->flush_free_list();
        }
        context_->deferred().drain();
        host_memory_.trim(0);
    });
}

std::shared_ptr<Queue> Backend::keep(std::shared_ptr<Queue> queue) {
    const std::lock_guard lock(mutex_);
    std::erase_if(queues_, [](const auto& entry) { return entry.expired(); });
    queues_.push_back(queue);
    return queue;
}

std::vector<std::shared_ptr<Queue>> Backend::queues() const {
    std::vector<std::shared_ptr<Queue>> result;
    const std::lock_guard lock(mutex_);
    for (const auto& entry : queues_)
        if (auto queue = entry.lock()) result.push_back(std::move(queue));
    return result;
}

heald::Device::MemoryInfo Backend::memory_info() {
    const Current current(*context_);
    heald::Device::MemoryInfo info;
    context_->check(context_->api().cuMemGetInfo_v2(&info.free, &info.total), "Device.memory_info");
    return info;
}

void Backend::synchronize() {
    const Current current(*context_);
    const auto all = queues();
    std::vector<std::uint64_t> marks;
    for (const auto& queue : all) marks.push_back(queue->log().mark());
    context_->check(context_->api().cuCtxSynchronize(), "Device.synchronize");
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->log().done_until(marks[i]);
    for (const auto& queue : all) queue->throw_kept_error();
}

std::shared_ptr<core::QueueImpl> Backend::default_queue() {
    return default_queue_;
}

std::shared_ptr<core::QueueImpl> Backend::make_queue(const StreamOptions& options) {
    return keep(cuda::make_queue(context_, options));
}

std::shared_ptr<core::QueueImpl> Backend::wrap_queue(std::uintptr_t handle) {
    if (handle <= 1) return default_queue_;
    return keep(cuda::wrap_queue(context_, handle));
}

void Backend::synchronize(core::QueueImpl& queue) {
    as_queue(queue).synchronize();
}

bool Backend::done(core::QueueImpl& queue) {
    return as_queue(queue).done();
}

void Backend::cancel(core::QueueImpl&) {
    fail(ErrorKind::unavailable, "[Stream.cancel] ", context_->name(),
         " cannot cancel queued work: CUDA has no call for it. Synchronise the stream, or run the "
         "work in a process of its own");
}

void Backend::host_function(core::QueueImpl& queue, std::function<void()> function) {
    enqueue_host_function(as_queue(queue).shared_from_this(), std::move(function));
}

std::shared_ptr<core::EventImpl> Backend::make_event(bool timing) {
    return std::make_shared<Event>(context_, timing);
}

void Backend::record(core::EventImpl& event, core::QueueImpl& queue) {
    as_event(event).record(as_queue(queue));
}

void Backend::wait(core::QueueImpl& queue, core::EventImpl& event) {
    const Current current(*context_);
    context_->check(
        context_->api().cuStreamWaitEvent(as_queue(queue).stream(), as_event(event).event(), 0),
        "Stream.wait");
}

void Backend::wait_signal(core::QueueImpl& queue, std::shared_ptr<core::Signal> signal) {
    enqueue_wait_for_signal(as_queue(queue).shared_from_this(), std::move(signal));
}

void Backend::synchronize(core::EventImpl& event) {
    as_event(event).synchronize();
}

bool Backend::done(core::EventImpl& event) {
    return as_event(event).done();
}

float Backend::elapsed(core::EventImpl& start, core::EventImpl& stop) {
    return Event::elapsed(as_event(start), as_event(stop));
}

}  // namespace heald::cuda
