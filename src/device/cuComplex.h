#pragma once

// Complex numbers as float2 and double2.

#include <heald_device.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __HEALD_COMPLEX(type, complex, make, f)                                                  \
    __HEALD_HD type cuCreal##f(complex z) { return z.x; }                                        \
    __HEALD_HD type cuCimag##f(complex z) { return z.y; }                                        \
    __HEALD_HD complex make(type real, type imaginary) { return complex{real, imaginary}; }      \
    __HEALD_HD complex cuConj##f(complex z) { return complex{z.x, -z.y}; }                       \
    __HEALD_HD complex cuCadd##f(complex a, complex b) { return complex{a.x + b.x, a.y + b.y}; } \
    __HEALD_HD complex cuCsub##f(complex a, complex b) { return complex{a.x - b.x, a.y - b.y}; } \
    __HEALD_HD complex cuCmul##f(complex a, complex b) {                                         \
        return complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                            \
    }                                                                                            \
    /* Scaled by the divisor's size, so that its square does not overflow. */                    \
    __HEALD_HD complex cuCdiv##f(complex a, complex b) {                                         \
        type scale = type(1) / (__builtin_fabs##f(b.x) + __builtin_fabs##f(b.y));                \
        type ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;             \
        type norm = type(1) / (bx * bx + by * by);                                               \
        return complex{(ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm};                  \
    }                                                                                            \
    __HEALD_FN type cuCabs##f(complex z) { return hypot##f(z.x, z.y); }                          \
    __HEALD_HD complex cuCfma##f(complex a, complex b, complex c) {                              \
        return complex{a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                \
    }
__HEALD_COMPLEX(float, cuFloatComplex, make_cuFloatComplex, f)
__HEALD_COMPLEX(double, cuDoubleComplex, make_cuDoubleComplex, )
#undef __HEALD_COMPLEX

__HEALD_HD cuComplex make_cuComplex(float real, float imaginary) {
    return cuComplex{real, imaginary};
}
__HEALD_HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return cuFloatComplex{float(z.x), float(z.y)};
}
__HEALD_HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return cuDoubleComplex{double(z.x), double(z.y)};
}
