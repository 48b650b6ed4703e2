#pragma once

// From a normalised unit to machine code.

#include "src/jit/cpu/plugin.hpp"

#include <memory>
#include <string>

namespace heald::cpu {

/// Milliseconds per step, for the developer tool and the tests.
struct BuildTimes {
    double read = 0;       ///< bitcode
    double vectorise = 0;  ///< SIMT passes
    double optimise = 0;   ///< LLVM O2
    double generate = 0;   ///< machine code
};

/// One (kernel, variant) as a relocatable object. Throws Error(not_found) for an unknown kernel.
KernelObject build_variant(const CompiledUnit& unit, const std::string& kernel,
                           const Variant& variant, const Target& target,
                           BuildTimes* times = nullptr);

/// The unit's global variables and its functions that stay out of line, as an object.
std::string build_unit_globals(const CompiledUnit& unit, const Target& target);

/// A variant as text: "llvm" after optimisation, "asm", or "simt" before optimisation.
std::string disassemble_variant(const CompiledUnit& unit, const std::string& kernel,
                                const Variant& variant, const Target& target,
                                const std::string& what);

}  // namespace heald::cpu
