#pragma once

// LLVM's pass manager with the analyses and library knowledge that kernels need.

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Passes/PassBuilder.h>

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace heald::cpu {

class PassPipeline {
public:
    /// `scalar`: the module still is code of single threads, so loops must stay loops (no
    /// vectorisation, no memset or memcpy made from them).
    PassPipeline(llvm::TargetMachine& machine, bool scalar);

    llvm::PassBuilder& builder() { return builder_; }

    void run(llvm::Module& module, llvm::ModulePassManager& passes);
    /// Passes as `opt -passes=` takes them.
    void run(llvm::Module& module, const std::string& passes);

private:
    llvm::LoopAnalysisManager loops_;
    llvm::FunctionAnalysisManager functions_;
    llvm::CGSCCAnalysisManager components_;
    llvm::ModuleAnalysisManager modules_;
    llvm::PassBuilder builder_;
};

}  // namespace heald::cpu
