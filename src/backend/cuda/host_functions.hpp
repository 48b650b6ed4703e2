#pragma once

#include "src/backend/cuda/queue.hpp"
#include "src/core/signal.hpp"

#include <functional>
#include <memory>

namespace heald::cuda {

/// Runs `function` on a thread of heald's when earlier work of `queue` is done; later work waits.
/// The driver's callback thread only hands over, so that the function may take locks (Python's
/// among them), may wait for other streams, and the callback itself never calls CUDA. What it
/// throws is kept for the next synchronisation of `queue`.
void enqueue_host_function(std::shared_ptr<Queue> queue, std::function<void()> function);

/// Later work of `queue` waits for the signal.
void enqueue_wait_for_signal(const std::shared_ptr<Queue>& queue,
                             std::shared_ptr<core::Signal> signal);

}  // namespace heald::cuda
