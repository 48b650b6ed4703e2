#pragma once

#include <heald/kernel.hpp>

#include "src/backend/cuda/context.hpp"

#include <string>

namespace heald::cuda {

class Kernel;

/// One launch by the plain driver call. The context must be current.
[[nodiscard]] driver::Result launch_plain(Context& context, Kernel& kernel, driver::Stream stream,
                                          const heald::LaunchConfig& config, void** values);

/// Throws the error of a launch that the driver refused, with what was asked for.
[[noreturn]] void refuse_launch(Context& context, driver::Result result, Kernel& kernel,
                                const heald::LaunchConfig& config);

}  // namespace heald::cuda
