#pragma once

// Values of heald's dtypes as bits.

#include <heald/dtype.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>

namespace heald {

/// Rounds to the nearest float with `mantissa` explicit bits and `exponent` exponent bits, ties to
/// even, and returns its bits in the low 1 + exponent + mantissa. Overflow gives infinity.
inline std::uint16_t narrow_bits(double value, int exponent, int mantissa) noexcept {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value)) << 15;
    const int bias = (1 << (exponent - 1)) - 1;
    const auto infinity = static_cast<std::uint16_t>(((1 << exponent) - 1) << mantissa);
    if (std::isnan(value))
        return static_cast<std::uint16_t>(sign | infinity | (1 << (mantissa - 1)));
    const double magnitude = std::fabs(value);
    if (magnitude == 0) return static_cast<std::uint16_t>(sign);
    int power = std::isinf(magnitude) ? bias + 1 : std::ilogb(magnitude);
    if (power < 1 - bias) power = 1 - bias;  // subnormal: the spacing of the smallest normal
    if (power > bias) return static_cast<std::uint16_t>(sign | infinity);
    const double steps = std::nearbyint(std::ldexp(magnitude, mantissa - power));
    // `steps` carries the implicit bit; a rounding up to the next power moves into the exponent.
    const auto bits = static_cast<std::uint32_t>(steps) +
                      (static_cast<std::uint32_t>(power + bias - 1) << mantissa);
    return static_cast<std::uint16_t>(sign | (bits > infinity ? infinity : bits));
}

inline double half_value(std::uint16_t bits) noexcept {
    const int exponent = (bits >> 10) & 0x1f;
    const int fraction = bits & 0x3ff;
    double value = exponent == 0    ? std::ldexp(fraction, -24)
                   : exponent == 31 ? (fraction ? NAN : INFINITY)
                                    : std::ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

inline double bfloat16_value(std::uint16_t bits) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Stores a double as float16, bfloat16, float32 or float64; false if it became infinite.
inline bool store_real(double value, DType dtype, void* out) noexcept {
    if (dtype == DType::float64) {
        std::memcpy(out, &value, sizeof value);
        return std::isfinite(value);
    }
    if (dtype == DType::float32) {
        const auto narrow = static_cast<float>(value);
        std::memcpy(out, &narrow, sizeof narrow);
        return std::isfinite(narrow);
    }
    const bool half = dtype == DType::float16;
    const std::uint16_t bits = half ? narrow_bits(value, 5, 10) : narrow_bits(value, 8, 7);
    std::memcpy(out, &bits, sizeof bits);
    return half ? (bits & 0x7c00) != 0x7c00 : (bits & 0x7f80) != 0x7f80;
}

/// Converts by one of the casts that is_safe_cast allows.
inline void cast_scalar(DType from, const void* value, DType to, void* out) noexcept {
    const DTypeInfo& f = info(from);
    std::int64_t integer = 0;
    std::complex<double> number;
    if (f.kind == DTypeKind::signed_int) {
        std::memcpy(&integer, value, f.size);
        const int unused = 64 - static_cast<int>(f.size) * 8;
        integer =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(integer) << unused) >> unused;
        number = static_cast<double>(integer);
    } else if (f.kind == DTypeKind::unsigned_int || f.kind == DTypeKind::boolean) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, value, f.size);
        integer = static_cast<std::int64_t>(bits);
        number = static_cast<double>(bits);
    } else if (from == DType::float16 || from == DType::bfloat16) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, value, sizeof bits);
        number = from == DType::float16 ? half_value(bits) : bfloat16_value(bits);
    } else if (from == DType::float32) {
        float real = 0;
        std::memcpy(&real, value, sizeof real);
        number = real;
    } else if (from == DType::float64) {
        double real = 0;
        std::memcpy(&real, value, sizeof real);
        number = real;
    } else if (from == DType::complex64) {
        std::complex<float> narrow;
        std::memcpy(&narrow, value, sizeof narrow);
        number = narrow;
    }
    switch (info(to).kind) {
        case DTypeKind::signed_int:
        case DTypeKind::unsigned_int:
            std::memcpy(out, &integer, size_of(to));
            break;
        case DTypeKind::real:
            (void)store_real(number.real(), to, out);
            break;
        case DTypeKind::complex:
            if (to == DType::complex64) {
                const std::complex<float> narrow(number);
                std::memcpy(out, &narrow, sizeof narrow);
            } else {
                std::memcpy(out, &number, sizeof number);
            }
            break;
        case DTypeKind::boolean:
        case DTypeKind::opaque:
            break;
    }
}

}  // namespace heald
