#pragma once

#include <string>
#include <vector>

namespace heald::nvrtc {

/// What a cache key has to know of NVRTC.
struct Facts {
    std::string path;
    int major = 0;
    int minor = 0;
    std::vector<int> architectures;            ///< that it compiles for; empty: it cannot say
    std::vector<std::string> include_folders;  ///< CUDA's own headers
};

/// The facts, without opening the library (25 ms) if an earlier process has opened the same file in
/// the same environment: that process left them in the compile cache's folder. Throws
/// Error(unavailable) if there is no NVRTC.
[[nodiscard]] const Facts& facts(const std::string& operation);

}  // namespace heald::nvrtc
