#pragma once

#include "src/core/code.hpp"
#include "src/jit/nvrtc/target.hpp"

#include <string>
#include <vector>

namespace heald::nvrtc {

/// NVRTC's command line for a request.
[[nodiscard]] std::vector<std::string> command_line(const core::CompileRequest& request,
                                                    const Target& target);

}  // namespace heald::nvrtc
