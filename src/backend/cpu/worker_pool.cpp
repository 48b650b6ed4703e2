#include "src/backend/cpu/worker_pool.hpp"

#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/thread_start.hpp"
#include "src/backend/cpu/ticks.hpp"

#include <mutex>
#include <string>

namespace heald::cpu {
namespace {

constexpr std::uint64_t slice_ticks = 10 * ticks_per_tenth_millisecond;

// Workers join one after another: a short task is over before many have come, and would only take
// longer if all came at once.
constexpr std::uint64_t join_ticks = ticks_per_tenth_millisecond / 100;

// About 20 µs: longer than the gap between launches of one program, short against a time slice.
constexpr unsigned spin_turns = 400;

constinit std::atomic<WorkerPool*> the_pool{nullptr};
constinit SpinLock making_pool;
constinit SpinLock starting_threads;

}  // namespace

WorkerPool& WorkerPool::instance() noexcept {
    if (WorkerPool* pool = the_pool.load(std::memory_order_acquire)) return *pool;
    const std::lock_guard hold(making_pool);
    if (the_pool.load(std::memory_order_relaxed) == nullptr)
        the_pool.store(new WorkerPool(static_cast<unsigned>(allowance().workers)),
                       std::memory_order_release);
    return *the_pool.load(std::memory_order_relaxed);
}

WorkerPool::WorkerPool(unsigned workers) : count_(workers) {}

void WorkerPool::start() {
    if (started_.load(std::memory_order_acquire)) return;
    const std::lock_guard hold(starting_threads);
    if (started_.load(std::memory_order_relaxed)) return;
    const Allowance& allowed = allowance();
    for (std::size_t i = workers_.size(); i < count_; ++i) {
        workers_.push_back(std::make_unique<Worker>());
        Worker& worker = *workers_.back();
        worker.index = static_cast<unsigned>(i);
        const std::vector<int> cpus =
            allowed.pinned ? std::vector<int>{allowed.cpus[i]} : allowed.cpus;
        try {
            start_thread("heald-cpu-" + std::to_string(i), cpus, [this, &worker] { work(worker); });
        } catch (...) {
            workers_.pop_back();
            if (i == 0) throw;
            break;  // fewer threads than processors still do the work
        }
    }
    started_.store(true, std::memory_order_release);
}

void WorkerPool::submit(Task& task) noexcept {
    bool none_awake = false, none_asleep = false;
    {
        const std::lock_guard hold(lock_);
        task.attached_ = 0;
        task.exhausted_ = false;
        task.unattended_since_ = ticks();
        waiting_.push_back(task);
        unattended_.fetch_add(1, std::memory_order_relaxed);
        join_after_.store(0, std::memory_order_relaxed);
        offers_.fetch_add(1, std::memory_order_seq_cst);
        none_awake = awake_.load(std::memory_order_relaxed) == 0;
        none_asleep = sleepers_ == nullptr;
    }
    // One that is awake comes by itself and wakes the others.
    if (!none_awake) return;
    if (none_asleep)
        arm_watch();
    else
        wake(1);
}

/// Wakes up to `most` sleeping workers.
void WorkerPool::wake(unsigned most) noexcept {
    for (; most != 0; --most) {
        Worker* worker = nullptr;
        {
            const std::lock_guard hold(lock_);
            worker = sleepers_;
            if (worker == nullptr) return;
            sleepers_ = worker->next_sleeper;
            worker->asleep.store(0, std::memory_order_release);
        }
        futex_wake(worker->asleep, 1);
    }
}

/// Lets one worker at a time look for a task to join.
bool WorkerPool::may_join() noexcept {
    const std::uint64_t now = ticks();
    std::uint64_t after = join_after_.load(std::memory_order_relaxed);
    return now >= after && join_after_.compare_exchange_strong(after, now + join_ticks / 4,
                                                               std::memory_order_relaxed);
}

Task* WorkerPool::attach(bool& wake_more, bool& held_up) noexcept {
    const std::lock_guard hold(lock_);
    Task* chosen = waiting_.front();
    if (chosen != nullptr) {
        waiting_.remove(*chosen);
        unattended_.fetch_sub(1, std::memory_order_relaxed);
        running_.push_back(*chosen);
    } else {
        for (Task* task = running_.front(); task != nullptr; task = TaskList::after(*task))
            if (task->attached_ < task->most_workers &&
                (chosen == nullptr || task->attached_ < chosen->attached_))
                chosen = task;
        if (chosen == nullptr) return nullptr;
    }
    ++chosen->attached_;
    // The more there are already, the sooner the next.
    join_after_.store(ticks() + join_ticks * 2 / (chosen->attached_ + 1),
                      std::memory_order_relaxed);
    awake_.fetch_sub(1, std::memory_order_relaxed);
    wake_more = sleepers_ != nullptr &&
                (chosen->attached_ < chosen->most_workers || waiting_.front() != nullptr);
    held_up = sleepers_ == nullptr && waiting_.front() != nullptr &&
              awake_.load(std::memory_order_relaxed) == 0;
    return chosen;
}

void WorkerPool::detach(Task& task, bool exhausted) noexcept {
    bool last = false;
    {
        const std::lock_guard hold(lock_);
        --task.attached_;
        if (exhausted && !task.exhausted_) {
            task.exhausted_ = true;
            running_.remove(task);
        }
        if (task.attached_ == 0) {
            last = task.exhausted_;
            if (!last) {
                running_.remove(task);
                task.unattended_since_ = ticks();
                waiting_.push_back(task);
                unattended_.fetch_add(1, std::memory_order_relaxed);
                offers_.fetch_add(1, std::memory_order_seq_cst);
            }
        }
    }
    if (last) task.finish();
}

/// Runs pieces of `task`, to which this thread is attached.
void WorkerPool::serve(Task& task, unsigned worker, bool slices, PieceCount& pieces) noexcept {
    const std::uint64_t begin = ticks();
    for (;;) {
        pieces.value.fetch_add(1, std::memory_order_relaxed);
        if (closed_.load(std::memory_order_relaxed)) {
            for (;;) futex_wait(offers_, offers_.load(std::memory_order_relaxed));
        }
        if (!task.run_piece(worker)) return detach(task, true);
        if (slices && unattended_.load(std::memory_order_relaxed) != 0 &&
            ticks() - begin > slice_ticks)
            return detach(task, false);
    }
}

void WorkerPool::work(Worker& self) noexcept {
    awake_.fetch_add(1, std::memory_order_seq_cst);
    // The offers among which there was nothing to join.
    std::uint32_t looked_at = offers_.load(std::memory_order_seq_cst) - 1;
    unsigned turns = 0;
    for (;;) {
        const std::uint32_t offers = offers_.load(std::memory_order_seq_cst);
        if (offers != looked_at && may_join()) {
            bool wake_more = false, held_up = false;
            if (Task* task = attach(wake_more, held_up)) {
                if (wake_more) wake(2);
                if (held_up) arm_watch();  // the tasks that wait may have nobody to come
                serve(*task, self.index, true, self.pieces);
                awake_.fetch_add(1, std::memory_order_seq_cst);
                turns = 0;
                continue;
            }
            looked_at = offers;
        }
        if (++turns % 32 == 0)
            sched_yield();
        else
            pause_briefly();
        if (turns < spin_turns || offers != looked_at) continue;
        sleep(self, offers);
        turns = 0;
    }
}

/// Sleeps until woken, unless there was an offer since.
void WorkerPool::sleep(Worker& self, std::uint32_t offers) noexcept {
    {
        const std::lock_guard hold(lock_);
        if (offers_.load(std::memory_order_seq_cst) != offers) return;
        self.asleep.store(1, std::memory_order_relaxed);
        self.next_sleeper = sleepers_;
        sleepers_ = &self;
        awake_.fetch_sub(1, std::memory_order_relaxed);
    }
    while (self.asleep.load(std::memory_order_acquire) != 0) futex_wait(self.asleep, 1);
    awake_.fetch_add(1, std::memory_order_seq_cst);
}

void WorkerPool::close_at_exit() noexcept {
    if (WorkerPool* pool = the_pool.load(std::memory_order_acquire))
        pool->closed_.store(true, std::memory_order_relaxed);
}

void WorkerPool::before_fork() noexcept {
    starting_threads.lock();
    making_pool.lock();
    if (WorkerPool* pool = the_pool.load(std::memory_order_relaxed)) pool->lock_.lock();
}

void WorkerPool::after_fork_in_parent() noexcept {
    if (WorkerPool* pool = the_pool.load(std::memory_order_relaxed)) pool->lock_.unlock();
    making_pool.unlock();
    starting_threads.unlock();
}

void WorkerPool::after_fork_in_child() noexcept {
    // The old pool is left as it is: no thread of it exists here.
    the_pool.store(nullptr, std::memory_order_release);
    making_pool.unlock();
    starting_threads.unlock();
}

}  // namespace heald::cpu
