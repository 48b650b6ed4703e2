#pragma once

// Gives the operations that C++ leaves undefined the results that GPUs give, before any
// optimisation can reason from them: shifts past the width, division by zero, INT_MIN / -1,
// conversions of floats that do not fit. No operation traps or is poison afterwards.

namespace llvm {
class Module;
}

namespace heald::cpu {

/// To be run on the IR as clang made it.
void apply_gpu_semantics(llvm::Module& module);

/// Rewrites conversions between bfloat and wider floats, and arithmetic in bfloat, as operations on
/// integers and floats: round to nearest even, subnormals kept, the same bits on every machine.
void lower_bfloat(llvm::Module& module);

}  // namespace heald::cpu
