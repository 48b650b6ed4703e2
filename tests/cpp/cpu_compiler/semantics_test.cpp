// What C++ leaves undefined and GPUs define, at every width of vector and with constants too.

#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace heald::test {
namespace {

/// Runs `body`, which sets `out[i]` from `a[i]` and `b[i]`, for all pairs in lanes and alone.
template <typename Out, typename A, typename B>
std::vector<Out> evaluate(const std::string& types, const std::string& body,
                          const std::vector<A>& a, const std::vector<B>& b, unsigned lanes) {
    static std::map<std::string, std::unique_ptr<CompiledProgram>> programs;
    auto& program = programs[types + body];
    if (program == nullptr) {
        program = std::make_unique<CompiledProgram>(
            types +
            "\nextern \"C\" __global__ void k(int n, Out* out, const A* a, const B* b) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (i < n) out[i] = " +
            body + ";\n}\n");
    }
    std::vector<Out> out(a.size(), Out(77));
    int n = static_cast<int>(a.size());
    Out* out_data = out.data();
    const A* a_data = a.data();
    const B* b_data = b.data();
    void* argv[] = {&n, &out_data, &a_data, &b_data};
    cpu::Variant variant;
    variant.lanes = static_cast<std::uint8_t>(lanes);
    variant.full = 64 % lanes == 0;
    program->run_packed("k", line(static_cast<std::uint32_t>(n + 63) / 64, 64), argv, &variant);
    return out;
}

class Semantics : public testing::TestWithParam<unsigned> {
protected:
    template <typename T>
    void divide(const char* name) {
        std::vector<T> a, b;
        const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
        for (T x : {T(0), T(1), T(-1), T(7), T(-7), low, high, T(low + 1)}) {
            for (T y : {T(0), T(1), T(-1), T(3), T(-3), low, high}) {
                a.push_back(x);
                b.push_back(y);
            }
        }
        const std::string types =
            std::string("using Out = ") + name + "; using A = Out; using B = Out;";
        const auto quotient = evaluate<T>(types, "a[i] / b[i]", a, b, GetParam());
        const auto remainder = evaluate<T>(types, "a[i] % b[i]", a, b, GetParam());
        for (std::size_t i = 0; i < a.size(); ++i) {
            T q, r;
            if (b[i] == 0) {
                // In 64 bits, 32 ones for a dividend of 32 bits, also as the remainder.
                const bool is_low = sizeof(T) == 8 && static_cast<std::uint64_t>(a[i]) >> 32 == 0;
                q = is_low ? static_cast<T>(0xffffffff) : static_cast<T>(~T(0));
                r = sizeof(T) == 8 ? q : a[i];
            } else if (std::is_signed_v<T> && a[i] == low && b[i] == T(-1)) {
                q = low;
                r = 0;
            } else {
                q = a[i] / b[i];
                r = a[i] % b[i];
            }
            EXPECT_EQ(quotient[i], q) << name << ' ' << a[i] << " / " << b[i];
            EXPECT_EQ(remainder[i], r) << name << ' ' << a[i] << " % " << b[i];
        }
    }

    template <typename T>
    void shift(const char* name) {
        constexpr unsigned width = sizeof(T) * 8;
        std::vector<T> a;
        std::vector<unsigned> b;
        for (T x : {T(1), T(-1), T(0x1234567), std::numeric_limits<T>::min()}) {
            for (unsigned n : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 65U, 255U, ~0U}) {
                a.push_back(x);
                b.push_back(n);
            }
        }
        const std::string types =
            std::string("using Out = ") + name + "; using A = Out; using B = unsigned;";
        const auto left = evaluate<T>(types, "a[i] << b[i]", a, b, GetParam());
        const auto right = evaluate<T>(types, "a[i] >> b[i]", a, b, GetParam());
        using U = std::make_unsigned_t<T>;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const T l = b[i] >= width ? T(0) : static_cast<T>(static_cast<U>(a[i]) << b[i]);
            const T r = b[i] >= width ? (a[i] < 0 ? T(-1) : T(0)) : static_cast<T>(a[i] >> b[i]);
            EXPECT_EQ(left[i], l) << name << ' ' << a[i] << " << " << b[i];
            EXPECT_EQ(right[i], r) << name << ' ' << a[i] << " >> " << b[i];
        }
    }

    /// The nearest value; NaN as PTX says.
    template <typename To, typename From>
    static To converted(From x) {
        if (std::isnan(x)) {
            const bool lowest = sizeof(To) == 8 || sizeof(From) == 8;
            return lowest ? static_cast<To>(To(1) << (sizeof(To) * 8 - 1)) : To(0);
        }
        if (x <= static_cast<From>(std::numeric_limits<To>::min())) {
            return std::numeric_limits<To>::min();
        }
        if (x >= static_cast<From>(std::numeric_limits<To>::max())) {
            return std::numeric_limits<To>::max();
        }
        return static_cast<To>(x);
    }

    template <typename To, typename From>
    void convert(const char* to, const char* from) {
        std::vector<From> a;
        for (From x : {From(0), From(0.5), From(-0.5), From(1.99), From(-1.99), From(2147483648.0),
                       From(-2147483648.0), From(4294967296.0), From(-4294967297.0), From(3e9),
                       From(1e19), From(-1e19), From(2e19), std::numeric_limits<From>::infinity(),
                       -std::numeric_limits<From>::infinity(),
                       std::numeric_limits<From>::quiet_NaN(), From(123456.7), From(-77.0)}) {
            a.push_back(x);
        }
        const std::string types =
            std::string("using Out = ") + to + "; using A = " + from + "; using B = A;";
        const auto out = evaluate<To>(types, "(Out)a[i]", a, a, GetParam());
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_EQ(out[i], (converted<To, From>(a[i]))) << from << ' ' << a[i] << " to " << to;
        }
    }
};

