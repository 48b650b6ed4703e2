#pragma once

// Which joins and loops of a function are divergent: reached by the lanes of a warp along
// different paths, or left by them in different iterations.

#include <llvm/ADT/SmallPtrSet.h>

namespace llvm {
class BasicBlock;
class Loop;
class LoopInfo;
class PostDominatorTree;
}  // namespace llvm

namespace heald::cpu::simt {

class Divergence {
public:
    Divergence(const llvm::LoopInfo& loops, const llvm::PostDominatorTree& post_dominators);

    /// Records that the branch at the end of `block` differs between lanes. True if that made a
    /// join or a loop divergent which was not.
    bool mark(llvm::BasicBlock& block);

    bool is_join(const llvm::BasicBlock* block) const { return joins_.contains(block); }
    bool is_divergent(const llvm::Loop* loop) const { return divergent_loops_.contains(loop); }

private:
    void mark_loop(const llvm::Loop* loop);
    void mark_loops(llvm::BasicBlock& block, const llvm::BasicBlock* join);
    void mark_joins(llvm::BasicBlock& block, const llvm::BasicBlock* join);

    const llvm::LoopInfo& loops_;
    const llvm::PostDominatorTree& post_dominators_;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> marked_;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> joins_;
    llvm::SmallPtrSet<const llvm::Loop*, 8> divergent_loops_;
};

/// The immediate post-dominator of `block`, or null if that is the end of the function.
llvm::BasicBlock* immediate_post_dominator(const llvm::PostDominatorTree& tree,
                                           llvm::BasicBlock* block);

}  // namespace heald::cpu::simt
