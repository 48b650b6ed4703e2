#pragma once

#include "src/backend/cpu/futex.hpp"
#include "src/backend/cpu/spin_lock.hpp"
#include "src/backend/cpu/task.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace heald::cpu {

/// The threads that run kernels, copies and fills: one per processor that the process may use.
/// Several tasks share them: a worker stays with a task until its pieces are used up, or for about
/// a millisecond if another task has no worker at all. A task that finds every worker held up by
/// pieces that do not end gets a spare thread, so that one endless kernel does not stop the others.
class WorkerPool {
public:
    /// The process's pool, never destroyed: its threads may run until the very end.
    static WorkerPool& instance() noexcept;

    explicit WorkerPool(unsigned workers);
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Makes the threads if they are not there yet. Throws Error(device).
    void start();

    void submit(Task& task) noexcept;

    /// A kernel waits for another thread: whether that one can run is looked after.
    void note_waiting_kernel() noexcept { arm_watch(); }

    [[nodiscard]] unsigned size() const noexcept { return count_; }

    /// The threads stop claiming pieces: the process ends.
    static void close_at_exit() noexcept;

    /// Around fork(): the child starts with a new pool without tasks.
    static void before_fork() noexcept;
    static void after_fork_in_parent() noexcept;
    static void after_fork_in_child() noexcept;

private:
    /// Pieces started, on a line that no other worker writes.
    struct alignas(64) PieceCount {
        std::atomic<std::uint64_t> value{0};
    };
    struct Worker {
        std::atomic<std::uint32_t> asleep{0};
        Worker* next_sleeper = nullptr;
        unsigned index = 0;
        PieceCount pieces;
    };
    struct Spare;

    void work(Worker& self) noexcept;
    void work_as_spare(Spare& self) noexcept;
    void serve(Task& task, unsigned worker, bool slices, PieceCount& pieces) noexcept;
    [[nodiscard]] bool may_join() noexcept;
    Task* attach(bool& wake_more, bool& held_up) noexcept;
    void detach(Task& task, bool exhausted) noexcept;
    void wake(unsigned most) noexcept;
    void sleep(Worker& self, std::uint32_t offers) noexcept;

    // Held-up tasks (spare_workers.cpp).
    void watch() noexcept;
    bool look_after() noexcept;
    void give_spare(Task& task) noexcept;
    void arm_watch() noexcept;

    const unsigned count_;
    std::atomic<bool> started_{false};
    std::atomic<bool> closed_{false};

    // On lines of their own: workers look at the first between pieces, at the second while they
    // spin.
    alignas(64) std::atomic<std::uint32_t> unattended_{0};  // length of waiting_
    alignas(64) std::atomic<std::uint32_t> offers_{0};      // changes when there may be work
    std::atomic<std::uint32_t> awake_{0};       // without a task; fewer only under the lock
    std::atomic<std::uint64_t> join_after_{0};  // ticks()

    alignas(64) SpinLock lock_;  // of the lists and of what tasks have in them
    TaskList waiting_;           // no worker
    TaskList running_;           // at least one, pieces left
    Worker* sleepers_ = nullptr;
    std::vector<std::unique_ptr<Worker>> workers_;
    PieceCount spare_pieces_;  // of all spare threads

    std::atomic<std::uint32_t> armed_{0};
    Spare* idle_spares_ = nullptr;
    unsigned spares_ = 0;
    std::uint64_t pieces_seen_ = 0;
    unsigned long relaxed_seen_ = 0;
    unsigned ticks_without_pieces_ = 0;
};

}  // namespace heald::cpu
