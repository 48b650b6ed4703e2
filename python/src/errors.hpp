#pragma once

#include <heald/error.hpp>

#include <nanobind/nanobind.h>

namespace heald::python {

namespace nb = nanobind;

/// The classes of heald's exceptions, and the translation of the engine's errors into them.
void init_errors(nb::module_& m);

/// Sets Python's error from the C++ exception that is being handled: for functions that CPython
/// calls directly.
void set_error_from_current_exception() noexcept;

/// Runs `body`, turning C++ exceptions into Python's.
template <class Body>
PyObject* guarded(Body body) noexcept {
    try {
        return body();
    } catch (...) {
        set_error_from_current_exception();
        return nullptr;
    }
}

}  // namespace heald::python
