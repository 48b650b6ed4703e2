#pragma once

// Arithmetic with a stated rounding: rn to nearest, rd down, ru up, rz to zero. rn is never
// contracted. The others round to nearest and then step to the neighbour if the exact result, known
// from an error-free transformation, lies on the other side.

#include <heald_device/conversions.h>

#pragma float_control(push)
#pragma clang fp contract(off)

__HEALD_FN float __fadd_rn(float a, float b) { return a + b; }
__HEALD_FN float __fsub_rn(float a, float b) { return a - b; }
__HEALD_FN float __fmul_rn(float a, float b) { return a * b; }
__HEALD_FN float __fdiv_rn(float a, float b) { return a / b; }
__HEALD_FN float __frcp_rn(float a) { return 1.0f / a; }
__HEALD_FN float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
__HEALD_FN float __frsqrt_rn(float a) { return float(1.0 / __builtin_sqrt(double(a))); }
__HEALD_FN float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__HEALD_FN float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__HEALD_FN double __dadd_rn(double a, double b) { return a + b; }
__HEALD_FN double __dsub_rn(double a, double b) { return a - b; }
__HEALD_FN double __dmul_rn(double a, double b) { return a * b; }
__HEALD_FN double __ddiv_rn(double a, double b) { return a / b; }
__HEALD_FN double __drcp_rn(double a) { return 1.0 / a; }
__HEALD_FN double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
__HEALD_FN double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

// What rounding a + b to s lost (Knuth); 0 where that is not finite.
template <class T>
__HEALD_MEMBER T __heald_sum_error(T a, T b, T s) {
    T b_part = s - a, a_part = s - b_part;
    T error = (a - a_part) + (b - b_part);
    return error == error ? error : T(0);
}
// The order of an exact finite value against its rounding to infinity.
template <class T>
__HEALD_MEMBER T __heald_overflow_order(T rounded, bool finite_operands) {
    bool infinite = __builtin_fabs(double(rounded)) == __builtin_inf() && finite_operands;
    return !infinite ? T(0) : rounded > T(0) ? T(-1) : T(1);
}
__HEALD_FN bool __heald_finite(double x) { return __builtin_fabs(x) < __builtin_inf(); }

// Each function below returns the sign of (exact result - rounded result) as a number.
template <class T>
__HEALD_MEMBER T __heald_order_add(T a, T b, T s) {
    T order = __heald_overflow_order(s, __heald_finite(a) && __heald_finite(b));
    return order != T(0) ? order : __heald_sum_error(a, b, s);
}
__HEALD_FN double __heald_order_mul(float a, float b, float p) {
    double exact = double(a) * double(b);
    return __heald_finite(exact) ? exact - double(p) : 0.0;
}
__HEALD_FN double __heald_order_div(float a, float b, float q) {
    // a / b - q has the sign of (a - q b) / b, which a double holds exactly.
    double rest = double(a) - double(q) * double(b);
    rest = b < 0.0f ? -rest : rest;
    double order = __heald_overflow_order(q, __heald_finite(a) && __heald_finite(b) && b != 0.0f);
    return order != 0.0 ? order : rest == rest && __heald_finite(rest) ? rest : 0.0;
}
__HEALD_FN double __heald_order_sqrt(float a, float r) {
    double rest = double(a) - double(r) * double(r);
    return rest == rest ? rest : 0.0;
}
// a b is exact in double; the sum with c has a known error.
__HEALD_FN double __heald_order_fma(float a, float b, float c, float r) {
    double product = double(a) * double(b), sum = product + double(c);
    double error = __heald_sum_error(product, double(c), sum), first = sum - double(r);
    if (!__heald_finite(sum)) return 0.0;
    return first != 0.0 ? first : error;
}
__HEALD_FN double __heald_order_rsqrt(float a, float r) {
    // 1 / sqrt(a) - r has the sign of 1 - a r^2; r^2 is exact in double.
    double square = double(r) * double(r);
    double rest = __builtin_fma(-double(a), square, 1.0);
    return a > 0.0f && __heald_finite(a) ? rest : 0.0;
}

