#pragma once

#include <string>
#include <vector>

namespace heald::nvrtc {

/// Folders with CUDA's own headers (cuda_fp16.h, cooperative_groups.h, CCCL) that fit the NVRTC at
/// `library_path`, where pip, conda or the toolkit put them; empty if there are none. Looked up
/// once per process.
[[nodiscard]] const std::vector<std::string>& cuda_include_folders();

}  // namespace heald::nvrtc
