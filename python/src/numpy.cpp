#include "python/src/numpy.hpp"

#include <heald/error.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace heald::python {

namespace {

PyTypeObject* keep_type(nb::object type) {
    return reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

void copy_buffer(PyObject* object, void* out, std::size_t bytes) {
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0) nb::raise_python_error();
    std::memcpy(out, view.buf, std::min(bytes, static_cast<std::size_t>(view.len)));
    PyBuffer_Release(&view);
}

nb::object import_bfloat16() {
    try {
        return nb::module_::import_("ml_dtypes").attr("bfloat16");
    } catch (nb::python_error& e) {
        if (!e.matches(PyExc_ImportError)) throw;
        throw Error(ErrorKind::unavailable,
                    "[dtype] NumPy has no bfloat16 of its own: pip install ml_dtypes");
    }
}

}  // namespace

const NumPy& NumPy::get() {
    // Never destroyed: Python objects must not be touched after the interpreter has ended.
    static const NumPy* numpy = new NumPy();
    return *numpy;
}

NumPy::NumPy() {
    nb::object numpy = nb::module_::import_("numpy");
    array_type_ = keep_type(numpy.attr("ndarray"));
    scalar_base_ = keep_type(numpy.attr("generic"));
    longlong_ = keep_type(numpy.attr("longlong"));
    ulonglong_ = keep_type(numpy.attr("ulonglong"));
    empty_ = nb::object(numpy.attr("empty")).release().ptr();
    asarray_ = nb::object(numpy.attr("asarray")).release().ptr();
    const nb::object make_dtype = numpy.attr("dtype");
    for (std::size_t i = 0; i < builtin_count; ++i) {
        if (static_cast<DType>(i) == DType::bfloat16) continue;
        const DTypeInfo& row = info(static_cast<DType>(i));
        nb::object dtype = make_dtype(nb::str(row.name.data(), row.name.size()));
        scalar_types_[i] = keep_type(dtype.attr("type"));
        dtypes_[i] = dtype.release().ptr();
    }
    // NumPy has always kept a scalar's value right after the object header; believe it if it holds.
    nb::object probe = numpy.attr("float32")(1.5);
    float value = 0;
    std::memcpy(&value, reinterpret_cast<char*>(probe.ptr()) + sizeof(PyObject), sizeof value);
    values_follow_header_ = value == 1.5f;
    module_ = numpy.release().ptr();
}

nb::object NumPy::empty(nb::handle shape, nb::handle dtype) const {
    return nb::handle(empty_)(shape, dtype);
}

nb::object NumPy::asarray(nb::handle x, nb::handle dtype) const {
    return nb::handle(asarray_)(x, dtype);
}

std::optional<DType> NumPy::find_type(PyObject* object) const noexcept {
    const auto* type = reinterpret_cast<PyTypeObject*>(object);
    for (std::size_t i = 0; i < builtin_count; ++i)
        if (scalar_types_[i] == type) return static_cast<DType>(i);
    if (type == longlong_) return DType::int64;
    if (type == ulonglong_) return DType::uint64;
    return std::nullopt;
}

std::optional<DType> NumPy::scalar_dtype(PyObject* object) const noexcept {
    PyTypeObject* type = Py_TYPE(object);
    if (const auto found = find_type(reinterpret_cast<PyObject*>(type))) return found;
    if (std::strcmp(type->tp_name, "ml_dtypes.bfloat16") == 0 ||
        (std::strcmp(type->tp_name, "bfloat16") == 0 && is_scalar(object)))
        return DType::bfloat16;
    return std::nullopt;
}

void NumPy::read_scalar(PyObject* scalar, DType dtype, void* out) const {
    if (dtype == DType::bfloat16) {
        nb::object bytes = nb::handle(scalar).attr("tobytes")();
        copy_buffer(bytes.ptr(), out, 2);
    } else if (values_follow_header_) {
        std::memcpy(out, reinterpret_cast<const char*>(scalar) + sizeof(PyObject), size_of(dtype));
    } else {
        copy_buffer(scalar, out, size_of(dtype));
    }
}

nb::object NumPy::dtype(DType dtype) const {
    if (dtype == DType::bfloat16) return module().attr("dtype")(import_bfloat16());
    if (dtype == DType::opaque)
        throw Error(ErrorKind::invalid_value, "[dtype] untyped memory has no NumPy dtype");
    return nb::borrow(dtypes_[static_cast<std::size_t>(dtype)]);
}

std::optional<DType> NumPy::find_dtype(nb::handle dtype) const {
    for (std::size_t i = 0; i < builtin_count; ++i)
        if (dtypes_[i] == dtype.ptr()) return static_cast<DType>(i);
    if (!nb::cast<bool>(dtype.attr("isnative"))) return std::nullopt;
    const std::string name = nb::cast<std::string>(nb::str(dtype.attr("name")));
    for (std::size_t i = 0; i < builtin_count; ++i)
        if (name == name_of(static_cast<DType>(i))) return static_cast<DType>(i);
    return std::nullopt;
}

}  // namespace heald::python
