#include "src/jit/cpu/simt/loop_facts.hpp"

#include "src/jit/cpu/simt/special_calls.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

namespace heald::cpu::simt {
namespace {

// The values that decide whether a loop goes on: backwards from its exit conditions, through data
// and, at phis, through the branches that choose between the incoming values.
class ExitSlice {
public:
    ExitSlice(const llvm::Loop& loop, const llvm::LoopInfo& loops,
              const llvm::DominatorTree& dominators)
        : loop_(loop), loops_(loops), dominators_(dominators) {
        llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
        loop.getExitingBlocks(exiting);
        for (llvm::BasicBlock* block : exiting) add_condition(block);
        while (!work_.empty()) visit(*work_.pop_back_val());
    }

    const llvm::SmallPtrSetImpl<llvm::Instruction*>& instructions() const { return seen_; }

private:
    void add(llvm::Value* value) {
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        if (!instruction || !loop_.contains(instruction)) return;
        if (seen_.insert(instruction).second) work_.push_back(instruction);
    }
    void add_condition(llvm::BasicBlock* block) {
        auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (branch && branch->isConditional()) add(branch->getCondition());
    }
    void visit(llvm::Instruction& instruction) {
        for (llvm::Value* operand : instruction.operands()) add(operand);
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        // At a header the way in is not a choice.
        if (!phi || loops_.isLoopHeader(phi->getParent())) return;
        const auto* above = dominators_.getNode(phi->getParent())->getIDom();
        for (const llvm::BasicBlock* from : phi->blocks()) {
            for (const auto* node = dominators_.getNode(from); node; node = node->getIDom()) {
                add_condition(node->getBlock());
                if (node == above) break;
            }
        }
    }

    const llvm::Loop& loop_;
    const llvm::LoopInfo& loops_;
    const llvm::DominatorTree& dominators_;
    llvm::SmallPtrSet<llvm::Instruction*, 32> seen_;
    llvm::SmallVector<llvm::Instruction*, 32> work_;
};

// A read-modify-write that changes nothing or always writes the same: it asks, again and again,
// for what others write. Adding a constant other than zero makes progress by itself.
bool waits(const llvm::AtomicRMWInst& atomic, const llvm::Loop& loop) {
    const auto operation = atomic.getOperation();
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(atomic.getValOperand());
    if (operation == llvm::AtomicRMWInst::Add || operation == llvm::AtomicRMWInst::Sub) {
        return constant && constant->isZero();
    }
    const auto* operand = llvm::dyn_cast<llvm::Instruction>(atomic.getValOperand());
    return !operand || !loop.contains(operand);
}

// A retry loop takes the expected value from memory anew each time, so one thread always gets
// through. A lock expects a fixed one.
bool waits(const llvm::AtomicCmpXchgInst& exchange, const llvm::Loop& loop) {
    const auto* expected = llvm::dyn_cast<llvm::Instruction>(exchange.getCompareOperand());
    return !expected || !loop.contains(expected);
}

bool waits(const llvm::Instruction& instruction, const llvm::Loop& loop) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        return load->isVolatile() || load->isAtomic();
    }
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        return waits(*atomic, loop);
    }
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        return waits(*exchange, loop);
    }
    return false;
}

// The innermost loop around a relax.
bool calls_relax(const llvm::Loop& loop, const llvm::LoopInfo& loops) {
    for (const llvm::BasicBlock* block : loop.blocks()) {
        if (loops.getLoopFor(block) != &loop) continue;
        for (const llvm::Instruction& instruction : *block) {
            if (special_call(instruction).kind == SpecialCall::Kind::relax) return true;
        }
    }
    return false;
}

bool is_yield_loop(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                   const llvm::DominatorTree& dominators) {
    if (calls_relax(loop, loops)) return true;
    const ExitSlice slice(loop, loops, dominators);
    for (const llvm::Instruction* instruction : slice.instructions()) {
        if (waits(*instruction, loop)) return true;
    }
    return false;
}

}  // namespace

LoopFacts::LoopFacts(llvm::Function& function, llvm::DominatorTree& dominators,
                     llvm::LoopInfo& loops) {
    if (loops.empty()) return;
    llvm::TargetLibraryInfoImpl library_impl(llvm::Triple(function.getParent()->getTargetTriple()));
    llvm::TargetLibraryInfo library(library_impl, &function);
    llvm::AssumptionCache assumptions(function);
    llvm::ScalarEvolution evolution(function, library, assumptions, dominators, loops);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
        const llvm::SCEV* count = evolution.getSymbolicMaxBackedgeTakenCount(loop);
        if (llvm::isa<llvm::SCEVCouldNotCompute>(count)) unbounded_.insert(loop);
        most_iterations_[loop] = evolution.getSmallConstantMaxTripCount(loop);
        if (is_yield_loop(*loop, loops, dominators)) yields_.insert(loop);
    }
}

}  // namespace heald::cpu::simt
