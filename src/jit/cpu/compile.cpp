#include "src/jit/cpu/compile.hpp"

#include "src/jit/cpu/diagnostics.hpp"
#include "src/jit/cpu/fatal_errors.hpp"
#include "src/jit/cpu/front_end.hpp"
#include "src/jit/cpu/normalise.hpp"
#include "src/jit/cpu/stopwatch.hpp"
#include "src/jit/cpu/unit_code.hpp"

namespace heald::cpu {
namespace {

CompiledUnit compile_checked(const CompileInput& input, CompileTimes& times) {
    Stopwatch watch;
    ParsedSource source = parse(input);
    times.parse = watch.lap();
    quiet(*source.context);
    prepare(*source.module);
    UnitCode code;
    code.prepared = write_bitcode(*source.module);
    times.prepare = watch.lap();
    normalise(*source.module, source.kernels, source.globals);
    times.normalise = watch.lap();
    code.normalised = write_bitcode(*source.module);

    CompiledUnit unit;
    unit.bitcode = pack(code);
    unit.kernels = std::move(source.kernels);
    unit.globals = std::move(source.globals);
    unit.dependencies = std::move(source.dependencies);
    unit.warnings = std::move(source.warnings);
    unit.log = std::move(source.log);
    source.module.reset();
    times.write = watch.lap();
    return unit;
}

}  // namespace

CompiledUnit compile_source(const CompileInput& input, CompileTimes* times) {
    CompileTimes unused;
    try {
        return with_fatal_errors("compiling", [&] {
            return compile_checked(input, times != nullptr ? *times : unused);
        });
    } catch (const CompileError&) {
        throw;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::compile) throw;
        throw_compile_error(input.name, error.what());
    }
}

}  // namespace heald::cpu
