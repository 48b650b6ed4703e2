#include "src/jit/cpu/simt/block_order.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <algorithm>

namespace heald::cpu::simt {

// One loop level (or the function): child loops are collapsed to their headers, the collapsed graph
// is ordered by reverse post-order, and blocks are laid out by a pre-order walk of the dominator
// tree whose children are sorted by that order.
class BlockOrder::Level {
public:
    Level(BlockOrder& order, llvm::Loop* loop, llvm::BasicBlock* entry)
        : order_(order), loop_(loop), entry_(entry) {}

    void lay_out() {
        post_order(entry_);
        for (unsigned i = 0; i < finished_.size(); ++i) {
            rank_[finished_[i]] = static_cast<unsigned>(finished_.size()) - i;
        }
        for (llvm::BasicBlock* block : finished_) {
            if (block == entry_) continue;
            const auto* node = order_.dominators_.getNode(block);
            children_[representative(node->getIDom()->getBlock())].push_back(block);
        }
        emit(entry_);
    }

private:
    llvm::Loop* child_loop(const llvm::BasicBlock* block) const {
        llvm::Loop* loop = order_.loops_.getLoopFor(block);
        if (loop == loop_) return nullptr;
        while (loop->getParentLoop() != loop_) loop = loop->getParentLoop();
        return loop;
    }

    // The block itself, or the header of the child loop that it is in. Null outside this level.
    llvm::BasicBlock* representative(llvm::BasicBlock* block) const {
        if (loop_ && !loop_->contains(block)) return nullptr;
        const llvm::Loop* child = child_loop(block);
        return child ? child->getHeader() : block;
    }

    void post_order(llvm::BasicBlock* block) {
        if (!seen_.insert(block).second) return;
        llvm::SmallVector<llvm::BasicBlock*, 4> next;
        if (const llvm::Loop* child = block == entry_ ? nullptr : child_loop(block)) {
            child->getExitBlocks(next);
        } else {
            next.append(llvm::succ_begin(block), llvm::succ_end(block));
        }
        for (llvm::BasicBlock* successor : next) {
            llvm::BasicBlock* to = representative(successor);
            if (to && to != entry_) post_order(to);
        }
        finished_.push_back(block);
    }

    void emit(llvm::BasicBlock* block) {
        if (llvm::Loop* child = block == entry_ ? nullptr : child_loop(block)) {
            Level(order_, child, block).lay_out();
        } else {
            order_.index_[block] = static_cast<unsigned>(order_.blocks_.size());
            order_.blocks_.push_back(block);
        }
        auto& children = children_[block];
        std::sort(children.begin(), children.end(),
                  [&](auto* a, auto* b) { return rank_.lookup(a) < rank_.lookup(b); });
        for (llvm::BasicBlock* child : std::vector<llvm::BasicBlock*>(children)) emit(child);
        order_.end_[block] = static_cast<unsigned>(order_.blocks_.size());
    }

    BlockOrder& order_;
    llvm::Loop* loop_;
    llvm::BasicBlock* entry_;
    std::vector<llvm::BasicBlock*> finished_;
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen_;
    llvm::DenseMap<llvm::BasicBlock*, unsigned> rank_;
    llvm::DenseMap<llvm::BasicBlock*, std::vector<llvm::BasicBlock*>> children_;
};

BlockOrder::BlockOrder(llvm::Function& function, const llvm::DominatorTree& dominators,
                       const llvm::LoopInfo& loops)
    : dominators_(dominators), loops_(loops) {
    Level(*this, nullptr, &function.getEntryBlock()).lay_out();
}

}  // namespace heald::cpu::simt
