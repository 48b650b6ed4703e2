#pragma once

#include <sched.h>
#include <atomic>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace heald::cpu {

/// Tells the core that this is a waiting loop.
inline void pause_briefly() noexcept {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// A lock for sections of some tens of instructions. It has no owner and no queue, so a fork child
/// may unlock what its forking thread locked.
class SpinLock {
public:
    void lock() noexcept {
        unsigned turns = 0;
        while (locked_.exchange(true, std::memory_order_acquire)) {
            while (locked_.load(std::memory_order_relaxed)) {
                if (++turns % 64 == 0)
                    sched_yield();
                else
                    pause_briefly();
            }
        }
    }
    bool try_lock() noexcept { return !locked_.exchange(true, std::memory_order_acquire); }
    void unlock() noexcept { locked_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> locked_{false};
};

}  // namespace heald::cpu
