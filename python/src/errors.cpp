#include "python/src/errors.hpp"

#include <array>
#include <string>

namespace heald::python {

namespace {

struct ErrorClass {
    ErrorKind kind;
    const char* name;
    PyObject** builtin;
    const char* doc;
    PyObject* type = nullptr;
};

PyObject* base_class = nullptr;

// In the order of ErrorKind.
std::array<ErrorClass, 12> classes{{
    {ErrorKind::invalid_value, "InvalidValueError", &PyExc_ValueError,
     "An argument has an impossible value. Also a ValueError."},
    {ErrorKind::type_mismatch, "TypeMismatchError", &PyExc_TypeError,
     "An argument has the wrong type. Also a TypeError."},
    {ErrorKind::not_found, "NotFoundError", &PyExc_LookupError,
     "No kernel, symbol or device of that name. Also a LookupError."},
    {ErrorKind::compile, "CompileError", &PyExc_RuntimeError,
     "The source or a link step was rejected. `diagnostics` is a list of Diagnostic in order of\n"
     "appearance, `log` the compiler's own text. Also a RuntimeError."},
    {ErrorKind::out_of_memory, "OutOfMemoryError", &PyExc_MemoryError,
     "The device, or a limit, cannot hold the allocation. Also a MemoryError."},
    {ErrorKind::unavailable, "UnavailableError", &PyExc_RuntimeError,
     "A device, library or feature is missing. Also a RuntimeError."},
    {ErrorKind::closed, "ClosedError", &PyExc_RuntimeError,
     "The object was closed. Also a RuntimeError."},
    {ErrorKind::kernel_fault, "KernelFault", &PyExc_RuntimeError,
     "A kernel failed while it ran. Also a RuntimeError."},
    {ErrorKind::cancelled, "CancelledError", &PyExc_RuntimeError,
     "Queued work was cancelled. Also a RuntimeError."},
    {ErrorKind::device, "DeviceError", &PyExc_RuntimeError,
     "Any other failure of a device or driver. Also a RuntimeError."},
    {ErrorKind::out_of_bounds, "OutOfBoundsError", &PyExc_IndexError,
     "An index that an array does not have. Also an IndexError."},
    {ErrorKind::overflow, "IntegerOverflowError", &PyExc_OverflowError,
     "A number that a dtype cannot hold. Also an OverflowError."},
}};

const char* severity_name(Diagnostic::Severity severity) {
    switch (severity) {
        case Diagnostic::Severity::note:
            return "note";
        case Diagnostic::Severity::warning:
            return "warning";
        case Diagnostic::Severity::error:
            return "error";
    }
    return "error";
}

nb::object text(const std::string& s) {
    return nb::steal(PyUnicode_DecodeUTF8(s.data(), static_cast<Py_ssize_t>(s.size()), "replace"));
}

/// The exception being handled, if it is one of the compiler's. Its virtual table has no type
/// information when the compiler plug-in threw it (LLVM is built without), so no dynamic_cast.
const CompileError* current_compile_error() {
    try {
        throw;
    } catch (const CompileError& error) {
        return &error;
    } catch (...) {
        return nullptr;
    }
}

/// `error` is the exception being handled.
void set_error(const Error& error) {
    const ErrorClass& row = classes[static_cast<std::size_t>(error.kind())];
    nb::object message = text(error.what());
    if (!message.is_valid()) return;
    nb::object exception = nb::steal(PyObject_CallOneArg(row.type, message.ptr()));
    if (!exception.is_valid()) return;
    if (const CompileError* compile = current_compile_error()) {
        nb::list diagnostics;
        for (const Diagnostic& d : compile->diagnostics()) diagnostics.append(nb::cast(d));
        nb::setattr(exception, "diagnostics", diagnostics);
        nb::setattr(exception, "log", text(compile->log()));
    }
    PyErr_SetObject(row.type, exception.ptr());
}

void translate(const std::exception_ptr& p, void*) {
    try {
        std::rethrow_exception(p);
    } catch (const Error& e) {
        set_error(e);
    } catch (const nb::cast_error&) {
        set_error(
            Error(ErrorKind::type_mismatch,
                  "[heald] an argument, or an item of it, has the wrong type, or a value that "
                  "its type cannot hold"));
    }
}

nb::object add_class(nb::module_& m, const char* name, const char* doc, nb::handle bases) {
    const std::string full = std::string("heald.") + name;
    nb::object type = nb::steal(PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr));
    if (!type.is_valid()) nb::raise_python_error();
    m.attr(name) = type;
    return type;
}

}  // namespace

void set_error_from_current_exception() noexcept {
    try {
        throw;
    } catch (nb::python_error& e) {
        e.restore();
    } catch (const Error& e) {
        try {
            set_error(e);
        } catch (...) {
            PyErr_SetString(PyExc_RuntimeError, e.what());
        }
    } catch (const nb::builtin_exception& e) {
        PyErr_SetString(
            e.type() == nb::exception_type::value_error ? PyExc_ValueError : PyExc_TypeError,
            e.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
    } catch (...) {
        PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
    }
}

void init_errors(nb::module_& m) {
    nb::class_<Diagnostic>(m, "Diagnostic",
                           "One message of a compiler; lines and columns count from 1.")
        .def_prop_ro(
            "severity", [](const Diagnostic& d) { return severity_name(d.severity); },
            "'error', 'warning' or 'note'")
        .def_prop_ro("file", [](const Diagnostic& d) { return text(d.file); })
        .def_ro("line", &Diagnostic::line)
        .def_ro("column", &Diagnostic::column)
        .def_prop_ro("message", [](const Diagnostic& d) { return text(d.message); })
        .def("__repr__", [](const Diagnostic& d) {
            return text(d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) +
                        ": " + severity_name(d.severity) + ": " + d.message);
        });

    base_class = add_class(m, "HealdError", "Every error that heald raises.", PyExc_Exception)
                     .release()
                     .ptr();
    m.attr("Error") = nb::handle(base_class);  // its name in C++
    for (ErrorClass& row : classes) {
        const nb::tuple bases = nb::make_tuple(nb::handle(base_class), nb::handle(*row.builtin));
        row.type = add_class(m, row.name, row.doc, bases).release().ptr();
    }
    nb::handle compile = classes[static_cast<std::size_t>(ErrorKind::compile)].type;
    nb::setattr(compile, "diagnostics", nb::make_tuple());
    nb::setattr(compile, "log", nb::str(""));
    nb::register_exception_translator(translate);
}

}  // namespace heald::python
