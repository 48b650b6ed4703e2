#pragma once

// The machine that code is made for.

#include "src/jit/cpu/plugin.hpp"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace heald::cpu {

/// Fills empty fields with this host's, by what CPUID reports rather than by the CPU's name, or
/// with HEALD_CPU_TARGET. Throws Error(invalid_value) for an unknown HEALD_CPU_TARGET.
Target resolve_target(const Target& target);

/// This machine, detected once.
const Target& host_target();

/// The target that units are simplified for: the same on every machine of one architecture.
Target portable_target();

std::string target_triple();

/// Makes LLVM's code generator for a resolved target.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const Target& target);

}  // namespace heald::cpu
