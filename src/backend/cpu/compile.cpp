#include "src/backend/cpu/compile.hpp"

#include "src/backend/cpu/code.hpp"
#include "src/backend/cpu/compiler_library.hpp"
#include "src/backend/cpu/deep_stack.hpp"
#include "src/backend/cpu/properties.hpp"
#include "src/base/check.hpp"
#include "src/jit/cpu/unit.hpp"

namespace heald::cpu {
namespace {

// What a GPU gives a kernel's static variables; more has to be dynamic.
constexpr std::size_t most_static_shared = std::size_t{48} << 10;

void check(const core::CompileRequest& request, const char* operation) {
    HEALD_EXPECTS(request.target.empty() || request.target == "cpu", invalid_value, "[", operation,
                  "] target '", request.target, "' needs a GPU: on cpu it is '' or 'cpu'");
    const auto& wanted = request.options.architecture;
    if (!wanted) return;
    const std::string own = device_properties().architecture;
    HEALD_EXPECTS(*wanted == own, unavailable, "[", operation, "] architecture '", *wanted,
                  "' cannot be asked for on cpu, which is ", own,
                  ": leave it out (HEALD_CPU_TARGET chooses another one for the process)");
}

void check_shared(const CompiledUnit& unit) {
    for (const KernelRecord& kernel : unit.kernels)
        if (kernel.static_shared_bytes > most_static_shared) {
            const std::string message = text(
                "kernel '", kernel.display_name, "' has ", kernel.static_shared_bytes,
                " bytes of __shared__ variables, at most ", most_static_shared,
                " are possible: use extern __shared__ memory and shared_memory= at the launch");
            throw CompileError("[Program.compile] " + message,
                               {{Diagnostic::Severity::error, "", 0, 0, message}}, message);
        }
}

}  // namespace

core::CodeData compile(const core::CompileRequest& request) {
    check(request, "Program.compile");
    const ProgramOptions& options = request.options;
    CompileInput input;
    input.source = request.source;
    input.name = request.name;
    input.headers = options.headers;
    input.include_paths = options.include_paths;
    input.defines = options.defines;
    input.undefines = options.undefines;
    input.names = request.names;
    input.standard = options.standard;
    input.fast_math = options.fast_math;
    input.contract = options.contract;
    input.debug = options.debug;
    input.line_info = options.line_info;
    input.warnings_as_errors = options.warnings_as_errors;
    Compiler& made = compiler("Program.compile");
    const CompiledUnit unit = on_deep_stack("Program.compile", [&] { return made.compile(input); });
    check_shared(unit);
    return code_data(unit, request.name);
}

core::CodeData link(const std::vector<const core::CodeData*>& inputs,
                    const core::CompileRequest& request) {
    check(request, "Linker.link");
    std::vector<CompiledUnit> units;
    units.reserve(inputs.size());
    for (const core::CodeData* input : inputs) units.push_back(unit_of(*input));
    std::vector<const CompiledUnit*> pointers;
    for (const CompiledUnit& unit : units) pointers.push_back(&unit);
    Compiler& made = compiler("Linker.link");
    const CompiledUnit joined = on_deep_stack("Linker.link", [&] { return made.link(pointers); });
    check_shared(joined);
    return code_data(joined, request.name);
}

}  // namespace heald::cpu
