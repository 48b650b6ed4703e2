#pragma once

#include "src/plan/fft/executor.hpp"
#include "src/plan/fft/layout.hpp"

#include <optional>

namespace heald::fft {

/// Enqueues an operation on input of the right dtype and extents. `is_own`: nobody else sees its
/// memory, which may be overwritten.
[[nodiscard]] Array run(const Array& in, bool is_own, Operation operation, const Resolved& resolved,
                        DType dtype, const std::optional<Array>& out, const Stream& stream);

}  // namespace heald::fft
