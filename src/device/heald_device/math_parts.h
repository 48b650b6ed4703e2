#pragma once

// Functions that take a number apart or step through its representation: frexp, ldexp, logb, modf,
// nextafter and kin, on the bits, so that they vectorise.

#include <heald_device/libc.h>

// The neighbours of x; the one above the largest number is infinity.
#define __HEALD_NEIGHBOURS(type, bits, negative_zero)                                     \
    __HEALD_FN type __heald_next_up(type x) {                                             \
        bits b = __builtin_bit_cast(bits, x);                                             \
        bits next = b > (negative_zero) ? b - 1 : b == (negative_zero) ? bits(1) : b + 1; \
        bool stays = x != x || x == type(__builtin_inf());                                \
        return stays ? x : __builtin_bit_cast(type, next);                                \
    }                                                                                     \
    __HEALD_FN type __heald_next_down(type x) { return -__heald_next_up(-x); }
__HEALD_NEIGHBOURS(float, unsigned, 0x80000000u)
__HEALD_NEIGHBOURS(double, __heald_u64, 0x8000000000000000ULL)
#undef __HEALD_NEIGHBOURS

// `fraction` counts the stored bits of the significand, `bias` is that of the exponent, and `top` the
// largest exponent field; `two_up` is 2^(fraction + 1).
#define __HEALD_PARTS(type, f, bits, fraction, bias, top, two_up)                              \
    __HEALD_FN type frexp##f(type x, int* exponent) noexcept {                                 \
        bits raw = __builtin_bit_cast(bits, x);                                                \
        bool subnormal = ((raw >> fraction) & top) == 0;                                       \
        raw = subnormal ? __builtin_bit_cast(bits, x * type(two_up)) : raw;                    \
        int e = int((raw >> fraction) & top);                                                  \
        bool special = x == type(0) || e == int(top);                                          \
        *exponent = special ? 0 : e - ((bias) - 1) - (subnormal ? fraction + 1 : 0);           \
        bits half = (raw & ~(bits(top) << fraction)) | (bits((bias) - 1) << fraction);         \
        return special ? x + x : __builtin_bit_cast(type, half);                               \
    }                                                                                          \
    __HEALD_FN type __heald_power_of_two##f(int e) { /* of a normal number */                  \
        return __builtin_bit_cast(type, bits(e + (bias)) << fraction);                         \
    }                                                                                          \
    /* Steps down leave a margin of fraction + 1 bits, so that only the last product rounds. */ \
    __HEALD_FN type ldexp##f(type x, int exponent) noexcept {                                  \
        constexpr int up = bias, down = 1 - (bias) + fraction + 1;                             \
        int e = exponent;                                                                      \
        _Pragma("unroll") for (int i = 0; i < 2; ++i) {                                        \
            int step = e > up ? up : e < 1 - (bias) ? down : 0;                                \
            x *= __heald_power_of_two##f(step);                                                \
            e -= step;                                                                         \
        }                                                                                      \
        e = e > up ? up : e < 1 - (bias) ? 1 - (bias) : e;                                     \
        return x * __heald_power_of_two##f(e);                                                 \
    }                                                                                          \
    __HEALD_FN type scalbn##f(type x, int exponent) noexcept { return ldexp##f(x, exponent); } \
    __HEALD_FN type scalbln##f(type x, long exponent) noexcept {                               \
        return ldexp##f(x, int(exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : exponent)); \
    }                                                                                          \
    __HEALD_FN int ilogb##f(type x) noexcept {                                                 \
        int e;                                                                                 \
        frexp##f(x, &e);                                                                       \
        int special = __builtin_fabs##f(x) == type(__builtin_inf()) ? 2147483647               \
                                                                    : -2147483647 - 1;         \
        bool normal = x - x == type(0) && x != type(0);                                        \
        return normal ? e - 1 : special;                                                       \
    }                                                                                          \
    __HEALD_FN type logb##f(type x) noexcept {                                                 \
        type a = __builtin_fabs##f(x);                                                         \
        bool normal = x - x == type(0) && x != type(0);                                        \
        return normal ? type(ilogb##f(x)) : x == type(0) ? -type(__builtin_inf()) : a;         \
    }                                                                                          \
    __HEALD_FN type modf##f(type x, type* whole) noexcept {                                    \
        type w = __builtin_trunc##f(x);                                                        \
        *whole = w;                                                                            \
        type rest = __builtin_fabs##f(x) == type(__builtin_inf()) ? type(0) : x - w;           \
        return __builtin_copysign##f(rest, x);                                                 \
    }                                                                                          \
    __HEALD_FN type nextafter##f(type x, type toward) noexcept {                               \
        type near = x < toward ? __heald_next_up(x) : __heald_next_down(x);                    \
        return x != x || toward != toward ? x + toward : x == toward ? toward : near;          \
    }                                                                                          \
    __HEALD_FN type nan##f(const char*) noexcept { return type(__builtin_nan("")); }
__HEALD_PARTS(float, f, unsigned, 23, 127, 255u, 16777216)
__HEALD_PARTS(double, , __heald_u64, 52, 1023, 2047ull, 9007199254740992)
#undef __HEALD_PARTS

__HEALD_FN float frexp(float x, int* exponent) noexcept { return frexpf(x, exponent); }
__HEALD_FN float ldexp(float x, int exponent) noexcept { return ldexpf(x, exponent); }
__HEALD_FN float scalbn(float x, int exponent) noexcept { return ldexpf(x, exponent); }
__HEALD_FN float scalbln(float x, long exponent) noexcept { return scalblnf(x, exponent); }
__HEALD_FN int ilogb(float x) noexcept { return ilogbf(x); }
__HEALD_FN float logb(float x) noexcept { return logbf(x); }
__HEALD_FN float modf(float x, float* whole) noexcept { return modff(x, whole); }
__HEALD_FN float nextafter(float x, float toward) noexcept { return nextafterf(x, toward); }
