#include "src/jit/cpu/compile.hpp"

#include "src/jit/cpu/diagnostics.hpp"
#include "src/jit/cpu/fatal_errors.hpp"
#include "src/jit/cpu/front_end.hpp"
#include "src/jit/cpu/normalise.hpp"
#include "src/jit/cpu/stopwatch.hpp"
#include "src/jit/cpu/thunk.hpp"
#include "src/jit/cpu/unit_code.hpp"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cstdlib>

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
    // GPUs' fast math flushes denormals of single precision; processors flush all or none.
    for (KernelRecord& kernel : source.kernels) kernel.flush_denormals = input.fast_math;
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

/// "kernel.cu:7: [kernel __heald_entry_f] what" as a diagnostic.
Diagnostic located(const CompileInput& input, std::string text) {
    Diagnostic diagnostic;
    diagnostic.file = input.name;
    // The place is there if the unit was compiled with line information.
    const auto colon = text.find(": [");
    const auto before = text.rfind(':', colon == std::string::npos ? 0 : colon - 1);
    if (colon != std::string::npos && before != std::string::npos && before < colon &&
        text.find_first_not_of("0123456789", before + 1) == colon) {
        diagnostic.file = text.substr(0, before);
        diagnostic.line = std::atoi(text.c_str() + before + 1);
        text.erase(0, colon + 2);
    }
    // Entries are known to the user by their kernels.
    const std::string prefix = entry_name("");
    if (const auto at = text.find(prefix); at != std::string::npos) {
        const auto end = text.find(']', at);
        const std::string mangled = text.substr(
            at + prefix.size(), end == std::string::npos ? end : end - at - prefix.size());
        text.replace(at, end == std::string::npos ? end : end - at, llvm::demangle(mangled));
    }
    diagnostic.message = std::move(text);
    return diagnostic;
}

CompiledUnit compile_once(const CompileInput& input, CompileTimes& times) {
    return with_fatal_errors("compiling", [&] { return compile_checked(input, times); });
}

/// Tells of an error that the passes after clang found, with its line if that can be had.
[[noreturn]] void throw_located(const CompileInput& input, const Error& error) {
    std::string text = error.what();
    if (!input.line_info && !input.debug) {
        CompileInput again = input;
        again.line_info = true;
        CompileTimes unused;
        try {
            compile_once(again, unused);
        } catch (const CompileError&) {
            // Not the same error: the first text stays.
        } catch (const Error& with_place) {
            text = with_place.what();
        }
    }
    const Diagnostic diagnostic = located(input, text);
    throw_compile_error(input.name, {diagnostic}, one_line(diagnostic) + "\n");
}

/// A name that clang takes for a file whatever it looks like; messages show it as it was given.
CompileInput with_usable_name(CompileInput input) {
    if (input.name.empty()) input.name = CompileInput{}.name;
    if (input.name.front() == '-') input.name.insert(0, "./");
    std::replace(input.name.begin(), input.name.end(), '\n', ' ');
    return input;
}

}  // namespace

CompiledUnit compile_source(const CompileInput& given, CompileTimes* times) {
    const CompileInput input = with_usable_name(given);
    CompileTimes unused;
    try {
        return compile_once(input, times != nullptr ? *times : unused);
    } catch (const CompileError&) {
        throw;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::compile) throw;
        throw_located(input, error);
    }
}

}  // namespace heald::cpu
