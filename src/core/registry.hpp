#pragma once

#include "src/core/device_state.hpp"

#include <heald/doctor.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heald::core {

/// The device of that name, made at first use: "cpu", "cuda", "cuda:1". Throws Error(unavailable)
/// with the reason if it cannot be used, Error(not_found) if there is no such name.
std::shared_ptr<DeviceState> device_by_name(std::string_view name);

/// The device that is current where no scope says otherwise.
std::shared_ptr<DeviceState> default_device();

/// Every usable device, GPUs first.
std::vector<std::shared_ptr<DeviceState>> usable_devices();

/// Why there is no GPU; "" if there is one.
std::string why_no_gpu();

/// Rows of the doctor: usable devices, and kinds of devices that are missing.
std::vector<DeviceReport> device_reports();

/// Adds the libraries that the backends of usable devices look for.
void add_backend_reports(DoctorReport& report);

}  // namespace heald::core
