#pragma once

// erfcx, normcdf and the inverses of erf, erfc and normcdf. Single precision is computed in double
// and rounded once.

#include <heald_device/libc.h>

// With w = -log(1 - x^2): erfinv(x) / x for w < 5 as a polynomial in w - 5/2, and erfinv(x) / sqrt(w)
// for larger w as one in 1 / sqrt(w). Both are within 1.1e-9.
__HEALD_FN double __heald_erfinv_central(double t) {
    double p = 4.3849953119260271e-13; p = p * t - 3.3888175190665769e-13;
    p = p * t - 3.0122346021629576e-11; p = p * t + 1.2982446043371449e-10;
    p = p * t + 9.0248814479097442e-10; p = p * t - 1.0906655743110653e-08;
    p = p * t + 1.3429287142216358e-08; p = p * t + 4.7883694126273822e-07;
    p = p * t - 3.4166361030778811e-06; p = p * t - 4.9962227613667115e-06;
    p = p * t + 0.000218250273934182; p = p * t - 0.0012527078260762582;
    p = p * t - 0.0041773177259916399; p = p * t + 0.24664027673055933;
    p = p * t + 1.501409351110792;
    return p;
}

__HEALD_FN double __heald_erfinv_tail(double t) {
    double p = -3484956.7932537035; p = p * t + 14136858.82773545; p = p * t - 26355541.558344681;
    p = p * t + 29962844.446847633; p = p * t - 23247658.690790325; p = p * t + 13057368.239954673;
    p = p * t - 5496691.0776265552; p = p * t + 1772088.8805661746; p = p * t - 443521.86355506326;
    p = p * t + 86936.670575416036; p = p * t - 13438.725238747751; p = p * t + 1655.0881444997226;
    p = p * t - 167.38597980721028; p = p * t + 15.859528146374208; p = p * t - 1.7872375192718559;
    p = p * t - 0.0092904153092693634; p = p * t + 1.0000383030492073;
    return p;
}

// y with erfc(y) close to `q`, for q in (0, 1]; x = 1 - q is given as well.
__HEALD_FN double __heald_erfcinv_estimate(double q, double x) {
    double w = -log(q * (2.0 - q));
    if (q > 0.5) w = -log1p(-x * x);
    if (w < 5.0) return x * __heald_erfinv_central(w - 2.5);
    double s = __builtin_sqrt(w);
    return s * __heald_erfinv_tail(1.0 / s);
}

// One step of third order takes the estimate to full precision.
__HEALD_FN double __heald_erfcinv_positive(double q, double x) {
    double y = __heald_erfcinv_estimate(q, x);
    double difference = x < 0.5 ? x - erf(y) : erfc(y) - q;
    double step = difference * 0.88622692545275801 * exp(y * y);
    return y + step / (1.0 - y * step);
}

__HEALD_FN double erfinv(double x) {
    double a = __builtin_fabs(x);
    double y = a < 1.0 ? __heald_erfcinv_positive(1.0 - a, a)
                       : (a == 1.0 ? __builtin_inf() : __builtin_nan(""));
    if (a < 1e-8) y = a * 0.88622692545275801;
    return __builtin_copysign(y, x);
}
__HEALD_FN double erfcinv(double x) {
    double q = x > 1.0 ? 2.0 - x : x;
    double y = q > 0.0 ? __heald_erfcinv_positive(q, 1.0 - q)
                       : (q == 0.0 ? __builtin_inf() : __builtin_nan(""));
    return x > 1.0 ? -y : y;
}
__HEALD_FN float erfinvf(float x) {
    double a = __builtin_fabs(double(x));
    double y = a < 1.0 ? __heald_erfcinv_estimate(1.0 - a, a)
                       : (a == 1.0 ? __builtin_inf() : __builtin_nan(""));
    return __builtin_copysignf(float(y), x);
}
__HEALD_FN double __heald_erfcinv_single(double x) {
    double q = x > 1.0 ? 2.0 - x : x;
    double y = q > 0.0 ? __heald_erfcinv_estimate(q, 1.0 - q)
                       : (q == 0.0 ? __builtin_inf() : __builtin_nan(""));
    return x > 1.0 ? -y : y;
}
__HEALD_FN float erfcinvf(float x) { return float(__heald_erfcinv_single(x)); }
__HEALD_FN float normcdfinvf(float p) {
    return float(-1.4142135623730951 * __heald_erfcinv_single(2.0 * p));
}
__HEALD_FN double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2.0 * p); }

// -x / sqrt(2) is rounded to t; what it lost is put back through the derivative of erfc.
__HEALD_FN double normcdf(double x) {
    constexpr double high = 0.70710678118654757, low = -4.8336466567264567e-17;
    double bounded = __builtin_fmax(__builtin_fmin(x, 40.0), -40.0);
    double t = -bounded * high;
    double lost = __builtin_fma(-bounded, high, -t) - bounded * low;
    double value = 0.5 * erfc(t) - lost * 0.56418958354775628 * exp(-t * t);
    return x != x ? x : value;
}
__HEALD_FN float normcdff(float x) { return float(0.5 * erfc(-0.70710678118654757 * x)); }

// exp(x^2) erfc(x): as that product, and from 25 on by the asymptotic series.
__HEALD_FN double erfcx(double x) {
    double r = 1.0 / x, z = 0.5 * r * r;
    double rest = 1.0 - 9.0 * z * (1.0 - 11.0 * z * (1.0 - 13.0 * z));
    double series = 1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z * rest)));
    double tail = 0.56418958354775628 * r * series;
    double bounded = __builtin_fmin(x, 26.0), square = bounded * bounded;
    double lost = __builtin_fma(bounded, bounded, -square);
    double value = exp(square);
    value = value + (value < 1e300 ? value * lost : 0.0);
    return x > 25.0 ? tail : value * erfc(x);
}
__HEALD_FN float erfcxf(float x) { return float(erfcx(double(x))); }
