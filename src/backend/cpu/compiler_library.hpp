#pragma once

#include "src/jit/cpu/plugin.hpp"

#include <heald/doctor.hpp>

#include <string>

namespace heald::cpu {

/// The compiler, opened at the first call. Throws Error(unavailable) that says what was looked for,
/// where, and how to get it.
Compiler& compiler(const std::string& operation);

/// Names the compiler, the machine and the formats, without opening the plug-in where it lies
/// beside heald: what is cached under one identity may be read under it.
std::string compiler_identity();

LibraryReport report_compiler();

}  // namespace heald::cpu
