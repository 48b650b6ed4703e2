#include "src/jit/cpu/simt/kept_branches.hpp"

#include "src/jit/cpu/simt/block_order.hpp"
#include "src/jit/cpu/simt/shape_analysis.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

namespace heald::cpu::simt {

KeptBranches::KeptBranches(const BlockOrder& order, const ShapeAnalysis& shapes,
                           const llvm::LoopInfo& loops,
                           const llvm::PostDominatorTree& post_dominators)
    : order_(order), shapes_(shapes), loops_(loops), post_dominators_(post_dominators) {
    for (llvm::BasicBlock* block : order.blocks()) {
        auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (!branch || !branch->isConditional()) continue;
        if (branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
        if (!shapes.shape(branch->getCondition()).is_uniform()) continue;
        const llvm::Loop* loop = loops.getLoopFor(block);
        if (loop && loop->isLoopExiting(block)) {
            if (is_uniform_exit(block)) kept_.insert(block);
        } else if (!loop || !loop->isLoopLatch(block)) {
            keep_structured(block, branch);
        }
    }
}

llvm::BasicBlock* KeptBranches::fall_through(unsigned index) const {
    if (llvm::BasicBlock* target = jump_after_.lookup(index)) return target;
    return index + 1 < order_.blocks().size() ? order_.blocks()[index + 1] : nullptr;
}

// Divergence treats loops with exits to further out as divergent, so here every exit edge leaves
// one level.
bool KeptBranches::is_uniform_exit(llvm::BasicBlock* block) const {
    return !shapes_.divergence().is_divergent(loops_.getLoopFor(block));
}

void KeptBranches::keep_structured(llvm::BasicBlock* block, llvm::BranchInst* branch) {
    const llvm::Loop* loop = loops_.getLoopFor(block);
    llvm::BasicBlock* join = immediate_post_dominator(post_dominators_, block);
    if (!join || loops_.getLoopFor(join) != loop) return;
    const unsigned first = order_.index(block) + 1;
    unsigned last = first;
    unsigned blocks_in_sides = 0;
    for (llvm::BasicBlock* side : branch->successors()) {
        if (side == join) continue;
        if (side->getUniquePredecessor() != block || loops_.getLoopFor(side) != loop) return;
        const unsigned begin = order_.index(side);
        const unsigned end = order_.end_of_subtree(side);
        if (begin < first) return;
        for (unsigned i = begin; i < end; ++i) {
            for (llvm::BasicBlock* next : llvm::successors(order_.blocks()[i])) {
                const unsigned at = order_.index(next);
                if (next != join && (at < begin || at >= end)) return;
            }
        }
        last = std::max(last, end);
        blocks_in_sides += end - begin;
    }
    if (order_.index(join) != last || blocks_in_sides != last - first) return;
    kept_.insert(block);
    for (llvm::BasicBlock* side : branch->successors()) {
        const unsigned end = order_.end_of_subtree(side);
        if (side != join && end != last) jump_after_[end - 1] = join;
    }
}

}  // namespace heald::cpu::simt
