// Launches of kernels written in Python: the version for the arguments' types is found and its
// parameters are filled without running Python code.

#include "python/src/arguments.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/deferred.hpp"
#include "python/src/errors.hpp"
#include "python/src/gil.hpp"
#include "python/src/jit_key.hpp"
#include "python/src/kernel.hpp"
#include "python/src/launch_config.hpp"
#include "python/src/launch_site.hpp"
#include "python/src/module.hpp"
#include "python/src/numpy.hpp"
#include "python/src/text.hpp"
#include "python/src/wait.hpp"

#include "src/core/block.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <structmember.h>

#include <complex>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace heald::python {

namespace {

/// Where one parameter of a version comes from.
struct Source {
    enum class Kind : std::uint8_t { data, shape, stride, number };
    Kind kind = Kind::number;
    std::uint16_t leaf = 0;
    std::uint16_t axis = 0;
};

/// A kernel compiled for one key on one device.
struct Version {
    std::string key;
    const void* device = nullptr;
    nb::object kernel;
    KernelData* data = nullptr;
    std::vector<Source> sources;
    nb::object kept;  ///< what the key has addresses of
    bool cooperative = false;
};

struct Dispatch {
    std::string operation;
    std::size_t arity = 0;
    std::vector<std::shared_ptr<Version>> versions;
    std::size_t last = 0;
};

struct DispatchObject {
    PyObject_HEAD alignas(Dispatch) std::byte storage[sizeof(Dispatch)];
    Dispatch& data() { return *std::launder(reinterpret_cast<Dispatch*>(storage)); }
};

struct LaunchData {
    LaunchConfig config;
    nb::object dispatch;
    nb::object stream;
};

struct LaunchObject {
    PyObject_HEAD vectorcallfunc call;
    alignas(LaunchData) std::byte storage[sizeof(LaunchData)];
    LaunchData& data() { return *std::launder(reinterpret_cast<LaunchData*>(storage)); }
};

PyTypeObject* launch_type = nullptr;

Dispatch& dispatch_of(PyObject* self) {
    return reinterpret_cast<DispatchObject*>(self)->data();
}

Source::Kind kind_of(const std::string& name) {
    return name == "data"     ? Source::Kind::data
           : name == "shape"  ? Source::Kind::shape
           : name == "stride" ? Source::Kind::stride
                              : Source::Kind::number;
}

// What `_compile_version` of the Python class gives: (kernel, ((kind, leaf, axis), …), cooperative,
// what the key has addresses of).
std::shared_ptr<Version> make_version(PyObject* self, std::string_view key, const void* state,
                                      const Device& device, PyObject* const* arguments,
                                      std::size_t count) {
    nb::object list = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
    for (std::size_t i = 0; i < count; ++i)
        PyTuple_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), Py_NewRef(arguments[i]));
    const nb::object made = nb::handle(self).attr("_compile_version")(
        nb::bytes(key.data(), key.size()), list, nb::cast(device));
    auto version = std::make_shared<Version>();
    version->key = key;
    version->device = state;
    PyObject* sources = nullptr;
    PyObject* kernel = nullptr;
    PyObject* kept = nullptr;
    int cooperative = 0;
    if (!PyArg_ParseTuple(made.ptr(), "OO!pO", &kernel, &PyTuple_Type, &sources, &cooperative,
                          &kept))
        nb::raise_python_error();
    version->kernel = nb::borrow(kernel);
    version->data = find_kernel(kernel);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sources); ++i) {
        const char* kind = nullptr;
        int leaf = 0, axis = 0;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(sources, i), "sii", &kind, &leaf, &axis))
            nb::raise_python_error();
        version->sources.push_back(
            {kind_of(kind), static_cast<std::uint16_t>(leaf), static_cast<std::uint16_t>(axis)});
    }
    version->cooperative = cooperative != 0;
    version->kept = nb::borrow(kept);
    return version;
}

