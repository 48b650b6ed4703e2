#pragma once

#include <string>

namespace gpu_check {

/// Processes that lose their CUDA context, fork, or exit with work queued: run by the tests.
int run_child(const std::string& name);

}  // namespace gpu_check
