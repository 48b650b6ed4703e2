#pragma once

#include "src/backend/cuda/queue.hpp"

#include <functional>
#include <memory>

namespace heald::cuda {

/// Runs `function` on a thread of heald's when earlier work of `queue` is done; later work waits.
/// The driver's callback thread only hands over and waits, so that the function may take locks
/// (Python's among them) and the callback itself never calls CUDA. What it throws is kept for the
/// next synchronisation of `queue`.
void enqueue_host_function(std::shared_ptr<Queue> queue, std::function<void()> function);

}  // namespace heald::cuda
