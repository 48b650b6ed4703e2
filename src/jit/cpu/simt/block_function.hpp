#pragma once

// The function that a launch calls: loops over blocks, and over the warps of a block.

#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/simt/step_function.hpp"

namespace heald::cpu::simt {

/// One run of `warp` per warp of every block.
llvm::Function* build_block_function(llvm::Function& warp, const Variant& variant,
                                     const std::string& name);

/// Runs a block as a machine over the states of its warps: as long as all warps stop at the same
/// barrier, one loop over the warps per barrier region (the step function is inlined with a
/// constant state); else a loop in which every warp has its own state.
llvm::Function* build_block_function(const StepFunction& step, const Variant& variant,
                                     const std::string& name);

/// Bytes of arena per warp: its frame and its state.
std::size_t arena_bytes_per_warp(const StepFunction& step);

}  // namespace heald::cpu::simt
