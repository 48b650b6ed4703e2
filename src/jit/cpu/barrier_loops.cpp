#include "src/jit/cpu/barrier_loops.hpp"

#include "src/jit/cpu/intrinsics.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace heald::cpu {
namespace {

using CallSet = llvm::SmallVector<llvm::CallBase*, 16>;

/// Calls through which a barrier may be reached, directly or not.
CallSet barrier_calls(llvm::Module& module) {
    CallSet calls;
    llvm::SmallVector<llvm::Function*, 8> work;
    llvm::SmallPtrSet<llvm::Function*, 8> seen;
    if (llvm::Function* barrier = module.getFunction(intrinsics::barrier)) work.push_back(barrier);
    while (!work.empty()) {
        llvm::Function* function = work.pop_back_val();
        if (!seen.insert(function).second) continue;
        for (llvm::User* user : function->users()) {
            auto* call = llvm::dyn_cast<llvm::CallBase>(user);
            if (call == nullptr || call->getCalledFunction() != function) continue;
            calls.push_back(call);
            work.push_back(call->getFunction());
        }
    }
    return calls;
}

bool asks_for_unrolling(const llvm::Loop& loop) {
    for (const char* word :
         {"llvm.loop.unroll.enable", "llvm.loop.unroll.full", "llvm.loop.unroll.count"}) {
        if (llvm::findStringMetadataForLoop(&loop, word)) return true;
    }
    return false;
}

}  // namespace

void keep_barrier_loops(llvm::Module& module) {
    llvm::SmallPtrSet<llvm::Function*, 8> functions;
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> blocks;
    for (llvm::CallBase* call : barrier_calls(module)) {
        functions.insert(call->getFunction());
        blocks.insert(call->getParent());
    }
    for (llvm::Function* function : functions) {
        const llvm::DominatorTree dominators(*function);
        llvm::LoopInfo loops(dominators);
        llvm::SmallPtrSet<llvm::Loop*, 8> with_barrier;
        for (llvm::BasicBlock& block : *function) {
            if (!blocks.contains(&block)) continue;
            for (llvm::Loop* loop = loops.getLoopFor(&block); loop != nullptr;
                 loop = loop->getParentLoop()) {
                with_barrier.insert(loop);
            }
        }
        for (llvm::Loop* loop : with_barrier) {
            if (asks_for_unrolling(*loop)) continue;
            llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
        }
    }
}

}  // namespace heald::cpu
