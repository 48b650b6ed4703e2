// The functions that src/device computes itself: their error in ulp against long double. The bounds
// are the measured maxima (docs/numerics.md) with room for what random inputs may add.

#include "tests/cpp/device/device_library.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace heald::device_test {
namespace {

constexpr long double pi = 3.14159265358979323846264338327950288L;

long double sine_pi(long double x) {
    const long double r = x - 2 * std::floor(x / 2 + 0.5L);  // [-1, 1)
    const long double f = std::fabs(r) > 0.5L ? std::copysign(1 - std::fabs(r), r) : r;
    return std::sin(pi * f);
}
long double cosine_pi(long double x) {
    const long double r = std::fabs(x - 2 * std::floor(x / 2 + 0.5L));
    return std::fabs(r - 0.5L) < 0.25L ? std::sin(pi * (0.5L - r)) : std::cos(pi * r);
}
// Newton's iteration: on erf where the result is small, else on log(erfc), whose start is below the
// root.
long double inverse_erf(long double x);
long double inverse_erfc(long double q) {
    if (q > 1) return -inverse_erfc(2 - q);
    if (q > 0.6L) return inverse_erf(1 - q);
    long double y = std::sqrt(-std::log(q * std::sqrt(-std::log(q) * pi)));
    for (int i = 0; i < 60; ++i) {
        const long double e = std::erfc(y);
        y += (std::log(e) - std::log(q)) * e * std::exp(y * y) * std::sqrt(pi) / 2;
    }
    return y;
}
long double inverse_erf(long double x) {
    if (std::fabs(x) > 0.45L) return std::copysign(inverse_erfc(1 - std::fabs(x)), x);
    long double y = x * std::sqrt(pi) / 2;
    for (int i = 0; i < 20; ++i) y += (x - std::erf(y)) * std::exp(y * y) * std::sqrt(pi) / 2;
    return y;
}
long double bessel_i(int order, long double x) {
    const long double q = x * x / 4;
    long double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 400 && std::fabs(term) > std::fabs(sum) * 1e-22L; ++k)
        sum += term *= q / (static_cast<long double>(k) * (k + order));
    return sum;
}

struct Range {
    double low, high;
    bool logarithmic = false;
};
struct Function {
    const char* name;
    std::function<long double(long double)> exact;
    std::vector<Range> single, twice;  // of float and of double arguments
    double single_bound, double_bound;
};

const Function functions[] = {
    {"rsqrt",
     [](long double x) { return 1 / std::sqrt(x); },
     {{1e-37, 1e37, true}},
     {{1e-300, 1e300, true}},
     2,
     2},
    {"rcbrt",
     [](long double x) { return 1 / std::cbrt(x); },
     {{1e-37, 1e37, true}},
     {{1e-300, 1e300, true}},
     3,
     1.5},
    {"sinpi", sine_pi, {{-3, 3}, {1e-30, 1e4, true}}, {{-3, 3}, {1e-300, 1e5, true}}, 1.5, 1.5},
    {"cospi", cosine_pi, {{-3, 3}, {1e-30, 1e4, true}}, {{-3, 3}, {1e-300, 1e5, true}}, 1.5, 1.5},
    {"erfinv",
     inverse_erf,
     {{-0.99999, 0.99999}, {1e-30, 0.5, true}},
     {{-0.9999999, 0.9999999}, {1e-300, 0.5, true}},
     0.6,
     3},
    {"erfcinv",
     inverse_erfc,
     {{0.01, 1.99}, {1e-37, 0.5, true}},
     {{0.01, 1.99}, {1e-300, 0.5, true}},
     0.6,
     3},
    {"normcdf",
     [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; },
     {{-13, 6}},
     {{-37, 6}, {-3, 3}},
     0.6,
     4},
    {"normcdfinv",
     [](long double p) { return -std::sqrt(2.0L) * inverse_erfc(2 * p); },
     {{0.01, 0.49}, {1e-37, 0.4, true}},
     {{0.01, 0.49}, {1e-300, 0.4, true}},
     0.6,
     4},
    {"erfcx",
     [](long double x) { return std::exp(x * x) * std::erfc(x); },
     {{-9, 30}, {0, 3}},
     {{-26, 60}, {0, 3}},
     0.6,
     5},
    {"cyl_bessel_i0",
     [](long double x) { return bessel_i(0, x); },
     {{-80, 80}, {-8.5, 8.5}},
     {{-80, 80}, {-8.5, 8.5}},
     0.6,
     6},
    {"cyl_bessel_i1",
     [](long double x) { return bessel_i(1, x); },
     {{-80, 80}, {-8.5, 8.5}},
     {{-80, 80}, {-8.5, 8.5}},
     0.6,
     6},
};

