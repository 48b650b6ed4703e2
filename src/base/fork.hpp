#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace heald {

/// 0 in the first process, one more in each forked child: work that began under another number
/// belongs to an ancestor, and its threads are not here.
[[nodiscard]] std::uint64_t fork_generation() noexcept;

/// A mutex that is free in a forked child: fork waits for it. Never held while another ForkMutex
/// is taken, nor across anything that can block or wait for Python's lock.
class ForkMutex {
public:
    ForkMutex();
    ~ForkMutex();
    ForkMutex(const ForkMutex&) = delete;
    ForkMutex& operator=(const ForkMutex&) = delete;

    void lock() noexcept {
        if (!try_lock()) [[unlikely]]
            lock_slowly();
    }
    bool try_lock() noexcept {
        std::uint32_t expected = is_free;
        return state_.compare_exchange_strong(expected, taken, std::memory_order_acquire,
                                              std::memory_order_relaxed);
    }
    void unlock() noexcept {
        if (state_.exchange(is_free, std::memory_order_release) == contended) [[unlikely]]
            state_.notify_one();
    }

private:
    friend struct ForkList;
    // Not std::mutex: a fork holds every one of them at once, which checkers of lock order refuse.
    static constexpr std::uint32_t is_free = 0;
    static constexpr std::uint32_t taken = 1;
    static constexpr std::uint32_t contended = 2;  ///< taken, and somebody may wait

    void lock_slowly() noexcept;

    std::atomic<std::uint32_t> state_{is_free};
    ForkMutex* next_ = nullptr;
    ForkMutex** link_ = nullptr;
};

/// Runs a function once, as std::call_once does, also when a fork left a runner behind: the child
/// runs it again. An exception leaves it to the next caller.
class ForkOnce {
public:
    template <class Function>
    void operator()(Function&& function) {
        if (state_.load(std::memory_order_acquire) == done) [[likely]]
            return;
        while (begin()) {
            try {
                function();
            } catch (...) {
                end(idle);
                throw;
            }
            end(done);
        }
    }
    [[nodiscard]] bool is_done() const noexcept {
        return state_.load(std::memory_order_acquire) == done;
    }

private:
    static constexpr std::uint32_t idle = 0;
    static constexpr std::uint32_t done = 1;

    bool begin();  ///< true: the caller must run the function; false: it is done
    void end(std::uint32_t state);

    std::atomic<std::uint32_t> state_{idle};  ///< else 2 + the generation of the runner
};

/// True once the process has begun to exit: objects of libraries may be gone, so release nothing.
[[nodiscard]] bool process_exits() noexcept;
/// The process counts as exiting before the exit handlers run that are registered by now, such as
/// those of a driver just opened.
void exit_before_what_is_loaded();

}  // namespace heald
