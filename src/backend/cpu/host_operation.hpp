#pragma once

#include <functional>

namespace heald::cpu {

class Queue;

/// Runs `function` on a thread of heald's in the queue's order. An exception of it becomes a
/// failure of the queue.
void enqueue_host_function(Queue& queue, std::function<void()> function);

}  // namespace heald::cpu
