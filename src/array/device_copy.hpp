#pragma once

#include <heald/array.hpp>

namespace heald::array {

/// Enqueues a copy of elements between arrays of one device, any strides.
void copy_strided(const Array& destination, const Array& source, const Stream& stream);

}  // namespace heald::array
