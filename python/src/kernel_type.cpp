// hd.Kernel and its bound launches as Python types made by hand: a call costs no dictionary, no
// tuple and no bound method.

#include "python/src/current_stream.hpp"
#include "python/src/errors.hpp"
#include "python/src/gil.hpp"
#include "python/src/kernel.hpp"
#include "python/src/launch_config.hpp"
#include "python/src/launch_options.hpp"
#include "python/src/module.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <structmember.h>

#include <new>

namespace heald::python {

namespace {

template <class Data>
struct CallableObject {
    PyObject_HEAD vectorcallfunc call;
    PyObject* weak_references;
    alignas(Data) std::byte storage[sizeof(Data)];

    Data& data() { return *std::launder(reinterpret_cast<Data*>(storage)); }
};

using KernelObject = CallableObject<KernelData>;
using BoundObject = CallableObject<BoundData>;

PyTypeObject* kernel_type = nullptr;
PyTypeObject* bound_type = nullptr;

template <class Data>
PyObject* make_object(PyTypeObject* type, vectorcallfunc call, Data data) {
    auto* self = PyObject_New(CallableObject<Data>, type);
    if (!self) nb::raise_python_error();
    self->call = call;
    self->weak_references = nullptr;
    new (self->storage) Data(std::move(data));
    return reinterpret_cast<PyObject*>(self);
}

template <class Data>
void destroy(PyObject* object) {
    auto* self = reinterpret_cast<CallableObject<Data>*>(object);
    PyTypeObject* type = Py_TYPE(object);
    if (self->weak_references) PyObject_ClearWeakRefs(object);
    {
        // Unloading code may wait.
        Data last = std::move(self->data());
        self->data().~Data();
        const GilRelease unlocked;
        [[maybe_unused]] Data gone = std::move(last);
    }
    PyObject_Free(object);
    Py_DECREF(type);
}

KernelData& data_of(PyObject* self) {
    return reinterpret_cast<KernelObject*>(self)->data();
}

PyObject* kernel_launch(PyObject* self, PyObject* const* args, Py_ssize_t count,
                        PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        LaunchOptions options;
        options.set_positional(args, count, "Kernel.launch");
        options.set_keywords(names, args + count, "Kernel.launch");
        const ArgumentList list(options.args, "Kernel.launch");
        launch_kernel(data_of(self), options.config("Kernel.launch"), options.stream, list.items,
                      list.count);
        Py_RETURN_NONE;
    });
}

PyObject* kernel_call(PyObject* self, PyObject* const* args, std::size_t flagged_count,
                      PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(flagged_count));
        LaunchOptions options;
        options.set_keywords(names, args + count, "Kernel.launch");
        launch_kernel(data_of(self), options.config("Kernel.launch"), options.stream, args, count);
        Py_RETURN_NONE;
    });
}

PyObject* bound_call(PyObject* self, PyObject* const*, std::size_t flagged_count,
                     PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        BoundData& bound = reinterpret_cast<BoundObject*>(self)->data();
        if (PyVectorcall_NARGS(flagged_count) != 0 || (names && PyTuple_GET_SIZE(names)))
            throw Error(ErrorKind::type_mismatch, "[BoundLaunch] '" + bound.kernel_name +
                                                      "' was bound with its arguments: call it "
                                                      "without any");
        {
            const GilRelease unlocked;
            bound.launch.launch();
        }
        Py_RETURN_NONE;
    });
}

PyObject* bound_launch(PyObject* self, PyObject*) noexcept {
    return bound_call(self, nullptr, 0, nullptr);
}

// bind(grid, block, args, stream=None, shared_memory=0) or bind(config, *args, stream=None)
PyObject* kernel_bind(PyObject* self, PyObject* const* args, Py_ssize_t count,
                      PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        LaunchOptions options;
        options.set_keywords(names, args + count, "Kernel.bind");
        if (count > 0 && nb::isinstance<LaunchConfig>(nb::handle(args[0]))) {
            const LaunchConfig& config = nb::cast<LaunchConfig&>(nb::handle(args[0]));
            return wrap_bound(bind_kernel(data_of(self), config, options.stream, args + 1,
                                          static_cast<std::size_t>(count - 1)))
                .release()
                .ptr();
        }
        options.set_positional(args, count, "Kernel.bind");
        const ArgumentList list(options.args, "Kernel.bind");
        return wrap_bound(bind_kernel(data_of(self), options.config("Kernel.bind"), options.stream,
                                      list.items, list.count))
            .release()
            .ptr();
    });
}

