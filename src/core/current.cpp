#include "src/core/current.hpp"

#include "src/base/check.hpp"
#include "src/core/device_state.hpp"
#include "src/core/registry.hpp"

#include <vector>

namespace heald {
namespace {

struct Scope {
    std::shared_ptr<core::DeviceState> device;
    std::shared_ptr<core::StreamState> stream;  ///< null: the device's default stream
};

thread_local std::vector<Scope> scopes;

}  // namespace

std::shared_ptr<core::DeviceState> core::current_device() {
    return scopes.empty() ? default_device() : scopes.back().device;
}

std::shared_ptr<core::StreamState> core::current_stream() {
    if (!scopes.empty() && scopes.back().stream != nullptr) return scopes.back().stream;
    return current_device()->default_stream();
}

std::shared_ptr<core::StreamState> core::current_stream(DeviceState& device) {
    const bool is_there = !scopes.empty() && scopes.back().stream != nullptr &&
                          &scopes.back().stream->device == &device;
    return is_there ? scopes.back().stream : device.default_stream();
}

Stream Stream::current() {
    return Stream(core::current_stream());
}

DeviceScope::DeviceScope(Device device) {
    scopes.push_back({device.shared_state(), nullptr});
}
DeviceScope::~DeviceScope() {
    scopes.pop_back();
}

StreamScope::StreamScope(Stream stream) {
    scopes.push_back({stream.state().device.shared_from_this(), stream.shared_state()});
}
StreamScope::~StreamScope() {
    scopes.pop_back();
}

}  // namespace heald
