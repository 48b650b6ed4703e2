#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace heald::core {

/// A flag that is set once, from any thread: how queues of different kinds of devices wait for
/// each other.
class Signal {
public:
    void set() {
        std::vector<std::function<void()>> waiting;
        {
            const std::lock_guard lock(mutex_);
            if (is_set()) return;
            flag_.store(1, std::memory_order_release);
            waiting.swap(waiting_);
        }
        flag_.notify_all();
        for (auto& function : waiting) function();
    }
    [[nodiscard]] bool is_set() const noexcept {
        return flag_.load(std::memory_order_acquire) != 0;
    }
    void wait() const noexcept { flag_.wait(0, std::memory_order_acquire); }

    /// Calls `function` when it is set, on the thread that sets it; now, if it is set.
    void when_set(std::function<void()> function) {
        {
            const std::lock_guard lock(mutex_);
            if (!is_set()) {
                waiting_.push_back(std::move(function));
                return;
            }
        }
        function();
    }

private:
    std::atomic<int> flag_{0};
    std::mutex mutex_;
    std::vector<std::function<void()>> waiting_;
};

}  // namespace heald::core
