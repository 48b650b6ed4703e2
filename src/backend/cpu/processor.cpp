#include "src/backend/cpu/processor.hpp"

#include "src/base/hash.hpp"

#include <unistd.h>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace heald::cpu {
namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// The value of the first line "key : value" of /proc/cpuinfo.
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            if (const auto colon = line.find(':'); colon != std::string::npos)
                return trimmed(line.substr(colon + 1));
    return {};
}

#if defined(__x86_64__)

struct Registers {
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(std::uint32_t leaf, std::uint32_t subleaf = 0) {
    Registers r;
    if (__get_cpuid_max(leaf & 0x80000000u, nullptr) >= leaf)
        __cpuid_count(leaf, subleaf, r.a, r.b, r.c, r.d);
    return r;
}

/// State components that the operating system saves; 0 without XSAVE.
std::uint64_t enabled_state() {
    if (!(cpuid(1).c & bit_OSXSAVE)) return 0;
    std::uint32_t low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return std::uint64_t{high} << 32 | low;
}

bool has(std::uint32_t bits, std::uint32_t wanted) {
    return (bits & wanted) == wanted;
}

/// The psABI's levels.
std::string level() {
    const Registers basic = cpuid(1), extended = cpuid(7), amd = cpuid(0x80000001u);
    const std::uint64_t state = enabled_state();
    const bool v2 = has(basic.c, bit_CMPXCHG16B | bit_POPCNT | bit_SSE3 | bit_SSSE3 | bit_SSE4_1 |
                                     bit_SSE4_2) &&
                    has(amd.c, bit_LAHF_LM);
    if (!v2) return "x86-64";
    const bool v3 = has(basic.c, bit_AVX | bit_F16C | bit_FMA | bit_MOVBE) &&
                    has(extended.b, bit_AVX2 | bit_BMI | bit_BMI2) && has(amd.c, bit_LZCNT) &&
                    (state & 0x6) == 0x6;
    if (!v3) return "x86-64-v2";
    const bool v4 =
        has(extended.b, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL) &&
        (state & 0xe6) == 0xe6;
    return v4 ? "x86-64-v4" : "x86-64-v3";
}

std::string brand() {
    std::array<Registers, 3> parts;
    for (std::uint32_t i = 0; i < 3; ++i) parts[i] = cpuid(0x80000002u + i);
    char text[sizeof parts + 1] = {};
    std::memcpy(text, parts.data(), sizeof parts);
    return trimmed(text);
}

/// Everything but the bits that differ from core to core (APIC ids in leaf 1 EBX).
std::string feature_bits() {
    KeyBuilder key;
    const Registers basic = cpuid(1), extended = cpuid(7), more = cpuid(7, 1),
                    amd = cpuid(0x80000001u);
    for (const std::uint32_t bits : {basic.a, basic.c, basic.d, extended.b, extended.c, extended.d,
                                     more.a, more.b, more.c, more.d, amd.c, amd.d})
        key.add(std::uint64_t{bits});
    return key.add(enabled_state()).hash().hex();
}

#else

std::string level() {
#if defined(__aarch64__)
    return "aarch64";
#else
    return "generic";
#endif
}
std::string brand() {
    return cpuinfo("CPU part");
}
std::string feature_bits() {
    return cpuinfo("Features");
}

#endif

Processor find_out() {
    Processor result;
    result.model = brand();
    if (result.model.empty()) result.model = cpuinfo("model name");
    if (result.model.empty()) result.model = "CPU";
    result.level = level();
    result.features = feature_bits();
    const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    result.l2_cache = l2 > 0 ? static_cast<std::size_t>(l2) : 0;
    const std::string mhz = cpuinfo("cpu MHz");
    if (!mhz.empty())
        result.clock_rate_khz = static_cast<int>(std::strtod(mhz.c_str(), nullptr) * 1e3);
    return result;
}

}  // namespace

const Processor& processor() {
    static const Processor& result = *new Processor(find_out());
    return result;
}

}  // namespace heald::cpu
