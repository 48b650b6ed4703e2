#pragma once

#include <heald/array.hpp>
#include <heald/stream.hpp>

#include "src/plan/fft/executor.hpp"
#include "src/plan/fft/layout.hpp"

#include <cstdint>
#include <vector>

namespace heald::fft {

/// Enqueues what cuFFT needs for a transform, without its scale: one call where it can take the
/// arrays as they are; copies, and several calls for more than three axes. `own`: the input may be
/// overwritten.
void run_on_gpu(const Array& in, bool own, const Array& out, Operation operation,
                const std::vector<int>& axes, const std::vector<std::int64_t>& lengths,
                const Stream& stream);

}  // namespace heald::fft
