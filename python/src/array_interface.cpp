#include "python/src/array.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/deferred.hpp"
#include "python/src/dtype.hpp"
#include "python/src/foreign.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/numpy.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <string>

namespace heald::python {

namespace {

// "<f4" and the like; bfloat16 has no letters of NumPy's own.
std::string type_text(DType dtype) {
    if (dtype == DType::bfloat16)
        throw Error(ErrorKind::type_mismatch,
                    "[Array.__cuda_array_interface__] it has no bfloat16: use DLPack");
    return nb::cast<std::string>(dtype_to_python(dtype).attr("str"));
}

nb::dict describe(const Array& array) {
    if (array.device().kind() != DeviceKind::cuda) {
        PyErr_SetString(PyExc_AttributeError,
                        "[Array] memory of device cpu has no __cuda_array_interface__");
        nb::raise_python_error();
    }
    share_with_others(array);
    const Stream stream = current_stream(array.device());
    if (array.size()) {
        const GilRelease unlocked;
        array.buffer().use(stream, !array.read_only());
    }
    nb::dict result;
    result["shape"] = shape_tuple(array.shape());
    result["typestr"] = type_text(array.dtype());
    result["data"] = nb::make_tuple(
        array.size() ? reinterpret_cast<std::uintptr_t>(array.data()) : 0, array.read_only());
    result["strides"] =
        array.is_c_contiguous() ? nb::object(nb::none()) : nb::object(shape_tuple(array.strides()));
    result["stream"] = stream.handle() ? stream.handle() : std::uintptr_t{1};
    result["version"] = 3;
    return result;
}

// Work of the producer comes before work on `stream`: None counts as the legacy default stream.
void order_after_producer(nb::handle producer, const Device& device, const Stream* stream) {
    std::uintptr_t handle = 1;
    if (producer.is_valid() && !producer.is_none()) handle = nb::cast<std::uintptr_t>(producer);
    const Stream theirs =
        handle == 1 ? device.default_stream() : Stream::from_handle(device, handle);
    const Stream ours = stream ? *stream : current_stream(device);
    if (theirs.handle() == ours.handle()) return;
    const GilRelease unlocked;
    ours.wait(theirs);
}

Shape integers(nb::handle sequence) {
    Shape result;
    for (nb::handle item : nb::object(nb::borrow(sequence)))
        result.push_back(nb::cast<std::int64_t>(nb::int_(item)));
    return result;
}

nb::object item_or_none(const nb::dict& dict, const char* key) {
    return dict.contains(key) ? nb::object(dict[key]) : nb::object(nb::none());
}

// The device that the memory is on: most libraries say so beside the protocol, which does not.
Device device_of(nb::handle object, const Stream* stream) {
    if (nb::hasattr(object, "__dlpack_device__")) {
        const nb::object pair = object.attr("__dlpack_device__")();
        return device_from_dlpack(
            {nb::cast<std::int32_t>(nb::int_(pair[0])), nb::cast<std::int32_t>(nb::int_(pair[1]))},
            "from_dlpack");
    }
    if (stream && stream->device().kind() == DeviceKind::cuda) return stream->device();
    const Device current;
    return current.kind() == DeviceKind::cuda ? current : Device("cuda");
}

}  // namespace

Array array_from_cuda_interface(nb::handle object, const Stream* stream, const char* operation) {
    const nb::object described = object.attr("__cuda_array_interface__");
    if (!PyDict_Check(described.ptr()))
        throw Error(ErrorKind::type_mismatch,
                    std::string("[") + operation +
                        "] __cuda_array_interface__ must be a dict, got " +
                        Py_TYPE(described.ptr())->tp_name);
    const nb::dict dict = nb::borrow<nb::dict>(described);
    const nb::object mask = item_or_none(dict, "mask");
    if (!mask.is_none())
        throw Error(ErrorKind::type_mismatch,
                    std::string("[") + operation + "] masked arrays are not supported");
    const DType dtype = dtype_from_python(dict["typestr"], operation);
    Shape shape = integers(dict["shape"]);
    const nb::object given_strides = item_or_none(dict, "strides");
    Shape strides =
        given_strides.is_none() ? c_strides(shape, size_of(dtype)) : integers(given_strides);
    const nb::object data = dict["data"];
    const auto address = nb::cast<std::uintptr_t>(data[0]);
    const bool read_only = nb::cast<bool>(data[1]);
    const Device device = device_of(object, stream);
    order_after_producer(item_or_none(dict, "stream"), device, stream);
    return wrap_strided(reinterpret_cast<void*>(address), std::move(shape), std::move(strides),
                        dtype, device, read_only, own(object.ptr()));
}

void init_array_interface(nb::module_& m) {
    nb::object type = m.attr("Array");
    auto cls = nb::borrow<nb::class_<Array>>(type);
    cls.def_prop_ro("__cuda_array_interface__", describe,
                    "Version 3 of the protocol; AttributeError on device cpu.");
    m.def(
        "from_cuda_array_interface",
        [](nb::handle object) { return array_from_cuda_interface(object, nullptr, "asarray"); },
        nb::arg("object"));
}

}  // namespace heald::python
