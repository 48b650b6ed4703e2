#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include "src/array/ops/ufunc.hpp"

#include <optional>

namespace heald::array {

/// NumPy's `ufunc.accumulate`: element i along `axis` is the ufunc applied to elements 0 to i. The
/// order of the operations depends on nothing but the shape and the kind of device. Sums and
/// products of float16 and bfloat16 are kept in float32 and rounded once; those of integers are
/// taken in 64 bits unless `dtype` says otherwise. Enqueued. Throws Error(type_mismatch) if the
/// ufunc's results are not its operands. `use_kernels`: on a CPU too, the kernels that a GPU runs,
/// for tests.
[[nodiscard]] HEALD_API Array accumulate(const Ufunc& ufunc, const Array& x, int axis,
                                         std::optional<DType> dtype = std::nullopt,
                                         bool use_kernels = false);

}  // namespace heald::array
