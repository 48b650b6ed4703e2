#pragma once

// Which uniform branches stay branches when control flow is linearised.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace llvm {
class BasicBlock;
class BranchInst;
class LoopInfo;
class PostDominatorTree;
}  // namespace llvm

namespace heald::cpu::simt {

class BlockOrder;
class ShapeAnalysis;

/// A uniform branch is kept if it leaves a uniform loop, or if each of its sides is a contiguous
/// range of blocks that is entered only by the branch and left only to the post-dominator.
class KeptBranches {
public:
    KeptBranches(const BlockOrder& order, const ShapeAnalysis& shapes, const llvm::LoopInfo& loops,
                 const llvm::PostDominatorTree& post_dominators);

    bool is_kept(const llvm::BasicBlock* block) const { return kept_.contains(block); }

    /// Where control goes after the block at `index` of the order, if it does not branch. Null: to
    /// the end of the function.
    llvm::BasicBlock* fall_through(unsigned index) const;

private:
    bool is_uniform_exit(llvm::BasicBlock* block) const;
    void keep_structured(llvm::BasicBlock* block, llvm::BranchInst* branch);

    const BlockOrder& order_;
    const ShapeAnalysis& shapes_;
    const llvm::LoopInfo& loops_;
    const llvm::PostDominatorTree& post_dominators_;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> kept_;
    /// The end of a kept branch's first side jumps over the second one.
    llvm::DenseMap<unsigned, llvm::BasicBlock*> jump_after_;
};

}  // namespace heald::cpu::simt
