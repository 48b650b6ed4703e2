#pragma once

#include "src/backend/cuda/context.hpp"
#include "src/jit/nvrtc/linker.hpp"

namespace heald::cuda {

/// Links with the CUDA driver's own linker (cubin and PTX). Throws CompileError.
[[nodiscard]] nvrtc::LinkResult driver_link(Context& context, const nvrtc::LinkJob& job);

}  // namespace heald::cuda
