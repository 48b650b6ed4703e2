#pragma once

// The C++ names: float and double overloads in the global namespace, classification, and
// integers promoted to double as the C++ library does. <cmath> adds them to std.

#include <heald_device/math_f32.h>
#include <heald_device/math_f64.h>
#include <heald_device/math_parts.h>
#include <heald_device/min_max.h>

#define __HEALD_UNARY(name) \
    __HEALD_FN float name(float x) noexcept { return name##f(x); }
#define __HEALD_BINARY(name) \
    __HEALD_FN float name(float x, float y) noexcept { return name##f(x, y); }

__HEALD_UNARY(acos) __HEALD_UNARY(acosh) __HEALD_UNARY(asin) __HEALD_UNARY(asinh)
__HEALD_UNARY(atan) __HEALD_UNARY(atanh) __HEALD_UNARY(cbrt) __HEALD_UNARY(ceil)
__HEALD_UNARY(cos) __HEALD_UNARY(cosh) __HEALD_UNARY(erf) __HEALD_UNARY(erfc)
__HEALD_UNARY(exp) __HEALD_UNARY(exp2) __HEALD_UNARY(expm1) __HEALD_UNARY(fabs)
__HEALD_UNARY(floor) __HEALD_UNARY(lgamma) __HEALD_UNARY(log) __HEALD_UNARY(log10)
__HEALD_UNARY(log1p) __HEALD_UNARY(log2) __HEALD_UNARY(nearbyint)
__HEALD_UNARY(rint) __HEALD_UNARY(round) __HEALD_UNARY(sin) __HEALD_UNARY(sinh)
__HEALD_UNARY(sqrt) __HEALD_UNARY(tan) __HEALD_UNARY(tanh) __HEALD_UNARY(tgamma)
__HEALD_UNARY(trunc)
// CUDA's own.
__HEALD_UNARY(exp10) __HEALD_UNARY(rsqrt) __HEALD_UNARY(rcbrt) __HEALD_UNARY(sinpi)
__HEALD_UNARY(cospi) __HEALD_UNARY(erfinv) __HEALD_UNARY(erfcinv) __HEALD_UNARY(erfcx)
__HEALD_UNARY(normcdf) __HEALD_UNARY(normcdfinv) __HEALD_UNARY(cyl_bessel_i0)
__HEALD_UNARY(cyl_bessel_i1) __HEALD_UNARY(j0) __HEALD_UNARY(j1) __HEALD_UNARY(y0) __HEALD_UNARY(y1)

__HEALD_BINARY(atan2) __HEALD_BINARY(copysign) __HEALD_BINARY(fdim) __HEALD_BINARY(fmax)
__HEALD_BINARY(fmin) __HEALD_BINARY(fmod) __HEALD_BINARY(hypot)
__HEALD_BINARY(pow) __HEALD_BINARY(remainder) __HEALD_BINARY(rhypot)

__HEALD_FN float fma(float x, float y, float z) noexcept { return fmaf(x, y, z); }
__HEALD_FN float remquo(float x, float y, int* quotient) noexcept {
    return remquof(x, y, quotient);
}
__HEALD_FN float jn(int n, float x) noexcept { return jnf(n, x); }
__HEALD_FN float yn(int n, float x) noexcept { return ynf(n, x); }
__HEALD_FN void sincos(float x, float* sine, float* cosine) noexcept { sincosf(x, sine, cosine); }
__HEALD_FN void sincospi(float x, float* sine, float* cosine) noexcept {
    sincospif(x, sine, cosine);
}

#define __HEALD_CLASSIFY(name, expression)                           \
    __HEALD_FN bool name(float x) noexcept { return expression; }    \
    __HEALD_FN bool name(double x) noexcept { return expression; }
__HEALD_CLASSIFY(isnan, __builtin_isnan(x))
__HEALD_CLASSIFY(isinf, __builtin_isinf(x))
__HEALD_CLASSIFY(isfinite, __builtin_isfinite(x))
__HEALD_CLASSIFY(signbit, __builtin_signbit(x))
__HEALD_CLASSIFY(isnormal, __builtin_isnormal(x))

template <class T, class R> struct __heald_if_integer {};
#define __HEALD_INTEGER(type) \
    template <class R> struct __heald_if_integer<type, R> { using type_ = R; };
__HEALD_INTEGER(bool) __HEALD_INTEGER(char) __HEALD_INTEGER(signed char)
__HEALD_INTEGER(unsigned char) __HEALD_INTEGER(short) __HEALD_INTEGER(unsigned short)
__HEALD_INTEGER(int) __HEALD_INTEGER(unsigned) __HEALD_INTEGER(long) __HEALD_INTEGER(ulong)
__HEALD_INTEGER(__heald_i64) __HEALD_INTEGER(__heald_u64)
#undef __HEALD_INTEGER

template <class T, class R = double>
using __heald_if_integer_t = typename __heald_if_integer<T, R>::type_;

// Arithmetic types that are not both float: computed in double.
template <class A, class B> struct __heald_mixed { using type = double; };
template <> struct __heald_mixed<float, float> {};
template <> struct __heald_mixed<double, double> {};
template <class A, class B> using __heald_mixed_t = typename __heald_mixed<A, B>::type;

#define __HEALD_PROMOTE(name)                                          \
    template <class T> __HEALD_MEMBER __heald_if_integer_t<T> name(T x) { \
        return name(double(x));                                        \
    }
#define __HEALD_PROMOTE2(name)                                                    \
    template <class A, class B> __HEALD_MEMBER __heald_mixed_t<A, B> name(A x, B y) { \
        return name(double(x), double(y));                                        \
    }
__HEALD_PROMOTE(acos) __HEALD_PROMOTE(asin) __HEALD_PROMOTE(atan) __HEALD_PROMOTE(cbrt)
__HEALD_PROMOTE(ceil) __HEALD_PROMOTE(cos) __HEALD_PROMOTE(cosh) __HEALD_PROMOTE(erf)
__HEALD_PROMOTE(exp) __HEALD_PROMOTE(exp2) __HEALD_PROMOTE(expm1) __HEALD_PROMOTE(fabs)
__HEALD_PROMOTE(floor) __HEALD_PROMOTE(lgamma) __HEALD_PROMOTE(log) __HEALD_PROMOTE(log10)
__HEALD_PROMOTE(log1p) __HEALD_PROMOTE(log2) __HEALD_PROMOTE(round) __HEALD_PROMOTE(sin)
__HEALD_PROMOTE(sinh) __HEALD_PROMOTE(sqrt) __HEALD_PROMOTE(tan) __HEALD_PROMOTE(tanh)
__HEALD_PROMOTE(tgamma) __HEALD_PROMOTE(trunc) __HEALD_PROMOTE(rsqrt)
__HEALD_PROMOTE2(atan2) __HEALD_PROMOTE2(copysign) __HEALD_PROMOTE2(fdim)
__HEALD_PROMOTE2(fmax) __HEALD_PROMOTE2(fmin) __HEALD_PROMOTE2(fmod) __HEALD_PROMOTE2(hypot)
__HEALD_PROMOTE2(pow) __HEALD_PROMOTE2(remainder)
#undef __HEALD_PROMOTE
#undef __HEALD_PROMOTE2
#undef __HEALD_CLASSIFY
#undef __HEALD_BINARY
#undef __HEALD_UNARY