TEST_P(Semantics, Division32) {
    divide<std::int32_t>("int");
    divide<std::uint32_t>("unsigned");
}

TEST_P(Semantics, Division64) {
    divide<std::int64_t>("long long");
    divide<std::uint64_t>("unsigned long long");
}

TEST_P(Semantics, Shifts) {
    shift<std::int32_t>("int");
    shift<std::uint32_t>("unsigned");
    shift<std::int64_t>("long long");
    shift<std::uint64_t>("unsigned long long");
}

TEST_P(Semantics, FloatToInteger) {
    convert<std::int32_t, float>("int", "float");
    convert<std::uint32_t, float>("unsigned", "float");
    convert<std::int64_t, float>("long long", "float");
    convert<std::uint64_t, float>("unsigned long long", "float");
    convert<std::int32_t, double>("int", "double");
    convert<std::uint32_t, double>("unsigned", "double");
    convert<std::int64_t, double>("long long", "double");
    convert<std::uint64_t, double>("unsigned long long", "double");
}

TEST_P(Semantics, ADivisionWhoseResultIsNotUsedDoesNotTrap) {
    const std::vector<int> a{5, 6, 7, std::numeric_limits<int>::min()}, b{0, 2, 0, -1};
    const auto out = evaluate<int>("using Out = int; using A = int; using B = int;",
                                   "b[i] == 0 ? 9 : a[i] / b[i]", a, b, GetParam());
    EXPECT_EQ(out, (std::vector<int>{9, 3, 9, std::numeric_limits<int>::min()}));
}

TEST_P(Semantics, MemoryMayBeReadThroughPointersOfAnotherType) {
    std::vector<float> a{1.0F, -2.5F};
    const auto out = evaluate<unsigned>(
        "using Out = unsigned; using A = float; using B = float;\n"
        "__device__ unsigned pun(float x) { float y = x; unsigned* p = (unsigned*)&y; *p ^= 1u; "
        "y += 0.0f; return *(unsigned*)&y; }",
        "pun(a[i])", a, a, GetParam());
    EXPECT_EQ(out, (std::vector<unsigned>{0x3f800001U, 0xc0200001U}));
}

INSTANTIATE_TEST_SUITE_P(Lanes, Semantics, testing::Values(1U, 4U, 8U, 16U, 32U));

TEST(Bfloat, ArithmeticRoundsToNearestEvenOnEveryTarget) {
    const char* source = R"(
extern "C" __global__ void k(int n, const float* a, const float* b, unsigned short* out) {
  int i = threadIdx.x;
  if (i >= n) return;
  __bf16 x = (__bf16)a[i], y = (__bf16)b[i];
  __bf16 z = x * y + x;
  out[i] = __builtin_bit_cast(unsigned short, z);
})";
    const auto to_bfloat = [](float x) {
        std::uint32_t bits;
        std::memcpy(&bits, &x, 4);
        bits += 0x7fff + ((bits >> 16) & 1);
        bits &= 0xffff0000U;
        std::memcpy(&x, &bits, 4);
        return x;
    };
    std::vector<float> a, b;
    for (int i = 0; i < 64; ++i) {
        a.push_back(1.0F + 0.013F * static_cast<float>(i));
        b.push_back(-3.0F + 0.21F * static_cast<float>(i * i));
    }
    a[3] = 1e-39F;  // subnormal
    b[3] = 1.0F;
    for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
        setenv("HEALD_CPU_TARGET", name, 1);
        const cpu::Target target = compiler().resolve({});
        unsetenv("HEALD_CPU_TARGET");
        if (name == std::string("x86-64-v4") && !__builtin_cpu_supports("avx512vl")) continue;
        CompiledProgram program(compiler().compile(source_of(source)), target);
        std::vector<unsigned short> out(64);
        program.run("k", line(1, 64), 64, a.data(), b.data(), out.data());
        for (int i = 0; i < 64; ++i) {
            const float x = to_bfloat(a[i]), y = to_bfloat(b[i]);
            const float z = to_bfloat(to_bfloat(x * y) + x);
            std::uint32_t bits;
            std::memcpy(&bits, &z, 4);
            EXPECT_EQ(out[i], bits >> 16) << name << ' ' << i;
        }
    }
}

}  // namespace
}  // namespace heald::test
