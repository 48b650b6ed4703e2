#pragma once

#include <heald/export.hpp>

#include <memory>

namespace heald::core {

class DeviceState;
class StreamState;

/// This thread's current device and stream: the innermost scope's, else the defaults.
std::shared_ptr<DeviceState> current_device();
std::shared_ptr<StreamState> current_stream();
/// The current stream if it is one of `device`, else the device's default stream. Chooses no
/// default device.
HEALD_API std::shared_ptr<StreamState> current_stream(DeviceState& device);

}  // namespace heald::core