// In double the residuals are formed with fma after scaling by powers of two, so that they are exact.
__HEALD_FN double __heald_scale_to_one(double x) {
    unsigned long long exponent = (__builtin_bit_cast(unsigned long long, x) >> 52) & 0x7ffu;
    exponent = exponent < 1u ? 1u : exponent > 0x7fdu ? 0x7fdu : exponent;
    return __builtin_bit_cast(double, (0x7feull - exponent) << 52);
}
__HEALD_FN double __heald_to_range(double x) {  // subnormals become normal with one more factor
    double big = __builtin_fabs(x) < 2.3e-308 ? x * 18014398509481984.0 : x;
    return big * __heald_scale_to_one(big);
}
__HEALD_FN double __heald_order_mul(double a, double b, double p) {
    double order = __heald_overflow_order(p, __heald_finite(a) && __heald_finite(b));
    if (order != 0.0) return order;
    if (!__heald_finite(p) || a == 0.0 || b == 0.0) return 0.0;
    if (p == 0.0) return __builtin_copysign(1.0, a) * __builtin_copysign(1.0, b);
    if (__builtin_fabs(p) > 1e-290) return __builtin_fma(a, b, -p);
    double small = __builtin_fabs(a) < __builtin_fabs(b) ? a : b;
    double other = __builtin_fabs(a) < __builtin_fabs(b) ? b : a;
    return __builtin_fma(small * 0x1p900, other, -(p * 0x1p900));
}
__HEALD_FN double __heald_order_div(double a, double b, double q) {
    double order =
        __heald_overflow_order(q, __heald_finite(a) && __heald_finite(b) && b != 0.0);
    if (order != 0.0) return order;
    if (!__heald_finite(q) || !__heald_finite(b) || b == 0.0 || a == 0.0) return 0.0;
    if (q == 0.0) return __builtin_copysign(1.0, a) * __builtin_copysign(1.0, b);
    double rest;
    if (__builtin_fabs(q) > 2.3e-308) {
        // Near one the quotient of the scaled values is q times a power of two.
        double ma = __heald_to_range(a), mb = __heald_to_range(b), mq = ma / mb;
        rest = __builtin_fma(-mq, mb, ma);
    } else {
        double up = __builtin_fabs(b) < 0x1p400 ? 0x1p600 : 1.0;
        rest = __builtin_fma(-(q * up), b, a * up);
    }
    return b < 0.0 ? -rest : rest;
}
__HEALD_FN double __heald_order_sqrt(double a, double r) {
    if (!(a > 0.0) || !__heald_finite(a)) return 0.0;
    double up = a < 1e-200 ? 0x1p200 : a > 1e200 ? 0x1p-200 : 1.0;
    double root_up = a < 1e-200 ? 0x1p100 : a > 1e200 ? 0x1p-100 : 1.0;
    double s = r * root_up;
    return __builtin_fma(-s, s, a * up);
}
// a b = p + e exactly while neither over- nor underflows (beyond that the result may be one ulp off
// the stated direction); the exact sum is compared with r term by term.
__HEALD_FN double __heald_order_fma(double a, double b, double c, double r) {
    double order = __heald_overflow_order(r, __heald_finite(a) && __heald_finite(b) && __heald_finite(c));
    if (order != 0.0) return order;
    if (!__heald_finite(r)) return 0.0;
    double p = a * b, e = __builtin_fma(a, b, -p);
    double s = p + c, t = __heald_sum_error(p, c, s);
    double u = t + e, v = __heald_sum_error(t, e, u);
    double d = s - r, x = d + u, y = __heald_sum_error(d, u, x);
    return x != 0.0 ? x : y + v;
}

#define __HEALD_DIRECTED(name, type, parameters, nearest, order)           \
    __HEALD_FN type name##_rd parameters {                                 \
        type n = nearest;                                                  \
        return __heald_round_down(n, order < 0);                           \
    }                                                                      \
    __HEALD_FN type name##_ru parameters {                                 \
        type n = nearest;                                                  \
        return __heald_round_up(n, order > 0);                             \
    }                                                                      \
    __HEALD_FN type name##_rz parameters {                                 \
        type n = nearest;                                                  \
        auto o = order;                                                    \
        return __heald_round_zero(n, o < 0, o > 0);                        \
    }
// An exact sum of zero is -0 when rounding down, unless both terms are +0.
#define __HEALD_DIRECTED_ADD(name, type, b_sign)                                           \
    __HEALD_FN type name##_rd(type a, type b) {                                            \
        b = b_sign b;                                                                      \
        type n = a + b;                                                                    \
        type r = __heald_round_down(n, __heald_order_add(a, b, n) < 0);                    \
        bool minus = r == type(0) && (__builtin_signbit(a) || __builtin_signbit(b));       \
        return minus ? -type(0) : r;                                                       \
    }                                                                                      \
    __HEALD_FN type name##_ru(type a, type b) {                                            \
        b = b_sign b;                                                                      \
        type n = a + b;                                                                    \
        return __heald_round_up(n, __heald_order_add(a, b, n) > 0);                        \
    }                                                                                      \
    __HEALD_FN type name##_rz(type a, type b) {                                            \
        b = b_sign b;                                                                      \
        type n = a + b, o = __heald_order_add(a, b, n);                                    \
        return __heald_round_zero(n, o < 0, o > 0);                                        \
    }
__HEALD_DIRECTED_ADD(__fadd, float, +)
__HEALD_DIRECTED_ADD(__fsub, float, -)
__HEALD_DIRECTED_ADD(__dadd, double, +)
__HEALD_DIRECTED_ADD(__dsub, double, -)
__HEALD_DIRECTED(__fmul, float, (float a, float b), a * b, __heald_order_mul(a, b, n))
__HEALD_DIRECTED(__dmul, double, (double a, double b), a* b, __heald_order_mul(a, b, n))
__HEALD_DIRECTED(__fdiv, float, (float a, float b), a / b, __heald_order_div(a, b, n))
__HEALD_DIRECTED(__ddiv, double, (double a, double b), a / b, __heald_order_div(a, b, n))
__HEALD_DIRECTED(__frcp, float, (float a), 1.0f / a, __heald_order_div(1.0f, a, n))
__HEALD_DIRECTED(__drcp, double, (double a), 1.0 / a, __heald_order_div(1.0, a, n))
__HEALD_DIRECTED(__fsqrt, float, (float a), __builtin_sqrtf(a), __heald_order_sqrt(a, n))
__HEALD_DIRECTED(__dsqrt, double, (double a), __builtin_sqrt(a), __heald_order_sqrt(a, n))
__HEALD_DIRECTED(__fmaf, float, (float a, float b, float c), __builtin_fmaf(a, b, c),
                 __heald_order_fma(a, b, c, n))
__HEALD_DIRECTED(__fma, double, (double a, double b, double c), __builtin_fma(a, b, c),
                 __heald_order_fma(a, b, c, n))
#undef __HEALD_DIRECTED
#undef __HEALD_DIRECTED_ADD

__HEALD_FN float __fmaf_ieee_rd(float a, float b, float c) { return __fmaf_rd(a, b, c); }
__HEALD_FN float __fmaf_ieee_ru(float a, float b, float c) { return __fmaf_ru(a, b, c); }
__HEALD_FN float __fmaf_ieee_rz(float a, float b, float c) { return __fmaf_rz(a, b, c); }

#pragma float_control(pop)