// launch(stream, config, kernel, *args)
PyObject* launch_function(PyObject*, PyObject* const* args, Py_ssize_t count) noexcept {
    return guarded([&]() -> PyObject* {
        if (count < 3 || !nb::isinstance<LaunchConfig>(nb::handle(args[1])) ||
            !find_kernel(args[2]))
            throw Error(ErrorKind::type_mismatch,
                        "[launch] takes (stream, hd.LaunchConfig, hd.Kernel, *arguments)");
        launch_kernel(*find_kernel(args[2]), nb::cast<LaunchConfig&>(nb::handle(args[1])), args[0],
                      args + 3, static_cast<std::size_t>(count - 3));
        Py_RETURN_NONE;
    });
}

PyObject* kernel_new(PyTypeObject*, PyObject* args, PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"object_code", "name", "device", "signature", nullptr};
        PyObject* code = nullptr;
        const char* name = nullptr;
        PyObject* device = Py_None;
        PyObject* signature = Py_None;
        if (!PyArg_ParseTupleAndKeywords(args, keywords, "Os|OO:Kernel", const_cast<char**>(names),
                                         &code, &name, &device, &signature))
            return nullptr;
        if (!nb::isinstance<DeviceCode>(nb::handle(code)))
            throw Error(ErrorKind::type_mismatch,
                        std::string("[Kernel] object_code must be an hd.ObjectCode, got ") +
                            Py_TYPE(code)->tp_name);
        return make_kernel(nb::cast<DeviceCode&>(nb::handle(code)), name, device, signature)
            .release()
            .ptr();
    });
}

template <class T>
PyObject* released(T value) {
    return nb::cast(std::move(value)).release().ptr();
}

PyObject* get_name(PyObject* self, void*) {
    return guarded([&] { return released(data_of(self).plan.name); });
}
PyObject* get_signature(PyObject* self, void*) {
    return guarded([&] { return released(data_of(self).plan.signature); });
}
PyObject* get_device(PyObject* self, void*) {
    return guarded([&] { return released(data_of(self).plan.device); });
}
PyObject* get_attributes(PyObject* self, void*) {
    return guarded([&] { return released(data_of(self).kernel.attributes()); });
}
PyObject* get_closed(PyObject* self, void*) {
    return PyBool_FromLong(data_of(self).kernel.closed());
}

struct OccupancyArguments {
    int block = 0;
    Py_ssize_t shared_memory = 0;
};

bool parse_block(PyObject* args, PyObject* keywords, OccupancyArguments& out) {
    static const char* names[] = {"block", "shared_memory", nullptr};
    PyObject* block = nullptr;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|n", const_cast<char**>(names), &block,
                                     &out.shared_memory))
        return false;
    out.block = static_cast<int>(dim3_argument(block, "block").volume());
    return true;
}

PyObject* max_active_blocks(PyObject* self, PyObject* args, PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        OccupancyArguments in;
        if (!parse_block(args, keywords, in)) return nullptr;
        return PyLong_FromLong(data_of(self).kernel.max_active_blocks(
            in.block, static_cast<std::size_t>(in.shared_memory)));
    });
}

PyObject* occupancy(PyObject* self, PyObject* args, PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        OccupancyArguments in;
        if (!parse_block(args, keywords, in)) return nullptr;
        const KernelData& data = data_of(self);
        const int blocks =
            data.kernel.max_active_blocks(in.block, static_cast<std::size_t>(in.shared_memory));
        const int threads = data.plan.device.properties().max_threads_per_multiprocessor;
        return PyFloat_FromDouble(threads ? double(blocks) * in.block / threads : 0.0);
    });
}

PyObject* suggest_block_size(PyObject* self, PyObject* args, PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"shared_memory", nullptr};
        Py_ssize_t shared = 0;
        if (!PyArg_ParseTupleAndKeywords(args, keywords, "|n", const_cast<char**>(names), &shared))
            return nullptr;
        return released(data_of(self).kernel.suggest_block_size(static_cast<std::size_t>(shared)));
    });
}

