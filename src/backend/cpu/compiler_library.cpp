#include "src/backend/cpu/compiler_library.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/processor.hpp"
#include "src/base/check.hpp"
#include "src/base/fork.hpp"
#include "src/base/hash.hpp"
#include "src/base/library.hpp"
#include "src/jit/cpu/unit.hpp"

#include <sys/stat.h>
#include <optional>

namespace heald::cpu {
namespace {

constexpr const char* file_name = "libheald_cpu_compiler.so";

Library& library() {
    static Library& result = *new Library([] {
        LibrarySpec spec;
        spec.name = "heald's CPU kernel compiler";
        spec.purpose = "compiles CUDA C++ for the CPU";
        spec.sonames = {file_name};
        spec.path_setting = Setting::cpu_compiler_path;
        spec.beside_heald = true;
        spec.remedy =
            "pip install --force-reinstall heald (or build with -DHEALD_CPU_COMPILER=ON); if it "
            "was found but LLVM was not: apt-get install libllvm19 libclang-cpp19";
        spec.must_define = create_compiler_symbol;
        return spec;
    }());
    return result;
}

/// Size and time of change of the plug-in's file, if it is where it should be.
std::optional<Hash128> file_stamp() {
    std::string file = own_folder() + "/" + file_name;
    if (const auto place = setting(Setting::cpu_compiler_path)) {
        struct stat info{};
        file = stat(place->c_str(), &info) == 0 && S_ISDIR(info.st_mode) ? *place + "/" + file_name
                                                                         : *place;
    }
    struct stat info{};
    if (stat(file.c_str(), &info) != 0) return std::nullopt;
    KeyBuilder key;
    key.add(static_cast<std::uint64_t>(info.st_size))
        .add(static_cast<std::uint64_t>(info.st_mtim.tv_sec))
        .add(static_cast<std::uint64_t>(info.st_mtim.tv_nsec));
    return key.hash();
}

}  // namespace

Compiler& compiler(const std::string& operation) {
    static ForkOnce once;
    static Compiler* made = nullptr;
    once([&] {
        library().require(operation);
        const auto create = library().function<CreateCompiler>(create_compiler_symbol);
        Compiler* compiler = create(compiler_abi_version);
        HEALD_EXPECTS(compiler != nullptr, unavailable, "[", operation, "] ", library().path(),
                      " belongs to another version of heald: install both from one build");
        made = compiler;
    });
    return *made;
}

std::string compiler_identity() {
    const auto stamp = file_stamp();
    const std::string who = stamp ? stamp->hex() : compiler("Program.compile").identity();
    return text("cpu ", who, ", abi ", kernel_abi_version, ".", unit_format_version, ".",
                compiler_abi_version, ", ", processor().features, ", ",
                setting_or(Setting::cpu_target, "host"));
}

LibraryReport report_compiler() {
    LibraryReport report = library().report();
    report.required = true;
    if (report.found)
        without_throwing("doctor", [&] { report.version = compiler("doctor").identity(); });
    return report;
}

}  // namespace heald::cpu
