#include "python/src/launch_options.hpp"

#include "python/src/launch_config.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>

#include <string>

namespace heald::python {

namespace {

struct Field {
    const char* name;
    PyObject* LaunchOptions::* place;
    PyObject* interned = nullptr;  // what a call in source code passes
};

Field fields[] = {
    {"grid", &LaunchOptions::grid},
    {"block", &LaunchOptions::block},
    {"args", &LaunchOptions::args},
    {"stream", &LaunchOptions::stream},
    {"shared_memory", &LaunchOptions::shared_memory},
    {"cluster", &LaunchOptions::cluster},
    {"cooperative", &LaunchOptions::cooperative},
};

constexpr Py_ssize_t positional_count = 5;

std::string prefix(const char* operation) {
    return std::string("[") + operation + "] ";
}

const Field& find_field(PyObject* name, const char* operation) {
    for (const Field& field : fields)
        if (name == field.interned) return field;
    for (const Field& field : fields)
        if (PyUnicode_CompareWithASCIIString(name, field.name) == 0) return field;
    throw Error(ErrorKind::type_mismatch,
                prefix(operation) + "there is no option " + shown(name) +
                    ": the options are grid, block, stream, shared_memory, cluster and "
                    "cooperative");
}

}  // namespace

void LaunchOptions::set_positional(PyObject* const* values, Py_ssize_t count,
                                   const char* operation) {
    if (count > positional_count)
        throw Error(ErrorKind::type_mismatch,
                    prefix(operation) + "takes grid, block, args, stream and shared_memory, got " +
                        std::to_string(count) + " values");
    for (Py_ssize_t i = 0; i < count; ++i) this->*fields[i].place = values[i];
}

void LaunchOptions::set_keywords(PyObject* names, PyObject* const* values, const char* operation) {
    if (!names) return;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
        const Field& field = find_field(PyTuple_GET_ITEM(names, i), operation);
        if (this->*field.place)
            throw Error(ErrorKind::type_mismatch,
                        prefix(operation) + "'" + field.name + "' was given twice");
        this->*field.place = values[i];
    }
}

LaunchConfig LaunchOptions::config(const char* operation) const {
    if (!block)
        throw Error(
            ErrorKind::type_mismatch,
            prefix(operation) + "block= is missing: the threads of a block, an int or a tuple");
    LaunchConfig config;
    if (grid) config.grid = dim3_argument(grid, "grid");
    config.block = dim3_argument(block, "block");
    if (shared_memory) config.shared_memory = shared_memory_argument(shared_memory);
    if (cluster && cluster != Py_None) config.cluster = dim3_argument(cluster, "cluster");
    if (cooperative) config.cooperative = PyObject_IsTrue(cooperative) == 1;
    return config;
}

ArgumentList::ArgumentList(PyObject* args, const char* operation) {
    if (!args) return;
    if (!PyTuple_Check(args) && !PyList_Check(args))
        throw Error(ErrorKind::type_mismatch,
                    prefix(operation) +
                        "args must be a tuple or list of the kernel's arguments, got " +
                        Py_TYPE(args)->tp_name);
    // A copy of a list's items: other threads may change it.
    kept = PyList_Check(args) ? nb::steal(PyList_AsTuple(args)) : nb::borrow(args);
    items = PySequence_Fast_ITEMS(kept.ptr());
    count = static_cast<std::size_t>(PyTuple_GET_SIZE(kept.ptr()));
}

void init_launch_options() {
    for (Field& field : fields) field.interned = PyUnicode_InternFromString(field.name);
}

}  // namespace heald::python
