#include "src/jit/cpu/pass_pipeline.hpp"

#include "src/jit/cpu/target.hpp"

#include <heald/error.hpp>

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

namespace heald::cpu {
namespace {

llvm::TargetLibraryInfoImpl library_knowledge(bool scalar) {
    llvm::TargetLibraryInfoImpl library{llvm::Triple(target_triple())};
    // The runtime's printf is the only function for output: no puts("…") made of printf("…\n").
    for (const llvm::LibFunc function :
         {llvm::LibFunc_puts, llvm::LibFunc_putchar, llvm::LibFunc_fwrite, llvm::LibFunc_fputs,
          llvm::LibFunc_fputc, llvm::LibFunc_iprintf, llvm::LibFunc_small_printf}) {
        library.setUnavailable(function);
    }
    if (scalar) {
        library.setUnavailable(llvm::LibFunc_memset);
        library.setUnavailable(llvm::LibFunc_memcpy);
        library.setUnavailable(llvm::LibFunc_memmove);
        library.setUnavailable(llvm::LibFunc_strlen);
    }
    return library;
}

llvm::PipelineTuningOptions tuning(bool scalar) {
    llvm::PipelineTuningOptions options;
    if (scalar) {
        options.LoopVectorization = false;
        options.SLPVectorization = false;
        options.LoopInterleaving = false;
    }
    return options;
}

}  // namespace

PassPipeline::PassPipeline(llvm::TargetMachine& machine, bool scalar)
    : builder_(&machine, tuning(scalar)) {
    functions_.registerPass(
        [scalar] { return llvm::TargetLibraryAnalysis(library_knowledge(scalar)); });
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

void PassPipeline::run(llvm::Module& module, llvm::ModulePassManager& passes) {
    passes.run(module, modules_);
}

void PassPipeline::run(llvm::Module& module, const std::string& passes) {
    llvm::ModulePassManager manager;
    if (auto failure = builder_.parsePassPipeline(manager, passes)) {
        throw Error(ErrorKind::compile, "pass pipeline: " + llvm::toString(std::move(failure)));
    }
    run(module, manager);
}

}  // namespace heald::cpu
