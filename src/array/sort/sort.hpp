#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

namespace heald::array {

/// How to sort. NaNs come last in either direction; complex numbers by their real part, then by the
/// imaginary one. Equal elements stay in their order, so that every sort is stable.
struct SortOptions {
    bool descending = false;
    bool use_kernels = false;  ///< on a CPU too, as a GPU without CUB does: for tests
};

/// The elements in order along `axis`, in a new array. Enqueued. Throws Error(invalid_value) for an
/// axis that is not there.
[[nodiscard]] HEALD_API Array sort(const Array& x, int axis, const SortOptions& options = {});

/// int64 places along `axis` that put the elements in order.
[[nodiscard]] HEALD_API Array argsort(const Array& x, int axis, const SortOptions& options = {});

/// For each value the int64 place in `sorted` (one axis, ascending, of the same dtype) before which
/// it can be put and leave it sorted: the first such place, or the last if `right`. Enqueued.
[[nodiscard]] HEALD_API Array searchsorted(const Array& sorted, const Array& values, bool right,
                                           bool use_kernels = false);

}  // namespace heald::array
