// half and bfloat16: every bit pattern, every rounding, arithmetic rounded once; the same bits on
// every instruction set.

#include "tests/cpp/device/device_library.hpp"

#include <cmath>

namespace heald::device_test {
namespace {

struct Format {
    const char* name;
    int fraction;     // stored bits of the significand
    int lowest;       // exponent of the smallest normal number
    double overflow;  // from here on numbers round to infinity
};
constexpr Format half{"half", 10, -14, 65520.0};
const Format bfloat{"bfloat", 7, -126, std::ldexp(511.0, 119)};

/// The value of a bit pattern.
double value(const Format& format, std::uint16_t bits) {
    const int exponent_bits = 15 - format.fraction;
    const int field = (bits & 0x7fff) >> format.fraction, top = (1 << exponent_bits) - 1;
    const int significand = bits & ((1 << format.fraction) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (field == top) return significand ? NAN : sign * INFINITY;
    const int scale = format.lowest - format.fraction + (field ? field - 1 : 0);
    return sign * std::ldexp(significand + (field ? 1 << format.fraction : 0), scale);
}

/// The bits of an exact value rounded to nearest, ties to even. `sticky`: the sign of what the
/// exact value has beyond `x`.
std::uint16_t nearest(const Format& format, long double x, int sticky = 0) {
    const int infinity = ((1 << (15 - format.fraction)) - 1) << format.fraction;
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x)) return 0x7fff;
    long double a = std::fabs(x);
    if (sign) sticky = -sticky;
    if (std::isinf(a)) return static_cast<std::uint16_t>(sign | infinity);
    int exponent = a > 0 ? std::ilogb(a) : format.lowest;
    if (exponent < format.lowest) exponent = format.lowest;
    const long double unit = std::ldexp(1.0L, exponent - format.fraction);
    const long double quotient = a / unit;
    auto steps = static_cast<long long>(quotient);
    const long double rest = quotient - steps;
    if (rest > 0.5L || (rest == 0.5L && (sticky > 0 || (sticky == 0 && (steps & 1))))) ++steps;
    const long long bits =
        steps + (static_cast<long long>(exponent - format.lowest) << format.fraction);
    return static_cast<std::uint16_t>(sign | (bits > infinity ? infinity : bits));
}

bool same_short(const Format& format, std::uint16_t a, std::uint16_t b) {
    return a == b || (std::isnan(value(format, a)) && std::isnan(value(format, b)));
}

std::vector<std::uint16_t> all_patterns() {
    std::vector<std::uint16_t> bits(65536);
    for (int i = 0; i < 65536; ++i)
        bits[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(i);
    return bits;
}

class ShortFloat : public ::testing::TestWithParam<const Format*> {
protected:
    const Format& format() const { return *GetParam(); }
    std::string named(const char* suffix) const { return std::string(format().name) + suffix; }

    std::vector<std::uint16_t> random_patterns(std::mt19937_64& random, std::size_t count) const {
        std::vector<std::uint16_t> bits(count);
        for (std::size_t i = 0; i < count; ++i) {
            bits[i] = static_cast<std::uint16_t>(random());
            // Half of them near one, where operations interact.
            const auto one = static_cast<std::uint16_t>(-format().lowest << format().fraction);
            if (i % 2)
                bits[i] = static_cast<std::uint16_t>((bits[i] & 0x8fff) % 0x1000 + one - 0x800);
        }
        return bits;
    }
};
INSTANTIATE_TEST_SUITE_P(Formats, ShortFloat, ::testing::Values(&half, &bfloat),
                         [](const auto& info) { return info.param->name; });

TEST_P(ShortFloat, EveryPatternHasItsValue) {
    const auto bits = all_patterns();
    for (const std::string& target : targets()) {
        const auto got = DeviceLibrary(target).map<float>(named("_value"), bits);
        for (std::size_t i = 0; i < bits.size(); ++i) {
            const double want = value(format(), bits[i]);
            ASSERT_TRUE(got[i] == want || (std::isnan(got[i]) && std::isnan(want))) << bits[i];
            ASSERT_EQ(std::signbit(got[i]), (bits[i] & 0x8000) != 0) << bits[i];
        }
    }
}

TEST_P(ShortFloat, FloatsAndDoublesRoundOnce) {
    std::mt19937_64 random(fresh_seed());
    auto floats = any_floats<float>(random, 300000);
    auto doubles = any_floats<double>(random, 300000);
    // Ties, and doubles that a rounding to float would turn into ties.
    for (std::uint16_t b = 0; b < 0x7c00; b += 3) {
        const double low = value(format(), b),
                     high = value(format(), static_cast<std::uint16_t>(b + 1));
        if (!std::isfinite(high)) continue;
        floats.push_back(static_cast<float>((low + high) / 2));
        doubles.push_back((low + high) / 2);
        doubles.push_back(std::nextafter((low + high) / 2, INFINITY));
        doubles.push_back(std::nextafter((low + high) / 2, -INFINITY));
    }
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        const auto from_float = library.map<std::uint16_t>(named("_nearest"), floats);
        const auto from_double = library.map<std::uint16_t>(named("_of_double"), doubles);
        for (std::size_t i = 0; i < floats.size(); ++i) {
            ASSERT_TRUE(same_short(format(), from_float[i], nearest(format(), floats[i])))
                << std::hexfloat << floats[i] << " on " << target;
        }
        for (std::size_t i = 0; i < doubles.size(); ++i) {
            ASSERT_TRUE(same_short(format(), from_double[i], nearest(format(), doubles[i])))
                << std::hexfloat << doubles[i] << " on " << target;
        }
    }
}

TEST_P(ShortFloat, ArithmeticRoundsOnce) {
    std::mt19937_64 random(fresh_seed());
    const std::size_t count = 300000;
    const auto a = random_patterns(random, count), b = random_patterns(random, count),
               c = random_patterns(random, count);
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        const auto sum = library.map<std::uint16_t>(named("_add"), a, b);
        const auto product = library.map<std::uint16_t>(named("_mul"), a, b);
        const auto quotient = library.map<std::uint16_t>(named("_div"), a, b);
        const auto fused = library.map<std::uint16_t>(named("_fma"), a, b, c);
        for (std::size_t i = 0; i < count; ++i) {
            const double x = value(format(), a[i]), y = value(format(), b[i]),
                         z = value(format(), c[i]);
            // bfloat16 products and quotients below the normal range pass through a float.
            const bool tiny = format().lowest == -126 && std::fabs(x * y) < 0x1p-126;
            const bool tiny_quotient = format().lowest == -126 && std::fabs(x / y) < 0x1p-126;
            const long double exact_sum = static_cast<long double>(x) + y;
            if (std::fabs(std::ilogb(x) - std::ilogb(y)) < 50) {
                ASSERT_TRUE(same_short(format(), sum[i], nearest(format(), exact_sum)))
                    << x << " + " << y << " on " << target;
            }
            if (!tiny) {
                ASSERT_TRUE(same_short(format(), product[i], nearest(format(), x * y)))
                    << x << " * " << y << " on " << target;
            }
            if (!tiny_quotient) {
                ASSERT_TRUE(same_short(format(), quotient[i],
                                       nearest(format(), static_cast<long double>(x) / y)))
                    << x << " / " << y << " on " << target;
            }
            const double p = x * y, s = p + z, t = s - p;
            const double error = (p - (s - t)) + (z - t);  // exact: what the double sum lost
            const int sticky = std::isfinite(s) ? (error > 0) - (error < 0) : 0;
            ASSERT_TRUE(same_short(format(), fused[i], nearest(format(), s, sticky)))
                << x << " * " << y << " + " << z << " on " << target;
        }
    }
}

