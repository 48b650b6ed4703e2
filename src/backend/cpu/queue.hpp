#pragma once

#include "src/backend/cpu/failure.hpp"
#include "src/backend/cpu/futex.hpp"
#include "src/backend/cpu/operation.hpp"
#include "src/backend/cpu/release.hpp"
#include "src/backend/cpu/spin_lock.hpp"
#include "src/backend/cpu/task.hpp"
#include "src/core/backend.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heald::cpu {

/// An ordered queue. It has no thread: whoever ends an operation begins the next one, and what
/// takes time runs on the worker pool. An idle queue lets a caller run a short operation on the
/// spot, with two atomic operations and no lock.
///
/// `tail_` holds the number of operations ever accepted and the state: idle, one operation runs on
/// the spot, or `driven`: operations are listed and one thread at a time (the driver) takes them
/// off. An idle queue has an empty list.
class Queue final : public core::QueueImpl,
                    public Task,
                    public std::enable_shared_from_this<Queue> {
public:
    /// Makes a queue known to the device's synchronisation.
    static std::shared_ptr<Queue> make(int priority);
    /// Only for make().
    explicit Queue(int priority) : priority_(priority) {}
    ~Queue() override;

    [[nodiscard]] std::uintptr_t handle() const override {
        return reinterpret_cast<std::uintptr_t>(this);
    }
    [[nodiscard]] int priority() const override { return priority_; }

    /// Takes the queue if it is idle; then run one operation and call end().
    [[nodiscard]] bool try_begin() noexcept {
        std::uint64_t tail = tail_.load(std::memory_order_relaxed);
        return (tail & state_mask) == idle &&
               tail_.compare_exchange_strong(tail, tail + one + on_the_spot,
                                             std::memory_order_acq_rel);
    }
    void end() noexcept;

    /// Takes ownership. Waits while the queue is very long and moves on; never for one that does
    /// not move, such as one behind a host function.
    void push(Operation* operation);

    /// Ends the pending operation and goes on with the next.
    void complete() noexcept;

    /// Drops what is queued and asks what runs to stop; raises Error(cancelled) at the next
    /// synchronisation if there was anything.
    void cancel() noexcept;

    /// Waits until what was accepted before the call is done, `timeout` at most (negative: for
    /// ever); then raises what was left behind. False: timed out.
    bool synchronize(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
    [[nodiscard]] bool done() const noexcept {
        return completed_.load(std::memory_order_seq_cst) >=
               tail_.load(std::memory_order_seq_cst) / one;
    }

    /// Keeps the first failure since the last synchronisation.
    void fail(std::shared_ptr<Failure> failure) noexcept;
    void fail(ErrorKind kind, std::string text) noexcept;
    [[nodiscard]] std::shared_ptr<Failure> failure() const;
    void raise_failure();

    /// Non-zero while what runs is asked to stop.
    std::atomic<std::uint32_t> stop{0};

    PendingReleases releases;

    // Task: goes on driving on a worker.
    bool run_piece(unsigned) override { return false; }
    void finish() override;

    /// Goes on on a worker, after ending the pending operation.
    void complete_on_worker() noexcept;

    // Every queue of the process.
    static std::vector<std::shared_ptr<Queue>> all();
    static std::shared_ptr<Queue> find(std::uintptr_t handle);
    /// Failures of queues that are gone.
    static std::shared_ptr<Failure> take_orphaned_failure();

    static void before_fork() noexcept;
    static void after_fork_in_parent() noexcept;
    /// What was queued belongs to the parent: it is dropped here.
    static void after_fork_in_child() noexcept;

private:
    static constexpr std::uint64_t idle = 0, on_the_spot = 1, driven = 2;
    static constexpr std::uint64_t state_mask = 3, one = 4;

    enum class DriveOn : std::uint8_t { caller, worker, fork_child };

    void drive(DriveOn where) noexcept;
    void finish_operation(Operation* operation) noexcept;
    void wait_for_room();
    void abandon_in_child() noexcept;

    const int priority_;
    std::atomic<std::uint64_t> tail_{0};
    std::atomic<std::uint64_t> completed_{0};
    WaitList waiters_;
    std::atomic<bool> has_failure_{false};
    std::atomic<std::uint64_t> stuck_at_{~std::uint64_t{0}};

    mutable SpinLock lock_;
    Operation* first_ = nullptr;
    Operation* last_ = nullptr;
    Operation* current_ = nullptr;  ///< pending
    bool complete_first_ = false;   ///< for finish()
    std::shared_ptr<Failure> failure_;
    std::shared_ptr<Queue> self_;  ///< while driven

    // The list of all queues.
    Queue* previous_queue_ = nullptr;
    Queue* next_queue_ = nullptr;
};

}  // namespace heald::cpu
