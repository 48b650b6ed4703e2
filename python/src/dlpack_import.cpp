#include "python/src/current_stream.hpp"
#include "python/src/deferred.hpp"
#include "python/src/foreign.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <utility>

namespace heald::python {

namespace {

struct TypeRow {
    DType dtype;
    dlpack::DataType type;
};

constexpr TypeRow type_rows[] = {
    {DType::boolean, {dlpack::code_bool, 8, 1}},
    {DType::int8, {dlpack::code_int, 8, 1}},
    {DType::int16, {dlpack::code_int, 16, 1}},
    {DType::int32, {dlpack::code_int, 32, 1}},
    {DType::int64, {dlpack::code_int, 64, 1}},
    {DType::uint8, {dlpack::code_uint, 8, 1}},
    {DType::uint16, {dlpack::code_uint, 16, 1}},
    {DType::uint32, {dlpack::code_uint, 32, 1}},
    {DType::uint64, {dlpack::code_uint, 64, 1}},
    {DType::float16, {dlpack::code_float, 16, 1}},
    {DType::bfloat16, {dlpack::code_bfloat, 16, 1}},
    {DType::float32, {dlpack::code_float, 32, 1}},
    {DType::float64, {dlpack::code_float, 64, 1}},
    {DType::complex64, {dlpack::code_complex, 64, 1}},
    {DType::complex128, {dlpack::code_complex, 128, 1}},
};

template <class Managed>
void call_deleter(void* what) {
    auto* managed = static_cast<Managed*>(what);
    if (managed->deleter) managed->deleter(managed);
}

// Capsules that nobody took are freed by their own destructor; a renamed one is ours.
template <class Managed>
std::pair<Managed*, std::shared_ptr<void>> take(nb::handle capsule, const char* name,
                                                const char* used_name) {
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (!managed || PyCapsule_SetName(capsule.ptr(), used_name) < 0) nb::raise_python_error();
    return {managed, own(managed, call_deleter<Managed>)};
}

Array array_from_capsule(nb::handle capsule, const char* operation) {
    if (PyCapsule_IsValid(capsule.ptr(), dlpack::name_versioned)) {
        const auto [managed, owner] = take<dlpack::ManagedTensorVersioned>(
            capsule, dlpack::name_versioned, dlpack::name_versioned_used);
        if (managed->version.major > dlpack::our_version.major)
            throw Error(ErrorKind::invalid_value,
                        std::string("[") + operation + "] the producer's DLPack version is " +
                            std::to_string(managed->version.major) + ", heald reads version 1");
        return array_from_tensor(managed->tensor, managed->flags & dlpack::flag_read_only, owner,
                                 operation);
    }
    if (PyCapsule_IsValid(capsule.ptr(), dlpack::name_legacy)) {
        const auto [managed, owner] =
            take<dlpack::ManagedTensor>(capsule, dlpack::name_legacy, dlpack::name_legacy_used);
        return array_from_tensor(managed->tensor, false, owner, operation);
    }
    throw Error(ErrorKind::invalid_value, std::string("[") + operation + "] __dlpack__ gave " +
                                              shown(capsule) + ", not an unused DLPack capsule");
}

// Producers know some of the keywords: the newest form first.
nb::object call_dlpack(nb::handle object, nb::object stream) {
    const nb::object method = object.attr("__dlpack__");
    const nb::tuple version = nb::make_tuple(dlpack::our_version.major, dlpack::our_version.minor);
    const auto is_keyword_error = [](nb::python_error& e) { return e.matches(PyExc_TypeError); };
    try {
        if (stream.is_none()) return method(nb::arg("max_version") = version);
        return method(nb::arg("stream") = stream, nb::arg("max_version") = version);
    } catch (nb::python_error& e) {
        if (!is_keyword_error(e)) throw;
    }
    try {
        if (!stream.is_none()) return method(nb::arg("stream") = stream);
    } catch (nb::python_error& e) {
        if (!is_keyword_error(e)) throw;
    }
    return method();
}

dlpack::Device device_of(nb::handle object, const char* operation) {
    if (!nb::hasattr(object, "__dlpack__") || !nb::hasattr(object, "__dlpack_device__"))
        throw Error(ErrorKind::type_mismatch,
                    std::string("[") + operation + "] " + Py_TYPE(object.ptr())->tp_name +
                        " has no __dlpack__ and __dlpack_device__: pass an array or tensor that "
                        "has, or copy with hd.array");
    const nb::object pair = object.attr("__dlpack_device__")();
    return {nb::cast<std::int32_t>(nb::int_(pair[0])), nb::cast<std::int32_t>(nb::int_(pair[1]))};
}

}  // namespace

std::optional<DType> dtype_from_dlpack(dlpack::DataType type) noexcept {
    for (const TypeRow& row : type_rows)
        if (row.type.code == type.code && row.type.bits == type.bits && type.lanes == 1)
            return row.dtype;
    return std::nullopt;
}

dlpack::DataType dtype_to_dlpack(DType dtype) noexcept {
    for (const TypeRow& row : type_rows)
        if (row.dtype == dtype) return row.type;
    return {dlpack::code_opaque, 8, 1};
}

Device device_from_dlpack(dlpack::Device device, const char* operation) {
    switch (device.type) {
        case dlpack::cpu:
        case dlpack::cuda_host:
            return Device("cpu");
        case dlpack::cuda:
        case dlpack::cuda_managed:
            return Device("cuda:" + std::to_string(device.id));
        default:
            break;
    }
    throw Error(ErrorKind::invalid_value, std::string("[") + operation +
                                              "] the memory is on DLPack "
                                              "device type " +
                                              std::to_string(device.type) +
                                              ", heald has CPU (1) and CUDA (2) devices");
}

Array wrap_strided(void* data, Shape shape, Shape strides, DType dtype, const Device& device,
                   bool read_only, std::shared_ptr<void> owner) {
    std::int64_t low = 0, high = static_cast<std::int64_t>(size_of(dtype));
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0)
            return Array(Buffer::wrap(nullptr, 0, device, nullptr, read_only), std::move(shape),
                         dtype);
        (strides[i] < 0 ? low : high) += (shape[i] - 1) * strides[i];
    }
    Buffer memory =
        Buffer::wrap(static_cast<char*>(data) + low, static_cast<std::size_t>(high - low), device,
                     std::move(owner), read_only);
    return Array(std::move(memory), std::move(shape), dtype, std::move(strides), -low);
}

