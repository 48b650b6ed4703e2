#pragma once

// Single precision functions that CUDA has and the C library has not. The others are in libc.h.

#include <heald_device/libc.h>

__HEALD_FN float rsqrtf(float x) { return 1.0f / sqrtf(x); }
__HEALD_FN float rcbrtf(float x) { return 1.0f / cbrtf(x); }
__HEALD_FN float fdividef(float a, float b) { return a / b; }
__HEALD_FN float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

__HEALD_FN void sincosf(float x, float* sine, float* cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}

// Sums of squares fit a double, so these are off by less than one ulp and cannot overflow early.
__HEALD_FN double __heald_square(float x) { return double(x) * x; }
__HEALD_FN float norm3df(float a, float b, float c) {
    return float(__builtin_sqrt(__heald_square(a) + __heald_square(b) + __heald_square(c)));
}
__HEALD_FN float norm4df(float a, float b, float c, float d) {
    return float(__builtin_sqrt(__heald_square(a) + __heald_square(b) + __heald_square(c) +
                                __heald_square(d)));
}
__HEALD_FN float rhypotf(float a, float b) {
    return float(1.0 / __builtin_sqrt(__heald_square(a) + __heald_square(b)));
}
__HEALD_FN float rnorm3df(float a, float b, float c) {
    return float(1.0 /
                 __builtin_sqrt(__heald_square(a) + __heald_square(b) + __heald_square(c)));
}
__HEALD_FN float rnorm4df(float a, float b, float c, float d) {
    return float(1.0 / __builtin_sqrt(__heald_square(a) + __heald_square(b) + __heald_square(c) +
                                      __heald_square(d)));
}
__HEALD_FN float normf(int count, const float* values) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += __heald_square(values[i]);
    return float(__builtin_sqrt(sum));
}
__HEALD_FN float rnormf(int count, const float* values) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += __heald_square(values[i]);
    return float(1.0 / __builtin_sqrt(sum));
}

#include <heald_device/math_trigonometric_pi.h>
#include <heald_device/math_error_functions.h>
#include <heald_device/math_bessel.h>
