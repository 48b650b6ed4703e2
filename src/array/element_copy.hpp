#pragma once

#include <heald/array.hpp>

#include "src/core/device_state.hpp"

namespace heald::array {

// Enqueued copies of elements with any strides between any memories. Arguments are checked by the
// caller: shapes and dtypes agree, nothing is empty or closed.

void copy_elements(const Array& to, const Array& from, core::StreamState& stream);
/// Returns when the host memory was read.
void copy_elements_from_host(const Array& to, const void* from, const Shape& from_strides,
                             core::StreamState& stream);
/// Returns when the host memory was written.
void copy_elements_to_host(void* to, const Shape& to_strides, const Array& from,
                           core::StreamState& stream);
/// `value` points to one element.
void fill_elements(const Array& array, const void* value, core::StreamState& stream);

}  // namespace heald::array
