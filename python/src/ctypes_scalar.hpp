#pragma once

#include <heald/dtype.hpp>

#include <Python.h>

#include <optional>

namespace heald::python {

// ctypes is never imported for this: an object of ctypes means that it is loaded.

/// A ctypes scalar, structure, union, array or pointer object.
[[nodiscard]] bool is_ctypes_value(PyObject* object);

/// Copies the value of a ctypes number (c_int, c_float, …; up to 16 bytes) and tells its dtype.
std::optional<DType> read_ctypes_scalar(PyObject* object, void* out);

/// The address in a ctypes.c_void_p (null for None).
std::optional<void*> read_ctypes_pointer(PyObject* object);

}  // namespace heald::python
