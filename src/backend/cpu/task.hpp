#pragma once

#include <cstdint>

namespace heald::cpu {

/// Work for the worker pool: pieces that any number of workers claim, then one end. A task belongs
/// to its submitter, which keeps it alive until finish() begins.
class Task {
public:
    virtual ~Task() = default;

    /// Claims and runs one piece; `worker` is the number of the thread that asks. False: there was
    /// none left to claim.
    virtual bool run_piece(unsigned worker) = 0;

    /// Called once, when no piece is left and no worker runs one. May destroy the task or submit it
    /// again.
    virtual void finish() = 0;

    /// Workers that can be of use at once.
    unsigned most_workers = 1;

private:
    friend class WorkerPool;
    friend class TaskList;

    Task* next_ = nullptr;
    Task* previous_ = nullptr;
    unsigned attached_ = 0;
    bool exhausted_ = false;
    std::uint64_t unattended_since_ = 0;  ///< ticks()
};

/// An intrusive list, first in, first out.
class TaskList {
public:
    [[nodiscard]] Task* front() const noexcept { return first_; }
    [[nodiscard]] static Task* after(const Task& task) noexcept { return task.next_; }
    void push_back(Task& task) noexcept {
        task.next_ = nullptr;
        task.previous_ = last_;
        (last_ != nullptr ? last_->next_ : first_) = &task;
        last_ = &task;
    }
    void remove(Task& task) noexcept {
        (task.previous_ != nullptr ? task.previous_->next_ : first_) = task.next_;
        (task.next_ != nullptr ? task.next_->previous_ : last_) = task.previous_;
        task.next_ = task.previous_ = nullptr;
    }

private:
    Task* first_ = nullptr;
    Task* last_ = nullptr;
};

}  // namespace heald::cpu
