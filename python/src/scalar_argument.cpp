#include "python/src/arguments.hpp"
#include "python/src/ctypes_scalar.hpp"
#include "python/src/dtype.hpp"
#include "python/src/numpy.hpp"

#include "src/base/scalar_bits.hpp"

#include <heald/error.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>

namespace heald::python {

namespace {

std::string numpy_name(DType dtype) {
    const std::string name(name_of(dtype));
    return dtype == DType::boolean    ? "np.bool_"
           : dtype == DType::bfloat16 ? "ml_dtypes." + name
                                      : "np." + name;
}

// The value in Python's own words, for "pass int(1.5)".
std::string python_text(PyObject* object) {
    nb::object text = nb::steal(PyObject_Str(object));
    if (text.is_valid() && nb::len(text) < 24) return nb::str(text).c_str();
    PyErr_Clear();
    return "x";
}

void fill_signed(const ArgumentPlace& place, const Slot& slot, PyObject* object, void* out) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    const int bits = static_cast<int>(slot.size) * 8;
    const long long high = bits == 64 ? INT64_MAX : (1LL << (bits - 1)) - 1;
    const long long low = -high - 1;
    if (overflow || value > high || value < low)
        place.refuse(ErrorKind::invalid_value, given_text(object),
                     "the range is " + std::to_string(low) + " to " + std::to_string(high));
    std::memcpy(out, &value, slot.size);  // little-endian
}

void fill_unsigned(const ArgumentPlace& place, const Slot& slot, PyObject* object, void* out) {
    const int bits = static_cast<int>(slot.size) * 8;
    const unsigned long long high = bits == 64 ? UINT64_MAX : (1ULL << bits) - 1;
    unsigned long long value = PyLong_AsUnsignedLongLong(object);
    const bool failed = value == static_cast<unsigned long long>(-1) && PyErr_Occurred();
    if (failed) PyErr_Clear();
    if (failed || value > high)
        place.refuse(ErrorKind::invalid_value, given_text(object),
                     "the range is 0 to " + std::to_string(high));
    std::memcpy(out, &value, slot.size);
}

void fill_integer(const ArgumentPlace& place, const Slot& slot, PyObject* object, void* out) {
    if (slot.kind == Slot::Kind::signed_int)
        fill_signed(place, slot, object, out);
    else
        fill_unsigned(place, slot, object, out);
}

void fill_real(const ArgumentPlace& place, const Slot& slot, double value, PyObject* object,
               void* out) {
    const bool fits = store_real(value, slot.dtype, out);
    if (!fits && std::isfinite(value))
        place.refuse(ErrorKind::invalid_value, given_text(object), "it is too large for that type");
}

void fill_complex(const Slot& slot, std::complex<double> value, void* out) {
    if (slot.size == sizeof value) {
        std::memcpy(out, &value, sizeof value);
    } else {
        const std::complex<float> narrow(value);
        std::memcpy(out, &narrow, sizeof narrow);
    }
}

[[noreturn]] void refuse_scalar(const ArgumentPlace& place, const Slot& slot, PyObject* object) {
    const std::string given = given_text(object);
    if (NumPy::get().is_array(object))
        place.refuse(ErrorKind::type_mismatch, "a NumPy array",
                     "pass one element, such as x[0] or x.item()");
    switch (slot.kind) {
        case Slot::Kind::signed_int:
        case Slot::Kind::unsigned_int:
            if (PyFloat_Check(object))
                place.refuse(ErrorKind::type_mismatch, given,
                             "pass int(" + python_text(object) + ") or change the parameter");
            place.refuse(ErrorKind::type_mismatch, given, "pass an int");
        case Slot::Kind::boolean:
            place.refuse(
                ErrorKind::type_mismatch, given,
                PyLong_Check(object) ? "pass bool(" + python_text(object) + ")" : "pass a bool");
        case Slot::Kind::real:
            place.refuse(ErrorKind::type_mismatch, given, "pass a float");
        case Slot::Kind::complex:
            place.refuse(ErrorKind::type_mismatch, given, "pass a complex");
        case Slot::Kind::record:
            place.refuse(ErrorKind::type_mismatch, given,
                         "pass a ctypes.Structure or a NumPy record of that size");
        case Slot::Kind::unknown:
        case Slot::Kind::pointer:
            break;
    }
    place.refuse(ErrorKind::type_mismatch, given,
                 "code without source tells only sizes: pass a NumPy or ctypes scalar, or give "
                 "get_kernel a signature='(const float *x, int n)'");
}

// A value whose dtype is known: exact or by a safe cast.
void fill_typed(const ArgumentPlace& place, const Slot& slot, DType given, const void* value,
                PyObject* object, void* out) {
    if (given == slot.dtype) {
        std::memcpy(out, value, slot.size);
        return;
    }
    if (slot.kind == Slot::Kind::unknown) {
        if (size_of(given) != slot.size)
            place.refuse(ErrorKind::type_mismatch, given_text(object), "the sizes must agree");
        std::memcpy(out, value, slot.size);
        return;
    }
    if (slot.kind == Slot::Kind::record) {
        const bool is_complex = info(given).kind == DTypeKind::complex;
        if (!is_complex || size_of(given) != slot.size) refuse_scalar(place, slot, object);
        std::memcpy(out, value, slot.size);
        return;
    }
    if (!is_safe_cast(given, slot.dtype))
        place.refuse(ErrorKind::type_mismatch, given_text(object),
                     "that may change the value: pass " + numpy_name(slot.dtype) + "(" +
                         python_text(object) + ") or change the parameter");
    cast_scalar(given, value, slot.dtype, out);
}

// Structures: the bytes as they are.
bool fill_record(const ArgumentPlace& place, const Slot& slot, PyObject* object, void* out) {
    if (!NumPy::get().is_scalar(object) && !is_ctypes_value(object)) return false;
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        return false;
    }
    const auto bytes = static_cast<std::size_t>(view.len);
    if (bytes == slot.size) std::memcpy(out, view.buf, bytes);
    PyBuffer_Release(&view);
    if (bytes != slot.size)
        place.refuse(
            ErrorKind::type_mismatch,
            std::string(Py_TYPE(object)->tp_name) + " of " + std::to_string(bytes) + " bytes",
            "the sizes must agree (check alignment: numpy.dtype(…, align=True))");
    return true;
}

