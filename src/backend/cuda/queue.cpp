#include "src/backend/cuda/queue.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace heald::cuda {

using driver::Result;

Queue::Queue(std::shared_ptr<Context> context, driver::Stream stream, Kind kind, int priority)
    : id_(next_unique_id()),
      context_(std::move(context)),
      stream_(stream),
      kind_(kind),
      priority_(priority),
      exposed_(kind == Kind::foreign),
      log_(context_->make_log()),
      launches_(*context_, stream, priority) {}

Queue::~Queue() {
    without_throwing("closing a stream", [this] {
        if (driver::forked_since_initialisation()) return;
        const InternalCall internal;
        const Current current(*context_);
        flush_free_list();
        launches_.clear();
        if (kind_ == Kind::own && !context_->faulted())
            driver::check(context_->api().cuStreamDestroy_v2(stream_), "cuStreamDestroy");
    });
}

bool Queue::ask_capturing() const {
    auto status = driver::CaptureStatus::none;
    const Result result = context_->api().cuStreamIsCapturing(stream_, &status);
    if (result != Result::success) return false;
    return status != driver::CaptureStatus::none;
}

void Queue::synchronize() {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    const std::uint64_t mark = log_->mark();
    context_->check(context_->api().cuStreamSynchronize(stream_), "Stream.synchronize");
    log_->done_until(mark);
    throw_kept_error();
}

bool Queue::done() {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    const Result result = context_->api().cuStreamQuery(stream_);
    if (result == Result::not_ready) return false;
    context_->check(result, "Stream.done");
    return true;
}

void Queue::keep_error(std::exception_ptr error) noexcept {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::move(error);
    has_error_.store(true, std::memory_order_release);
}

void Queue::throw_kept_error() {
    if (!has_error_.load(std::memory_order_acquire)) return;
    std::exception_ptr error;
    {
        const std::lock_guard lock(error_mutex_);
        error = std::exchange(error_, nullptr);
        has_error_.store(false, std::memory_order_relaxed);
    }
    if (error) std::rethrow_exception(error);
}

void Queue::flush_free_list() noexcept {
    without_throwing("releasing cached memory", [this] {
        for (void* block : free_list_.clear())
            context_->api().cuMemFreeAsync(reinterpret_cast<driver::DevicePointer>(block), stream_);
    });
}

std::shared_ptr<Queue> make_queue(std::shared_ptr<Context> context, const StreamOptions& options) {
    const Current current(*context);
    const DuringCapture relaxed(*context);
    driver::Api& api = context->api();
    int least = 0;
    int greatest = 0;
    driver::check(api.cuCtxGetStreamPriorityRange(&least, &greatest), "Stream");
    const int priority = std::clamp(options.priority, greatest, least);
    const unsigned flags = options.blocking ? driver::stream_default : driver::stream_non_blocking;
    driver::Stream stream = nullptr;
    context->check(api.cuStreamCreateWithPriority(&stream, flags, priority), "Stream");
    return std::make_shared<Queue>(std::move(context), stream, Queue::Kind::own, priority);
}

std::shared_ptr<Queue> wrap_queue(std::shared_ptr<Context> context, std::uintptr_t handle) {
    const Current current(*context);
    if (handle <= 1)
        return std::make_shared<Queue>(std::move(context), driver::legacy_stream(),
                                       Queue::Kind::legacy, 0);
    const auto stream = reinterpret_cast<driver::Stream>(handle);
    driver::Api& api = context->api();
    driver::Context owner = nullptr;
    int priority = 0;
    if (handle > 2) {  // 2 is the per-thread default stream of whichever context is current
        context->check(api.cuStreamGetCtx(stream, &owner), "Stream.from_handle");
        if (owner != context->handle())
            fail(ErrorKind::invalid_value, "[Stream.from_handle] argument 'handle': the stream 0x",
                 reinterpret_cast<const void*>(handle), " does not belong to ", context->name(),
                 ": give the device that the stream was made on");
        context->check(api.cuStreamGetPriority(stream, &priority), "Stream.from_handle");
    }
    return std::make_shared<Queue>(std::move(context), stream, Queue::Kind::foreign, priority);
}

}  // namespace heald::cuda
