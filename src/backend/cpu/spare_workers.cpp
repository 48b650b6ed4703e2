// Spare threads for tasks that every worker is too busy to begin: one endless kernel, or blocks
// that wait for blocks that have no thread yet, must not stop everything else.

#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/runtime_functions.hpp"
#include "src/backend/cpu/thread_start.hpp"
#include "src/backend/cpu/ticks.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <chrono>
#include <memory>
#include <mutex>

namespace heald::cpu {
namespace {

constexpr auto look_every = std::chrono::milliseconds(5);
constexpr std::uint64_t held_up_ticks = 100 * ticks_per_tenth_millisecond;
constexpr unsigned most_spares = 128;
constexpr unsigned looks_without_pieces = 4;
constexpr auto spare_idle_time = std::chrono::seconds(2);

}  // namespace

struct WorkerPool::Spare {
    std::atomic<std::uint32_t> has_task{0};
    Task* task = nullptr;
    Spare* next_idle = nullptr;
};

/// Starts, or goes on with, looking every few milliseconds.
void WorkerPool::arm_watch() noexcept {
    std::uint32_t expected = 0;
    if (!armed_.compare_exchange_strong(expected, 1, std::memory_order_seq_cst)) {
        if (expected == 2 && armed_.exchange(1, std::memory_order_seq_cst) == 2) futex_wake(armed_);
        return;
    }
    try {
        start_thread("heald-watch", allowance().cpus, [this] { watch(); });
    } catch (...) {
        armed_.store(0, std::memory_order_seq_cst);  // the next submission tries again
    }
}

// `armed_`: 0 no thread, 1 looks, 2 sleeps until it is armed again.
void WorkerPool::watch() noexcept {
    for (;;) {
        std::atomic<std::uint32_t> never{0};
        futex_wait(never, 0, look_every);
        if (look_after()) continue;
        armed_.store(2, std::memory_order_seq_cst);
        if (look_after()) {
            armed_.store(1, std::memory_order_seq_cst);
            continue;
        }
        while (armed_.load(std::memory_order_seq_cst) == 2) futex_wait(armed_, 2);
    }
}

/// One look. False: there is nothing that could be held up.
bool WorkerPool::look_after() noexcept {
    Task* helped = nullptr;
    {
        const std::lock_guard hold(lock_);
        Task* const unattended = waiting_.front();
        if (unattended == nullptr && running_.front() == nullptr) return false;
        std::uint64_t pieces = spare_pieces_.value.load(std::memory_order_relaxed);
        for (const auto& worker : workers_)
            pieces += worker->pieces.value.load(std::memory_order_relaxed);
        const unsigned long relaxed = relax_count();
        const bool progress = pieces != pieces_seen_ || relaxed == relaxed_seen_;
        ticks_without_pieces_ = progress ? 0 : ticks_without_pieces_ + 1;
        pieces_seen_ = pieces;
        relaxed_seen_ = relaxed;
        if (spares_ < most_spares || idle_spares_ != nullptr) {
            if (unattended != nullptr && ticks() - unattended->unattended_since_ > held_up_ticks) {
                helped = unattended;
                waiting_.remove(*helped);
                unattended_.fetch_sub(1, std::memory_order_relaxed);
                running_.push_back(*helped);
            } else if (ticks_without_pieces_ >= looks_without_pieces &&
                       running_.front() != nullptr) {
                // Kernels wait, and a task has blocks that nobody runs: they may wait for these.
                helped = running_.front();
                running_.remove(*helped);
                running_.push_back(*helped);
            }
            if (helped != nullptr) ++helped->attached_;
        }
    }
    if (helped != nullptr) give_spare(*helped);
    return true;
}

void WorkerPool::give_spare(Task& task) noexcept {
    Spare* spare = nullptr;
    {
        const std::lock_guard hold(lock_);
        spare = idle_spares_;
        if (spare != nullptr)
            idle_spares_ = spare->next_idle;
        else
            ++spares_;
    }
    if (spare != nullptr) {
        spare->task = &task;
        spare->has_task.store(1, std::memory_order_release);
        futex_wake(spare->has_task, 1);
        return;
    }
    try {
        auto fresh = std::make_unique<Spare>();
        fresh->task = &task;
        fresh->has_task.store(1, std::memory_order_relaxed);
        start_thread(
            "heald-spare", allowance().cpus,
            [this, self = std::shared_ptr<Spare>(std::move(fresh))] { work_as_spare(*self); });
    } catch (...) {
        {
            const std::lock_guard hold(lock_);
            --spares_;
        }
        detach(task, false);
    }
}

void WorkerPool::work_as_spare(Spare& self) noexcept {
    for (;;) {
        serve(*self.task, count_, false, spare_pieces_);
        self.has_task.store(0, std::memory_order_relaxed);
        {
            const std::lock_guard hold(lock_);
            self.next_idle = idle_spares_;
            idle_spares_ = &self;
        }
        futex_wait(self.has_task, 0, spare_idle_time);
        if (self.has_task.load(std::memory_order_acquire) != 0) continue;
        {
            // Leave, unless a task has been given in this very moment.
            const std::lock_guard hold(lock_);
            Spare** link = &idle_spares_;
            while (*link != nullptr && *link != &self) link = &(*link)->next_idle;
            if (*link == &self) {
                *link = self.next_idle;
                --spares_;
                return;
            }
        }
        while (self.has_task.load(std::memory_order_acquire) == 0) futex_wait(self.has_task, 0);
    }
}

}  // namespace heald::cpu
