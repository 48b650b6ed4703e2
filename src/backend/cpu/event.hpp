#pragma once

#include "src/backend/cpu/failure.hpp"
#include "src/backend/cpu/futex.hpp"
#include "src/backend/cpu/operation.hpp"
#include "src/backend/cpu/spin_lock.hpp"
#include "src/core/backend.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace heald::cpu {

class Queue;

/// A queue that waits for a point. Whoever ends the wait lets the queue go on.
struct PointWaiter {
    enum class State : std::uint8_t { before, waits, over };

    Queue* queue = nullptr;  ///< driven, hence alive, while it waits
    std::atomic<State> state{State::before};

    /// True for the one caller that ends it.
    [[nodiscard]] bool change(State from, State to) noexcept {
        return state.compare_exchange_strong(from, to, std::memory_order_acq_rel);
    }
};

/// One recording of an event: reached once.
class Point {
public:
    [[nodiscard]] bool reached() const noexcept { return reached_.load(std::memory_order_seq_cst); }

    /// Lets everything that waits go on. `failure`: what the recording queue had left behind.
    void reach(std::shared_ptr<Failure> failure) noexcept;

    /// False: it is reached already, and the waiter was not added.
    bool add(std::shared_ptr<PointWaiter> waiter);

    bool wait(std::chrono::nanoseconds timeout) noexcept;

    // After it was reached.
    [[nodiscard]] std::int64_t nanoseconds() const noexcept { return nanoseconds_; }
    [[nodiscard]] const std::shared_ptr<Failure>& failure() const noexcept { return failure_; }

    static void before_fork() noexcept;
    static void after_fork() noexcept;

private:
    std::atomic<bool> reached_{false};
    WaitList waiting_threads_;
    std::vector<std::shared_ptr<PointWaiter>> waiters_;  // guarded by a lock shared by many points
    std::shared_ptr<Failure> failure_;
    std::int64_t nanoseconds_ = 0;
};

/// What `queue` does next begins after `point`.
void make_wait_for(Queue& queue, std::shared_ptr<Point> point);

class Event final : public core::EventImpl {
public:
    explicit Event(bool timing) : timing_(timing) {}

    [[nodiscard]] std::uintptr_t handle() const override {
        return reinterpret_cast<std::uintptr_t>(this);
    }
    [[nodiscard]] bool timing() const noexcept { return timing_; }

    void record(Queue& queue);
    void make_wait(Queue& queue) const;
    bool synchronize(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1)) const;
    [[nodiscard]] bool done() const;

    /// Milliseconds from `start` to this; Error(invalid_value) says what is missing.
    [[nodiscard]] float elapsed_since(const Event& start) const;

private:
    [[nodiscard]] std::shared_ptr<Point> point() const;  ///< null: never recorded

    const bool timing_;
    mutable SpinLock lock_;
    std::shared_ptr<Point> point_;
};

}  // namespace heald::cpu
