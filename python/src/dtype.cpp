#include "python/src/dtype.hpp"

#include "python/src/numpy.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <string_view>

namespace heald::python {

DType dtype_from_python(nb::handle object, const char* operation) {
    const NumPy& numpy = NumPy::get();
    if (PyUnicode_Check(object.ptr())) {
        const std::string name = text_argument(object, std::string("[") + operation + "] dtype");
        for (int i = 0; i < static_cast<int>(DType::opaque); ++i)
            if (name == name_of(static_cast<DType>(i))) return static_cast<DType>(i);
    } else if (const std::optional<DType> found = numpy.find_type(object.ptr())) {
        return *found;
    }
    nb::object dtype =
        nb::steal(PyObject_CallOneArg(numpy.module().attr("dtype").ptr(), object.ptr()));
    if (!dtype.is_valid()) {
        PyErr_Clear();
        throw Error(ErrorKind::type_mismatch,
                    std::string("[") + operation + "] " + shown(object) +
                        " is not a dtype: pass a NumPy dtype or its name, such as 'float32'");
    }
    if (const std::optional<DType> found = numpy.find_dtype(dtype)) return *found;
    throw Error(ErrorKind::type_mismatch,
                std::string("[") + operation + "] dtype " + shown(dtype) +
                    " has no counterpart on a device: convert to a bool, integer, float or complex "
                    "dtype in native byte order (structures: hd.Buffer.from_host)");
}

nb::object dtype_to_python(DType dtype) {
    return NumPy::get().dtype(dtype);
}

bool is_safe_cast(DType from, DType to) noexcept {
    if (from == to) return true;
    const DTypeInfo& f = info(from);
    const DTypeInfo& t = info(to);
    // Significant bits that a float of that many bytes keeps, seen from integers of 1, 2, 4, 8.
    const auto integer_fits_float = [](std::size_t integer, DType real) {
        if (real == DType::bfloat16) return false;
        return integer < size_of(real) || (integer == 8 && real == DType::float64);
    };
    switch (f.kind) {
        case DTypeKind::boolean:
            return t.kind != DTypeKind::opaque;
        case DTypeKind::unsigned_int:
            if (t.kind == DTypeKind::unsigned_int) return t.size >= f.size;
            if (t.kind == DTypeKind::signed_int) return t.size > f.size;
            break;
        case DTypeKind::signed_int:
            if (t.kind == DTypeKind::signed_int) return t.size >= f.size;
            break;
        case DTypeKind::real:
            if (t.kind == DTypeKind::real) return t.size > f.size;
            if (t.kind == DTypeKind::complex) return t.size / 2 >= f.size;
            return false;
        case DTypeKind::complex:
            return t.kind == DTypeKind::complex && t.size >= f.size;
        case DTypeKind::opaque:
            return false;
    }
    if (t.kind == DTypeKind::real) return integer_fits_float(f.size, to);
    if (t.kind == DTypeKind::complex)
        return integer_fits_float(f.size, t.size == 8 ? DType::float32 : DType::float64);
    return false;
}

void init_dtype(nb::module_& m) {
    m.def(
        "dtype_name",
        [](nb::handle dtype) { return std::string(name_of(dtype_from_python(dtype, "dtype"))); },
        nb::arg("dtype"), "heald's name of a dtype: 'float32', 'bfloat16', …");
    m.def(
        "dtype_from_name",
        [](const std::string& name) { return dtype_to_python(dtype_from_name(name)); },
        nb::arg("name"), "The numpy.dtype of that name.");
}

}  // namespace heald::python