std::shared_ptr<Version> find_version(PyObject* self, const JitArguments& arguments,
                                      const Device& device, PyObject* const* list,
                                      std::size_t count) {
    Dispatch& dispatch = dispatch_of(self);
    const void* const state = device.shared_state().get();
    const std::string_view key = arguments.key();
    const auto fits = [&](const Version& v) { return v.device == state && v.key == key; };
    if (dispatch.last < dispatch.versions.size() && fits(*dispatch.versions[dispatch.last]))
        [[likely]]
        return dispatch.versions[dispatch.last];
    for (std::size_t i = 0; i < dispatch.versions.size(); ++i)
        if (fits(*dispatch.versions[i])) {
            dispatch.last = i;
            return dispatch.versions[i];
        }
    auto version = make_version(self, key, state, device, list, count);
    for (const auto& other : dispatch.versions)  // another thread may have been quicker
        if (fits(*other)) return other;
    dispatch.last = dispatch.versions.size();
    dispatch.versions.push_back(version);
    return version;
}

void fill_data(const ArgumentPlace& place, const Slot& slot, const JitLeaf& leaf,
               ArgumentPack& pack) {
    if (leaf.is_host) {
        (void)fill_host_argument(place, slot, leaf.object, pack);
        return;
    }
    const Array& array = *leaf.array;
    const Buffer& buffer = array.buffer();
    if (array.read_only() && !slot.is_const)
        throw Error(
            ErrorKind::invalid_value,
            place.prefix() + "is written by the kernel, got a read-only array: pass a copy");
    std::int64_t elements = 1;
    bool plain = true;
    auto item = static_cast<std::int64_t>(size_of(array.dtype()));
    for (std::size_t i = array.shape().size(); i-- > 0;) {
        plain &= array.shape()[i] == 1 || array.strides()[i] == elements * item;
        elements *= array.shape()[i];
    }
    if (elements == 0) {
        pack.set_pointer(place.index, nullptr);
        return;
    }
    core::Block* block = buffer.block().get();
    const std::size_t start = buffer.offset() + static_cast<std::size_t>(array.offset());
    pack.set_pointer(place.index, static_cast<std::byte*>(block->data()) + start);
    if (plain) {
        pack.add_use(
            {block, start, start + static_cast<std::size_t>(elements * item), !slot.is_const});
    } else {
        const auto [first, last] = array.byte_range();
        pack.add_use({block, buffer.offset() + static_cast<std::size_t>(first),
                      buffer.offset() + static_cast<std::size_t>(last), !slot.is_const});
    }
    if (pack.keeps_all()) pack.keep(buffer);
}

std::int64_t host_length(const JitLeaf& leaf, std::size_t axis) {
    return nb::cast<std::int64_t>(nb::handle(leaf.object).attr("array").attr("shape")[axis]);
}

void fill_integer(const Slot& slot, std::int64_t value, void* out) {
    std::memcpy(out, &value, slot.size);  // little-endian
}

void fill_number(const Slot& slot, PyObject* object, void* out) {
    if (PyFloat_CheckExact(object)) {
        const double value = PyFloat_AS_DOUBLE(object);
        std::memcpy(out, &value, sizeof value);
    } else if (PyBool_Check(object)) {
        *static_cast<bool*>(out) = object == Py_True;
    } else if (PyLong_CheckExact(object)) {
        const unsigned long long bits = PyLong_AsUnsignedLongLongMask(object);
        std::memcpy(out, &bits, slot.size);
    } else if (PyComplex_CheckExact(object)) {
        const std::complex<double> value(PyComplex_RealAsDouble(object),
                                         PyComplex_ImagAsDouble(object));
        std::memcpy(out, &value, sizeof value);
    } else if (const auto dtype = NumPy::get().scalar_dtype(object)) {
        NumPy::get().read_scalar(object, *dtype, out);
    } else if (PyLong_Check(object)) {
        const unsigned long long bits = PyLong_AsUnsignedLongLongMask(object);
        std::memcpy(out, &bits, slot.size);
    } else {  // a record
        const nb::object bytes = nb::handle(object).attr("tobytes")();
        std::memcpy(out, PyBytes_AsString(bytes.ptr()), slot.size);
    }
}