PyObject* kernel_close(PyObject* self, PyObject*) noexcept {
    return guarded([&]() -> PyObject* {
        data_of(self).kernel.close();
        Py_RETURN_NONE;
    });
}

PyObject* kernel_enter(PyObject* self, PyObject*) noexcept {
    return Py_NewRef(self);
}
PyObject* kernel_exit(PyObject* self, PyObject*) noexcept {
    return kernel_close(self, nullptr);
}

PyObject* kernel_repr(PyObject* self) {
    return guarded([&] {
        const ArgumentPlan& plan = data_of(self).plan;
        return released("<heald.Kernel " + plan.name + to_string(plan.signature) + " on " +
                        plan.device.name() + ">");
    });
}

PyObject* bound_repr(PyObject* self) {
    return guarded([&] {
        return released("<heald.BoundLaunch of " +
                        reinterpret_cast<BoundObject*>(self)->data().kernel_name + ">");
    });
}

template <class Function>
PyCFunction method(Function function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

PyMethodDef kernel_methods[] = {
    {"launch", method(kernel_launch), METH_FASTCALL | METH_KEYWORDS,
     "launch(grid, block, args, stream=None, shared_memory=0, cluster=None, cooperative=False)\n\n"
     "Enqueues the kernel on `stream` (None: the current one). `grid` and `block` are ints or\n"
     "tuples of up to three, `args` a tuple or list with one value per parameter, shared_memory\n"
     "the dynamic shared memory in bytes. Raises TypeError or ValueError that names the "
     "parameter,\n"
     "what it is and what was given.\n\n"
     ">>> kernel.launch(grid=4, block=256, args=(x, y, 1.5, 1000))"},
    {"bind", method(kernel_bind), METH_FASTCALL | METH_KEYWORDS,
     "bind(config, *args, stream=None) or bind(grid, block, args, stream=None, shared_memory=0)\n\n"
     "A launch with everything fixed, the cheapest way to repeat it: call the result."},
    {"max_active_blocks", method(max_active_blocks), METH_VARARGS | METH_KEYWORDS,
     "max_active_blocks(block, shared_memory=0)\n\nBlocks that one multiprocessor holds at once."},
    {"occupancy", method(occupancy), METH_VARARGS | METH_KEYWORDS,
     "occupancy(block, shared_memory=0)\n\nResident threads over the most that fit, 0 to 1."},
    {"suggest_block_size", method(suggest_block_size), METH_VARARGS | METH_KEYWORDS,
     "suggest_block_size(shared_memory=0)\n\nBlockSize: `block` threads with the highest "
     "occupancy, and `grid` blocks that fill the device."},
    {"close", method(kernel_close), METH_NOARGS, "Later use raises ClosedError."},
    {"__enter__", method(kernel_enter), METH_NOARGS, nullptr},
    {"__exit__", method(kernel_exit), METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef kernel_properties[] = {
    {"name", get_name, nullptr, "'ns::scale<float, 4>'", nullptr},
    {"signature", get_signature, nullptr, "Signature: what launches are checked against", nullptr},
    {"device", get_device, nullptr, "the Device that it is loaded on", nullptr},
    {"attributes", get_attributes, nullptr, "KernelAttributes: registers, memory, limits", nullptr},
    {"closed", get_closed, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef bound_methods[] = {
    {"launch", method(bound_launch), METH_NOARGS, "The same as calling it."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef module_functions[] = {
    {"launch", method(launch_function), METH_FASTCALL,
     "launch(stream, config, kernel, *args)\n\nEnqueues a kernel; `stream` may be None."},
    {nullptr, nullptr, 0, nullptr}};

template <class Object>
PyMemberDef* members() {
    static PyMemberDef list[] = {
        {"__vectorcalloffset__", T_PYSSIZET, offsetof(Object, call), READONLY, nullptr},
        {"__weaklistoffset__", T_PYSSIZET, offsetof(Object, weak_references), READONLY, nullptr},
        {nullptr, 0, 0, 0, nullptr}};
    return list;
}

PyTypeObject* add_type(nb::module_& m, PyType_Spec& spec, const char* name) {
    nb::object type = nb::steal(PyType_FromSpec(&spec));
    if (!type.is_valid()) nb::raise_python_error();
    m.attr(name) = type;
    return reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

void init_kernel_type(nb::module_& m) {
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void*>(kernel_new)},
        {Py_tp_dealloc, reinterpret_cast<void*>(destroy<KernelData>)},
        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
        {Py_tp_repr, reinterpret_cast<void*>(kernel_repr)},
        {Py_tp_methods, kernel_methods},
        {Py_tp_getset, kernel_properties},
        {Py_tp_members, members<KernelObject>()},
        {Py_tp_doc,
         const_cast<char*>(
             "Kernel(object_code, name, device=None, signature=None)\n\n"
             "A __global__ function loaded on one device. Call it with the kernel's arguments and\n"
             "grid=, block= and, if wanted, stream=, shared_memory=; or use launch().\n\n"
             ">>> kernel(x, y, numpy.float32(2), grid=4, block=256)")},
        {0, nullptr}};
    static PyType_Spec spec = {
        "heald.Kernel", sizeof(KernelObject), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE, slots};
    kernel_type = add_type(m, spec, "Kernel");
}

void init_bound_type(nb::module_& m) {
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, reinterpret_cast<void*>(destroy<BoundData>)},
        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
        {Py_tp_repr, reinterpret_cast<void*>(bound_repr)},
        {Py_tp_methods, bound_methods},
        {Py_tp_members, members<BoundObject>()},
        {Py_tp_doc, const_cast<char*>("A launch with configuration and arguments fixed; see "
                                      "Kernel.bind. Call it to enqueue the kernel.")},
        {0, nullptr}};
    static PyType_Spec spec = {"heald.BoundLaunch", sizeof(BoundObject), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                                   Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    bound_type = add_type(m, spec, "BoundLaunch");
}

void init_attributes(nb::module_& m) {
    nb::class_<BlockSize>(m, "BlockSize", "See Kernel.suggest_block_size.")
        .def_ro("block", &BlockSize::block, "threads")
        .def_ro("grid", &BlockSize::grid, "blocks that fill the device")
        .def("__repr__", [](const BlockSize& b) {
            return "BlockSize(block=" + std::to_string(b.block) +
                   ", grid=" + std::to_string(b.grid) + ")";
        });
    using A = KernelAttributes;
    nb::class_<A>(m, "KernelAttributes", "Facts about a kernel on its device; sizes in bytes.")
        .def_ro("registers", &A::registers, "per thread; 0 on a CPU")
        .def_ro("static_shared", &A::static_shared)
        .def_ro("local", &A::local, "per thread")
        .def_ro("constant", &A::constant)
        .def_ro("max_threads_per_block", &A::max_threads_per_block)
        .def_ro("max_dynamic_shared", &A::max_dynamic_shared, "what a launch may ask for")
        .def_ro("binary_version", &A::binary_version, "90 for sm_90; 0 on a CPU")
        .def("__repr__", [](const A& a) {
            return "KernelAttributes(registers=" + std::to_string(a.registers) +
                   ", static_shared=" + std::to_string(a.static_shared) +
                   ", local=" + std::to_string(a.local) +
                   ", max_threads_per_block=" + std::to_string(a.max_threads_per_block) + ")";
        });
}

}  // namespace

nb::object make_kernel(const DeviceCode& code, const std::string& name, nb::handle device,
                       nb::handle signature) {
    return nb::steal(
        make_object(kernel_type, kernel_call, load_kernel(code, name, device, signature)));
}

nb::object wrap_bound(BoundData bound) {
    return nb::steal(make_object(bound_type, bound_call, std::move(bound)));
}

KernelData* find_kernel(PyObject* object) noexcept {
    return Py_TYPE(object) == kernel_type ? &data_of(object) : nullptr;
}

void init_kernel(nb::module_& m) {
    init_launch_options();
    init_attributes(m);
    init_kernel_type(m);
    init_bound_type(m);
    if (PyModule_AddFunctions(m.ptr(), module_functions) < 0) nb::raise_python_error();
}

}  // namespace heald::python
