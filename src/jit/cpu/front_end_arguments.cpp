#include "src/jit/cpu/front_end_arguments.hpp"

#include "src/jit/cpu/diagnostics.hpp"
#include "src/jit/cpu/virtual_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace heald::cpu {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr const char* triple = "x86_64-unknown-linux-gnu";
constexpr const char* multiarch = "x86_64-linux-gnu";
#elif defined(__aarch64__)
constexpr const char* triple = "aarch64-unknown-linux-gnu";
constexpr const char* multiarch = "aarch64-linux-gnu";
#else
#error "the CPU compiler supports x86-64 and AArch64"
#endif

bool is_folder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

/// The newest numbered folder below `root`, "" if there is none.
std::string newest_version(const fs::path& root) {
    std::error_code error;
    int best = -1;
    std::string name;
    for (const auto& entry : fs::directory_iterator(root, error)) {
        const std::string text = entry.path().filename().string();
        if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0]))) continue;
        const int version = std::atoi(text.c_str());
        if (version > best && entry.is_directory(error)) {
            best = version;
            name = text;
        }
    }
    return name;
}

SystemHeaders find_system_headers() {
    SystemHeaders found;
    const fs::path cxx_root = "/usr/include/c++";
    const std::string version = newest_version(cxx_root);
    if (version.empty()) return found;
    const fs::path own = cxx_root / version;
    const std::string gcc = std::string("/usr/lib/gcc/") + multiarch + "/" + version + "/include";
    const std::array candidates = {own, fs::path("/usr/include") / multiarch / "c++" / version,
                                   own / multiarch, own / "backward"};
    for (const fs::path& folder : candidates) {
        if (is_folder(folder)) found.cxx.push_back(folder.string());
    }
    // clang's own <stddef.h>, <immintrin.h>, …; gcc's <stddef.h> does for a machine without clang.
    bool has_compiler_headers = false;
    for (const std::string& folder : {std::string("/usr/lib/llvm-19/lib/clang/19/include"),
                                      std::string("/usr/lib/clang/19/include"),
                                      std::string("/usr/lib64/clang/19/include"), gcc}) {
        if (has_compiler_headers || !is_folder(folder)) continue;
        found.cxx.push_back(folder);
        has_compiler_headers = true;
    }
    // Not /usr/local/include: CUDA's own headers are often linked there.
    for (const std::string& folder :
         {std::string("/usr/include/") + multiarch, std::string("/usr/include")}) {
        if (is_folder(folder)) found.c.push_back(folder);
    }
    for (const std::string& folder : found.cxx) {
        const std::string config = folder + "/bits/c++config.h";
        if (fs::exists(config)) found.stamp = config;
    }
    return found;
}

/// Whether the 16-bit floats may come from the prelude: they are included, and no macro that
/// changes their headers is in sight.
bool includes_short_floats(const CompileInput& input) {
    const auto mentions = [&](std::string_view word) {
        if (input.source.find(word) != std::string::npos) return true;
        return std::any_of(input.headers.begin(), input.headers.end(), [&](const auto& header) {
            return header.second.find(word) != std::string::npos;
        });
    };
    if (!mentions("cuda_fp16.h") && !mentions("cuda_bf16.h")) return false;
    const auto changes = [](const std::string& define) { return define.starts_with("__CUDA_NO_"); };
    return !mentions("__CUDA_NO_") &&
           std::none_of(input.defines.begin(), input.defines.end(), changes);
}

/// "NAME=value" -> "NAME value", "NAME" -> "NAME 1", as -D does.
std::string definition(const std::string& define) {
    const auto equals = define.find('=');
    if (equals == std::string::npos) return define + " 1";
    std::string value = define.substr(equals + 1);
    value = value.substr(0, value.find('\n'));
    return define.substr(0, equals) + " " + value;
}

}  // namespace

const SystemHeaders& system_headers() {
    static const SystemHeaders found = find_system_headers();
    return found;
}

std::string ParseMode::key() const {
    return standard + (fast_math ? "-fast" : "") + (contract ? "" : "-strict") +
           (system_headers ? "-system" : "") + (short_floats ? "-half" : "");
}

std::string_view ParseMode::prelude() const {
    return short_floats ? half_prelude_path : prelude_path;
}

