#pragma once

#include <heald/kernel.hpp>

#include <nanobind/nanobind.h>

#include <cstddef>

namespace heald::python {

namespace nb = nanobind;

/// The options that every form of launch takes, as the caller gave them; null: not given.
struct LaunchOptions {
    PyObject* grid = nullptr;
    PyObject* block = nullptr;
    PyObject* args = nullptr;
    PyObject* stream = nullptr;
    PyObject* shared_memory = nullptr;
    PyObject* cluster = nullptr;
    PyObject* cooperative = nullptr;

    /// grid, block, args, stream, shared_memory.
    void set_positional(PyObject* const* values, Py_ssize_t count, const char* operation);
    /// `names`: a tuple, or null.
    void set_keywords(PyObject* names, PyObject* const* values, const char* operation);

    [[nodiscard]] LaunchConfig config(const char* operation) const;
};

/// The kernel's arguments out of a tuple or list.
struct ArgumentList {
    ArgumentList(PyObject* args, const char* operation);

    nb::object kept;
    PyObject** items = nullptr;
    std::size_t count = 0;
};

void init_launch_options();

}  // namespace heald::python