void fill_parameters(const Version& version, const JitArguments& arguments, ArgumentPack& pack) {
    const ArgumentPlan& plan = version.data->plan;
    const PackedArguments packed = pack.packed();
    for (std::size_t i = 0; i < version.sources.size(); ++i) {
        const Source& source = version.sources[i];
        const Slot& slot = plan.slots[i];
        const JitLeaf& leaf = arguments.leaf(source.leaf);
        switch (source.kind) {
            case Source::Kind::data:
                fill_data({plan, i}, slot, leaf, pack);
                break;
            case Source::Kind::shape:
                fill_integer(
                    slot,
                    leaf.array ? leaf.array->shape()[source.axis] : host_length(leaf, source.axis),
                    packed.values[i]);
                break;
            case Source::Kind::stride:
                fill_integer(slot, element_stride(*leaf.array, source.axis), packed.values[i]);
                break;
            default:
                fill_number(slot, leaf.object, packed.values[i]);
        }
    }
}

void launch(LaunchData& launch, PyObject* const* list, std::size_t count) {
    if (has_released()) drop_released();
    PyObject* const self = launch.dispatch.ptr();
    std::optional<Stream> stream;
    std::optional<Device> device;
    if (launch.stream.is_valid() && nb::isinstance<Stream>(launch.stream)) {
        stream.emplace(nb::cast<Stream&>(launch.stream));
        device.emplace(stream->device());
    } else {
        device = jit_device(list, count);
        if (!device) device.emplace(device_argument(nb::none(), "hd.jit"));
        stream.emplace(stream_argument(launch.stream, *device, "hd.jit"));
    }
    const JitArguments arguments(list, count, *device, *stream, launch.config,
                                 dispatch_of(self).operation);
    const std::shared_ptr<Version> version = find_version(self, arguments, *device, list, count);
    ArgumentPack pack(version->data->plan, *stream);
    fill_parameters(*version, arguments, pack);
    const LaunchSite site = launch_site();
    {
        LaunchConfig config = launch.config;
        config.cooperative = version->cooperative;
        const GilRelease unlocked;
        version->data->kernel.launch_packed(config, *stream, pack.packed(), site);
    }
    if (pack.must_wait()) {
        wait_for(*stream);
        pack.finish();
    }
}

PyObject* launch_call(PyObject* self, PyObject* const* args, std::size_t flagged_count,
                      PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        LaunchData& data = reinterpret_cast<LaunchObject*>(self)->data();
        const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(flagged_count));
        const nb::object dispatch = data.dispatch;
        nb::object bound;
        if (names && PyTuple_GET_SIZE(names)) [[unlikely]] {
            nb::object values = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
            for (std::size_t i = 0; i < count; ++i)
                PyTuple_SET_ITEM(values.ptr(), static_cast<Py_ssize_t>(i), Py_NewRef(args[i]));
            nb::dict keywords;
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i)
                keywords[nb::handle(PyTuple_GET_ITEM(names, i))] =
                    nb::handle(args[count + static_cast<std::size_t>(i)]);
            bound = dispatch.attr("_bind_arguments")(values, keywords);
        } else if (dispatch_of(dispatch.ptr()).arity != count) [[unlikely]] {
            nb::object values = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
            for (std::size_t i = 0; i < count; ++i)
                PyTuple_SET_ITEM(values.ptr(), static_cast<Py_ssize_t>(i), Py_NewRef(args[i]));
            bound = dispatch.attr("_bind_arguments")(values, nb::dict());
        }
        if (bound.is_valid())
            launch(data, PySequence_Fast_ITEMS(bound.ptr()),
                   static_cast<std::size_t>(PyTuple_GET_SIZE(bound.ptr())));
        else
            launch(data, args, count);
        Py_RETURN_NONE;
    });
}

PyObject* make_launch(PyObject* self, const LaunchConfig& config, nb::object stream) {
    auto* object = PyObject_New(LaunchObject, launch_type);
    if (!object) nb::raise_python_error();
    object->call = launch_call;
    new (object->storage) LaunchData{config, nb::borrow(self), std::move(stream)};
    return reinterpret_cast<PyObject*>(object);
}

