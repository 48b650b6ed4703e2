#pragma once

// Code that at most one lane of a warp runs.

namespace llvm {
class BasicBlock;
class DominatorTree;
}  // namespace llvm

namespace heald::cpu::simt {

class ShapeAnalysis;

/// Whether `block` is only reached where a value that differs in all lanes equals a uniform one, as
/// under `if (threadIdx.x == 0)`.
bool runs_in_single_lane(const llvm::BasicBlock& block, const ShapeAnalysis& shapes,
                         const llvm::DominatorTree& dominators);

}  // namespace heald::cpu::simt
