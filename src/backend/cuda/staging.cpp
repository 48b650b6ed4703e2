#include "src/backend/cuda/staging.hpp"

#include "src/backend/cuda/background_thread.hpp"
#include "src/backend/cuda/context.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>

namespace heald::cuda {

using driver::Result;

namespace {

/// memcpy on several threads. One call at a time.
class CopyThreads {
public:
    static CopyThreads& instance() {
        // Never destroyed: its threads wait until the process ends.
        static CopyThreads* const threads = new CopyThreads;
        return *threads;
    }

    void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        constexpr std::size_t page = 4096;
        job_ = {to, from, bytes, (bytes / (helpers_ + 1) + page) / page * page};
        left_.store(helpers_, std::memory_order_relaxed);
        turn_.fetch_add(1, std::memory_order_release);
        turn_.notify_all();
        copy_part(helpers_);
        for (std::uint32_t left = left_.load(std::memory_order_acquire); left != 0;
             left = left_.load(std::memory_order_acquire))
            left_.wait(left, std::memory_order_acquire);
    }

private:
    CopyThreads() : helpers_(std::min(3U, std::max(1U, std::thread::hardware_concurrency()) - 1)) {
        for (std::uint32_t i = 0; i < helpers_; ++i)
            start_background_thread([this, i] { help(i); }).detach();
    }

    void help(std::uint32_t part) {
        for (std::uint32_t seen = 0;;) {
            turn_.wait(seen, std::memory_order_acquire);
            // A turn ends only when every helper has had it.
            ++seen;
            copy_part(part);
            if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
        }
    }

    void copy_part(std::uint32_t part) const noexcept {
        const std::size_t begin = std::min(job_.bytes, part * job_.part);
        std::memcpy(job_.to + begin, job_.from + begin, std::min(job_.part, job_.bytes - begin));
    }

    struct Job {
        std::byte* to = nullptr;
        const std::byte* from = nullptr;
        std::size_t bytes = 0;
        std::size_t part = 0;
    };

    const std::uint32_t helpers_;
    std::mutex mutex_;
    Job job_;
    std::atomic<std::uint32_t> turn_{0};
    std::atomic<std::uint32_t> left_{0};
};

}  // namespace

Staging::~Staging() {
    if (context_.faulted()) return;
    for (const Slot& slot : ring_) {
        if (slot.event != nullptr) context_.api().cuEventDestroy_v2(slot.event);
        if (slot.data != nullptr) context_.api().cuMemFreeHost(slot.data);
    }
}

bool Staging::begin(const void* host, std::size_t bytes) {
    if (bytes < least) return false;
    driver::Api& api = context_.api();
    // The driver knows pinned, managed and device memory; of pageable memory it says 0. The call
    // for one attribute would take that for an error.
    driver::MemoryType type{};
    driver::PointerAttribute attribute = driver::PointerAttribute::memory_type;
    void* answer = &type;
    if (!api.cuPointerGetAttributes ||
        api.cuPointerGetAttributes(1, &attribute, &answer,
                                   reinterpret_cast<driver::DevicePointer>(host)) !=
            Result::success ||
        type != driver::MemoryType{})
        return false;
    const DuringCapture relaxed(context_);
    for (Slot& slot : ring_) {
        void* data = slot.data;
        if (slot.data == nullptr &&
            api.cuMemHostAlloc(&data, block, driver::host_alloc_portable) != Result::success)
            return false;
        slot.data = static_cast<std::byte*>(data);
        if (slot.event == nullptr &&
            api.cuEventCreate(&slot.event, driver::event_disable_timing) != Result::success) {
            slot.event = nullptr;
            return false;
        }
    }
    return true;
}

void Staging::wait_for(const Slot& slot) {
    // An event that was never recorded is done.
    context_.check(context_.api().cuEventSynchronize(slot.event), "copy");
}

bool Staging::to_device(driver::DevicePointer to, const std::byte* from, std::size_t bytes,
                        driver::Stream stream) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || !begin(from, bytes)) return false;
    driver::Api& api = context_.api();
    for (std::size_t offset = 0; offset < bytes; offset += block) {
        const std::size_t part = std::min(block, bytes - offset);
        Slot& slot = slot_of(offset);
        wait_for(slot);
        CopyThreads::instance().copy(slot.data, from + offset, part);
        context_.check(
            api.cuMemcpyAsync(to + offset, reinterpret_cast<driver::DevicePointer>(slot.data), part,
                              stream),
            "copy");
        context_.check(api.cuEventRecord(slot.event, stream), "copy");
    }
    return true;
}

bool Staging::to_host(std::byte* to, driver::DevicePointer from, std::size_t bytes,
                      driver::Stream stream) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || !begin(to, bytes)) return false;
    driver::Api& api = context_.api();
    const auto fetch = [&](std::size_t offset) {
        if (offset >= bytes) return;
        Slot& slot = slot_of(offset);
        context_.check(api.cuMemcpyAsync(reinterpret_cast<driver::DevicePointer>(slot.data),
                                         from + offset, std::min(block, bytes - offset), stream),
                       "copy");
        context_.check(api.cuEventRecord(slot.event, stream), "copy");
    };
    for (const Slot& slot : ring_) wait_for(slot);  // earlier copies, on any stream
    for (std::size_t i = 0; i < blocks; ++i) fetch(i * block);
    for (std::size_t offset = 0; offset < bytes; offset += block) {
        Slot& slot = slot_of(offset);
        wait_for(slot);
        CopyThreads::instance().copy(to + offset, slot.data, std::min(block, bytes - offset));
        fetch(offset + blocks * block);
    }
    return true;
}

}  // namespace heald::cuda
