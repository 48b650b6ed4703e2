#pragma once

#include <heald/program.hpp>

#include "src/jit/nvrtc/tokens.hpp"

#include <string>
#include <utility>
#include <vector>

namespace heald::nvrtc {

/// NVRTC has no standard library: small headers of the names that kernels use, the same that the
/// CPU device serves (<cstdint>, <cmath>, <limits>, <type_traits>, …). Headers that the user gives,
/// in memory or in an include folder, come first.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> headers_for(
    const std::vector<Include>& includes, const ProgramOptions& options);

}  // namespace heald::nvrtc
