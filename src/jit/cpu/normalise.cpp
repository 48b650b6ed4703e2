#include "src/jit/cpu/normalise.hpp"

#include "src/jit/cpu/barrier_loops.hpp"
#include "src/jit/cpu/gpu_semantics.hpp"
#include "src/jit/cpu/parameter_copies.hpp"
#include "src/jit/cpu/pass_pipeline.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/target.hpp"
#include "src/jit/cpu/thunk.hpp"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include <algorithm>
#include <unordered_set>

namespace heald::cpu {
namespace {

// Reducible, one latch, one exit block and a preheader for each loop, one return, LCSSA.
constexpr const char* canonical_control_flow =
    "function(instcombine<no-verify-fixpoint>,lower-switch,fix-irreducible,mergereturn,"
    "loop-simplify,unify-loop-exits,simplifycfg,lower-switch,mergereturn,loop-simplify,lcssa)";

void drop_target_attributes(llvm::Module& module) {
    for (llvm::Function& function : module) {
        // Without min-legal-vector-width the widest registers are used.
        for (const char* attribute : {"target-cpu", "target-features", "tune-cpu",
                                      "min-legal-vector-width", "stack-protector-buffer-size"}) {
            function.removeFnAttr(attribute);
        }
        function.removeFnAttr(llvm::Attribute::OptimizeNone);
        function.setComdat(nullptr);
    }
    for (llvm::GlobalVariable& variable : module.globals()) variable.setComdat(nullptr);
    for (const char* name : {"llvm.compiler.used", "llvm.used", "llvm.global.annotations"}) {
        if (llvm::GlobalVariable* used = module.getGlobalVariable(name)) used->eraseFromParent();
    }
}

/// An empty statement is a barrier for the compiler: a fence within the thread says that, and a
/// value passed through it is what it was.
bool replace_empty_assembly(llvm::CallBase& call) {
    llvm::IRBuilder<> build(&call);
    if (call.getType()->isVoidTy()) {
        build.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent,
                          llvm::SyncScope::SingleThread);
    } else if (call.arg_size() == 1 && call.getArgOperand(0)->getType() == call.getType()) {
        call.replaceAllUsesWith(call.getArgOperand(0));
    } else {
        return false;
    }
    call.eraseFromParent();
    return true;
}

/// "kernel.cu:7: [name] " with line information, as the SIMT passes begin their messages.
std::string place_of(const llvm::Instruction& at) {
    const std::string name = "[" + llvm::demangle(at.getFunction()->getName()) + "] ";
    const llvm::DebugLoc& location = at.getDebugLoc();
    if (!location) return name;
    return location->getFilename().str() + ":" + std::to_string(location->getLine()) + ": " + name;
}

void replace_inline_assembly(llvm::Module& module) {
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction :
             llvm::make_early_inc_range(llvm::instructions(function))) {
            auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            if (call == nullptr || !call->isInlineAsm()) continue;
            const std::string text(
                llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString());
            if (text.empty() && replace_empty_assembly(*call)) continue;
            throw Error(ErrorKind::compile, place_of(*call) + "inline assembly '" + text +
                                                "' is for GPUs: the CPU cannot run PTX");
        }
    }
}

/// Functions that call themselves, directly or through others.
std::unordered_set<llvm::Function*> recursive_functions(llvm::Module& module) {
    std::unordered_set<llvm::Function*> found;
    llvm::CallGraph graph(module);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
        if (!component.hasCycle()) continue;
        for (llvm::CallGraphNode* node : *component) {
            if (node->getFunction() != nullptr) found.insert(node->getFunction());
        }
    }
    return found;
}

void mark_for_inlining(llvm::Module& module, const std::unordered_set<llvm::Function*>& entries) {
    const auto recursive = recursive_functions(module);
    for (llvm::Function& function : module) {
        if (function.isDeclaration() || entries.count(&function) != 0) continue;
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.removeFnAttr(llvm::Attribute::AlwaysInline);
        const bool out_of_line = recursive.count(&function) != 0;
        function.addFnAttr(out_of_line ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
    }
}

/// Variables that all code of the unit shares get external linkage; their names are unique, and
/// one that no kernel uses may still be read and written by name.
void expose_globals(llvm::Module& module, const std::vector<GlobalRecord>& globals) {
    for (const GlobalRecord& record : globals) {
        llvm::GlobalVariable* variable = module.getGlobalVariable(record.name, true);
        if (variable == nullptr || variable->isDeclaration()) continue;
        variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
        variable->setVisibility(llvm::GlobalValue::DefaultVisibility);
        variable->setDSOLocal(false);
    }
    // Tables and vtables are private to the code that reads them.
    for (llvm::GlobalVariable& variable : module.globals()) {
        const bool listed = std::any_of(globals.begin(), globals.end(), [&](const auto& record) {
            return variable.getName() == record.name;
        });
        if (listed || variable.isDeclaration() || variable.getName().starts_with("llvm.") ||
            variable.getSection() == simt::shared_section) {
            continue;
        }
        variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
}

void simplify(llvm::TargetMachine& machine, llvm::Module& module) {
    PassPipeline pipeline(machine, true);
    llvm::ModulePassManager passes = pipeline.builder().buildModuleSimplificationPipeline(
        llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None);
    llvm::ScalarizerPassOptions scalarise;
    scalarise.ScalarizeLoadStore = true;
    llvm::FunctionPassManager functions;
    functions.addPass(llvm::ScalarizerPass(scalarise));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
    pipeline.run(module, passes);
}

void fill_traits(KernelRecord& record, llvm::Function& entry) {
    const simt::KernelTraits traits = simt::scan(entry);
    record.static_shared_bytes = traits.static_shared_bytes;
    record.has_barrier = traits.has_barrier;
    record.uses_warp = traits.uses_warp;
    record.has_unbounded_loop = traits.has_unbounded_loop;
    record.has_dynamic_shared = traits.has_dynamic_shared;
    record.has_yield_loop = traits.has_yield_loop;
    record.has_lane_yield = traits.has_lane_yield;
    record.calls_out_of_line = traits.calls_out_of_line;
    record.work = traits.work;
    record.flush_denormals &= !traits.computes_in_double;
}

}  // namespace

void prepare(llvm::Module& module) {
    replace_inline_assembly(module);
    drop_target_attributes(module);
    simt::annotate_intrinsics(module);
    lower_bfloat(module);
    apply_gpu_semantics(module);
}

void normalise(llvm::Module& module, std::vector<KernelRecord>& kernels,
               std::vector<GlobalRecord>& globals) {
    const auto machine = make_target_machine(portable_target());
    module.setDataLayout(machine->createDataLayout());
    std::vector<llvm::Function*> entries;
    std::unordered_set<llvm::Function*> entry_set;
    for (const KernelRecord& record : kernels) {
        llvm::Function* entry = module.getFunction(entry_name(record.name));
        if (entry != nullptr && entry_set.insert(entry).second) entries.push_back(entry);
    }
    expose_globals(module, globals);
    keep_barrier_loops(module);
    mark_for_inlining(module, entry_set);
    simplify(*machine, module);
    for (llvm::Function* entry : entries) {
        remove_parameter_copies(*entry);
        simt::join_noreturn(*entry);
    }
    PassPipeline(*machine, true).run(module, canonical_control_flow);
    simt::lower_out_of_line(module, entries);
    for (KernelRecord& record : kernels) {
        if (llvm::Function* entry = module.getFunction(entry_name(record.name))) {
            fill_traits(record, *entry);
        }
    }
}

}  // namespace heald::cpu