// Python's own numbers; false if the object is none of them or the parameter takes none.
bool fill_python_number(const ArgumentPlace& place, const Slot& slot, PyObject* object, void* out) {
    switch (slot.kind) {
        case Slot::Kind::signed_int:
        case Slot::Kind::unsigned_int:
            if (!PyLong_Check(object)) return false;
            fill_integer(place, slot, object, out);
            return true;
        case Slot::Kind::boolean:
            if (!PyBool_Check(object)) return false;
            *static_cast<bool*>(out) = object == Py_True;
            return true;
        case Slot::Kind::real:
            if (PyFloat_Check(object)) {
                fill_real(place, slot, PyFloat_AS_DOUBLE(object), object, out);
                return true;
            }
            if (PyLong_Check(object)) {
                const double value = PyLong_AsDouble(object);
                if (value == -1.0 && PyErr_Occurred()) {
                    PyErr_Clear();
                    place.refuse(ErrorKind::invalid_value, "an int", "it is too large");
                }
                fill_real(place, slot, value, object, out);
                return true;
            }
            return false;
        case Slot::Kind::record:  // float2 and the like
            if (!PyComplex_Check(object) || (slot.size != 8 && slot.size != 16)) return false;
            [[fallthrough]];
        case Slot::Kind::complex: {
            if (!PyComplex_Check(object) && !PyFloat_Check(object) && !PyLong_Check(object))
                return false;
            const Py_complex value = PyComplex_AsCComplex(object);
            if (PyErr_Occurred()) nb::raise_python_error();
            fill_complex(slot, {value.real, value.imag}, out);
            return true;
        }
        case Slot::Kind::pointer:
        case Slot::Kind::unknown:
            return false;
    }
    return false;
}

}  // namespace

void fill_scalar(const ArgumentPlace& place, const Slot& slot, PyObject* object, void* out) {
    // The common cases by exact type: numpy.float64 is a float, but follows NumPy's rules.
    if (PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyBool_Check(object) ||
        PyComplex_CheckExact(object)) {
        if (fill_python_number(place, slot, object, out)) return;
        refuse_scalar(place, slot, object);
    }
    const NumPy& numpy = NumPy::get();
    if (const std::optional<DType> dtype = numpy.scalar_dtype(object)) {
        alignas(16) std::byte value[16];
        numpy.read_scalar(object, *dtype, value);
        fill_typed(place, slot, *dtype, value, object, out);
        return;
    }
    alignas(16) std::byte value[16];
    if (const std::optional<DType> dtype = read_ctypes_scalar(object, value)) {
        fill_typed(place, slot, *dtype, value, object, out);
        return;
    }
    if ((slot.kind == Slot::Kind::record || slot.kind == Slot::Kind::unknown) &&
        fill_record(place, slot, object, out))
        return;
    if (fill_python_number(place, slot, object, out)) return;  // subclasses
    const bool is_integer =
        slot.kind == Slot::Kind::signed_int || slot.kind == Slot::Kind::unsigned_int;
    if (is_integer && PyIndex_Check(object) && !numpy.is_array(object)) {
        nb::object index = nb::steal(PyNumber_Index(object));
        if (!index.is_valid()) nb::raise_python_error();
        fill_integer(place, slot, index.ptr(), out);
        return;
    }
    refuse_scalar(place, slot, object);
}

}  // namespace heald::python
