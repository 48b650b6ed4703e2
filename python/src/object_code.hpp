#pragma once

#include <heald/device.hpp>
#include <heald/program.hpp>

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

namespace heald::python {

namespace nb = nanobind;

/// hd.ObjectCode: code, and the device that it was compiled for, where that is known.
struct DeviceCode {
    ObjectCode code;
    std::optional<Device> device;

    /// Where kernels are loaded: the device asked for, else the one compiled for, else the CPU for
    /// CPU code, else the current device.
    [[nodiscard]] Device device_for(nb::handle asked, const char* operation) const;
};

/// From ObjectCodes, or one sequence of them.
std::vector<ObjectCode> object_code_list(nb::args inputs);

}  // namespace heald::python
