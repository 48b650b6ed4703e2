#pragma once

#include "src/core/code.hpp"
#include "src/jit/nvrtc/declarations.hpp"

#include <string>
#include <vector>

namespace heald::nvrtc {

/// The user's files that a source includes, directly or not: absolute paths, found in the include
/// folders of the request and beside the including file. CUDA's own headers are not among them: the
/// compiler's identity stands for those. An #include whose name a macro gives is not seen.
struct Dependencies {
    std::vector<std::string> files;
    bool has_mutable_globals = false;  ///< one of them declares some
};

[[nodiscard]] Dependencies find_dependencies(const Declarations& source,
                                             const ProgramOptions& options);

}  // namespace heald::nvrtc
