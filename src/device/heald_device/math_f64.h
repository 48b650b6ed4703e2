#pragma once

// Double precision functions that CUDA has and the C library has not. The others are in libc.h.

#include <heald_device/libc.h>

__HEALD_FN double fdivide(double a, double b) { return a / b; }
__HEALD_FN double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
// One Newton step on 1 / cbrt(x); zeros and infinities have none.
__HEALD_FN double rcbrt(double x) {
    double y = 1.0 / cbrt(x);
    double better = __builtin_fma(y * (1.0 / 3.0), __builtin_fma(-(x * y), y * y, 1.0), y);
    return better == better ? better : y;
}

__HEALD_FN void sincos(double x, double* sine, double* cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}

// The power of two that brings `largest` near 1, so that squares neither overflow nor vanish.
__HEALD_FN double __heald_norm_scale(double largest) {
    unsigned long long exponent = (__builtin_bit_cast(unsigned long long, largest) >> 52) & 0x7ffu;
    exponent = exponent < 1u ? 1u : exponent > 0x7fdu ? 0x7fdu : exponent;
    return __builtin_bit_cast(double, (0x7feull - exponent) << 52);
}
__HEALD_FN double __heald_norm4(double a, double b, double c, double d, bool reciprocal) {
    double largest = __builtin_fmax(__builtin_fmax(__builtin_fabs(a), __builtin_fabs(b)),
                                    __builtin_fmax(__builtin_fabs(c), __builtin_fabs(d)));
    double scale = __heald_norm_scale(largest);
    double sa = a * scale, sb = b * scale, sc = c * scale, sd = d * scale;
    double root = __builtin_sqrt((sa * sa + sb * sb) + (sc * sc + sd * sd));
    if (largest == __builtin_inf()) return reciprocal ? 0.0 : __builtin_inf();
    return reciprocal ? 1.0 / root * scale : root / scale;
}
__HEALD_FN double norm3d(double a, double b, double c) {
    return __heald_norm4(a, b, c, 0.0, false);
}
__HEALD_FN double norm4d(double a, double b, double c, double d) {
    return __heald_norm4(a, b, c, d, false);
}
__HEALD_FN double rhypot(double a, double b) { return __heald_norm4(a, b, 0.0, 0.0, true); }
__HEALD_FN double rnorm3d(double a, double b, double c) {
    return __heald_norm4(a, b, c, 0.0, true);
}
__HEALD_FN double rnorm4d(double a, double b, double c, double d) {
    return __heald_norm4(a, b, c, d, true);
}
__HEALD_FN double __heald_norm_n(int count, const double* values, bool reciprocal) {
    double largest = 0;
    for (int i = 0; i < count; ++i) largest = __builtin_fmax(largest, __builtin_fabs(values[i]));
    double scale = __heald_norm_scale(largest), sum = 0;
    for (int i = 0; i < count; ++i) sum += (values[i] * scale) * (values[i] * scale);
    if (largest == __builtin_inf()) return reciprocal ? 0.0 : __builtin_inf();
    return reciprocal ? 1.0 / __builtin_sqrt(sum) * scale : __builtin_sqrt(sum) / scale;
}
__HEALD_FN double norm(int count, const double* values) {
    return __heald_norm_n(count, values, false);
}
__HEALD_FN double rnorm(int count, const double* values) {
    return __heald_norm_n(count, values, true);
}
