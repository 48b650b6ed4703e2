#include "src/jit/cpu/codegen.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/jit/cpu/fatal_errors.hpp"
#include "src/jit/cpu/pass_pipeline.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/stopwatch.hpp"
#include "src/jit/cpu/target.hpp"
#include "src/jit/cpu/thunk.hpp"
#include "src/jit/cpu/unit_code.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

namespace heald::cpu {
namespace {

constexpr const char* entry_prefix = "__heald_entry_";

bool is_entry(const llvm::Function& function) {
    return function.getName().starts_with(entry_prefix);
}

bool is_table(const llvm::GlobalVariable& variable) {
    return variable.isConstant() && !variable.isExternallyInitialized() &&
           variable.hasLocalLinkage();
}

/// A unit's module, read on demand, and what code is generated for it.
struct Unit {
    std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<llvm::Module> module;
};

Unit open(const CompiledUnit& unit, const Target& target) {
    Unit opened;
    quiet(*opened.context);
    opened.machine = make_target_machine(target);
    opened.module = read_bitcode(unpack(unit.bitcode).normalised, *opened.context);
    opened.module->setDataLayout(opened.machine->createDataLayout());
    return opened;
}

void check(llvm::Error failure) {
    if (failure) {
        throw Error(ErrorKind::invalid_value,
                    "compiled code cannot be read: " + llvm::toString(std::move(failure)));
    }
}

const KernelRecord& find(const CompiledUnit& unit, const std::string& name) {
    const auto found =
        std::find_if(unit.kernels.begin(), unit.kernels.end(),
                     [&](const KernelRecord& kernel) { return kernel.name == name; });
    if (found == unit.kernels.end()) {
        throw Error(ErrorKind::not_found, "the code has no kernel '" + name + "'");
    }
    return *found;
}

/// Leaves one entry; what the unit shares becomes declarations.
void keep_only(llvm::Module& module, llvm::Function& entry) {
    for (llvm::Function& function : module) {
        if (&function == &entry || function.isDeclaration()) continue;
        if (is_entry(function)) {
            function.deleteBody();
            continue;
        }
        function.deleteBody();
        function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (variable.isDeclaration() || is_table(variable)) continue;
        if (variable.getSection() == simt::shared_section) continue;
        variable.setInitializer(nullptr);
        variable.setExternallyInitialized(false);
        variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
        if (is_entry(function) && function.isDeclaration() && function.use_empty()) {
            function.eraseFromParent();
        }
    }
}

/// Shared variables live in the launch's arena: what stands for them in the module goes.
void drop_unused_shared(llvm::Module& module) {
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
        if (variable.getSection() != simt::shared_section) continue;
        variable.removeDeadConstantUsers();
        if (variable.use_empty()) variable.eraseFromParent();
    }
}

simt::Result vectorise(Unit& unit, const std::string& kernel, const Variant& variant,
                       const Target& target) {
    llvm::Function* entry = unit.module->getFunction(entry_name(kernel));
    if (entry == nullptr) {
        throw Error(ErrorKind::not_found, "the code has no kernel '" + kernel + "'");
    }
    check(entry->materialize());
    keep_only(*unit.module, *entry);
    check(unit.module->materializeAll());
    const simt::VectorIsa isa = simt::vector_isa(target_triple(), target.features);
    simt::Result result = simt::vectorise(*entry, variant, isa, blocks_symbol);
    entry->eraseFromParent();
    drop_unused_shared(*unit.module);
    return result;
}

// What the SIMT passes leave to do: they start from simplified code and make vectors of it, so that
// LLVM's own unrolling and vectorising would find nothing and only make the code longer. Half the
// time of O2, and code as fast.
constexpr const char* vector_code_passes =
    "always-inline,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,adce,simplifycfg)";

void optimise(Unit& unit, bool vector_code) {
    PassPipeline pipeline(*unit.machine, false);
    if (vector_code) {
        pipeline.run(*unit.module, vector_code_passes);
        return;
    }
    llvm::ModulePassManager passes =
        pipeline.builder().buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    pipeline.run(*unit.module, passes);
}

// Early hoisting out of loops takes the constants of all cases of a long switch or chain of
// conditions out of the loop over warps, to be alive through all of it: registers are then
// allocated in quadratic time, and spilled.
bool is_long(const llvm::Module& module) {
    constexpr std::size_t many_blocks = 500;
    return std::any_of(module.begin(), module.end(), [](const llvm::Function& function) {
        return function.size() > many_blocks;
    });
}

// What addPassesToEmitFile does, but for the pass that is left out.
bool add_passes_without_early_hoisting(llvm::LLVMTargetMachine& machine,
                                       llvm::legacy::PassManager& passes,
                                       llvm::raw_pwrite_stream& stream,
                                       llvm::CodeGenFileType type) {
    auto* const code = new llvm::MachineModuleInfoWrapperPass(&machine);  // the pass manager's
    llvm::TargetPassConfig* const config = machine.createPassConfig(passes);
    config->disablePass(&llvm::EarlyMachineLICMID);
    passes.add(config);
    passes.add(code);
    if (config->addISelPasses()) return true;
    config->addMachinePasses();
    config->setInitialized();
    if (machine.addAsmPrinter(passes, stream, nullptr, type, code->getMMI().getContext())) {
        return true;
    }
    passes.add(llvm::createFreeMachineFunctionPass());
    return false;
}

std::string emit(Unit& unit, llvm::CodeGenFileType type) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    auto& machine = static_cast<llvm::LLVMTargetMachine&>(*unit.machine);
    if (is_long(*unit.module) ? add_passes_without_early_hoisting(machine, passes, stream, type)
                              : machine.addPassesToEmitFile(passes, stream, nullptr, type)) {
        throw Error(ErrorKind::unavailable, "this code generator cannot write objects");
    }
    passes.run(*unit.module);
    return std::string(bytes.begin(), bytes.end());
}

