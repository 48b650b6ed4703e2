#pragma once

#include <heald/array.hpp>

#include <nanobind/nanobind.h>

#include "src/array/shape.hpp"

namespace heald::python {

namespace nb = nanobind;

using array::shape_text;

nb::tuple shape_tuple(const Shape& shape);

/// An int or a sequence of ints. Throws Error naming `operation`; negative lengths too unless
/// `allow_unknown` (-1, as in reshape).
Shape shape_argument(nb::handle shape, const char* operation, bool allow_unknown = false);

/// The same elements seen with `shape`, by NumPy's broadcasting rules.
Array broadcast_to(const Array& array, const Shape& shape, const char* operation);

/// The array's memory is given to another library: from now on what reads it is enqueued at once,
/// so that later writes of the other side come after it.
void share_with_others(const Array& array);

/// The array of a Python object: taken out of it if it is a temporary that nobody else can see, so
/// that a pending one may be computed where it goes.
[[nodiscard]] Array take_array(nb::handle object);

/// Waits until the host may read (or write) the array's memory.
void wait_for_host(const Array& array, bool write);

/// `array[key]` for ints, slices, None and Ellipsis.
Array index_array(const Array& array, nb::handle key);

/// A new array with the elements of a NumPy array.
Array array_from_numpy(nb::handle ndarray, const Stream& stream, const char* operation);
/// The bytes of one element with that value, as NumPy converts it; false if it is not one number.
bool element_from_python(nb::handle value, DType dtype, void* element);

/// A new NumPy array with the elements, C order.
nb::object array_to_numpy(const Array& array, const Stream& stream);

}  // namespace heald::python