Array array_from_tensor(const dlpack::Tensor& tensor, bool read_only, std::shared_ptr<void> owner,
                        const char* operation) {
    const std::optional<DType> dtype = dtype_from_dlpack(tensor.dtype);
    if (!dtype)
        throw Error(ErrorKind::type_mismatch,
                    std::string("[") + operation + "] DLPack element type (code " +
                        std::to_string(tensor.dtype.code) + ", " +
                        std::to_string(tensor.dtype.bits) + " bits, " +
                        std::to_string(tensor.dtype.lanes) + " lanes) has no counterpart in heald");
    const auto item = static_cast<std::int64_t>(size_of(*dtype));
    Shape shape(tensor.shape, tensor.shape + tensor.ndim);
    Shape strides;
    if (tensor.strides) {
        strides.assign(tensor.strides, tensor.strides + tensor.ndim);
        for (std::int64_t& stride : strides) stride *= item;
    } else {
        strides = c_strides(shape, size_of(*dtype));
    }
    return wrap_strided(static_cast<char*>(tensor.data) + tensor.byte_offset, std::move(shape),
                        std::move(strides), *dtype, device_from_dlpack(tensor.device, operation),
                        read_only, std::move(owner));
}

Array array_from_dlpack(nb::handle object, const Stream* stream, const char* operation) {
    const dlpack::Device where = device_of(object, operation);
    const Device device = device_from_dlpack(where, operation);
    nb::object stream_number = nb::none();
    if (device.kind() == DeviceKind::cuda) {
        const std::uintptr_t handle = stream && stream->device() == device
                                          ? stream->handle()
                                          : current_stream(device).handle();
        stream_number = nb::int_(handle ? handle : std::uintptr_t{1});  // 1: the legacy stream
    }
    return array_from_capsule(call_dlpack(object, stream_number), operation);
}

}  // namespace heald::python
