#include "python/src/current_stream.hpp"

#include "python/src/text.hpp"

#include "src/core/current.hpp"
#include "src/core/device_state.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heald::python {

namespace {

using Scope = std::variant<std::unique_ptr<StreamScope>, std::unique_ptr<DeviceScope>>;

std::vector<Scope>& scopes() {
    // Leaked per thread: scopes left open when a thread ends must not run after the engine.
    thread_local auto* stack = new std::vector<Scope>();
    return *stack;
}

Stream foreign_stream(nb::handle stream, const Device& device, const char* operation) {
    std::uintptr_t handle = 0;
    if (nb::hasattr(stream, "__cuda_stream__")) {
        nb::object protocol = stream.attr("__cuda_stream__");
        nb::object answer = PyCallable_Check(protocol.ptr()) ? protocol() : protocol;
        handle = nb::cast<std::uintptr_t>(answer[1]);
    } else if (nb::hasattr(stream, "cuda_stream")) {
        handle = nb::cast<std::uintptr_t>(stream.attr("cuda_stream"));
    } else {
        throw Error(ErrorKind::type_mismatch,
                    std::string("[") + operation + "] stream must be an hd.Stream, None or an " +
                        "object with __cuda_stream__, got " + Py_TYPE(stream.ptr())->tp_name);
    }
    if (device.kind() != DeviceKind::cuda)
        throw Error(ErrorKind::invalid_value, std::string("[") + operation +
                                                  "] a CUDA stream of another library was given, "
                                                  "but the work is for device " +
                                                  device.name());
    return Stream::from_handle(device, handle);
}

}  // namespace

Stream current_stream(const Device& device) {
    return Stream(core::current_stream(device.state()));
}

Stream stream_argument(nb::handle stream, const Device& device, const char* operation) {
    if (!stream.is_valid() || stream.is_none()) return current_stream(device);
    if (nb::isinstance<Stream>(stream)) return nb::cast<Stream&>(stream);
    return foreign_stream(stream, device, operation);
}

Device device_argument(nb::handle device, const char* operation) {
    if (!device.is_valid() || device.is_none()) return Device();
    if (nb::isinstance<Device>(device)) return nb::cast<Device&>(device);
    if (PyUnicode_Check(device.ptr()))
        return Device(text_argument(device, std::string("[") + operation + "] device"));
    throw Error(ErrorKind::type_mismatch, std::string("[") + operation +
                                              "] device must be an hd.Device or a name such as "
                                              "'cuda:0' or 'cpu', got " +
                                              Py_TYPE(device.ptr())->tp_name);
}

void enter_stream(const Stream& stream) {
    (void)stream.state();  // a closed stream cannot become current
    scopes().emplace_back(std::make_unique<StreamScope>(stream));
}

void enter_device(const Device& device) {
    scopes().emplace_back(std::make_unique<DeviceScope>(device));
}

void leave_scope() {
    if (!scopes().empty()) scopes().pop_back();
}

}  // namespace heald::python
