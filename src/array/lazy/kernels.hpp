#pragma once

#include <heald/kernel.hpp>

#include "src/core/device_state.hpp"

#include <optional>
#include <string>

namespace heald::array {

/// The kernel that was made for `key`; nullopt if there is none yet.
[[nodiscard]] std::optional<Kernel> find_kernel(const std::string& key);
/// Compiles the kernel `fused` of `source`, once for a key.
[[nodiscard]] Kernel make_kernel(core::DeviceState& device, const std::string& key,
                                 const std::string& source);

/// The kernel `fused` of generated source on a device, by what its text depends on: `key` stands
/// for the device and the text that `source()` writes. Compiled at the first call for a key.
template <class Source>
[[nodiscard]] Kernel generated_kernel(core::DeviceState& device, const std::string& key,
                                      Source&& source) {
    if (auto found = find_kernel(key)) return *std::move(found);
    return make_kernel(device, key, source());
}

}  // namespace heald::array
