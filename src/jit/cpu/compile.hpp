#pragma once

#include "src/jit/cpu/plugin.hpp"

namespace heald::cpu {

struct CompileTimes {
    double parse = 0;  ///< milliseconds
    double prepare = 0;
    double normalise = 0;
    double write = 0;
};

/// Source to unit. Throws CompileError.
CompiledUnit compile_source(const CompileInput& input, CompileTimes* times = nullptr);

}  // namespace heald::cpu
