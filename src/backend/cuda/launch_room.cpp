#include "src/backend/cuda/launch_room.hpp"

#include "src/backend/cuda/context.hpp"

#include <chrono>

namespace heald::cuda {

using driver::Result;

LaunchRoom::~LaunchRoom() {
    if (event_ != nullptr) context_.api().cuEventDestroy_v2(event_);
}

std::uint64_t LaunchRoom::ticks() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    // Nanoseconds: 100 microseconds between looks.
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

void LaunchRoom::look(std::uint64_t launches, driver::Stream stream) noexcept {
    if (looking_.test_and_set(std::memory_order_acquire)) return;
    driver::Api& api = context_.api();
    const std::uint64_t now = ticks();
    if (is_recorded_ && api.cuEventQuery(event_) == Result::success) {
        is_recorded_ = false;
        is_reached_ = true;
        reached_at_ = marked_at_;
        reached_time_ = marked_time_;
    }
    if (!is_recorded_) {
        if (event_ == nullptr &&
            api.cuEventCreate(&event_, driver::event_disable_timing) != Result::success)
            event_ = nullptr;
        marked_at_ = launches;
        marked_time_ = now;
        is_recorded_ = event_ != nullptr && api.cuEventRecord(event_, stream) == Result::success;
    }
    room_.store(is_reached_ && launches - reached_at_ <= most_launches &&
                    now - reached_time_ <= oldest_ticks,
                std::memory_order_relaxed);
    asked_at_.store(launches, std::memory_order_relaxed);
    asked_time_.store(now, std::memory_order_relaxed);
    looking_.clear(std::memory_order_release);
}

void LaunchRoom::is_empty(std::uint64_t launches) noexcept {
    if (looking_.test_and_set(std::memory_order_acquire)) return;
    const std::uint64_t now = ticks();
    is_reached_ = true;
    reached_at_ = launches;
    reached_time_ = now;
    room_.store(true, std::memory_order_relaxed);
    asked_at_.store(launches, std::memory_order_relaxed);
    asked_time_.store(now, std::memory_order_relaxed);
    looking_.clear(std::memory_order_release);
}

}  // namespace heald::cuda
