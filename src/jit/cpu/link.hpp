#pragma once

#include "src/jit/cpu/plugin.hpp"

#include <vector>

namespace heald::cpu {

/// Joins units so that each may use the external functions and variables of the others. Throws
/// CompileError for a symbol that is defined twice.
CompiledUnit link_units(const std::vector<const CompiledUnit*>& units);

}  // namespace heald::cpu
