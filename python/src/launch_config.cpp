#include "python/src/launch_config.hpp"

#include "python/src/module.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

namespace heald::python {

namespace {

[[noreturn]] void refuse_dimension(PyObject* value, const char* what) {
    PyErr_Clear();
    throw Error(ErrorKind::type_mismatch,
                std::string("[Kernel.launch] ") + what +
                    " must be an int or a tuple of one to three ints, got " + shown(value));
}

std::uint32_t dimension(PyObject* value, const char* what, PyObject* whole) {
    long long number = 0;
    if (PyLong_CheckExact(value)) {
        int overflow = 0;
        number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow) number = overflow > 0 ? INT64_MAX : -1;
    } else {
        nb::object index = nb::steal(PyNumber_Index(value));
        if (!index.is_valid()) refuse_dimension(whole, what);
        number = PyLong_AsLongLong(index.ptr());
        if (number == -1 && PyErr_Occurred()) refuse_dimension(whole, what);
    }
    if (number < 0 || number > UINT32_MAX)
        throw Error(ErrorKind::invalid_value, std::string("[Kernel.launch] ") + what + " of " +
                                                  shown(whole) + " is out of range");
    return static_cast<std::uint32_t>(number);
}

nb::tuple triple(const Dim3& d) {
    return nb::make_tuple(d.x, d.y, d.z);
}

std::string text(const Dim3& d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) +
           ")";
}

}  // namespace

Dim3 dim3_argument(PyObject* value, const char* what) {
    Dim3 result;
    if (PyLong_CheckExact(value)) {
        result.x = dimension(value, what, value);
        return result;
    }
    if (PyList_Check(value)) {  // a copy: an item's __index__ may change it
        const nb::object copy = nb::steal(PyList_AsTuple(value));
        return dim3_argument(copy.ptr(), what);
    }
    if (!PyTuple_Check(value)) {
        result.x = dimension(value, what, value);
        return result;
    }
    const Py_ssize_t count = PyTuple_GET_SIZE(value);
    if (count < 1 || count > 3) refuse_dimension(value, what);
    std::uint32_t* const parts[3] = {&result.x, &result.y, &result.z};
    for (Py_ssize_t i = 0; i < count; ++i)
        *parts[i] = dimension(PyTuple_GET_ITEM(value, i), what, value);
    return result;
}

std::size_t shared_memory_argument(PyObject* value) {
    const Py_ssize_t bytes = PyNumber_AsSsize_t(value, PyExc_OverflowError);
    if (bytes == -1 && PyErr_ExceptionMatches(PyExc_TypeError))
        nb::raise_type_error("[Kernel.launch] shared_memory must be an int, got %s",
                             Py_TYPE(value)->tp_name);
    if (bytes < 0) {
        PyErr_Clear();
        throw Error(ErrorKind::invalid_value,
                    std::string("[Kernel.launch] shared_memory must be a number of bytes, got ") +
                        shown(value));
    }
    return static_cast<std::size_t>(bytes);
}

void init_launch_config(nb::module_& m) {
    nb::class_<LaunchConfig>(m, "LaunchConfig",
                             "LaunchConfig(grid, block, shared_memory=0, cluster=None, "
                             "cooperative=False): how a kernel\n"
                             "is launched. `grid`, `block` and `cluster` are ints or tuples; "
                             "`shared_memory` is dynamic,\n"
                             "in bytes; `cooperative` makes all blocks resident, so that grid-wide "
                             "synchronisation works.")
        .def(
            "__init__",
            [](LaunchConfig* self, nb::handle grid, nb::handle block, nb::handle shared_memory,
               nb::handle cluster, bool cooperative) {
                LaunchConfig config;
                config.grid = dim3_argument(grid.ptr(), "grid");
                config.block = dim3_argument(block.ptr(), "block");
                config.shared_memory = shared_memory_argument(shared_memory.ptr());
                if (!cluster.is_none()) config.cluster = dim3_argument(cluster.ptr(), "cluster");
                config.cooperative = cooperative;
                new (self) LaunchConfig(config);
            },
            nb::arg("grid"), nb::arg("block"), nb::arg("shared_memory") = 0,
            nb::arg("cluster") = nb::none(), nb::arg("cooperative") = false)
        .def_prop_ro("grid", [](const LaunchConfig& c) { return triple(c.grid); })
        .def_prop_ro("block", [](const LaunchConfig& c) { return triple(c.block); })
        .def_ro("shared_memory", &LaunchConfig::shared_memory)
        .def_prop_ro("cluster",
                     [](const LaunchConfig& c) -> nb::object {
                         return c.cluster.x == 0 ? nb::none() : nb::object(triple(c.cluster));
                     })
        .def_ro("cooperative", &LaunchConfig::cooperative)
        .def(
            "__eq__",
            [](const LaunchConfig& a, nb::handle b) {
                return nb::isinstance<LaunchConfig>(b) && a == nb::cast<LaunchConfig&>(b);
            },
            nb::arg().none())
        .def("__repr__", [](const LaunchConfig& c) {
            return "LaunchConfig(grid=" + text(c.grid) + ", block=" + text(c.block) +
                   ", shared_memory=" + std::to_string(c.shared_memory) + ")";
        });
}

}  // namespace heald::python
