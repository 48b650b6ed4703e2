#pragma once

// The two 16-bit formats as bits: to and from float and double, rounded once, on every target with
// the same bits. half uses the compiler's own conversion, bfloat16 integer arithmetic.

#include <heald_device/conversions.h>

#pragma float_control(push)
#pragma clang fp contract(off)

struct __heald_half_format {
    static constexpr unsigned short infinity = 0x7c00, nan = 0x7fff;
    static __HEALD_HD_MEMBER float to_float(unsigned short bits) {
        return float(__builtin_bit_cast(_Float16, bits));
    }
    static __HEALD_HD_MEMBER unsigned short nearest(float x) {
        return __builtin_bit_cast(unsigned short, _Float16(x));
    }
};
struct __heald_bfloat16_format {
    static constexpr unsigned short infinity = 0x7f80, nan = 0x7fff;
    static __HEALD_HD_MEMBER float to_float(unsigned short bits) {
        return __builtin_bit_cast(float, unsigned(bits) << 16);
    }
    static __HEALD_HD_MEMBER unsigned short nearest(float x) {
        unsigned u = __builtin_bit_cast(unsigned, x);
        unsigned rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
        return (unsigned short)(x != x ? 0x7fffu : rounded);
    }
};

// Rounding to odd keeps, in the last bit, that something was cut off: a second rounding to a format
// with at least two bits less is then as if it were the only one.
__HEALD_HD float __heald_odd(double x) {
    float n = float(x);
    unsigned bits = __builtin_bit_cast(unsigned, n);
    bool away = __builtin_fabs(double(n)) > __builtin_fabs(x);
    unsigned toward_zero = away ? bits - 1u : bits;
    return double(n) == x || x != x ? n : __builtin_bit_cast(float, toward_zero | 1u);
}
__HEALD_HD double __heald_odd(long long x) {
    unsigned long long magnitude = x < 0 ? 0ull - (unsigned long long)x : (unsigned long long)x;
    // What lies below the 53 bits that fit is gathered in bit 10 of a number above 2^63.
    bool large = magnitude >> 53;
    unsigned long long kept = (magnitude & ~0x3ffull) | ((magnitude & 0x3ffull) ? 0x400ull : 0ull);
    double d = double((long long)(large ? kept >> 1 : magnitude)) * (large ? 2.0 : 1.0);
    return x < 0 ? -d : d;
}
__HEALD_HD double __heald_odd(unsigned long long x) {
    bool large = x >> 53;
    unsigned long long kept = (x & ~0x7ffull) | ((x & 0x7ffull) ? 0x800ull : 0ull);
    return double((long long)(large ? kept >> 1 : x)) * (large ? 2.0 : 1.0);
}
// a + b rounded to odd.
template <class T, class Bits>
__HEALD_HD_MEMBER T __heald_odd_sum(T a, T b) {
    T s = a + b, b_part = s - a, a_part = s - b_part;
    T error = (a - a_part) + (b - b_part);
    Bits bits = __builtin_bit_cast(Bits, s);
    Bits next = (error > T(0)) == (s > T(0)) ? bits + 1 : bits - 1;
    bool exact = error == T(0) || error != error || (bits & 1);
    return exact ? s : __builtin_bit_cast(T, next);
}

// a b + c rounded once. A product of two halves fits a float, one of two bfloat16s a double.
__HEALD_HD unsigned short __heald_fma(__heald_half_format, float a, float b, float c) {
    return __heald_half_format::nearest(__heald_odd_sum<float, unsigned>(a * b, c));
}
__HEALD_HD unsigned short __heald_fma(__heald_bfloat16_format, float a, float b, float c) {
    double sum = __heald_odd_sum<double, __heald_u64>(double(a) * double(b), double(c));
    return __heald_bfloat16_format::nearest(__heald_odd(sum));
}

// The neighbours in a 16-bit format.
template <class F>
__HEALD_HD_MEMBER unsigned short __heald_short_up(unsigned short b) {
    unsigned short next = b > 0x8000u ? b - 1u : b == 0x8000u ? 1u : b + 1u;
    return b == F::infinity ? b : next;
}
template <class F>
__HEALD_HD_MEMBER unsigned short __heald_short_down(unsigned short b) {
    return __heald_short_up<F>(b ^ 0x8000u) ^ 0x8000u;
}
template <class F>
__HEALD_HD_MEMBER unsigned short __heald_short_rd(float x) {
    unsigned short n = F::nearest(x);
    return x < F::to_float(n) ? __heald_short_down<F>(n) : n;
}
template <class F>
__HEALD_HD_MEMBER unsigned short __heald_short_ru(float x) {
    unsigned short n = F::nearest(x);
    return x > F::to_float(n) ? __heald_short_up<F>(n) : n;
}
template <class F>
__HEALD_HD_MEMBER unsigned short __heald_short_rz(float x) {
    unsigned short n = F::nearest(x);
    return __builtin_fabsf(x) < __builtin_fabsf(F::to_float(n)) ? n - 1u : n;
}

#pragma float_control(pop)
