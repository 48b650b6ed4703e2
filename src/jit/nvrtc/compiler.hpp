#pragma once

#include "src/core/code.hpp"

#include <string>

namespace heald::nvrtc {

/// Names NVRTC, its version, place and headers, and the target: all that the result depends on
/// besides the request and the user's files.
[[nodiscard]] std::string identity(const core::CompileRequest& request,
                                   const std::string& device_architecture);

/// Compiles for a device of `device_architecture` ("sm_90"). Throws CompileError, and
/// Error(unavailable) if there is no NVRTC.
[[nodiscard]] core::CodeData compile(const core::CompileRequest& request,
                                     const std::string& device_architecture);

}  // namespace heald::nvrtc
