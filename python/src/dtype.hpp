#pragma once

#include <heald/dtype.hpp>

#include <nanobind/nanobind.h>

namespace heald::python {

namespace nb = nanobind;

/// A dtype as users write it: numpy.float32, "float32", numpy.dtype(…), ml_dtypes.bfloat16, float.
/// Throws Error(type_mismatch) that names `operation` if heald has no such dtype.
DType dtype_from_python(nb::handle object, const char* operation);

/// The numpy.dtype.
nb::object dtype_to_python(DType dtype);

/// Whether NumPy calls the conversion safe: no value changes.
[[nodiscard]] bool is_safe_cast(DType from, DType to) noexcept;

void init_dtype(nb::module_& m);

}  // namespace heald::python