TEST_P(ShortFloat, MaximumPrefersNumbersAndPositiveZero) {
    const std::uint16_t nan = 0x7fff, zero = 0, minus_zero = 0x8000;
    const std::uint16_t one = nearest(format(), 1.0);
    const std::vector<std::uint16_t> a{nan, one, nan, zero, minus_zero},
        b{one, nan, nan, minus_zero, zero};
    for (const std::string& target : targets()) {
        const auto got = DeviceLibrary(target).map<std::uint16_t>(named("_max"), a, b);
        EXPECT_EQ(got, (std::vector<std::uint16_t>{one, one, 0x7fff, zero, zero})) << target;
    }
}

TEST(Half, DirectedRoundingBracketsTheValue) {
    std::mt19937_64 random(fresh_seed());
    const auto floats = any_floats<float>(random, 300000);
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        const auto down = library.map<std::uint16_t>("half_down", floats);
        const auto up = library.map<std::uint16_t>("half_up", floats);
        const auto zero = library.map<std::uint16_t>("half_zero", floats);
        for (std::size_t i = 0; i < floats.size(); ++i) {
            const float x = floats[i];
            if (std::isnan(x)) continue;
            const double low = value(half, down[i]), high = value(half, up[i]);
            ASSERT_LE(low, x) << std::hexfloat << x;
            ASSERT_GE(high, x) << std::hexfloat << x;
            // Neighbours, or the same when exact.
            if (low != high && std::isfinite(low) && std::isfinite(high) && low != 0 && high != 0) {
                ASSERT_EQ(std::abs(int(down[i]) - int(up[i])), 1) << std::hexfloat << x;
            }
            ASSERT_EQ(value(half, zero[i]), x < 0 ? high : low) << std::hexfloat << x;
        }
    }
}

TEST(Half, IntegersRoundOnce) {
    std::mt19937_64 random(fresh_seed());
    std::vector<long long> values;
    for (int i = 0; i < 300000; ++i) values.push_back(static_cast<long long>(random()) >> (i % 64));
    for (long long v = 2049; v < 65536; v += 2) values.push_back(v);
    for (const std::string& target : targets()) {
        const auto got = DeviceLibrary(target).map<std::uint16_t>("half_of_integer", values);
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_EQ(got[i], nearest(half, values[i])) << values[i] << " on " << target;
    }
}

}  // namespace
}  // namespace heald::device_test
