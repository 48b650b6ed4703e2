#pragma once

// Emits the blocks of the entry function into the warp function: divergent control flow becomes a
// chain of blocks under masks.

#include "src/jit/cpu/simt/block_order.hpp"
#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/kept_branches.hpp"
#include "src/jit/cpu/simt/loop_facts.hpp"

#include <map>
#include <utility>

namespace llvm {
class DominatorTree;
}

namespace heald::cpu::simt {

/// Masks travel along edges: the mask of an edge is the mask of its block and its condition. The
/// mask of a block is inherited where it must be equal to that of a dominating block, else it is
/// collected in a slot from its edges. Phis are slots as well; both become SSA values afterwards.
class Linearise {
public:
    Linearise(Emission& emission, const BlockOrder& order, const KeptBranches& kept,
              const LoopFacts& loop_facts, const llvm::DominatorTree& dominators,
              const llvm::PostDominatorTree& post_dominators, const llvm::LoopInfo& loops);

    void run();

private:
    struct Edge {
        llvm::BasicBlock* target;
        llvm::Value* mask;
    };
    struct BlockMask {
        llvm::Value* mask;
        bool is_fresh;  ///< may be empty although the block's dominator ran
    };

    void make_slots();
    void emit_block(unsigned index);
    BlockMask mask_of(llvm::BasicBlock* block);
    BlockMask collected_mask(llvm::BasicBlock* block);
    /// Whether the lanes of `block` are those of its dominator.
    bool inherits_mask(llvm::BasicBlock* block) const;
    /// Whether the mask of `block` may have to be collected from its edges.
    bool is_collected(llvm::BasicBlock* block) const;
    /// The mask on all edges into `block`, if it is one value, else null.
    llvm::Value* common_edge_mask(llvm::BasicBlock* block) const;
    /// The dominator of `block` on its own loop level: loops in between count as their preheader.
    llvm::BasicBlock* level_dominator(llvm::BasicBlock* block) const;

    llvm::SmallVector<Edge, 2> edges_of(llvm::BasicBlock* block, llvm::Value* mask);
    /// Forgets what phis below `block` held in an earlier visit, so that it is not kept alive.
    void reset_phis_below(llvm::BasicBlock* block);
    void leave_along(llvm::BasicBlock* block, const Edge& edge);
    void set_phis(llvm::BasicBlock* block, const Edge& edge);
    bool needs_blend(llvm::BasicBlock* block, const Edge& edge) const;
    void emit_kept_branch(llvm::BasicBlock* block, const llvm::SmallVectorImpl<Edge>& edges);
    void emit_terminator(unsigned index, const llvm::SmallVectorImpl<Edge>& edges);

    bool is_back_edge(const llvm::BasicBlock* block, const llvm::BasicBlock* target) const;
    bool is_divergent_header(const llvm::BasicBlock* block) const;
    /// Whether the edge leaves a loop whose exit blocks run under collected masks: lanes leave it
    /// in different iterations, or all together to one of several blocks, which follow each other.
    bool leaves_by_mask(const llvm::BasicBlock* block, const llvm::BasicBlock* target) const;
    /// Where a kept branch of `block` to `target` jumps to.
    llvm::BasicBlock* landing(llvm::BasicBlock* block, llvm::BasicBlock* target) const;
    llvm::BasicBlock* emitted(llvm::BasicBlock* block) const;
    /// What a back edge to `header` jumps to: the header, after polls and yields if it has some.
    llvm::BasicBlock* back_edge_target(llvm::BasicBlock* header);

    Emission& emission_;
    llvm::IRBuilder<>& builder_;
    const BlockOrder& order_;
    const KeptBranches& kept_;
    const LoopFacts& loop_facts_;
    const llvm::DominatorTree& dominators_;
    const llvm::PostDominatorTree& post_dominators_;
    const llvm::LoopInfo& loops_;
    const Divergence& divergence_;

    llvm::BasicBlock* end_ = nullptr;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> emitted_;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> masks_;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::AllocaInst*> mask_slots_;
    llvm::DenseMap<const llvm::PHINode*, llvm::AllocaInst*> phi_slots_;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::PHINode*, 4>> phis_below_;
    std::map<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, llvm::Value*> edge_masks_;
};

}  // namespace heald::cpu::simt
