#pragma once

#include "src/array/rows.hpp"

#include <heald/stream.hpp>

namespace heald::array {

/// Rows sorted into `to`, which is C-contiguous: by CUB where its library is there, else by kernels
/// of heald's own, which run on any device. Enqueued.
void sort_rows_on_gpu(const Rows& rows, const Array& to, bool descending, const Stream& stream);

/// The places in each row (int64) of its elements in sorted order; equal ones stay in theirs.
void argsort_rows_on_gpu(const Rows& rows, const Array& to, bool descending, const Stream& stream);

}  // namespace heald::array
