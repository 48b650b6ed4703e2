#pragma once

// The device headers parsed once per mode: precompiled headers in memory.

#include "src/jit/cpu/front_end_arguments.hpp"

#include <string>
#include <string_view>

namespace heald::cpu {

/// The PCH of the prelude for that mode; empty when it cannot be made (the prelude is then parsed
/// each time). The usual modes' are part of the plug-in; others are made on first use and kept for
/// the process. Threads that ask for the same one wait.
std::string_view precompiled_prelude(const ParseMode& mode);

/// Makes one anew; empty when that fails.
std::string make_precompiled_prelude(const ParseMode& mode);

}  // namespace heald::cpu
