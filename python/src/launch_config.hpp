#pragma once

#include <heald/kernel.hpp>

#include <nanobind/nanobind.h>

namespace heald::python {

namespace nb = nanobind;

/// A grid, block or cluster: an int or a tuple of one to three ints. `what` names it in errors.
Dim3 dim3_argument(PyObject* value, const char* what);

/// Bytes of dynamic shared memory.
std::size_t shared_memory_argument(PyObject* value);

}  // namespace heald::python
