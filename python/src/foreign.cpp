#include "python/src/foreign.hpp"

#include "python/src/arguments.hpp"
#include "python/src/array.hpp"
#include "python/src/deferred.hpp"
#include "python/src/gil.hpp"

#include <heald/error.hpp>

#include <string>
#include <unordered_map>

namespace heald::python {

namespace {

void delete_managed(void* what) {
    auto* managed = static_cast<dlpack::ManagedTensorVersioned*>(what);
    if (managed->deleter) managed->deleter(managed);
}

bool is_c_contiguous(const dlpack::Tensor& tensor) noexcept {
    if (!tensor.strides) return true;
    std::int64_t expected = 1;
    for (int i = tensor.ndim - 1; i >= 0; --i) {
        if (tensor.shape[i] == 0) return true;
        if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
        expected *= tensor.shape[i];
    }
    return true;
}

std::uintptr_t current_stream_of(const dlpack::ExchangeApi& api, dlpack::Device device) {
    void* stream = nullptr;
    if (!api.current_stream || api.current_stream(device.type, device.id, &stream) != 0) {
        PyErr_Clear();
        return 0;
    }
    return reinterpret_cast<std::uintptr_t>(stream);
}

bool is_default(std::uintptr_t handle) {
    return handle <= 1;
}

bool same_stream(std::uintptr_t theirs, const Stream& ours) {
    const std::uintptr_t handle = ours.handle();
    return theirs == handle || (is_default(theirs) && is_default(handle));
}

// A tensor of this launch's GPU whose library works on this very stream: its allocator orders reuse
// of the memory by that stream, so the address is all that is needed.
bool fill_address(const ArgumentPlace& place, const Slot& slot, PyObject* object,
                  const dlpack::ExchangeApi& api, ArgumentPack& pack) {
    dlpack::Tensor tensor;
    if (!api.tensor_from_object || place.plan.device.kind() != DeviceKind::cuda) return false;
    if (api.tensor_from_object(object, &tensor) != 0) nb::raise_python_error();
    if (tensor.device.type != dlpack::cuda || tensor.device.id != place.plan.device.ordinal() ||
        !is_c_contiguous(tensor) ||
        !same_stream(current_stream_of(api, tensor.device), pack.stream()))
        return false;  // the general way orders it, or says what is wrong
    const std::optional<DType> dtype = dtype_from_dlpack(tensor.dtype);
    if (!dtype || (!slot.any_dtype && *dtype != slot.dtype)) return false;
    pack.set_pointer(place.index, static_cast<char*>(tensor.data) + tensor.byte_offset);
    return true;
}

Array array_by_exchange(PyObject* object, const dlpack::ExchangeApi& api, const Stream& stream,
                        const char* operation) {
    dlpack::ManagedTensorVersioned* managed = nullptr;
    if (api.managed_from_object(object, &managed) != 0) nb::raise_python_error();
    const std::shared_ptr<void> owner = own(managed, delete_managed);
    const dlpack::Tensor& tensor = managed->tensor;
    if (tensor.device.type == dlpack::cuda) {
        const std::uintptr_t theirs = current_stream_of(api, tensor.device);
        const Device device = device_from_dlpack(tensor.device, operation);
        if (stream.device() == device && !same_stream(theirs, stream)) {
            const Stream producer =
                is_default(theirs) ? device.default_stream() : Stream::from_handle(device, theirs);
            const GilRelease unlocked;
            stream.wait(producer);
        }
    }
    return array_from_tensor(tensor, managed->flags & dlpack::flag_read_only, owner, operation);
}

}  // namespace

const dlpack::ExchangeApi* exchange_api(PyTypeObject* type) {
    // Types are kept alive by the table: an address seen again is the same type.
    static auto* known = new std::unordered_map<PyTypeObject*, const dlpack::ExchangeApi*>();
    const auto found = known->find(type);
    if (found != known->end()) return found->second;
    const dlpack::ExchangeApi* api = nullptr;
    nb::object capsule = nb::getattr(nb::handle(reinterpret_cast<PyObject*>(type)),
                                     "__dlpack_c_exchange_api__", nb::none());
    if (PyCapsule_IsValid(capsule.ptr(), dlpack::name_exchange))
        api = static_cast<const dlpack::ExchangeApi*>(
            PyCapsule_GetPointer(capsule.ptr(), dlpack::name_exchange));
    while (api && api->version.major != dlpack::our_version.major) api = api->previous;
    Py_INCREF(type);
    Py_XINCREF(api ? capsule.ptr() : nullptr);
    known->emplace(type, api);
    return api;
}

bool fill_foreign(const ArgumentPlace& place, const Slot& slot, PyObject* object,
                  ArgumentPack& pack) {
    constexpr const char* operation = "Kernel.launch";
    const Stream& stream = pack.stream();
    const nb::handle handle(object);
    Array array;
    if (const dlpack::ExchangeApi* api = exchange_api(Py_TYPE(object))) {
        if (fill_address(place, slot, object, *api, pack)) return true;
        array = array_by_exchange(object, *api, stream, operation);
    } else if (place.plan.device.kind() == DeviceKind::cuda &&
               nb::hasattr(handle, "__cuda_array_interface__")) {
        array = array_from_cuda_interface(handle, &stream, operation);
    } else if (nb::hasattr(handle, "__dlpack__")) {
        array = array_from_dlpack(handle, &stream, operation);
    } else {
        return false;
    }
    fill_array(place, slot, array, pack, object);
    pack.keep(array.buffer());
    return true;
}

}  // namespace heald::python