// kernel[grid, block], kernel[grid, block, stream], kernel[grid, block, stream, shared_memory]
PyObject* dispatch_subscript(PyObject* self, PyObject* key) noexcept {
    return guarded([&]() -> PyObject* {
        const Py_ssize_t count = PyTuple_Check(key) ? PyTuple_GET_SIZE(key) : 0;
        if (count < 2 || count > 4)
            throw Error(ErrorKind::type_mismatch,
                        dispatch_of(self).operation +
                            "is launched as kernel[blocks, threads](…), kernel[blocks, threads, "
                            "stream, shared_memory](…) or kernel.forall(n)(…), got [" +
                            shown(key) + "]");
        LaunchConfig config;
        config.grid = dim3_argument(PyTuple_GET_ITEM(key, 0), "grid");
        config.block = dim3_argument(PyTuple_GET_ITEM(key, 1), "block");
        nb::object stream;
        if (count > 2) {
            PyObject* given = PyTuple_GET_ITEM(key, 2);
            // 0 is the default stream, as in Numba.
            const bool zero = PyLong_CheckExact(given) && PyObject_IsTrue(given) == 0;
            if (!zero && given != Py_None) stream = nb::borrow(given);
        }
        if (count > 3) config.shared_memory = shared_memory_argument(PyTuple_GET_ITEM(key, 3));
        return make_launch(self, config, std::move(stream));
    });
}

PyObject* dispatch_new(PyTypeObject* type, PyObject*, PyObject*) noexcept {
    PyObject* self = type->tp_alloc(type, 0);
    if (self) new (reinterpret_cast<DispatchObject*>(self)->storage) Dispatch;
    return self;
}

void dispatch_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    dispatch_of(self).~Dispatch();
    type->tp_free(self);
    Py_DECREF(type);
}

void launch_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    reinterpret_cast<LaunchObject*>(self)->data().~LaunchData();
    PyObject_Free(self);
    Py_DECREF(type);
}

PyObject* describe(PyObject* self, PyObject* args) noexcept {
    return guarded([&]() -> PyObject* {
        PyObject* text = nullptr;
        Py_ssize_t arity = 0;
        if (!PyArg_ParseTuple(args, "Un", &text, &arity)) return nullptr;
        dispatch_of(self).operation = text_argument(text, "[hd.jit] name");
        dispatch_of(self).arity = static_cast<std::size_t>(arity);
        Py_RETURN_NONE;
    });
}

PyObject* forget_versions(PyObject* self, PyObject*) noexcept {
    return guarded([&]() -> PyObject* {
        std::vector<std::shared_ptr<Version>> old;
        old.swap(dispatch_of(self).versions);
        Py_RETURN_NONE;
    });
}

PyMethodDef dispatch_methods[] = {
    {"_describe", describe, METH_VARARGS,
     "_describe(operation, arity): how errors begin ('[saxpy] '), and how many arguments there "
     "are."},
    {"_forget_versions", forget_versions, METH_NOARGS, "The next call compiles again."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef launch_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(LaunchObject, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

}  // namespace

void init_jit_dispatch(nb::module_& m) {
    static PyType_Slot dispatch_slots[] = {
        {Py_tp_new, reinterpret_cast<void*>(dispatch_new)},
        {Py_tp_dealloc, reinterpret_cast<void*>(dispatch_dealloc)},
        {Py_mp_subscript, reinterpret_cast<void*>(dispatch_subscript)},
        {Py_tp_methods, dispatch_methods},
        {Py_tp_doc, const_cast<char*>("What a kernel written in Python is launched by.")},
        {0, nullptr}};
    static PyType_Spec dispatch_spec = {"heald.JitDispatch", sizeof(DispatchObject), 0,
                                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, dispatch_slots};
    static PyType_Slot launch_slots[] = {
        {Py_tp_dealloc, reinterpret_cast<void*>(launch_dealloc)},
        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
        {Py_tp_members, launch_members},
        {Py_tp_doc, const_cast<char*>("kernel[blocks, threads]: call it with the arguments.")},
        {0, nullptr}};
    static PyType_Spec launch_spec = {
        "heald.JitLaunch", sizeof(LaunchObject), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE, launch_slots};
    nb::object dispatch = nb::steal(PyType_FromSpec(&dispatch_spec));
    nb::object launch_object = nb::steal(PyType_FromSpec(&launch_spec));
    if (!dispatch.is_valid() || !launch_object.is_valid()) nb::raise_python_error();
    m.attr("JitDispatch") = dispatch;
    launch_type = reinterpret_cast<PyTypeObject*>(launch_object.release().ptr());
}

}  // namespace heald::python
