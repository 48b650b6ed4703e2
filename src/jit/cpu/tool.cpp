// heald-cpucc: compiles a .cu file for the CPU as the engine does; for developers.

#include "src/jit/cpu/codegen.hpp"
#include "src/jit/cpu/compile.hpp"
#include "src/jit/cpu/precompiled.hpp"
#include "src/jit/cpu/target.hpp"
#include "src/jit/cpu/unit_code.hpp"
#include "src/jit/cpu/variant.hpp"

#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

namespace {

using namespace heald;
using namespace heald::cpu;

constexpr const char* usage =
    "heald-cpucc FILE.cu [options]      compiles CUDA C++ for the CPU and lists its kernels\n"
    "  -I DIR, -D NAME[=VALUE], --std S, --fast-math, --no-contract, --line-info\n"
    "  --name EXPRESSION                a kernel or template instance wanted (repeatable)\n"
    "  --kernel NAME                    build this kernel (default: all)\n"
    "  --block X,Y,Z                    block shape that the variant is chosen for (256,1,1)\n"
    "  --lanes N                        at most N threads per vector warp\n"
    "  --show unit|prepared|simt|llvm|asm\n"
    "                                   print the unit's IR or the kernel's code\n"
    "  --object FILE                    write the kernel's object\n"
    "  --precompile plain|half FILE     write a precompiled prelude (for the build)\n"
    "  --repeat N                       repeat and print the best times\n"
    "HEALD_CPU_TARGET=x86-64-v2|v3|v4 and HEALD_DEVICE_HEADERS=DIR are obeyed.\n";

struct Options {
    CompileInput input;
    std::string kernel;
    std::string show;
    std::string object;
    std::uint32_t block[3] = {256, 1, 1};
    std::uint32_t lanes = 0;
    int repeat = 1;
};

std::string text_of_type(const KernelRecord& kernel) {
    std::string text;
    for (const Parameter& parameter : kernel.signature.parameters) {
        if (!text.empty()) text += ", ";
        text += parameter.type_name + " " + parameter.name;
    }
    return kernel.display_name + "(" + text + ")";
}

bool read_options(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value = [&]() -> std::string { return ++i < argc ? argv[i] : ""; };
        const auto attached = [&] { return argument.size() > 2 ? argument.substr(2) : value(); };
        if (argument == "--std")
            options.input.standard = value();
        else if (argument == "--fast-math")
            options.input.fast_math = true;
        else if (argument == "--no-contract")
            options.input.contract = false;
        else if (argument == "--line-info")
            options.input.line_info = true;
        else if (argument == "--name")
            options.input.names.push_back(value());
        else if (argument == "--kernel")
            options.kernel = value();
        else if (argument == "--show")
            options.show = value();
        else if (argument == "--object")
            options.object = value();
        else if (argument == "--lanes")
            options.lanes = static_cast<std::uint32_t>(std::stoul(value()));
        else if (argument == "--repeat")
            options.repeat = std::stoi(value());
        else if (argument == "--block")
            std::sscanf(value().c_str(), "%u,%u,%u", &options.block[0], &options.block[1],
                        &options.block[2]);
        else if (argument.starts_with("-I"))
            options.input.include_paths.push_back(attached());
        else if (argument.starts_with("-D"))
            options.input.defines.push_back(attached());
        else if (argument.starts_with("-"))
            return false;
        else
            options.input.name = argument;
    }
    std::ifstream file(options.input.name, std::ios::binary);
    if (!file) {
        std::cerr << "cannot read " << options.input.name << "\n";
        return false;
    }
    options.input.source.assign(std::istreambuf_iterator<char>(file), {});
    return true;
}

void show_unit(const CompiledUnit& unit, bool prepared) {
    llvm::LLVMContext context;
    const UnitCodeView code = unpack(unit.bitcode);
    auto module = read_bitcode(prepared ? code.prepared : code.normalised, context);
    if (auto failure = module->materializeAll()) llvm::consumeError(std::move(failure));
    module->print(llvm::outs(), nullptr);
}

