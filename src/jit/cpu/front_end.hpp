#pragma once

// From CUDA C++ to LLVM IR: clang in process, CUDA mode, host triple, files in memory.

#include "src/jit/cpu/plugin.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace heald::cpu {

/// A source as clang left it: unoptimised IR with one entry (thunk.hpp) per kernel and shared
/// variables tagged (simt::shared_section).
struct ParsedSource {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
    std::vector<KernelRecord> kernels;
    std::vector<GlobalRecord> globals;
    std::vector<std::string> dependencies;
    std::vector<Diagnostic> warnings;
    std::string log;
};

/// Throws CompileError.
ParsedSource parse(const CompileInput& input);

}  // namespace heald::cpu
