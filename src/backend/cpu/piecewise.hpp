#pragma once

#include "src/backend/cpu/operation.hpp"
#include "src/backend/cpu/queue.hpp"
#include "src/backend/cpu/task.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace heald::cpu {

/// An operation made of numbered pieces of work that workers share: the blocks of a kernel, the
/// chunks of a copy. Each worker has a range of its own, the same in every operation of the size,
/// so that what it left in its cache serves the next one, and then takes from the others' ranges.
class PiecewiseOperation : public Operation, public Task {
public:
    Step start(Queue& queue) override {
        queue_ = &queue;
        const std::uint64_t pieces = (total_ + chunk_ - 1) / chunk_;
        WorkerPool& pool = WorkerPool::instance();
        most_workers = static_cast<unsigned>(std::min<std::uint64_t>(pool.size(), pieces));
        share(in_order_ ? 1 : std::min(most_workers, most_ranges), pieces);
        pool.submit(*this);
        return Step::pending;
    }

    bool run_piece(unsigned worker) final {
        if (queue_->stop.load(std::memory_order_relaxed) != 0) return false;
        for (unsigned i = 0; i < range_count_; ++i) {
            Range& range = ranges_[(worker + i) % range_count_];
            if (range.next.load(std::memory_order_relaxed) >= range.end) continue;
            const std::uint64_t first = range.next.fetch_add(chunk_, std::memory_order_relaxed);
            if (first >= range.end) continue;
            run_range(*queue_, first, std::min(first + chunk_, range.end));
            return true;
        }
        return false;
    }

    void finish() final { queue_->complete(); }

protected:
    /// Runs [first, last); a failure goes to the queue.
    virtual void run_range(Queue& queue, std::uint64_t first, std::uint64_t last) noexcept = 0;

    std::uint64_t total_ = 0;
    std::uint64_t chunk_ = 1;
    bool in_order_ = false;  ///< later pieces begin after earlier ones

private:
    // On lines of their own: what workers contend for.
    struct alignas(64) Range {
        std::atomic<std::uint64_t> next{0};
        std::uint64_t end = 0;
    };
    static constexpr unsigned most_ranges = 16;

    void share(unsigned ranges, std::uint64_t pieces) noexcept {
        range_count_ = std::max(ranges, 1U);
        for (unsigned i = 0; i < range_count_; ++i) {
            ranges_[i].next.store(pieces * i / range_count_ * chunk_, std::memory_order_relaxed);
            ranges_[i].end = std::min(pieces * (i + 1) / range_count_ * chunk_, total_);
        }
    }

    Queue* queue_ = nullptr;
    unsigned range_count_ = 1;
    std::array<Range, most_ranges> ranges_;
};

}  // namespace heald::cpu
