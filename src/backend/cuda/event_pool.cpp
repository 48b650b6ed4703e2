#include "src/backend/cuda/event_pool.hpp"

#include "src/backend/cuda/context.hpp"

namespace heald::cuda {

driver::Event EventPool::record(driver::Stream stream) {
    driver::Event event = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            event = free_.back();
            free_.pop_back();
        }
    }
    const DuringCapture relaxed(context_);
    if (event == nullptr)
        context_.check(context_.api().cuEventCreate(&event, driver::event_disable_timing),
                       "cuEventCreate");
    const driver::Result result = context_.api().cuEventRecord(event, stream);
    if (result != driver::Result::success) {
        give_back(event);
        context_.raise(result, "cuEventRecord");
    }
    return event;
}

void EventPool::give_back(driver::Event event) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(event);
}

}  // namespace heald::cuda
