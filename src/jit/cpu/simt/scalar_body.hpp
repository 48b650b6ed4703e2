#pragma once

// Scalar code for one thread: the body of a warp of one lane, and of functions that stay out of
// line. Special calls are replaced by where the values come from; shared variables by addresses.

#include "src/jit/cpu/simt/special_calls.hpp"

#include <llvm/IR/IRBuilder.h>

#include <functional>

namespace heald::cpu::simt {

/// Where a scalar body's coordinates and shared variables come from. `special` returns the value of
/// a call (null: drop it); both emit at the builder's insertion point.
struct ScalarSources {
    std::function<llvm::Value*(llvm::IRBuilder<>&, const SpecialCall&, llvm::Instruction&)> special;
    std::function<llvm::Value*(llvm::IRBuilder<>&, const llvm::GlobalVariable&)> shared_address;
};

/// Rewrites `function` in place. Constant expressions over shared variables must be expanded.
void replace_special_values(llvm::Function& function, const ScalarSources& sources);

/// Makes the back edges of unbounded loops poll for cancellation, and those of loops that wait for
/// other threads suspend (if `suspends`). A cancelled function returns at once.
void instrument_back_edges(llvm::Function& function, bool suspends,
                           const std::function<llvm::Value*(llvm::IRBuilder<>&)>& block_context);

}  // namespace heald::cpu::simt
