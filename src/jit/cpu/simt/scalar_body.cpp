#include "src/jit/cpu/simt/scalar_body.hpp"

#include "src/jit/cpu/simt/loop_facts.hpp"
#include "src/jit/cpu/simt/scalar_atomic.hpp"
#include "src/jit/cpu/simt/shared_layout.hpp"
#include "src/jit/cpu/simt/suspend.hpp"
#include "src/jit/cpu/simt/warp_function.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>

namespace heald::cpu::simt {
namespace {

void replace_shared_operands(llvm::Function& function, const ScalarSources& sources) {
    std::map<const llvm::GlobalVariable*, llvm::Value*> addresses;
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
        for (llvm::Use& operand : instruction.operands()) {
            const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(operand);
            if (!variable || !is_shared(*variable)) continue;
            llvm::Value*& address = addresses[variable];
            if (!address) address = sources.shared_address(builder, *variable);
            operand.set(address);
        }
    }
}

}  // namespace

void replace_special_values(llvm::Function& function, const ScalarSources& sources) {
    llvm::IRBuilder<> builder(function.getContext());
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
        if (is_block_private_atomic(instruction)) {
            builder.SetInsertPoint(&instruction);
            replace_by_plain(instruction, builder);
            continue;
        }
        const SpecialCall special = special_call(instruction);
        if (special.kind == SpecialCall::Kind::none) continue;
        builder.SetInsertPoint(&instruction);
        llvm::Value* value = sources.special(builder, special, instruction);
        if (value) instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
    }
    replace_shared_operands(function, sources);
}

void instrument_back_edges(llvm::Function& function, bool suspends,
                           const std::function<llvm::Value*(llvm::IRBuilder<>&)>& block_context) {
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    const LoopFacts facts(function, dominators, loops);
    struct BackEdge {
        llvm::BasicBlock* from;
        llvm::BasicBlock* header;
        bool polls;
        bool yields;
    };
    std::vector<BackEdge> edges;
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
        const bool yields = suspends && facts.is_yield(loop);
        if (!yields && !facts.is_unbounded(loop)) continue;
        llvm::SmallVector<llvm::BasicBlock*, 2> latches;
        loop->getLoopLatches(latches);
        for (llvm::BasicBlock* latch : latches) {
            edges.push_back({latch, loop->getHeader(), facts.is_unbounded(loop), yields});
        }
    }
    if (edges.empty()) return;
    llvm::IRBuilder<> builder(function.getContext());
    auto* cancelled = llvm::BasicBlock::Create(function.getContext(), "cancelled", &function);
    builder.SetInsertPoint(cancelled);
    llvm::Type* result = function.getReturnType();
    if (result->isVoidTy()) {
        builder.CreateRetVoid();
    } else {
        builder.CreateRet(llvm::Constant::getNullValue(result));
    }
    for (const BackEdge& edge : edges) {
        auto* back = llvm::BasicBlock::Create(function.getContext(), "back", &function);
        auto* go_on = llvm::BasicBlock::Create(function.getContext(), "back.on", &function);
        edge.from->getTerminator()->replaceSuccessorWith(edge.header, back);
        edge.header->replacePhiUsesWith(edge.from, go_on);
        builder.SetInsertPoint(back);
        if (edge.polls) {
            builder.CreateCondBr(load_cancelled(builder, block_context(builder)), cancelled, go_on);
        } else {
            builder.CreateBr(go_on);
        }
        builder.SetInsertPoint(go_on);
        if (edge.yields) emit_suspend(builder, SuspendKind::yield);
        builder.CreateBr(edge.header);
    }
}

}  // namespace heald::cpu::simt
