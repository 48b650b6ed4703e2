#pragma once

#include <heald/device.hpp>

#include "src/backend/cuda/context.hpp"

namespace heald::cuda {

[[nodiscard]] DeviceProperties ask_properties(const Context& context);

}  // namespace heald::cuda
