#pragma once

#include <heald/device.hpp>

namespace heald::cpu {

/// Limits of blocks and grids are the H200's, so that what is refused on one is refused on both.
DeviceProperties device_properties();

}  // namespace heald::cpu
