#pragma once

#include <memory>

namespace heald::core {

class DeviceState;
class StreamState;

/// This thread's current device and stream: the innermost scope's, else the defaults.
std::shared_ptr<DeviceState> current_device();
std::shared_ptr<StreamState> current_stream();

}  // namespace heald::core
