#pragma once

#include <heald/kernel.hpp>

#include "src/core/device_state.hpp"

#include <functional>
#include <string>

namespace heald::array {

/// The kernel `fused` of generated source on a device, by what its text depends on: `key` stands
/// for the text that `source` writes. Compiled at the first call for a key.
[[nodiscard]] Kernel generated_kernel(core::DeviceState& device, const std::string& key,
                                      const std::function<std::string()>& source);

}  // namespace heald::array
