#include "src/jit/cpu/simt/divergence.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>

namespace heald::cpu::simt {

llvm::BasicBlock* immediate_post_dominator(const llvm::PostDominatorTree& tree,
                                           llvm::BasicBlock* block) {
    const auto* node = tree.getNode(block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

// A branch out of several loops at once cannot stay a branch, so such loops are left by masks.
Divergence::Divergence(const llvm::LoopInfo& loops, const llvm::PostDominatorTree& post_dominators)
    : loops_(loops), post_dominators_(post_dominators) {
    for (const llvm::Loop* inner : loops.getLoopsInPreorder()) {
        llvm::SmallVector<llvm::BasicBlock*, 4> exits;
        inner->getExitBlocks(exits);
        for (llvm::BasicBlock* exit : exits) {
            if (loops.getLoopFor(exit) == inner->getParentLoop()) continue;
            for (const llvm::Loop* loop = inner; loop && !loop->contains(exit);
                 loop = loop->getParentLoop()) {
                mark_loop(loop);
            }
        }
    }
}

void Divergence::mark_loop(const llvm::Loop* loop) {
    divergent_loops_.insert(loop);
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop->getExitBlocks(exits);
    joins_.insert(exits.begin(), exits.end());
}

bool Divergence::mark(llvm::BasicBlock& block) {
    if (!marked_.insert(&block).second) return false;
    const std::size_t before = joins_.size() + divergent_loops_.size();
    const llvm::BasicBlock* join = immediate_post_dominator(post_dominators_, &block);
    mark_loops(block, join);
    mark_joins(block, join);
    return joins_.size() + divergent_loops_.size() != before;
}

namespace {

// Whether control can go from the end of `block` round `loop` without passing `join`.
bool goes_round_before(const llvm::Loop& loop, llvm::BasicBlock& block,
                       const llvm::BasicBlock* join) {
    llvm::SmallVector<llvm::BasicBlock*, 16> work(llvm::successors(&block));
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
    while (!work.empty()) {
        llvm::BasicBlock* at = work.pop_back_val();
        if (at == join || !loop.contains(at)) continue;
        if (at == loop.getHeader()) return true;
        if (seen.insert(at).second) work.append(llvm::succ_begin(at), llvm::succ_end(at));
    }
    return false;
}

}  // namespace

// Lanes that take different sides meet again at the immediate post-dominator. If that lies outside
// a loop, or in its next iteration for some, they leave the loop in different iterations.
void Divergence::mark_loops(llvm::BasicBlock& block, const llvm::BasicBlock* join) {
    for (llvm::Loop* loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
        if (join && loop->contains(join)) {
            if (goes_round_before(*loop, block, join)) mark_loop(loop);
            break;
        }
        mark_loop(loop);
    }
}

// Every block between the branch and the join where several paths meet.
void Divergence::mark_joins(llvm::BasicBlock& block, const llvm::BasicBlock* join) {
    llvm::SmallVector<llvm::BasicBlock*, 16> work(llvm::successors(&block));
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
    while (!work.empty()) {
        llvm::BasicBlock* at = work.pop_back_val();
        const bool is_header = loops_.isLoopHeader(at);
        if (is_header && loops_.getLoopFor(at)->contains(&block)) continue;
        if (!seen.insert(at).second) continue;
        if (!is_header && llvm::pred_size(at) > 1) joins_.insert(at);
        if (at == join) continue;
        work.append(llvm::succ_begin(at), llvm::succ_end(at));
    }
}

}  // namespace heald::cpu::simt
