#pragma once

// sinpi, cospi, sincospi: the argument is reduced exactly, in half turns, to r in [-1/4, 1/4]; then
// sin(pi r) = pi r + r^3 S(r^2) and cos(pi r) = C(r^2), fitted at Chebyshev nodes.

#include <heald_device/libc.h>

__HEALD_FN float __heald_sinpi_cubic(float t) {
    float p = 0.0810016274f; p = p * t - 0.599202081f; p = p * t + 2.55016265f;
    p = p * t - 5.16771277f;
    return p;
}

__HEALD_FN double __heald_sinpi_cubic(double t) {
    double p = -2.1717401400090533e-05; p = p * t + 0.00046628272951211076;
    p = p * t - 0.007370429884712669; p = p * t + 0.082145886580056213;
    p = p * t - 0.59926452932029783; p = p * t + 2.5501640398773415; p = p * t - 5.1677127800499703;
    return p;
}

__HEALD_FN float __heald_cospi_series(float t) {
    float p = -0.0254473865f; p = p * t + 0.235305405f; p = p * t - 1.33526195f;
    p = p * t + 4.05871211f; p = p * t - 4.9348022f; p = p * t + 1.0f;
    return p;
}

__HEALD_FN double __heald_cospi_series(double t) {
    double p = 4.2642009197279302e-06; p = p * t - 0.00010463355639212206;
    p = p * t + 0.0019295740221589252; p = p * t - 0.025806891379438902;
    p = p * t + 0.23533063035866447; p = p * t - 1.3352627688545866; p = p * t + 4.0587121264167685;
    p = p * t - 4.934802200544679; p = p * t + 1.0;
    return p;
}

// `low` is what pi loses when rounded to `high`.
#define __HEALD_SINCOSPI(type, suffix, even, high, low)                                      \
    __HEALD_FN void sincospi##suffix(type x, type* sine, type* cosine) {                     \
        /* From `even` on every value is an even integer; infinities become NaN. */          \
        type y = __builtin_fabs##suffix(x) < type(even) ? x : x - x;                         \
        type halves = __builtin_rint##suffix(y + y);                                         \
        type r = y - halves * type(0.5);                                                     \
        type turn = halves - type(4) * __builtin_floor##suffix(halves * type(0.25));         \
        type z = r * r;                                                                      \
        type tail = r * (z * __heald_sinpi_cubic(z) + type(low));                            \
        type s = __builtin_fma##suffix(r, type(high), tail);                                 \
        type c = __heald_cospi_series(z);                                                    \
        bool odd = turn == type(1) || turn == type(3);                                       \
        type a = odd ? c : s, b = odd ? s : c;                                               \
        a = turn >= type(2) ? -a : a;                                                        \
        b = turn == type(1) || turn == type(2) ? -b : b;                                     \
        /* Whole numbers give a zero with the sign of x, odd halves give +0. */              \
        *sine = r == type(0) && !odd ? __builtin_copysign##suffix(type(0), x) : a;           \
        *cosine = r == type(0) && odd ? type(0) : b;                                         \
    }                                                                                        \
    __HEALD_FN type sinpi##suffix(type x) {                                                  \
        type s, c;                                                                           \
        sincospi##suffix(x, &s, &c);                                                         \
        return s;                                                                            \
    }                                                                                        \
    __HEALD_FN type cospi##suffix(type x) {                                                  \
        type s, c;                                                                           \
        sincospi##suffix(x, &s, &c);                                                         \
        return c;                                                                            \
    }
__HEALD_SINCOSPI(float, f, 16777216, 3.14159274f, -8.742278e-08f)
__HEALD_SINCOSPI(double, , 9007199254740992, 3.141592653589793, 1.2246467991473532e-16)
#undef __HEALD_SINCOSPI