template <class T>
double ulps(T got, long double want) {
    if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
    const int exponent =
        std::max(want == 0 ? -10000 : std::ilogb(want), std::numeric_limits<T>::min_exponent - 1);
    const long double unit = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits + 1);
    return static_cast<double>(std::fabs(got - want) / unit);
}

class SpecialFunction : public ::testing::TestWithParam<const Function*> {
protected:
    template <class T>
    void check(const std::vector<Range>& ranges, double bound) {
        const std::uint64_t seed = fresh_seed();
        std::mt19937_64 random(seed);
        std::vector<T> x;
        for (const Range& range : ranges) {
            for (int i = 0; i < 8000; ++i) {
                std::uniform_real_distribution<double> u(
                    range.logarithmic ? std::log(range.low) : range.low,
                    range.logarithmic ? std::log(range.high) : range.high);
                const double v = u(random);
                x.push_back(static_cast<T>(range.logarithmic ? std::exp(v) : v));
            }
        }
        for (const std::string& target : targets()) {
            const std::string name = GetParam()->name + std::string(sizeof(T) == 4 ? "f" : "");
            const std::vector<T> got = DeviceLibrary(target).map<T>(name, x);
            double worst = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double error = ulps(got[i], GetParam()->exact(x[i]));
                worst = std::max(worst, error);
                ASSERT_LE(error, bound) << name << "(" << std::hexfloat << x[i] << ") = " << got[i]
                                        << " on " << target << "; seed " << seed;
            }
            RecordProperty(name + "_" + target, std::to_string(worst));
        }
    }
};

std::vector<const Function*> pointers() {
    std::vector<const Function*> all;
    for (const Function& f : functions) all.push_back(&f);
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, SpecialFunction, ::testing::ValuesIn(pointers()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(SpecialFunction, SinglePrecision) {
    check<float>(GetParam()->single, GetParam()->single_bound);
}
TEST_P(SpecialFunction, DoublePrecision) {
    check<double>(GetParam()->twice, GetParam()->double_bound);
}

TEST(SpecialFunctions, PolesAndZeros) {
    const double inf = INFINITY;
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        const auto is = [&](const char* name, double x, double want) {
            const double got = library.map<double>(name, std::vector<double>{x})[0];
            EXPECT_TRUE((std::isnan(got) && std::isnan(want)) ||
                        (got == want && std::signbit(got) == std::signbit(want)))
                << name << "(" << x << ") = " << got << ", not " << want << " on " << target;
        };
        is("rsqrt", 0.0, inf);
        is("rcbrt", -0.0, -inf);
        is("rcbrt", inf, 0.0);
        is("sinpi", 3.0, 0.0);
        is("sinpi", -3.0, -0.0);
        is("sinpi", inf, NAN);
        is("cospi", 1.5, 0.0);
        is("cospi", 1e300, 1.0);
        is("erfinv", 1.0, inf);
        is("erfinv", -1.0, -inf);
        is("erfinv", 1.5, NAN);
        is("erfinv", -0.0, -0.0);
        is("erfcinv", 0.0, inf);
        is("erfcinv", 2.0, -inf);
        is("erfcinv", 1.0, 0.0);
        is("normcdf", -inf, 0.0);
        is("normcdf", inf, 1.0);
        is("normcdfinv", 0.0, -inf);
        is("normcdfinv", 1.0, inf);
        is("erfcx", -inf, inf);
        is("erfcx", inf, 0.0);
        is("cyl_bessel_i0", 0.0, 1.0);
        is("cyl_bessel_i0", -inf, inf);
        is("cyl_bessel_i1", -inf, -inf);
        is("normcdf", NAN, NAN);
    }
}

TEST(SpecialFunctions, NormsNeitherOverflowNorVanish) {
    const std::vector<double> a{3e300, 3e-300, 0, INFINITY, 1}, b{4e300, 4e-300, 0, NAN, 2},
        c{0, 0, 0, 1, 2};
    for (const std::string& target : targets()) {
        const auto norm = DeviceLibrary(target).map<double>("norm3d", a, b, c);
        EXPECT_LE(ulps(norm[0], 5e300L), 4) << target;
        EXPECT_LE(ulps(norm[1], 5e-300L), 4) << target;
        EXPECT_EQ(norm[2], 0) << target;
        EXPECT_EQ(norm[3], INFINITY) << target;
        EXPECT_EQ(norm[4], 3) << target;
    }
}

}  // namespace
}  // namespace heald::device_test
