#pragma once

// The C library as kernels see it: device declarations, resolved by the loader (math functions by
// the SIMT passes, which use a vector library). They come before any system header, whose host
// declarations then stand beside them as overloads.

#include <heald_device/integer_types.h>
#include <heald_device/qualifiers.h>

#define __HEALD_LIBM1(name)                           \
    __HEALD_LIBC double name(double) noexcept;      \
    __HEALD_LIBC float name##f(float) noexcept;
#define __HEALD_LIBM2(name)                                   \
    __HEALD_LIBC double name(double, double) noexcept;      \
    __HEALD_LIBC float name##f(float, float) noexcept;

__HEALD_LIBM1(acos) __HEALD_LIBM1(acosh) __HEALD_LIBM1(asin) __HEALD_LIBM1(asinh)
__HEALD_LIBM1(atan) __HEALD_LIBM1(atanh) __HEALD_LIBM1(cbrt) __HEALD_LIBM1(ceil)
__HEALD_LIBM1(cos) __HEALD_LIBM1(cosh) __HEALD_LIBM1(erf) __HEALD_LIBM1(erfc)
__HEALD_LIBM1(exp) __HEALD_LIBM1(exp10) __HEALD_LIBM1(exp2) __HEALD_LIBM1(expm1)
__HEALD_LIBM1(fabs) __HEALD_LIBM1(floor) __HEALD_LIBM1(lgamma) __HEALD_LIBM1(log)
__HEALD_LIBM1(log10) __HEALD_LIBM1(log1p) __HEALD_LIBM1(log2) 
__HEALD_LIBM1(nearbyint) __HEALD_LIBM1(rint) __HEALD_LIBM1(round) __HEALD_LIBM1(sin)
__HEALD_LIBM1(sinh) __HEALD_LIBM1(sqrt) __HEALD_LIBM1(tan) __HEALD_LIBM1(tanh)
__HEALD_LIBM1(tgamma) __HEALD_LIBM1(trunc)
__HEALD_LIBM1(j0) __HEALD_LIBM1(j1) __HEALD_LIBM1(y0) __HEALD_LIBM1(y1)

__HEALD_LIBM2(atan2) __HEALD_LIBM2(copysign) __HEALD_LIBM2(fdim) __HEALD_LIBM2(fmax)
__HEALD_LIBM2(fmin) __HEALD_LIBM2(fmod) __HEALD_LIBM2(hypot)
__HEALD_LIBM2(pow) __HEALD_LIBM2(remainder)

#undef __HEALD_LIBM1
#undef __HEALD_LIBM2

__HEALD_LIBC double fma(double, double, double) noexcept;
__HEALD_LIBC float fmaf(float, float, float) noexcept;
__HEALD_LIBC double remquo(double, double, int*) noexcept;
__HEALD_LIBC float remquof(float, float, int*) noexcept;
__HEALD_LIBC double jn(int, double) noexcept;
__HEALD_LIBC float jnf(int, float) noexcept;
__HEALD_LIBC double yn(int, double) noexcept;
__HEALD_LIBC float ynf(int, float) noexcept;

__HEALD_LIBC int printf(const char* format, ...);
__HEALD_LIBC void* malloc(size_t size) noexcept;
__HEALD_LIBC void free(void* pointer) noexcept;
__HEALD_LIBC void* memcpy(void* to, const void* from, size_t size) noexcept;
__HEALD_LIBC void* memmove(void* to, const void* from, size_t size) noexcept;
__HEALD_LIBC void* memset(void* to, int value, size_t size) noexcept;
__HEALD_LIBC int memcmp(const void* a, const void* b, size_t size) noexcept;
