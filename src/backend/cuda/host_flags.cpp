#include "src/backend/cuda/host_flags.hpp"

#include "src/backend/cuda/context.hpp"

namespace heald::cuda {

using driver::Result;

Result HostFlags::enqueue_wait(driver::Stream stream, Word* word) {
    return context_.api().cuStreamWaitValue32_v2(
        stream, reinterpret_cast<driver::DevicePointer>(word), 1, driver::wait_value_equal);
}

bool HostFlags::supported(driver::Stream stream) {
    if (!context_.api().cuStreamWaitValue32_v2) return false;
    {
        const std::lock_guard lock(mutex_);
        if (supported_) return *supported_;
    }
    Word* const word = take();
    set(word);
    const bool works = enqueue_wait(stream, word) == Result::success;
    // The word stays out of use: it is not known when the stream has read it.
    const std::lock_guard lock(mutex_);
    supported_ = works;
    return works;
}

HostFlags::Word* HostFlags::take() {
    constexpr std::size_t words_at_once = 1024;
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        const DuringCapture relaxed(context_);
        void* page = nullptr;
        // Never freed: streams may wait for a word until the process ends.
        context_.check(context_.api().cuMemHostAlloc(
                           &page, words_at_once * sizeof(Word),
                           driver::host_alloc_portable | driver::host_alloc_device_map),
                       "cuMemHostAlloc");
        for (std::size_t i = 0; i < words_at_once; ++i)
            free_.push_back(static_cast<Word*>(page) + i);
    }
    Word* const word = free_.back();
    free_.pop_back();
    std::atomic_ref<Word>(*word).store(0, std::memory_order_relaxed);
    return word;
}

void HostFlags::wait_in(driver::Stream stream, Word* word) {
    context_.check(enqueue_wait(stream, word), "cuStreamWaitValue32");
    context_.deferred().after({stream}, [this, word] {
        const std::lock_guard lock(mutex_);
        free_.push_back(word);
    });
}

}  // namespace heald::cuda
