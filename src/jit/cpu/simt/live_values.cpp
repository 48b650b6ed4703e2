#include "src/jit/cpu/simt/live_values.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace heald::cpu::simt {

llvm::DenseMap<const llvm::BasicBlock*, LiveValues> live_at_start(
    llvm::Function& function, const std::vector<llvm::BasicBlock*>& blocks) {
    llvm::DenseMap<const llvm::BasicBlock*, LiveValues> live;
    for (const llvm::BasicBlock* block : blocks) live[block];
    llvm::SmallVector<llvm::BasicBlock*, 32> work;
    llvm::SmallPtrSet<llvm::BasicBlock*, 32> visited;
    for (llvm::Instruction& value : llvm::instructions(function)) {
        // Backwards from every use to the definition.
        work.clear();
        visited.clear();
        const auto live_at_end = [&](llvm::BasicBlock* block) {
            if (block != value.getParent()) work.push_back(block);
        };
        for (const llvm::Use& use : value.uses()) {
            auto* user = llvm::cast<llvm::Instruction>(use.getUser());
            if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
                live_at_end(phi->getIncomingBlock(use));
            } else if (user->getParent() != value.getParent()) {
                work.push_back(user->getParent());
            }
        }
        while (!work.empty()) {
            llvm::BasicBlock* block = work.pop_back_val();
            if (!visited.insert(block).second) continue;
            if (const auto at = live.find(block); at != live.end()) at->second.insert(&value);
            for (llvm::BasicBlock* from : llvm::predecessors(block)) live_at_end(from);
        }
    }
    return live;
}

}  // namespace heald::cpu::simt
