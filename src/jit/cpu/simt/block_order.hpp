#pragma once

// The order in which blocks are laid out when control flow is linearised.

#include <llvm/ADT/DenseMap.h>

#include <vector>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Loop;
class LoopInfo;
}  // namespace llvm

namespace heald::cpu::simt {

/// A topological order in which every loop and every dominance subtree is contiguous. So the
/// original dominance also holds when the blocks are chained in this order, and "skip what this
/// block dominates" is one jump.
class BlockOrder {
public:
    BlockOrder(llvm::Function& function, const llvm::DominatorTree& dominators,
               const llvm::LoopInfo& loops);

    const std::vector<llvm::BasicBlock*>& blocks() const { return blocks_; }
    unsigned index(const llvm::BasicBlock* block) const { return index_.lookup(block); }
    /// Index after the last block that `block` dominates.
    unsigned end_of_subtree(const llvm::BasicBlock* block) const { return end_.lookup(block); }

private:
    class Level;

    const llvm::DominatorTree& dominators_;
    const llvm::LoopInfo& loops_;
    std::vector<llvm::BasicBlock*> blocks_;
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> index_;
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> end_;
};

}  // namespace heald::cpu::simt
