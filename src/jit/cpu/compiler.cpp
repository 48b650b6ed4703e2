// The plug-in: the pieces put together behind the Compiler interface.

#include "src/jit/cpu/codegen.hpp"
#include "src/jit/cpu/compile.hpp"
#include "src/jit/cpu/device_headers.hpp"
#include "src/jit/cpu/fatal_errors.hpp"
#include "src/jit/cpu/front_end_arguments.hpp"
#include "src/jit/cpu/link.hpp"
#include "src/jit/cpu/plugin.hpp"
#include "src/jit/cpu/target.hpp"
#include "src/jit/cpu/unit.hpp"
#include "src/jit/cpu/variant.hpp"

#include "src/backend/cpu/kernel_abi.hpp"

#include <llvm/Config/llvm-config.h>
#include <llvm/Target/TargetMachine.h>

namespace heald::cpu {
namespace {

class ClangCompiler final : public Compiler {
public:
    /// Does everything that happens once per process, so that a child forked later finds it done.
    ClangCompiler() {
        const FatalErrorScope handler;
        make_target_machine(portable_target());
        host_target();
        system_headers();
        device_headers();
    }

    std::string identity() const override {
        return "clang " LLVM_VERSION_STRING ", passes " + std::string(passes_hash()) + ", abi " +
               std::to_string(kernel_abi_version) + "." + std::to_string(unit_format_version);
    }

    Target resolve(const Target& target) const override { return resolve_target(target); }

    CompiledUnit compile(const CompileInput& input) override { return compile_source(input); }

    Variant choose_variant(const KernelRecord& kernel, const std::uint32_t block[3],
                           std::uint32_t maximum_lanes) const override {
        return best_variant(kernel, block, maximum_lanes);
    }

    KernelObject build(const CompiledUnit& unit, const std::string& kernel, const Variant& variant,
                       const Target& target) override {
        return build_variant(unit, kernel, variant, resolve_target(target));
    }

    std::string build_globals(const CompiledUnit& unit, const Target& target) override {
        return build_unit_globals(unit, resolve_target(target));
    }

    CompiledUnit link(const std::vector<const CompiledUnit*>& units) override {
        return link_units(units);
    }

    std::string disassemble(const CompiledUnit& unit, const std::string& kernel,
                            const Variant& variant, const Target& target,
                            const std::string& what) override {
        return disassemble_variant(unit, kernel, variant, resolve_target(target), what);
    }
};

}  // namespace
}  // namespace heald::cpu

extern "C" __attribute__((visibility("default"))) heald::cpu::Compiler* heald_create_cpu_compiler(
    std::uint32_t abi_version) {
    if (abi_version != heald::cpu::compiler_abi_version) return nullptr;
    return new heald::cpu::ClangCompiler;  // lives as long as the process
}
