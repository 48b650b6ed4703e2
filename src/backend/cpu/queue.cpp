#include "src/backend/cpu/queue.hpp"

#include "src/backend/cpu/ticks.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <exception>
#include <new>

namespace heald::cpu {
namespace {

// A queue may hold this many operations before push() waits for it to move.
constexpr std::uint64_t long_queue = 16384;
constexpr auto stuck_after = std::chrono::milliseconds(20);

// A driver gives its worker back after this long.
constexpr std::uint64_t drive_ticks = 10 * ticks_per_tenth_millisecond;

}  // namespace

void Queue::push(Operation* operation) {
    try {
        WorkerPool::instance().start();
    } catch (...) {
        operation->retire();
        throw;
    }
    bool was_idle = false;
    {
        const std::lock_guard hold(lock_);
        (last_ != nullptr ? last_->next : first_) = operation;
        last_ = operation;
        std::uint64_t tail = tail_.load(std::memory_order_relaxed);
        while (!tail_.compare_exchange_weak(tail, ((tail & ~state_mask) + one) | driven,
                                            std::memory_order_seq_cst)) {
        }
        was_idle = (tail & state_mask) == idle;
        if (self_ == nullptr) self_ = shared_from_this();
    }
    if (was_idle)
        drive(DriveOn::caller);
    else if (tail_.load(std::memory_order_relaxed) / one -
                 completed_.load(std::memory_order_relaxed) >
             long_queue)
        wait_for_room();
}

void Queue::wait_for_room() {
    const auto length = [this] {
        return tail_.load(std::memory_order_seq_cst) / one -
               completed_.load(std::memory_order_seq_cst);
    };
    std::uint64_t seen = completed_.load(std::memory_order_seq_cst);
    if (stuck_at_.load(std::memory_order_relaxed) == seen) return;
    while (!waiters_.wait([&] { return length() <= long_queue / 2; }, stuck_after)) {
        const std::uint64_t now = completed_.load(std::memory_order_seq_cst);
        if (now == seen) {
            stuck_at_.store(now, std::memory_order_relaxed);
            return;
        }
        seen = now;
    }
}

void Queue::end() noexcept {
    if (stop.load(std::memory_order_relaxed) != 0) stop.store(0, std::memory_order_relaxed);
    completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    waiters_.notify_all();
    std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    while ((tail & state_mask) == on_the_spot)
        if (tail_.compare_exchange_weak(tail, tail & ~state_mask, std::memory_order_acq_rel))
            return;
    // Others have queued something meanwhile; this thread has its own things to do.
    complete_first_ = false;
    WorkerPool::instance().submit(*this);
}

void Queue::finish_operation(Operation* operation) noexcept {
    operation->retire();
    completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    waiters_.notify_all();
}

/// Begins operations until one is pending or none is left. Only one thread at a time is here for a
/// queue; after a pending operation has begun, that is whoever ends it.
void Queue::drive(DriveOn where) noexcept {
    const std::uint64_t begin = where == DriveOn::worker ? ticks() : 0;
    for (unsigned count = 0;; ++count) {
        Operation* operation = nullptr;
        bool dropped = false;
        std::shared_ptr<Queue> keep;
        {
            const std::lock_guard hold(lock_);
            operation = first_;
            if (operation == nullptr) {
                stop.store(0, std::memory_order_relaxed);
                std::uint64_t tail = tail_.load(std::memory_order_relaxed);
                tail_.store(tail & ~state_mask, std::memory_order_release);
                keep = std::move(self_);
                return;  // `keep` may end the queue, after the lock is released
            }
            const bool tired = where == DriveOn::worker   ? ticks() - begin > drive_ticks
                               : where == DriveOn::caller ? count != 0
                                                          : false;
            if (tired) {
                complete_first_ = false;
                operation = nullptr;
            } else {
                first_ = operation->next;
                if (first_ == nullptr) last_ = nullptr;
                dropped = operation->dropped && operation->droppable();
                current_ = operation;
                stop.store(0, std::memory_order_relaxed);
            }
        }
        if (operation == nullptr) return WorkerPool::instance().submit(*this);
        if (!dropped) {
            Operation::Step step = Operation::Step::done;
            try {
                step = operation->start(*this);
            } catch (const Error& error) {
                fail(error.kind(), error.what());
            } catch (const std::exception& error) {
                fail(ErrorKind::device, error.what());
            }
            if (step == Operation::Step::pending) return;
        }
        {
            const std::lock_guard hold(lock_);
            current_ = nullptr;
        }
        finish_operation(operation);
    }
}

void Queue::complete() noexcept {
    Operation* operation = nullptr;
    {
        const std::lock_guard hold(lock_);
        operation = current_;
        current_ = nullptr;
    }
    if (operation == nullptr) return;  // a host function that forked: the child dropped it
    finish_operation(operation);
    drive(DriveOn::worker);
}

void Queue::complete_on_worker() noexcept {
    complete_first_ = true;
    WorkerPool::instance().submit(*this);
}

void Queue::finish() {
    if (complete_first_)
        complete();
    else
        drive(DriveOn::worker);
}

bool Queue::synchronize(std::chrono::nanoseconds timeout) {
    const std::uint64_t target = tail_.load(std::memory_order_seq_cst) / one;
    const auto reached = [&] { return completed_.load(std::memory_order_seq_cst) >= target; };
    if (!reached()) {
        for (unsigned turn = 0; turn < 200 && !reached(); ++turn) {
            if (turn % 16 == 15)
                sched_yield();
            else
                pause_briefly();
        }
        if (!reached() && !waiters_.wait(reached, timeout)) return false;
    }
    raise_failure();
    return true;
}

void Queue::fail(std::shared_ptr<Failure> failure) noexcept {
    const std::lock_guard hold(lock_);
    if (failure_ != nullptr && !failure_->raised.load(std::memory_order_relaxed)) return;
    failure_ = std::move(failure);
    has_failure_.store(true, std::memory_order_release);
}

void Queue::fail(ErrorKind kind, std::string text) noexcept {
    fail(std::make_shared<Failure>(kind, std::move(text)));
}

std::shared_ptr<Failure> Queue::failure() const {
    if (!has_failure_.load(std::memory_order_acquire)) return nullptr;
    const std::lock_guard hold(lock_);
    return failure_;
}

void Queue::raise_failure() {
    if (!has_failure_.load(std::memory_order_acquire)) return;
    std::shared_ptr<Failure> taken;
    {
        const std::lock_guard hold(lock_);
        taken = std::move(failure_);
        has_failure_.store(false, std::memory_order_release);
    }
    raise_once(taken);
}

void Queue::cancel() noexcept {
    Operation* running = nullptr;
    bool anything = false;
    {
        const std::lock_guard hold(lock_);
        for (Operation* operation = first_; operation != nullptr; operation = operation->next) {
            operation->dropped = true;
            anything = true;
        }
        if ((tail_.load(std::memory_order_seq_cst) & state_mask) != idle) {
            anything = true;
            stop.store(1, std::memory_order_seq_cst);
            // It may have ended just now: then nothing is left to stop.
            if ((tail_.load(std::memory_order_seq_cst) & state_mask) == idle)
                stop.store(0, std::memory_order_seq_cst);
        }
        running = current_;
        if (running != nullptr) running->interrupt(*this);
    }
    if (anything)
        fail(ErrorKind::cancelled,
             "[Stream.synchronize] work of this stream was cancelled: queued operations were "
             "dropped "
             "and a running kernel was stopped");
}

}  // namespace heald::cpu
