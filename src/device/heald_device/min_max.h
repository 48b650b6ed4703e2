#pragma once

// min, max and abs with CUDA's overloads: mixed signedness of one width gives the unsigned type,
// float with double gives double, anything else mixed is ambiguous. min and max are the host's too, as
// with nvcc.

#include <heald_device/libc.h>

#define __HEALD_MIN_MAX(result, a_type, b_type)                \
    __HEALD_HD constexpr result min(a_type a, b_type b) {      \
        return result(a) < result(b) ? result(a) : result(b);  \
    }                                                          \
    __HEALD_HD constexpr result max(a_type a, b_type b) {      \
        return result(a) > result(b) ? result(a) : result(b);  \
    }
#define __HEALD_MIN_MAX_WIDTH(signed_type, unsigned_type)            \
    __HEALD_MIN_MAX(signed_type, signed_type, signed_type)           \
    __HEALD_MIN_MAX(unsigned_type, unsigned_type, unsigned_type)     \
    __HEALD_MIN_MAX(unsigned_type, signed_type, unsigned_type)       \
    __HEALD_MIN_MAX(unsigned_type, unsigned_type, signed_type)


__HEALD_MIN_MAX_WIDTH(int, uint)
__HEALD_MIN_MAX_WIDTH(long, ulong)
__HEALD_MIN_MAX_WIDTH(__heald_i64, __heald_u64)
#undef __HEALD_MIN_MAX_WIDTH
#undef __HEALD_MIN_MAX

__HEALD_HD float min(float a, float b) { return fminf(a, b); }
__HEALD_HD float max(float a, float b) { return fmaxf(a, b); }
__HEALD_HD double min(double a, double b) { return fmin(a, b); }
__HEALD_HD double max(double a, double b) { return fmax(a, b); }
__HEALD_HD double min(float a, double b) { return fmin(double(a), b); }
__HEALD_HD double max(float a, double b) { return fmax(double(a), b); }
__HEALD_HD double min(double a, float b) { return fmin(a, double(b)); }
__HEALD_HD double max(double a, float b) { return fmax(a, double(b)); }

__HEALD_HD unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
__HEALD_HD unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
__HEALD_HD long long llmin(long long a, long long b) { return a < b ? a : b; }
__HEALD_HD long long llmax(long long a, long long b) { return a > b ? a : b; }
__HEALD_HD unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return a < b ? a : b;
}
__HEALD_HD unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return a > b ? a : b;
}

// Negation wraps: the absolute value of the lowest integer is itself.
__HEALD_FN int abs(int a) { return a < 0 ? int(0u - unsigned(a)) : a; }
__HEALD_FN long abs(long a) { return a < 0 ? long(0ul - ulong(a)) : a; }
__HEALD_FN long long abs(long long a) {
    return a < 0 ? (long long)(0ull - (unsigned long long)(a)) : a;
}
__HEALD_FN long labs(long a) { return abs(a); }
__HEALD_FN long long llabs(long long a) { return abs(a); }
__HEALD_FN float abs(float a) { return fabsf(a); }
__HEALD_FN double abs(double a) { return fabs(a); }
