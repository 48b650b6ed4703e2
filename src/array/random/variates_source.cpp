#include "src/array/ops/device_functions.hpp"

// Numbers that take an unknown count of uniform ones. Element i has a block of its own and draws
// from it again and again, in higher and higher counters. In float64 throughout.

namespace heald::array {

std::span<const DeviceFunctions> variate_functions() noexcept {
    static constexpr DeviceFunctions all[] = {
        {"draws", "philox exact_math normal", R"(
namespace heald_ {
struct Draws {
    Source source;
    u64 block;
    unsigned attempt;
    __device__ Words next() { return words(source, block, attempt++); }
    __device__ double unit() { const Words w = next(); return heald_::unit(joined(w.x, w.y)); }
    __device__ double positive() { const Words w = next(); return positive_unit(joined(w.x, w.y)); }
    __device__ double normal() {
        const Words w = next();
        return normal_of(joined(w.x, w.y), joined(w.z, w.w), false);
    }
};
__device__ inline Draws draws(const Source& s, long long i) { return {s, (u64)i, 0u}; }
__device__ inline double not_a_number() { return __longlong_as_double(0x7FF8000000000000LL); }
}
)"},
        // Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). The
        // logarithm, so that small shapes do not vanish: log(gamma(a + 1)) + log(u) / a.
        {"gamma_variate", "draws", R"(
namespace heald_ {
__device__ inline double log_gamma_variate(Draws& draw, double shape) {
    const double more = shape < 1.0 ? exact_log(draw.positive()) / shape : 0.0;
    const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        const double x = draw.normal(), root = 1.0 + c * x;
        if (root <= 0.0) continue;
        const double v = root * root * root, log_v = exact_log(v);
        const double log_u = exact_log(draw.positive());
        if (log_u < 0.5 * x * x + d - d * v + d * log_v) return exact_log(d) + log_v + more;
    }
}
__device__ inline double gamma_variate(Draws& draw, double shape) {
    if (!(shape >= 0.0)) return not_a_number();
    if (shape == 0.0) return 0.0;
    return exact_exp(log_gamma_variate(draw, shape));
}
__device__ inline double beta_variate(Draws& draw, double a, double b) {
    if (!(a > 0.0 && b > 0.0)) return not_a_number();
    const double x = log_gamma_variate(draw, a), y = log_gamma_variate(draw, b);
    return 1.0 / (1.0 + exact_exp(y - x));
}
}
)"},
        // Stirling's series at 10 and above, less the factors up to there.
        {"log_factorial", "exact_math", R"(
namespace heald_ {
// Of whole numbers from 0.
__device__ inline double log_factorial(double k) {
    double n = k + 1.0, product = 1.0;
    while (n < 10.0) {
        product *= n;
        n += 1.0;
    }
    const double z = 1.0 / (n * n);
    const double series = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 -
                          z * (1.0 / 1188 - z * (691.0 / 360360)))))) / n;
    return (n - 0.5) * exact_log(n) - n + 0.91893853320467274 + series - exact_log(product);
}
}
)"},
        // Small means: the distribution's own sums, searched. Else Hoermann, "The transformed
        // rejection method for generating Poisson random variables" (1993), PTRS.
        {"poisson_variate", "draws log_factorial", R"(
namespace heald_ {
__device__ inline long long poisson_variate(Draws& draw, double mean) {
    if (!(mean > 0.0)) return 0;
    if (mean < 10.0) {
        double p = exact_exp(-mean), u = draw.unit();
        long long k = 0;
        while (u > p && k < 200) {
            u -= p;
            ++k;
            p *= mean / (double)k;
        }
        return k;
    }
    const double root = sqrt(mean), log_mean = exact_log(mean);
    const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2.0);
    for (;;) {
        const Words w = draw.next();
        const double u = unit(joined(w.x, w.y)) - 0.5, v = positive_unit(joined(w.z, w.w));
        const double us = 0.5 - fabs(u), k = floor((2.0 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= v_r) return (long long)k;
        if (k < 0.0 || (us < 0.013 && v > us)) continue;
        if (exact_log(v * inverse_alpha / (a / (us * us) + b)) <=
            -mean + k * log_mean - log_factorial(k))
            return (long long)k;
    }
}
}
)"},
        // Few successes: the distribution's own sums, searched. Else Hoermann, "The generation of
        // binomial random variates" (1993), BTRS.
        {"binomial_variate", "draws log_factorial", R"(
namespace heald_ {
__device__ inline long long binomial_variate(Draws& draw, long long count, double chance) {
    if (count <= 0 || !(chance > 0.0)) return 0;
    if (chance >= 1.0) return count;
    const bool flipped = chance > 0.5;
    const double p = flipped ? 1.0 - chance : chance, q = 1.0 - p, n = (double)count;
    long long k = 0;
    if (n * p < 10.0) {
        const double odds = p / q;
        double u = draw.unit(), term = exact_exp(n * exact_log(q));
        const long long most = count < 200 ? count : 200;
        while (u > term && k < most) {
            u -= term;
            ++k;
            term *= odds * ((n - (double)k + 1.0) / (double)k);
        }
        return flipped ? count - k : k;
    }
    const double root = sqrt(n * p * q), b = 1.15 + 2.53 * root;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5, v_r = 0.92 - 4.2 / b;
    const double alpha = (2.83 + 5.1 / b) * root, log_odds = exact_log(p / q);
    const double m = floor((n + 1.0) * p), h = log_factorial(m) + log_factorial(n - m);
    for (;;) {
        const Words w = draw.next();
        const double u = unit(joined(w.x, w.y)) - 0.5, v = positive_unit(joined(w.z, w.w));
        const double us = 0.5 - fabs(u), x = floor((2.0 * a / us + b) * u + c);
        if (x < 0.0 || x > n) continue;
        k = (long long)x;
        if (us >= 0.07 && v <= v_r) break;
        if (exact_log(v * alpha / (a / (us * us) + b)) <=
            h - log_factorial(x) - log_factorial(n - x) + (x - m) * log_odds)
            break;
    }
    return flipped ? count - k : k;
}
}
)"},
    };
    return all;
}

}  // namespace heald::array
