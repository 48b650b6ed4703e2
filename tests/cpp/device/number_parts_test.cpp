// frexp, ldexp, modf, logb, ilogb and nextafter against the C library, to the bit.

#include "tests/cpp/device/device_library.hpp"

#include <cmath>

namespace heald::device_test {
namespace {

constexpr std::size_t count = 100000;

template <class T>
bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

template <class T>
class NumberParts : public ::testing::Test {
protected:
    static std::string named(const char* name) {
        return name + std::string(sizeof(T) == 4 ? "f" : "");
    }

    void SetUp() override {
        std::mt19937_64 random(fresh_seed());
        a_ = any_floats<T>(random, count);
        b_ = any_floats<T>(random, count);
        exponent_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            exponent_[i] = static_cast<int>(random() % (sizeof(T) == 4 ? 700 : 5000)) -
                           (sizeof(T) == 4 ? 350 : 2500);
            a_[i] = i < 64 ? std::ldexp(T(1), static_cast<int>(i) - 150) : a_[i];
        }
        a_[64] = T(0), a_[65] = -T(0), a_[66] = INFINITY, a_[67] = -INFINITY, a_[68] = NAN;
        b_[64] = -T(0), b_[65] = T(1), b_[66] = T(0);
    }

    std::vector<T> a_, b_;
    std::vector<int> exponent_;
};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NumberParts, Types);

TYPED_TEST(NumberParts, Frexp) {
    using T = TypeParam;
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        std::vector<T> got(count);
        std::vector<int> exponent(count);
        library.find<void(int, const T*, T*, int*)>(this->named("frexp"))(
            count, this->a_.data(), got.data(), exponent.data());
        for (std::size_t i = 0; i < count; ++i) {
            int want_exponent = 0;
            const T want = std::frexp(this->a_[i], &want_exponent);
            ASSERT_TRUE(same(got[i], want)) << this->a_[i] << " on " << target;
            if (std::isfinite(want)) {
                ASSERT_EQ(exponent[i], want_exponent) << this->a_[i];
            }
        }
    }
}

TYPED_TEST(NumberParts, Ldexp) {
    using T = TypeParam;
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        std::vector<T> got(count);
        library.find<void(int, const T*, const int*, T*)>(this->named("ldexp"))(
            count, this->a_.data(), this->exponent_.data(), got.data());
        for (std::size_t i = 0; i < count; ++i) {
            const T want = std::ldexp(this->a_[i], this->exponent_[i]);
            ASSERT_TRUE(same(got[i], want))
                << std::hexfloat << this->a_[i] << ", " << this->exponent_[i] << " gave " << got[i]
                << ", not " << want << " on " << target;
        }
    }
}

TYPED_TEST(NumberParts, ModfLogbNextafter) {
    using T = TypeParam;
    for (const std::string& target : targets()) {
        const DeviceLibrary library(target);
        std::vector<T> rest(count), whole(count);
        library.find<void(int, const T*, T*, T*)>(this->named("modf"))(count, this->a_.data(),
                                                                       whole.data(), rest.data());
        const auto logb = library.template map<T>(this->named("logb"), this->a_);
        const auto ilogb = library.template map<int>(this->named("ilogb"), this->a_);
        const auto next = library.template map<T>(this->named("nextafter"), this->a_, this->b_);
        for (std::size_t i = 0; i < count; ++i) {
            const T a = this->a_[i];
            T want_whole;
            const T want_rest = std::modf(a, &want_whole);
            ASSERT_TRUE(same(rest[i], want_rest) && same(whole[i], want_whole)) << a;
            ASSERT_TRUE(same(logb[i], std::logb(a))) << a;
            ASSERT_EQ(ilogb[i], std::ilogb(a)) << a;
            ASSERT_TRUE(same(next[i], std::nextafter(a, this->b_[i]))) << a << ", " << this->b_[i];
        }
    }
}

}  // namespace
}  // namespace heald::device_test