ParseMode parse_mode(const CompileInput& input, bool with_system_headers) {
    static constexpr std::array known = {"c++14", "c++17", "c++20", "c++23"};
    ParseMode mode;
    mode.standard = input.standard.empty() ? "c++20" : input.standard;
    if (std::find(known.begin(), known.end(), mode.standard) == known.end()) {
        throw_compile_error(input.name, "unknown language standard '" + mode.standard +
                                            "': use c++14, c++17, c++20 or c++23");
    }
    mode.fast_math = input.fast_math;
    mode.contract = input.contract;
    mode.system_headers = with_system_headers;
    mode.short_floats = includes_short_floats(input);
    return mode;
}

std::vector<std::string> mode_arguments(const ParseMode& mode) {
    std::vector<std::string> arguments = {
        "-triple", triple, "-x", "cuda", "-fcuda-is-device", "-std=" + mode.standard, "-O2",
        "-fgnuc-version=4.2.1", "-fdeclspec", "-fcuda-allow-variadic-functions",
        "-mrelocation-model", "pic", "-pic-level", "2", "-nostdsysteminc", "-nobuiltininc",
        // Kernels reinterpret memory through pointer casts, end loops only by hand, and a null
        // pointer must fault rather than be reasoned away.
        "-relaxed-aliasing", "-fno-finite-loops", "-fno-delete-null-pointer-checks",
        // 16-bit arithmetic rounds after each operation.
        "-ffloat16-excess-precision=none", "-fbfloat16-excess-precision=none",
        mode.contract ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off",
        // Kernels without external linkage are wanted too; the CUDA SDK's version is no matter.
        "-Wno-undefined-internal", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument",
        "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=900", "-internal-isystem", std::string(device_root)};
#if defined(__x86_64__)
    arguments.insert(arguments.end(), {"-target-cpu", "x86-64"});
#else
    arguments.insert(arguments.end(), {"-target-cpu", "generic"});
#endif
    if (mode.fast_math) {
        arguments.insert(arguments.end(),
                         {"-freciprocal-math", "-fapprox-func", "-D__USE_FAST_MATH__=1"});
    }
    if (mode.system_headers) {
        arguments.push_back("-DHEALD_SYSTEM_HEADERS=1");
        for (const std::string& folder : system_headers().cxx) {
            arguments.insert(arguments.end(), {"-internal-isystem", folder});
        }
        for (const std::string& folder : system_headers().c) {
            arguments.insert(arguments.end(), {"-internal-externc-isystem", folder});
        }
    } else {
        arguments.insert(arguments.end(), {"-internal-isystem", std::string(standalone_root)});
    }
    return arguments;
}

std::vector<std::string> source_arguments(const CompileInput& input, const ParseMode& mode,
                                          bool precompiled) {
    std::vector<std::string> arguments;
    if (precompiled) {
        arguments.insert(arguments.end(),
                         {"-include-pch", std::string(precompiled_path), "-fno-validate-pch"});
    } else {
        arguments.insert(arguments.end(), {"-include", std::string(mode.prelude())});
    }
    arguments.insert(arguments.end(), {"-include", std::string(defines_path)});
    arguments.push_back("-I" + std::string(user_header_root));
    for (const std::string& folder : input.include_paths) arguments.push_back("-I" + folder);
    arguments.push_back("-disable-pragma-debug-crash");
    if (input.warnings_as_errors) arguments.push_back("-Werror");
    if (input.debug || input.line_info) {
        arguments.insert(arguments.end(), {input.debug ? "-debug-info-kind=constructor"
                                                       : "-debug-info-kind=line-tables-only",
                                           "-dwarf-version=4", "-debugger-tuning=gdb"});
    }
    arguments.insert(arguments.end(), {"-main-file-name", input.name, input.name});
    return arguments;
}

std::string define_lines(const CompileInput& input) {
    std::string text = "#include <heald_device/new_and_delete.h>\n";
    for (const std::string& name : input.undefines) text += "#undef " + name + "\n";
    for (const std::string& define : input.defines) {
        text += "#undef " + define.substr(0, define.find_first_of("=(")) + "\n";
        text += "#define " + definition(define) + "\n";
    }
    // As with NVRTC, no include is needed for these; NDEBUG above decides what assert does.
    text += "#include <heald_device/assertion.h>\n#define NULL __null\n";
    return text;
}

}  // namespace heald::cpu
