#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include <cstdint>

namespace heald::array {

// Selection by a mask. These wait until the number of selected elements is known. `use_kernels`: on
// a CPU too, the kernels that a GPU runs, for tests.

/// Elements that are true as bool(x) says.
[[nodiscard]] HEALD_API std::int64_t count_nonzero(const Array& x, bool use_kernels = false);

/// int64 (ndim, count): the indices of the elements that are true, in C order.
[[nodiscard]] HEALD_API Array nonzero(const Array& x, bool use_kernels = false);

/// The elements of `x` where `mask` (bool) is true, in C order: the mask's axes are the first ones
/// of `x`, and one takes their place. Throws Error(out_of_bounds) if the shapes do not fit,
/// Error(type_mismatch) for another dtype.
[[nodiscard]] HEALD_API Array compress(const Array& x, const Array& mask, bool use_kernels = false);

}  // namespace heald::array