template <typename Times>
void keep_best(Times& best, const Times& now, double total_best, double total_now) {
    if (total_best == 0 || total_now < total_best) best = now;
}

double total(const CompileTimes& t) {
    return t.parse + t.prepare + t.normalise + t.write;
}
double total(const BuildTimes& t) {
    return t.read + t.vectorise + t.optimise + t.generate;
}

void build(const Options& options, const CompiledUnit& unit, const KernelRecord& kernel) {
    const Target target = resolve_target({});
    const Variant variant = best_variant(kernel, options.block, options.lanes);
    if (!options.show.empty()) {
        std::cout << disassemble_variant(unit, kernel.name, variant, target, options.show);
        return;
    }
    BuildTimes best;
    KernelObject object;
    for (int i = 0; i < options.repeat; ++i) {
        BuildTimes now;
        object = build_variant(unit, kernel.name, variant, target, &now);
        keep_best(best, now, total(best), total(now));
    }
    std::printf(
        "  %-14s lanes %2u%s%s  read %.1f  simt %.1f  O2 %.1f  codegen %.1f  = %.1f ms;"
        "  %zu bytes, shared %zu, frame %zu\n",
        kernel.display_name.c_str(), variant.lanes, variant.contiguous ? " contiguous" : "",
        variant.full ? " full" : "", best.read, best.vectorise, best.optimise, best.generate,
        total(best), object.elf.size(), object.static_shared_bytes, object.frame_bytes_per_warp);
    if (!options.object.empty()) std::ofstream(options.object, std::ios::binary) << object.elf;
}

int run(const Options& options) {
    CompileTimes best;
    CompiledUnit unit;
    for (int i = 0; i < options.repeat; ++i) {
        CompileTimes now;
        unit = compile_source(options.input, &now);
        keep_best(best, now, total(best), total(now));
    }
    std::cerr << unit.log;
    if (options.show == "unit" || options.show == "prepared") {
        show_unit(unit, options.show == "prepared");
        return 0;
    }
    std::fprintf(stderr, "parse %.1f  prepare %.1f  normalise %.1f  write %.1f  = %.1f ms\n",
                 best.parse, best.prepare, best.normalise, best.write, total(best));
    for (const GlobalRecord& global : unit.globals) {
        std::fprintf(stderr, "  variable %s: %s, %zu bytes%s\n", global.display_name.c_str(),
                     global.type_name.c_str(), global.size, global.is_constant ? ", constant" : "");
    }
    for (const KernelRecord& kernel : unit.kernels) {
        if (!options.kernel.empty() && options.kernel != kernel.name &&
            options.kernel != kernel.display_name) {
            continue;
        }
        std::fprintf(stderr, "%s  [%s]%s%s%s shared %zu, work %llu\n", text_of_type(kernel).c_str(),
                     kernel.name.c_str(), kernel.has_barrier ? " barrier" : "",
                     kernel.uses_warp ? " warp" : "", kernel.has_unbounded_loop ? " unbounded" : "",
                     kernel.static_shared_bytes, static_cast<unsigned long long>(kernel.work));
        build(options, unit, kernel);
    }
    return 0;
}

}  // namespace

int precompile(const std::string& which, const std::string& file) {
    ParseMode mode;
    mode.short_floats = which == "half";
    const std::string bytes = make_precompiled_prelude(mode);
    std::ofstream(file, std::ios::binary) << bytes;
    if (bytes.empty()) std::cerr << "the device headers do not compile\n";
    return bytes.empty() ? 1 : 0;
}

int main(int argc, char** argv) {
    if (argc == 4 && std::strcmp(argv[1], "--precompile") == 0) return precompile(argv[2], argv[3]);
    Options options;
    if (argc < 2 || !read_options(argc, argv, options)) {
        std::cerr << usage;
        return 2;
    }
    try {
        return run(options);
    } catch (const CompileError& error) {
        std::cerr << error.log() << error.what() << "\n";
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
    }
    return 1;
}
