#include "python/src/array.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/foreign.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>

namespace heald::python {

namespace {

/// What an exported tensor keeps: the array, and lengths for the consumer.
template <class Managed>
struct Export {
    Managed managed{};
    Array array;
    Shape shape;
    Shape strides;  // elements
};

template <class Managed>
void delete_export(Managed* managed) {
    delete static_cast<Export<Managed>*>(managed->context);
}

template <class Managed>
void destroy_capsule(PyObject* capsule) {
    constexpr bool versioned = std::is_same_v<Managed, dlpack::ManagedTensorVersioned>;
    const char* name = versioned ? dlpack::name_versioned : dlpack::name_legacy;
    if (!PyCapsule_IsValid(capsule, name)) return;  // taken by a consumer
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
    managed->deleter(managed);
}

[[noreturn]] void buffer_error(const std::string& text) {
    PyErr_SetString(PyExc_BufferError, ("[Array.__dlpack__] " + text).c_str());
    nb::raise_python_error();
}

template <class Managed>
std::unique_ptr<Export<Managed>> make_export(const Array& array) {
    auto result = std::make_unique<Export<Managed>>();
    result->array = array;
    result->shape = array.shape();
    const auto item = static_cast<std::int64_t>(size_of(array.dtype()));
    for (std::int64_t stride : array.strides()) {
        if (stride % item != 0)
            buffer_error("DLPack counts strides in elements, and " + std::to_string(stride) +
                         " bytes are not a multiple of " + std::to_string(item) +
                         ": export x.copy()");
        result->strides.push_back(stride / item);
    }
    dlpack::Tensor& tensor = result->managed.tensor;
    tensor.data = array.size() ? array.data() : nullptr;
    tensor.device = device_to_dlpack(array.device());
    tensor.ndim = array.ndim();
    tensor.dtype = dtype_to_dlpack(array.dtype());
    tensor.shape = result->shape.data();
    tensor.strides = result->strides.data();
    tensor.byte_offset = 0;
    result->managed.context = result.get();
    result->managed.deleter = delete_export<Managed>;
    return result;
}

template <class Managed>
nb::object make_capsule(std::unique_ptr<Export<Managed>> exported, const char* name) {
    nb::object capsule =
        nb::steal(PyCapsule_New(&exported->managed, name, destroy_capsule<Managed>));
    if (!capsule.is_valid()) nb::raise_python_error();
    (void)exported.release();
    return capsule;
}

// The consumer's stream: None and 1 are the legacy default stream, 2 the per-thread one.
void order_for_consumer(const Array& array, nb::handle stream) {
    const Device device = array.device();
    if (device.kind() == DeviceKind::cpu) {
        // Host memory has no stream: the data must be there.
        wait_for_host(array, !array.read_only());
        return;
    }
    if (!stream.is_none() && (!PyLong_Check(stream.ptr()) || PyBool_Check(stream.ptr())))
        throw Error(ErrorKind::type_mismatch,
                    std::string("[Array.__dlpack__] stream must be an int or None, got ") +
                        Py_TYPE(stream.ptr())->tp_name);
    const long long number = stream.is_none() ? 1 : nb::cast<long long>(stream);
    if (number == -1) return;  // the consumer orders the work itself
    if (number == 0)
        throw Error(ErrorKind::invalid_value,
                    "[Array.__dlpack__] stream 0 may mean the legacy or the per-thread default "
                    "stream: pass 1 or 2");
    if (number < 0)
        throw Error(ErrorKind::invalid_value,
                    "[Array.__dlpack__] stream must be None, -1, 1, 2 or a CUstream, got " +
                        std::to_string(number));
    const Stream consumer = number == 1
                                ? device.default_stream()
                                : Stream::from_handle(device, static_cast<std::uintptr_t>(number));
    const GilRelease unlocked;
    if (array.size()) array.buffer().use(consumer, !array.read_only());
}

Array move_for_consumer(const Array& array, nb::handle dl_device, nb::handle copy, bool& copied) {
    const bool must_copy = copy.is_valid() && !copy.is_none() && nb::cast<bool>(copy);
    const bool may_copy = copy.is_none() || must_copy;
    const dlpack::Device own = device_to_dlpack(array.device());
    dlpack::Device wanted = own;
    if (!dl_device.is_none())
        wanted = {nb::cast<std::int32_t>(nb::int_(dl_device[0])),
                  nb::cast<std::int32_t>(nb::int_(dl_device[1]))};
    const bool same = wanted.type == own.type && wanted.id == own.id;
    if (!same && !may_copy)
        buffer_error("the array is on " + array.device().name() + " and copy=False");
    if (same && !must_copy) return array;
    copied = true;
    const Stream stream = current_stream(array.device());
    if (same) {
        const GilRelease unlocked;
        return array.copy(stream);
    }
    if (wanted.type != dlpack::cpu && wanted.type != dlpack::cuda)
        buffer_error("cannot copy to DLPack device type " + std::to_string(wanted.type));
    const Device target = device_from_dlpack(wanted, "Array.__dlpack__");
    const GilRelease unlocked;
    return array.to(target, stream);
}

nb::object export_array(const Array& array, nb::handle stream, nb::handle max_version,
                        nb::handle dl_device, nb::handle copy) {
    bool copied = false;
    const Array exported = move_for_consumer(array, dl_device, copy, copied);
    share_with_others(exported);
    order_for_consumer(
        exported, copied && exported.device() != array.device() ? nb::none() : nb::borrow(stream));
    const bool versioned = !max_version.is_none() && nb::cast<int>(nb::int_(max_version[0])) >= 1;
    if (!versioned) {
        if (exported.read_only())
            buffer_error("the array is read-only, which the consumer's DLPack version cannot say");
        return make_capsule(make_export<dlpack::ManagedTensor>(exported), dlpack::name_legacy);
    }
    auto result = make_export<dlpack::ManagedTensorVersioned>(exported);
    result->managed.version = dlpack::our_version;
    result->managed.flags =
        (exported.read_only() ? dlpack::flag_read_only : 0) | (copied ? dlpack::flag_copied : 0);
    return make_capsule(std::move(result), dlpack::name_versioned);
}

}  // namespace

dlpack::Device device_to_dlpack(const Device& device) noexcept {
    if (device.kind() == DeviceKind::cuda) return {dlpack::cuda, device.ordinal()};
    return {dlpack::cpu, 0};
}

void init_dlpack(nb::module_& m) {
    nb::object type = m.attr("Array");
    auto cls = nb::borrow<nb::class_<Array>>(type);
    cls.def("__dlpack__", export_array, nb::kw_only(), nb::arg("stream") = nb::none(),
            nb::arg("max_version") = nb::none(), nb::arg("dl_device") = nb::none(),
            nb::arg("copy") = nb::none(),
            "The DLPack protocol. `stream`: None or 1 for the legacy default stream, 2 for the "
            "per-thread one, -1 for no ordering, or a CUstream; ignored on a CPU.")
        .def("__dlpack_device__", [](const Array& a) {
            const dlpack::Device device = device_to_dlpack(a.device());
            return nb::make_tuple(device.type, device.id);
        });
    m.def(
        "from_dlpack_no_copy",
        [](nb::handle object) { return array_from_dlpack(object, nullptr, "from_dlpack"); },
        nb::arg("object"));
}

}  // namespace heald::python
