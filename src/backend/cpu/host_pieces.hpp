#pragma once

#include "src/backend/cpu/queue.hpp"

#include <cstdint>
#include <functional>

namespace heald::cpu {

/// Enqueues host code whose pieces the workers share. `short_work`: on the spot if the queue is
/// idle. What `run` throws is the queue's failure; it may not call the device.
void enqueue_host_pieces(Queue& queue, std::uint64_t pieces, bool short_work,
                         std::function<void(std::uint64_t, std::uint64_t)> run);

}  // namespace heald::cpu
