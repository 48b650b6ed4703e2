#pragma once

#include "src/core/code.hpp"
#include "src/jit/nvrtc/facts.hpp"

#include <string>

namespace heald::nvrtc {

/// What NVRTC is asked to make.
struct Target {
    std::string format;        ///< "cubin", "ptx", "ltoir"
    std::string architecture;  ///< the -arch option's value, "sm_90", "compute_90"
};

/// The target of a request on a device of `device_architecture` ("sm_90"). A device newer than this
/// NVRTC gets PTX for the newest architecture that it knows, which the driver then compiles.
[[nodiscard]] Target choose_target(const Facts& facts, const core::CompileRequest& request,
                                   const std::string& device_architecture);

}  // namespace heald::nvrtc
