#pragma once

#include <heald/kernel.hpp>

#include "src/array/strided_copy.hpp"
#include "src/core/device_state.hpp"

#include <span>

namespace heald::array {

/// Enqueues a copy within one GPU, or between GPUs that reach each other's memory, as a kernel
/// compiled at run time. Addresses are those of elements [0, …, 0].
void enqueue_gpu_copy(const StridedCopy& copy, void* to, const void* from,
                      std::span<const MemoryUse> uses, const Stream& stream);

}  // namespace heald::array
