#pragma once

#include "src/core/code.hpp"

#include <vector>

namespace heald::cpu {

/// Compiles a request with the plug-in. Throws CompileError, or Error(invalid_value) for options
/// that mean nothing on a CPU.
core::CodeData compile(const core::CompileRequest& request);

/// Joins units.
core::CodeData link(const std::vector<const core::CodeData*>& inputs,
                    const core::CompileRequest& request);

}  // namespace heald::cpu
