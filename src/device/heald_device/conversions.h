#pragma once

// Conversions between numbers with a stated rounding, and bit casts. To integers: values out of range
// give the nearest integer of the type; NaN gives 0 from float to 32 bits, else only the top bit.

#include <heald_device/math_parts.h>

__HEALD_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__HEALD_FN unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__HEALD_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__HEALD_FN float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__HEALD_FN long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__HEALD_FN double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__HEALD_FN int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
__HEALD_FN int __double2loint(double x) { return int(__double_as_longlong(x)); }
__HEALD_FN double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)(((unsigned long long)unsigned(high) << 32) | unsigned(low)));
}

// `limit` is the first power of two above the type's range; `x` is a whole number already.
template <class To, class From>
__HEALD_MEMBER To __heald_saturate(From x, From lowest, From limit, To nan) {
    To lowest_integer = To(lowest), highest_integer = To(~lowest_integer);
    To inside = x < limit && x > lowest ? To(x) : lowest_integer;
    To result = x >= limit ? highest_integer : inside;
    return x != x ? nan : result;
}
#define __HEALD_TO_INTEGER(prefix, from, f, to_name, to, lowest, limit, nan)                      \
    __HEALD_FN to __##prefix##2##to_name##_rz(from x) {                                           \
        return __heald_saturate<to, from>(__builtin_trunc##f(x), lowest, limit, nan);             \
    }                                                                                             \
    __HEALD_FN to __##prefix##2##to_name##_rn(from x) {                                           \
        return __heald_saturate<to, from>(__builtin_rint##f(x), lowest, limit, nan);              \
    }                                                                                             \
    __HEALD_FN to __##prefix##2##to_name##_ru(from x) {                                           \
        return __heald_saturate<to, from>(__builtin_ceil##f(x), lowest, limit, nan);              \
    }                                                                                             \
    __HEALD_FN to __##prefix##2##to_name##_rd(from x) {                                           \
        return __heald_saturate<to, from>(__builtin_floor##f(x), lowest, limit, nan);             \
    }
#define __HEALD_TO_INTEGERS(prefix, from, f, nan, unsigned_nan)                                   \
    __HEALD_TO_INTEGER(prefix, from, f, int, int, from(-2147483648.0), from(2147483648.0), nan)   \
    __HEALD_TO_INTEGER(prefix, from, f, uint, unsigned, from(0), from(4294967296.0), unsigned_nan) \
    __HEALD_TO_INTEGER(prefix, from, f, ll, long long, from(-9223372036854775808.0),              \
                       from(9223372036854775808.0), (-9223372036854775807LL - 1))                 \
    __HEALD_TO_INTEGER(prefix, from, f, ull, unsigned long long, from(0),                         \
                       from(18446744073709551616.0), 0x8000000000000000ULL)
__HEALD_TO_INTEGERS(float, float, f, 0, 0u)
__HEALD_TO_INTEGERS(double, double, , (-2147483647 - 1), 0x80000000u)
#undef __HEALD_TO_INTEGERS
#undef __HEALD_TO_INTEGER

// The C library's rounding to integers, as saturating conversions.
#define __HEALD_ROUND_TO(name, type, function)                                          \
    __HEALD_FN type name(double x) noexcept { return (type)__double2ll_rz(function(x)); } \
    __HEALD_FN type name##f(float x) noexcept { return (type)__float2ll_rz(function##f(x)); } \
    __HEALD_FN type name(float x) noexcept { return name##f(x); }
__HEALD_ROUND_TO(lrint, long, rint) __HEALD_ROUND_TO(llrint, long long, rint)
__HEALD_ROUND_TO(lround, long, round) __HEALD_ROUND_TO(llround, long long, round)
#undef __HEALD_ROUND_TO

// `nearest` is an exact value rounded to nearest; `below` and `above` say that the exact value lies
// below or above it. Returns it rounded toward minus infinity, plus infinity, zero.
template <class T>
__HEALD_MEMBER T __heald_round_down(T nearest, bool below) {
    return below ? __heald_next_down(nearest) : nearest;
}
template <class T>
__HEALD_MEMBER T __heald_round_up(T nearest, bool above) {
    return above ? __heald_next_up(nearest) : nearest;
}
template <class T>
__HEALD_MEMBER T __heald_round_zero(T nearest, bool below, bool above) {
    bool negative = __builtin_signbit(nearest);
    T toward = negative ? __heald_next_up(nearest) : __heald_next_down(nearest);
    return (negative ? above : below) && nearest != T(0) ? toward : nearest;
}

__HEALD_FN float __double2float_rn(double x) { return float(x); }
__HEALD_FN float __double2float_rd(double x) {
    float n = float(x);
    return __heald_round_down(n, x < double(n));
}
__HEALD_FN float __double2float_ru(double x) {
    float n = float(x);
    return __heald_round_up(n, x > double(n));
}
__HEALD_FN float __double2float_rz(double x) {
    float n = float(x);
    return __heald_round_zero(n, x < double(n), x > double(n));
}

// Integers: compared with their rounded value in the integers, where 2^63 or 2^64 may not fit.
template <class F>
__HEALD_MEMBER int __heald_compare(long long exact, F rounded) {
    if (rounded >= F(9223372036854775808.0)) return -1;
    long long r = (long long)rounded;
    return exact < r ? -1 : exact > r;
}
template <class F>
__HEALD_MEMBER int __heald_compare(unsigned long long exact, F rounded) {
    if (rounded >= F(18446744073709551616.0)) return -1;
    unsigned long long r = (unsigned long long)rounded;
    return exact < r ? -1 : exact > r;
}
#define __HEALD_FROM_INTEGER(from_name, from, wide, to)                                    \
    __HEALD_FN to __##from_name##2##to##_rn(from x) { return to(x); }                      \
    __HEALD_FN to __##from_name##2##to##_rd(from x) {                                      \
        return __heald_round_down(to(x), __heald_compare(wide(x), to(x)) < 0);             \
    }                                                                                      \
    __HEALD_FN to __##from_name##2##to##_ru(from x) {                                      \
        return __heald_round_up(to(x), __heald_compare(wide(x), to(x)) > 0);               \
    }                                                                                      \
    __HEALD_FN to __##from_name##2##to##_rz(from x) {                                      \
        int order = __heald_compare(wide(x), to(x));                                       \
        return __heald_round_zero(to(x), order < 0, order > 0);                            \
    }
__HEALD_FROM_INTEGER(int, int, __heald_i64, float)
__HEALD_FROM_INTEGER(uint, unsigned, __heald_u64, float)
__HEALD_FROM_INTEGER(ll, long long, __heald_i64, float)
__HEALD_FROM_INTEGER(ull, unsigned long long, __heald_u64, float)
__HEALD_FROM_INTEGER(ll, long long, __heald_i64, double)
__HEALD_FROM_INTEGER(ull, unsigned long long, __heald_u64, double)
#undef __HEALD_FROM_INTEGER
__HEALD_FN double __int2double_rn(int x) { return double(x); }
__HEALD_FN double __uint2double_rn(unsigned x) { return double(x); }
