#include "src/jit/cpu/link.hpp"

#include "src/jit/cpu/diagnostics.hpp"
#include "src/jit/cpu/fatal_errors.hpp"
#include "src/jit/cpu/normalise.hpp"
#include "src/jit/cpu/unit_code.hpp"

#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>

#include <algorithm>

namespace heald::cpu {
namespace {

/// Variables with internal linkage may have the same name in several units; records follow.
void make_names_unique(llvm::Module& module, std::vector<GlobalRecord>& globals, std::size_t unit) {
    for (GlobalRecord& record : globals) {
        llvm::GlobalVariable* variable = module.getGlobalVariable(record.name, true);
        if (variable == nullptr || !variable->hasLocalLinkage()) continue;
        variable->setName(record.name + ".unit" + std::to_string(unit));
        record.name = variable->getName().str();
    }
}

template <typename Record>
void append_new(std::vector<Record>& all, std::vector<Record> more) {
    for (Record& record : more) {
        const bool known = std::any_of(
            all.begin(), all.end(), [&](const Record& other) { return other.name == record.name; });
        if (!known) all.push_back(std::move(record));
    }
}

CompiledUnit link_checked(const std::vector<const CompiledUnit*>& units) {
    llvm::LLVMContext context;
    quiet(context);
    CompiledUnit linked;
    auto whole = std::make_unique<llvm::Module>("linked", context);
    for (std::size_t i = 0; i < units.size(); ++i) {
        const CompiledUnit& unit = *units[i];
        auto module = read_bitcode(unpack(unit.bitcode).prepared, context);
        if (auto failure = module->materializeAll()) {
            throw Error(ErrorKind::invalid_value,
                        "compiled code cannot be read: " + llvm::toString(std::move(failure)));
        }
        if (i == 0) {
            whole->setTargetTriple(module->getTargetTriple());
            whole->setDataLayout(module->getDataLayout());
        }
        std::vector<GlobalRecord> globals = unit.globals;
        make_names_unique(*module, globals, i);
        if (llvm::Linker::linkModules(*whole, std::move(module))) {
            throw Error(ErrorKind::compile, "the units do not fit together");
        }
        append_new(linked.kernels, unit.kernels);
        append_new(linked.globals, std::move(globals));
        for (const std::string& file : unit.dependencies) {
            auto& files = linked.dependencies;
            if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
        }
        linked.warnings.insert(linked.warnings.end(), unit.warnings.begin(), unit.warnings.end());
        linked.log += unit.log;
    }
    UnitCode code;
    code.prepared = write_bitcode(*whole);
    normalise(*whole, linked.kernels, linked.globals);
    code.normalised = write_bitcode(*whole);
    linked.bitcode = pack(code);
    return linked;
}

}  // namespace

CompiledUnit link_units(const std::vector<const CompiledUnit*>& units) {
    if (units.empty()) throw Error(ErrorKind::invalid_value, "there is nothing to link");
    try {
        return with_fatal_errors("linking", [&] { return link_checked(units); });
    } catch (const CompileError&) {
        throw;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::compile) throw;
        throw_compile_error("link", error.what());
    }
}

}  // namespace heald::cpu
