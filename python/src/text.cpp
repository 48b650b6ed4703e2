#include "python/src/text.hpp"

#include <heald/error.hpp>

namespace heald::python {

namespace {

constexpr Py_ssize_t longest_shown = 200;  // letters

std::string utf8_of(PyObject* text) {
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace"));
    if (!bytes.is_valid()) return {};
    return {PyBytes_AS_STRING(bytes.ptr()),
            static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

}  // namespace

std::string text_argument(nb::handle text, const std::string& what) {
    if (!PyUnicode_Check(text.ptr()))
        throw Error(ErrorKind::type_mismatch,
                    what + " must be a str, got " + Py_TYPE(text.ptr())->tp_name);
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes) return {bytes, static_cast<std::size_t>(size)};
    PyErr_Clear();
    throw Error(ErrorKind::invalid_value,
                what + " holds letters that UTF-8 cannot write, got " + shown(text));
}

std::string shown(nb::handle object) noexcept {
    nb::object text = nb::steal(PyObject_Repr(object.ptr()));
    std::string result;
    if (text.is_valid() && PyUnicode_GET_LENGTH(text.ptr()) > longest_shown) {
        text = nb::steal(PyUnicode_Substring(text.ptr(), 0, longest_shown));
        if (text.is_valid()) result = utf8_of(text.ptr()) + "…";
    } else if (text.is_valid()) {
        result = utf8_of(text.ptr());
    }
    PyErr_Clear();
    return result.empty() ? std::string("an object of type ") + Py_TYPE(object.ptr())->tp_name
                          : result;
}

}  // namespace heald::python
