#pragma once

#include "src/backend/cpu/spin_lock.hpp"

#include <cstddef>

namespace heald::cpu {

class Queue;
class ReleaseOperation;

/// Blocks whose release a queue has not reached yet. The queue itself may use them again at once:
/// what it does later comes after what used them.
class PendingReleases {
public:
    /// A block that was `bytes` bytes long, or null.
    [[nodiscard]] void* take(std::size_t bytes) noexcept;

    void before_fork() noexcept { lock_.lock(); }
    void after_fork() noexcept { lock_.unlock(); }

private:
    friend class ReleaseOperation;

    SpinLock lock_;
    ReleaseOperation* newest_ = nullptr;
};

/// Frees memory once the queue has done what was enqueued before.
void enqueue_release(void* data, std::size_t bytes, Queue& queue);

}  // namespace heald::cpu
