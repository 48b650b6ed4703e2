#include "src/jit/cpu/simt/cleanup.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/Error.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

namespace heald::cpu::simt {

void promote_slots(llvm::Function& warp) {
    llvm::DominatorTree dominators(warp);
    std::vector<llvm::AllocaInst*> slots;
    for (llvm::Instruction& instruction : warp.getEntryBlock()) {
        auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (slot && llvm::isAllocaPromotable(slot)) slots.push_back(slot);
    }
    llvm::PromoteMemToReg(slots, dominators);
}

void simplify_before_split(llvm::Function& warp) {
    llvm::PassBuilder passes;
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(components);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, components, modules);
    llvm::FunctionPassManager pipeline;
    llvm::cantFail(passes.parsePassPipeline(
        pipeline, "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce"));
    pipeline.run(warp, functions);
}

}  // namespace heald::cpu::simt
