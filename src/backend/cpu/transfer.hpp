#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace heald::cpu {

class Queue;

/// Enqueues a copy. Large ones are shared by the workers. Memory that is not there becomes a
/// failure of the queue. `owner` lives until it is done.
void enqueue_copy(void* destination, const void* source, std::size_t bytes, Queue& queue,
                  std::shared_ptr<const void> owner);

/// Enqueues `count` repetitions of the low `pattern_bytes` (1, 2, 4 or 8) bytes of `pattern`.
void enqueue_fill(void* destination, std::uint64_t pattern, unsigned pattern_bytes,
                  std::size_t count, Queue& queue);

}  // namespace heald::cpu
