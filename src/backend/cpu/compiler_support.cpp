#include "src/backend/cpu/compiler_support.hpp"

#include <bit>
#include <cstdint>

// Of libgcc.
extern "C" {
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
}

namespace heald::cpu {
namespace {

// A 16-bit float travels in the low half of a float register, so `float` stands for it here.
float as_register(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits});
}
std::uint16_t from_register(float value) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value));
}

/// Rounds to a float with `exponent_bits` and `fraction_bits`, to nearest even.
template <int exponent_bits, int fraction_bits>
std::uint16_t rounded(double value) {
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr std::uint64_t infinity = ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t sign = (bits >> 63) << (exponent_bits + fraction_bits);
    const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
    std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent == 1024) {
        const std::uint64_t quiet = std::uint64_t{1} << (fraction_bits - 1);
        return static_cast<std::uint16_t>(sign | infinity | (fraction != 0 ? quiet : 0));
    }
    if (exponent > bias) return static_cast<std::uint16_t>(sign | infinity);
    int drop = 52 - fraction_bits;
    std::uint64_t result = 0;
    if (exponent >= 1 - bias) {
        result = static_cast<std::uint64_t>(exponent + bias) << fraction_bits;
    } else {
        // Subnormal: the leading one becomes visible and moves right.
        if (exponent == -1023) return static_cast<std::uint16_t>(sign);
        fraction |= std::uint64_t{1} << 52;
        drop += 1 - bias - exponent;
        if (drop > 53) return static_cast<std::uint16_t>(sign);
    }
    result += fraction >> drop;
    const std::uint64_t rest = fraction & ((std::uint64_t{1} << drop) - 1);
    const std::uint64_t half = std::uint64_t{1} << (drop - 1);
    // A carry into the exponent is what rounding up to the next power of two means.
    if (rest > half || (rest == half && (result & 1) != 0)) ++result;
    return static_cast<std::uint16_t>(sign | result);
}

float half_to_float(float packed) {
    const std::uint16_t half = from_register(packed);
    const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1f;
    std::uint32_t fraction = half & 0x3ffU;
    if (exponent == 31) {
        if (fraction != 0) fraction |= 0x200;
        return std::bit_cast<float>(sign | 0x7f800000U | (fraction << 13));
    }
    if (exponent != 0) {
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
    }
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

double half_to_double(float packed) {
    return half_to_float(packed);
}
float float_to_half(float value) {
    return as_register(rounded<5, 10>(value));
}
float double_to_half(double value) {
    return as_register(rounded<5, 10>(value));
}
float float_to_bfloat(float value) {
    return as_register(rounded<8, 7>(value));
}
float double_to_bfloat(double value) {
    return as_register(rounded<8, 7>(value));
}

struct Row {
    std::string_view name;
    void* address;
};

template <typename Function>
void* address_of(Function* function) noexcept {
    return reinterpret_cast<void*>(function);
}

}  // namespace

void* compiler_support_function(std::string_view name) noexcept {
    static const Row rows[] = {
        {"__extendhfsf2", address_of(half_to_float)},
        {"__extendhfdf2", address_of(half_to_double)},
        {"__truncsfhf2", address_of(float_to_half)},
        {"__truncdfhf2", address_of(double_to_half)},
        {"__truncsfbf2", address_of(float_to_bfloat)},
        {"__truncdfbf2", address_of(double_to_bfloat)},
        {"__divti3", address_of(__divti3)},
        {"__modti3", address_of(__modti3)},
        {"__udivti3", address_of(__udivti3)},
        {"__umodti3", address_of(__umodti3)},
    };
    for (const Row& row : rows) {
        if (row.name == name) return row.address;
    }
    return nullptr;
}

}  // namespace heald::cpu
