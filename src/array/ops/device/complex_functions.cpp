#include "src/array/ops/device_functions.hpp"

// Functions of a complex number, in double: what they are for complex64 is rounded once. Branch
// cuts, signed zeros and infinities are those of C's Annex G. The inverse functions follow W.
// Kahan, "Branch cuts for complex elementary functions" (1987).

namespace heald::array {

std::span<const DeviceFunctions> complex_functions() noexcept {
    static constexpr DeviceFunctions all[] = {
        {"complex_double", "complex", R"(
namespace heald_ {
using Z = complex<double>;
template <class R> __device__ inline Z wide(complex<R> a) { return {(double)a.re, (double)a.im}; }
template <class R> __device__ inline complex<R> as(Z a) { return {(R)a.re, (R)a.im}; }
// i * a and -i * a: circular functions are hyperbolic ones of a turned number, turned back.
template <class R> __device__ inline Z turned(complex<R> a) { return {-(double)a.im, (double)a.re}; }
template <class R> __device__ inline complex<R> turned_back(Z a) { return {(R)a.im, (R)-a.re}; }
__device__ inline bool finite(double a) { return a - a == 0.0; }
__device__ inline bool infinite(double a) { return a == a && a - a != 0.0; }
__device__ inline double nan() { return __longlong_as_double(0x7ff8000000000000LL); }
}
)"},
        {"complex_sqrt", "complex_double", R"(
namespace heald_ {
__device__ inline Z csqrt(Z z) {
    if (infinite(z.im)) return {fabs(z.im), z.im};
    if (z.re == 0.0 && z.im == 0.0) return {0.0, z.im};
    if (infinite(z.re)) {
        const double flat = z.im == z.im ? copysign(0.0, z.im) : z.im;
        return z.re > 0.0 ? Z{z.re, flat} : Z{fabs(flat), copysign(z.re, z.im)};
    }
    double x = fabs(z.re), y = fabs(z.im), scale = 1.0;
    if (x > 1e307 || y > 1e307) {
        x *= 0.0625, y *= 0.0625, scale = 4.0;
    } else if (x < 1e-290 && y < 1e-290) {
        x *= 0x1p200, y *= 0x1p200, scale = 0x1p-100;
    }
    const double root = sqrt(0.5 * (x + hypot(x, y)));
    const double other = 0.5 * (y / root) * scale, main = root * scale;
    return z.re >= 0.0 ? Z{main, copysign(other, z.im)} : Z{other, copysign(main, z.im)};
}
}
)"},
        {"complex_exp", "complex_double", R"(
namespace heald_ {
// Beyond this, half of the exponent is applied twice: the product may be finite again.
__device__ inline Z cexp(Z z) {
    if (z.im == 0.0) return {exp(z.re), z.im};
    if (infinite(z.re) && !finite(z.im)) return z.re < 0.0 ? Z{0.0, 0.0} : Z{z.re, nan()};
    const double c = cos(z.im), s = sin(z.im);
    if (fabs(z.re) > 700.0) {
        const double half = exp(0.5 * z.re);
        return {half * c * half, half * s * half};
    }
    const double size = exp(z.re);
    return {size * c, size * s};
}
}
)"},
        {"complex_exp2", "complex_exp", R"(
namespace heald_ {
__device__ inline Z cexp2(Z z) {
    const double ln2 = 0.693147180559945309417, angle = z.im * ln2;
    if (z.im == 0.0 || !(fabs(z.re) < 1000.0) || !finite(z.im)) return cexp({z.re * ln2, angle});
    // What rounding took from the angle.
    const double rest = fma(z.im, ln2, -angle) + z.im * 2.319046813846299558e-17;
    const double size = exp2(z.re), c = cos(angle), s = sin(angle);
    return {size * (c - rest * s), size * (s + rest * c)};
}
}
)"},
        {"complex_expm1", "complex_double", R"(
namespace heald_ {
__device__ inline Z cexpm1(Z z) {
    if (z.im == 0.0) return {expm1(z.re) + 0.0, z.im};
    // An angle that is none: of 0 at minus infinity, of infinity, else NaN.
    const bool no_angle = z.im - z.im != 0.0;
    if (no_angle && z.re - z.re != 0.0 && z.re == z.re)
        return z.re < 0.0 ? Z{-1.0, 0.0} : Z{z.re, z.im - z.im};
    const double half = sin(0.5 * z.im);
    return {expm1(z.re) * cos(z.im) - 2.0 * half * half, exp(z.re) * sin(z.im)};
}
}
)"},
        // The logarithm of the size keeps its digits near 1, where the sum of squares is taken
        // without rounding.
        {"complex_log", "complex_double", R"(
namespace heald_ {
// log(1 + a + b) / 2, where a is exact and b = q * q.
__device__ inline double half_log1p(double a, double low, double q) {
    const double b = q * q, sum = a + b, part = sum - a;
    const double rest = (a - (sum - part)) + (b - part);
    return 0.5 * log1p(sum + (rest + low + fma(q, q, -b)));
}
__device__ inline double log_size(double x, double y) {
    x = fabs(x), y = fabs(y);
    const double large = x > y ? x : y, small = x > y ? y : x;
    if (large >= 0.7 && large <= 1.42) {
        const double square = large * large;
        return half_log1p(square - 1.0, fma(large, large, -square), small);
    }
    if (large > 1e300 && large - large == 0.0)
        return log(hypot(0x1p-100 * x, 0x1p-100 * y)) + 69.31471805599453094;
    if (large < 1e-290) return log(hypot(0x1p100 * x, 0x1p100 * y)) - 69.31471805599453094;
    return log(hypot(x, y));
}
__device__ inline Z clog(Z z) { return {log_size(z.re, z.im), atan2(z.im, z.re)}; }
__device__ inline Z clog2(Z z) {
    const Z w = clog(z);
    return {w.re * 1.44269504088896340736, w.im * 1.44269504088896340736};
}
__device__ inline Z clog10(Z z) {
    const Z w = clog(z);
    return {w.re * 0.434294481903251827651, w.im * 0.434294481903251827651};
}
}
)"},
        {"complex_log1p", "complex_log", R"(
namespace heald_ {
__device__ inline Z clog1p(Z z) {
    const double x = z.re, sum = x + 1.0;
    if (!(fabs(x) < 0.5 && fabs(z.im) < 0.7)) return {log_size(sum, z.im), atan2(z.im, sum)};
    // |1 + z|^2 - 1 = 2 x + x^2 + y^2
    const double square = x * x, twice = 2.0 * x, first = twice + square;
    const double rest = square - (first - twice);
    return {half_log1p(first, rest + fma(x, x, -square), z.im), atan2(z.im, sum)};
}
}
)"},
        {"complex_power", "complex_exp complex_log", R"(
namespace heald_ {
__device__ inline Z cpow(Z a, Z b) {
    if (b.re == 0.0 && b.im == 0.0) return {1.0, 0.0};
    if (a.re == 0.0 && a.im == 0.0)
        return b.re > 0.0 && b.im == 0.0 ? Z{0.0, 0.0} : Z{nan(), nan()};
    if (b.im == 0.0 && b.re == floor(b.re) && fabs(b.re) < 100.0) {
        Z power{1.0, 0.0}, factor = a;
        for (int n = (int)fabs(b.re); n != 0; n >>= 1) {
            if (n & 1) power = power.re == 1.0 && power.im == 0.0 ? factor : power * factor;
            if (n > 1) factor = factor * factor;
        }
        return b.re > 0.0 ? power : Z{1.0, 0.0} / power;
    }
    return cexp(b * clog(a));
}
}
)"},
        {"complex_hyperbolic", "complex_double", R"(
namespace heald_ {
// (odd * c, even * s), where odd and even are half of exp(|x|) for a large x.
__device__ inline Z csinh(Z z) {
    if (z.im == 0.0) return {sinh(z.re), z.im};
    if (!finite(z.im) && (z.re == 0.0 || infinite(z.re))) return {z.re, nan()};
    const double c = cos(z.im), s = sin(z.im);
    if (fabs(z.re) > 700.0) {
        const double half = exp(0.5 * fabs(z.re));
        return {copysign(0.5 * half, z.re) * c * half, 0.5 * half * s * half};
    }
    return {sinh(z.re) * c, cosh(z.re) * s};
}
__device__ inline Z ccosh(Z z) {
    if (z.im == 0.0) return {cosh(z.re), copysign(1.0, z.re) * z.im};
    if (!finite(z.im) && z.re == 0.0) return {nan(), z.re};
    if (!finite(z.im) && infinite(z.re)) return {fabs(z.re), nan()};
    const double c = cos(z.im), s = sin(z.im);
    if (fabs(z.re) > 700.0) {
        const double half = exp(0.5 * fabs(z.re));
        return {0.5 * half * c * half, copysign(0.5 * half, z.re) * s * half};
    }
    return {cosh(z.re) * c, sinh(z.re) * s};
}
__device__ inline Z ctanh(Z z) {
    if (z.im == 0.0) return {tanh(z.re), z.im};
    if (!finite(z.im)) {
        if (infinite(z.re)) return {copysign(1.0, z.re), copysign(0.0, z.im)};
        return {z.re == 0.0 ? z.re : nan(), nan()};
    }
    if (fabs(z.re) > 22.0)
        return {copysign(1.0, z.re), 4.0 * sin(z.im) * cos(z.im) * exp(-2.0 * fabs(z.re))};
    const double t = tan(z.im), beta = 1.0 + t * t, s = sinh(z.re), rho = sqrt(1.0 + s * s);
    const double size = 1.0 + beta * s * s;
    return {beta * rho * s / size, t / size};
}
}
)"},
        {"complex_inverse", "complex_sqrt complex_log", R"(
namespace heald_ {
__device__ inline Z casin(Z z) {
    if (z.re == 0.0 && z.im != z.im) return z;
    if (fabs(z.re) > 1e100 || fabs(z.im) > 1e100)
        return {atan2(z.re, fabs(z.im)),
                copysign(log_size(z.re, z.im) + 0.693147180559945309417, z.im)};
    const Z p = csqrt({1.0 - z.re, -z.im}), q = csqrt({1.0 + z.re, z.im});
    return {atan2(z.re, p.re * q.re - p.im * q.im), asinh(p.re * q.im - p.im * q.re)};
}
__device__ inline Z cacos(Z z) {
    if (z.re == 0.0 && z.im != z.im) return {1.57079632679489661923, z.im};
    if (fabs(z.re) > 1e100 || fabs(z.im) > 1e100)
        return {atan2(fabs(z.im), z.re),
                copysign(log_size(z.re, z.im) + 0.693147180559945309417, __longlong_as_double(
                    __double_as_longlong(z.im) ^ (long long)(1ull << 63)))};
    const Z p = csqrt({1.0 - z.re, -z.im}), q = csqrt({1.0 + z.re, z.im});
    return {2.0 * atan2(p.re, q.re), asinh(q.re * p.im - q.im * p.re)};
}
__device__ inline Z cacosh(Z z) {
    const Z w = cacos(z);
    return {fabs(w.im), w.re == w.re ? copysign(w.re, z.im) : w.re};
}
__device__ inline Z catanh(Z z) {
    const double x = fabs(z.re), y = z.im, pi_2 = 1.57079632679489661923;
    if (z.re == 0.0 && y != y) return z;
    if (x > 1e100 || fabs(y) > 1e100) {
        const double size = hypot(x, y);
        return {copysign(infinite(size) ? 0.0 : x / size / size, z.re),
                y == y ? copysign(pi_2, y) : y};
    }
    double re;
    if (x == 1.0 && fabs(y) < 1e-100)
        re = 0.5 * (0.693147180559945309417 - log(fabs(y)));
    else
        re = 0.25 * log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + y * y));
    const double im = x == 1.0 && y == 0.0 ? y : 0.5 * atan2(2.0 * y, (1.0 - x) * (1.0 + x) - y * y);
    return {copysign(re, z.re), im};
}
}
)"},
        {"complex_sinc", "complex_hyperbolic", R"(
namespace heald_ {
__device__ inline Z csinc(Z z) {
    const double pi = 3.14159265358979323846;
    const Z angle{pi * z.re, pi * z.im};
    if (angle.re == 0.0 && angle.im == 0.0) return {1.0, 0.0};
    return turned_back<double>(csinh(turned(angle))) / angle;
}
}
)"},
    };
    return all;
}

}  // namespace heald::array
