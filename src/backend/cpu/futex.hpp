#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

namespace heald::cpu {

/// Sleeps while `word` is `expected`, until woken, for `timeout` at most (negative: for ever). May
/// wake for no reason. Has no state besides the word, so it works in a fork child as it is.
inline void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                       std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1)) noexcept {
    timespec duration{};
    duration.tv_sec = static_cast<time_t>(timeout.count() / 1'000'000'000);
    duration.tv_nsec = static_cast<long>(timeout.count() % 1'000'000'000);
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected,
            timeout.count() < 0 ? nullptr : &duration, nullptr, 0);
}

inline void futex_wake(std::atomic<std::uint32_t>& word, int threads = INT_MAX) noexcept {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

/// Threads that wait for a condition that other threads make true. Costs one load where nobody
/// waits.
class WaitList {
public:
    /// Call after the condition was made true with sequentially consistent stores.
    void notify_all() noexcept {
        if (waiting_.load(std::memory_order_seq_cst) == 0) return;
        epoch_.fetch_add(1, std::memory_order_seq_cst);
        futex_wake(epoch_);
    }

    /// Waits until `condition()`, which reads with sequential consistency. False: timed out.
    template <class Condition>
    bool wait(Condition&& condition,
              std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1)) noexcept {
        using Clock = std::chrono::steady_clock;
        const bool for_ever = timeout.count() < 0;
        const auto deadline = for_ever ? Clock::time_point::max() : Clock::now() + timeout;
        waiting_.fetch_add(1, std::memory_order_seq_cst);
        bool result = true;
        for (;;) {
            const std::uint32_t epoch = epoch_.load(std::memory_order_seq_cst);
            if (condition()) break;
            const auto now = for_ever ? Clock::time_point{} : Clock::now();
            if (!for_ever && now >= deadline) {
                result = false;
                break;
            }
            futex_wait(epoch_, epoch, for_ever ? timeout : deadline - now);
        }
        waiting_.fetch_sub(1, std::memory_order_seq_cst);
        return result;
    }

    /// In a fork child: the waiting threads are not there.
    void forget_waiters() noexcept { waiting_.store(0, std::memory_order_seq_cst); }

private:
    std::atomic<std::uint32_t> waiting_{0};
    std::atomic<std::uint32_t> epoch_{0};
};

}  // namespace heald::cpu
