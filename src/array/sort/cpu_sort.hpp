#pragma once

#include "src/array/rows.hpp"

#include <heald/stream.hpp>

namespace heald::array {

/// Rows of elements that are not complex, sorted into `to`, which is C-contiguous. Enqueued on a
/// stream of the CPU.
void sort_rows_on_cpu(const Rows& rows, const Array& to, bool descending, const Stream& stream);

/// The places in each row (int64) of its elements in sorted order; equal ones stay in theirs.
void argsort_rows_on_cpu(const Rows& rows, const Array& to, bool descending, const Stream& stream);

/// The same of complex elements.
void sort_complex_rows_on_cpu(const Rows& rows, const Array& to, bool descending,
                              const Stream& stream);
void argsort_complex_rows_on_cpu(const Rows& rows, const Array& to, bool descending,
                                 const Stream& stream);

}  // namespace heald::array
