#include "python/src/ctypes_scalar.hpp"

#include <heald/error.hpp>

#include <nanobind/nanobind.h>

#include <cstring>
#include <optional>
#include <string>

namespace nb = nanobind;

namespace heald::python {

namespace {

// The letter of a ctypes._SimpleCData type; 0 if the object is none.
char type_letter(PyObject* object) {
    if (!is_ctypes_value(object)) return 0;
    nb::object letter =
        nb::getattr(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object))), "_type_", nb::none());
    if (!PyUnicode_Check(letter.ptr())) return 0;
    const Py_UCS4 first =
        PyUnicode_GET_LENGTH(letter.ptr()) == 1 ? PyUnicode_ReadChar(letter.ptr(), 0) : 0;
    return first < 128 ? static_cast<char>(first) : '\0';
}

std::optional<DType> dtype_of_letter(char letter) {
    switch (letter) {
        case '?':
            return DType::boolean;
        case 'b':
        case 'c':
            return DType::int8;
        case 'B':
            return DType::uint8;
        case 'h':
            return DType::int16;
        case 'H':
            return DType::uint16;
        case 'i':
            return DType::int32;
        case 'I':
            return DType::uint32;
        case 'l':
        case 'q':
            return DType::int64;
        case 'L':
        case 'Q':
            return DType::uint64;
        case 'f':
            return DType::float32;
        case 'd':
            return DType::float64;
        default:
            return std::nullopt;
    }
}

void copy_value(PyObject* object, void* out, std::size_t bytes) {
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0) nb::raise_python_error();
    const bool fits = view.len == static_cast<Py_ssize_t>(bytes);
    if (fits) std::memcpy(out, view.buf, bytes);
    PyBuffer_Release(&view);
    if (!fits)
        throw Error(ErrorKind::type_mismatch, std::string("[Kernel.launch] the _type_ of ") +
                                                  Py_TYPE(object)->tp_name +
                                                  " does not tell its size");
}

}  // namespace

bool is_ctypes_value(PyObject* object) {
    // Every ctypes type has a metatype of the module _ctypes.
    const char* metatype = Py_TYPE(reinterpret_cast<PyObject*>(Py_TYPE(object)))->tp_name;
    return std::strncmp(metatype, "_ctypes.", 8) == 0;
}

std::optional<DType> read_ctypes_scalar(PyObject* object, void* out) {
    const std::optional<DType> dtype = dtype_of_letter(type_letter(object));
    if (dtype) copy_value(object, out, size_of(*dtype));
    return dtype;
}

std::optional<void*> read_ctypes_pointer(PyObject* object) {
    if (type_letter(object) != 'P') return std::nullopt;
    void* address = nullptr;
    copy_value(object, &address, sizeof address);
    return address;
}

}  // namespace heald::python
