#include "src/jit/cpu/target.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace heald::cpu {
namespace {

#if defined(__x86_64__)
struct Level {
    const char* name;
    const char* features;
};

#define HEALD_X86_V2 "+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3"
#define HEALD_X86_V3 HEALD_X86_V2 ",+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave"
#define HEALD_X86_V4 HEALD_X86_V3 ",+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl,+evex512"

constexpr Level levels[] = {
    {"x86-64-v2", HEALD_X86_V2}, {"x86-64-v3", HEALD_X86_V3}, {"x86-64-v4", HEALD_X86_V4}};
#endif

/// Every feature the host has or lacks, so that the CPU's name, which virtual machines get wrong,
/// adds none.
Target detect_host() {
    Target host;
    host.cpu = llvm::sys::getHostCPUName().str();
    std::vector<std::string> features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
        const llvm::StringRef name = feature.getKey();
        // LLVM 19 takes any avx10 for all of AVX-512 at 512 bits.
        if (name.starts_with("avx10")) continue;
        features.push_back((feature.getValue() ? "+" : "-") + name.str());
    }
    // Additions last: LLVM applies them in order, and a removal takes along what depends on it.
    std::sort(features.begin(), features.end(),
              [](const auto& a, const auto& b) { return a[0] != b[0] ? a[0] == '-' : a < b; });
    for (const std::string& feature : features) {
        if (!host.features.empty()) host.features += ',';
        host.features += feature;
    }
    return host;
}

Target named_target(const std::string& name) {
#if defined(__x86_64__)
    for (const Level& level : levels) {
        if (name == level.name) return {level.name, level.features};
    }
    throw Error(ErrorKind::invalid_value,
                "HEALD_CPU_TARGET is '" + name + "': expected x86-64-v2, x86-64-v3 or x86-64-v4");
#else
    throw Error(ErrorKind::invalid_value,
                "HEALD_CPU_TARGET is '" + name + "', but this machine is no x86-64");
#endif
}

void initialise_llvm_targets() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        llvm::InitializeNativeTargetAsmParser();
    });
}

}  // namespace

const Target& host_target() {
    static const Target host = detect_host();
    return host;
}

Target resolve_target(const Target& target) {
    if (!target.cpu.empty()) return target;
    const char* override_name = std::getenv("HEALD_CPU_TARGET");
    Target base;
    if (override_name != nullptr && *override_name != '\0') {
        base = named_target(override_name);
    } else {
        base = host_target();
    }
    if (!target.features.empty()) base.features = target.features;
    return base;
}

Target portable_target() {
#if defined(__x86_64__)
    return {levels[1].name, levels[1].features};
#else
    return {"generic", ""};
#endif
}

std::string target_triple() {
#if defined(__x86_64__)
    return "x86_64-unknown-linux-gnu";
#else
    return "aarch64-unknown-linux-gnu";
#endif
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(const Target& target) {
    initialise_llvm_targets();
    std::string error;
    const llvm::Target* found = llvm::TargetRegistry::lookupTarget(target_triple(), error);
    if (found == nullptr) throw Error(ErrorKind::unavailable, "no code generator: " + error);
    llvm::TargetOptions options;
    // Contraction is decided where the source is parsed; instructions carry the permission.
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
    options.NoTrappingFPMath = true;
    options.TrapUnreachable = true;
    std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
        target_triple(), target.cpu, target.features, options, llvm::Reloc::PIC_,
        llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, true));
    if (machine == nullptr) throw Error(ErrorKind::unavailable, "no code generator for this CPU");
    return machine;
}

}  // namespace heald::cpu
