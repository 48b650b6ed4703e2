#pragma once

// The device headers parsed once per mode: a precompiled header kept in memory.

#include "src/jit/cpu/front_end_arguments.hpp"

#include <memory>
#include <string>

namespace heald::cpu {

/// The PCH of the prelude for that mode, made on first use and kept for the process; null when it
/// cannot be made (the prelude is then parsed each time). Threads that ask for the same one wait.
std::shared_ptr<const std::string> precompiled_prelude(const ParseMode& mode);

}  // namespace heald::cpu
