#pragma once

#include <cstdint>

namespace heald::cpu {

class Queue;

/// One entry of a queue.
class Operation {
public:
    enum class Step : std::uint8_t {
        done,     ///< the queue goes on with the next one
        pending,  ///< Queue::complete() will be called for it, perhaps already
    };

    virtual ~Operation() = default;

    /// Called when everything before it is done.
    virtual Step start(Queue& queue) = 0;

    /// Tries to end a pending operation early because its queue was cancelled. May be called at any
    /// time from just before start() to the end of the operation, under the queue's lock: the only
    /// thing it may call there is Queue::complete_on_worker().
    virtual void interrupt(Queue&) noexcept {}

    /// Whether a cancelled queue leaves it out. Those that others wait for stay in.
    [[nodiscard]] virtual bool droppable() const noexcept { return true; }

    /// After the end, in place of delete.
    virtual void retire() noexcept { delete this; }

    Operation* next = nullptr;
    bool dropped = false;  ///< guarded by the queue's lock
};

}  // namespace heald::cpu
