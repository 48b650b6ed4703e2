#pragma once

#include "src/backend/cpu/operation.hpp"
#include "src/backend/cpu/queue.hpp"
#include "src/backend/cpu/task.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace heald::cpu {

/// An operation made of numbered pieces of work that workers share: the blocks of a kernel, the
/// chunks of a copy.
class PiecewiseOperation : public Operation, public Task {
public:
    Step start(Queue& queue) override {
        queue_ = &queue;
        next_.store(0, std::memory_order_relaxed);
        const std::uint64_t pieces = (total_ + chunk_ - 1) / chunk_;
        WorkerPool& pool = WorkerPool::instance();
        most_workers = static_cast<unsigned>(std::min<std::uint64_t>(pool.size(), pieces));
        pool.submit(*this);
        return Step::pending;
    }

    bool run_piece() final {
        if (queue_->stop.load(std::memory_order_relaxed) != 0) return false;
        const std::uint64_t first = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (first >= total_) return false;
        run_range(*queue_, first, std::min(first + chunk_, total_));
        return true;
    }

    void finish() final { queue_->complete(); }

protected:
    /// Runs [first, last); a failure goes to the queue.
    virtual void run_range(Queue& queue, std::uint64_t first, std::uint64_t last) noexcept = 0;

    std::uint64_t total_ = 0;
    std::uint64_t chunk_ = 1;

private:
    Queue* queue_ = nullptr;
    alignas(64) std::atomic<std::uint64_t> next_{0};  // what the workers contend for
};

}  // namespace heald::cpu