std::string print(const llvm::Module& module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
}

}  // namespace

KernelObject build_variant(const CompiledUnit& unit, const std::string& kernel,
                           const Variant& variant, const Target& target, BuildTimes* times) {
    const KernelRecord& record = find(unit, kernel);
    BuildTimes unused;
    BuildTimes& spent = times != nullptr ? *times : unused;
    return with_fatal_errors("building kernel '" + record.display_name + "'", [&] {
        Stopwatch watch;
        Unit opened = open(unit, target);
        spent.read = watch.lap();
        const simt::Result made = vectorise(opened, kernel, variant, target);
        spent.vectorise = watch.lap();
        optimise(opened, variant.lanes > 1);
        spent.optimise = watch.lap();
        KernelObject object;
        object.elf = emit(opened, llvm::CodeGenFileType::ObjectFile);
        spent.generate = watch.lap();
        object.static_shared_bytes = made.static_shared_bytes;
        object.frame_bytes_per_warp = made.frame_bytes_per_warp;
        object.variant = variant;
        return object;
    });
}

std::string build_unit_globals(const CompiledUnit& unit, const Target& target) {
    return with_fatal_errors("building the module's variables", [&] {
        Unit opened = open(unit, target);
        check(opened.module->materializeAll());
        for (llvm::Function& function : llvm::make_early_inc_range(*opened.module)) {
            if (is_entry(function) && function.use_empty()) {
                function.eraseFromParent();
            } else if (!function.isDeclaration()) {
                function.setLinkage(llvm::GlobalValue::ExternalLinkage);
            }
        }
        drop_unused_shared(*opened.module);
        optimise(opened, false);
        return emit(opened, llvm::CodeGenFileType::ObjectFile);
    });
}

std::string disassemble_variant(const CompiledUnit& unit, const std::string& kernel,
                                const Variant& variant, const Target& target,
                                const std::string& what) {
    find(unit, kernel);
    if (what != "llvm" && what != "asm" && what != "simt") {
        throw Error(ErrorKind::invalid_value,
                    "cannot show '" + what + "' of a CPU kernel: \"llvm\" or \"asm\"");
    }
    return with_fatal_errors("building kernel '" + kernel + "'", [&] {
        Unit opened = open(unit, target);
        vectorise(opened, kernel, variant, target);
        if (what == "simt") return print(*opened.module);
        optimise(opened, variant.lanes > 1);
        if (what == "llvm") return print(*opened.module);
        return emit(opened, llvm::CodeGenFileType::AssemblyFile);
    });
}

}  // namespace heald::cpu
