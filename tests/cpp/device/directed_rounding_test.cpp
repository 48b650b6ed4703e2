// Arithmetic with a stated rounding against the processor's own rounding modes, to the bit.

#include "tests/cpp/device/device_library.hpp"

#include <cfenv>
#include <cmath>
#include <functional>

namespace heald::device_test {
namespace {

constexpr std::size_t count = 100000;

struct Mode {
    const char* suffix;
    int value;
};
constexpr Mode modes[] = {
    {"_rn", FE_TONEAREST}, {"_rd", FE_DOWNWARD}, {"_ru", FE_UPWARD}, {"_rz", FE_TOWARDZERO}};

template <class T>
using Operation = std::function<T(T, T, T)>;

// Volatile operands keep the compiler from computing under another mode.
template <class T>
T in_mode(int mode, const Operation<T>& operation, T a, T b, T c) {
    volatile T va = a, vb = b, vc = c;
    std::fesetround(mode);
    volatile T result = operation(va, vb, vc);
    std::fesetround(FE_TONEAREST);
    return result;
}

template <class T>
bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

template <class T>
void check(const std::string& name, int operands, const Operation<T>& operation,
           const std::function<bool(T, T, T)>& covered = {}) {
    const std::uint64_t seed = fresh_seed();
    std::mt19937_64 random(seed);
    const auto a = any_floats<T>(random, count), b = any_floats<T>(random, count),
               c = any_floats<T>(random, count);
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        for (const Mode& mode : modes) {
            const std::string full = name + mode.suffix;
            const std::vector<T> got = operands == 1   ? library.map<T>(full, a)
                                       : operands == 2 ? library.map<T>(full, a, b)
                                                       : library.map<T>(full, a, b, c);
            for (std::size_t i = 0; i < count; ++i) {
                if (covered && !covered(a[i], b[i], c[i])) continue;
                const T want = in_mode(mode.value, operation, a[i], b[i], c[i]);
                ASSERT_TRUE(same(got[i], want))
                    << full << " on " << target << ": " << std::hexfloat << a[i] << ", " << b[i]
                    << ", " << c[i] << " gave " << got[i] << ", not " << want << "; seed " << seed;
            }
        }
    }
}

TEST(DirectedRounding, SingleAddition) {
    check<float>("__fadd", 2, [](float a, float b, float) { return a + b; });
    check<float>("__fsub", 2, [](float a, float b, float) { return a - b; });
}
TEST(DirectedRounding, SingleMultiplication) {
    check<float>("__fmul", 2, [](float a, float b, float) { return a * b; });
}
TEST(DirectedRounding, SingleDivision) {
    check<float>("__fdiv", 2, [](float a, float b, float) { return a / b; });
    check<float>("__frcp", 1, [](float a, float, float) { return 1.0f / a; });
}
TEST(DirectedRounding, SingleSquareRoot) {
    check<float>("__fsqrt", 1, [](float a, float, float) { return std::sqrt(a); });
}
TEST(DirectedRounding, SingleFusedMultiplyAdd) {
    check<float>("__fmaf", 3, [](float a, float b, float c) { return std::fma(a, b, c); });
}
TEST(DirectedRounding, DoubleAddition) {
    check<double>("__dadd", 2, [](double a, double b, double) { return a + b; });
    check<double>("__dsub", 2, [](double a, double b, double) { return a - b; });
}
TEST(DirectedRounding, DoubleMultiplication) {
    check<double>("__dmul", 2, [](double a, double b, double) { return a * b; });
}
TEST(DirectedRounding, DoubleDivision) {
    check<double>("__ddiv", 2, [](double a, double b, double) { return a / b; });
    check<double>("__drcp", 1, [](double a, double, double) { return 1.0 / a; });
}
TEST(DirectedRounding, DoubleSquareRoot) {
    check<double>("__dsqrt", 1, [](double a, double, double) { return std::sqrt(a); });
}
// Exact while the product neither over- nor underflows.
TEST(DirectedRounding, DoubleFusedMultiplyAdd) {
    check<double>(
        "__fma", 3, [](double a, double b, double c) { return std::fma(a, b, c); },
        [](double a, double b, double) {
            const double p = std::fabs(a * b);
            return p > 1e-250 && p < 1e300;
        });
}

template <class From, class To>
void check_conversion(const std::string& name, const std::vector<From>& values) {
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        for (const Mode& mode : modes) {
            const std::vector<To> got = library.map<To>(name + mode.suffix, values);
            for (std::size_t i = 0; i < values.size(); ++i) {
                volatile From value = values[i];
                std::fesetround(mode.value);
                volatile To want = static_cast<To>(value);
                std::fesetround(FE_TONEAREST);
                ASSERT_TRUE(same(got[i], static_cast<To>(want)))
                    << name << mode.suffix << "(" << value << ") on " << target;
            }
        }
    }
}

TEST(DirectedRounding, Conversions) {
    std::mt19937_64 random(fresh_seed());
    check_conversion<double, float>("__double2float", any_floats<double>(random, count));
    std::vector<int> ints(count);
    std::vector<unsigned> uints(count);
    std::vector<long long> longs(count);
    std::vector<unsigned long long> ulongs(count);
    for (std::size_t i = 0; i < count; ++i) {
        ints[i] = static_cast<int>(random()) >> (i % 32);
        uints[i] = static_cast<unsigned>(random()) >> (i % 32);
        longs[i] = static_cast<long long>(random()) >> (i % 64);
        ulongs[i] = random() >> (i % 64);
    }
    ulongs[0] = ~0ull;
    longs[0] = std::numeric_limits<long long>::min();
    check_conversion<int, float>("__int2float", ints);
    check_conversion<unsigned, float>("__uint2float", uints);
    check_conversion<long long, float>("__ll2float", longs);
    check_conversion<unsigned long long, float>("__ull2float", ulongs);
    check_conversion<long long, double>("__ll2double", longs);
    check_conversion<unsigned long long, double>("__ull2double", ulongs);
}

}  // namespace
}  // namespace heald::device_test
