// One machine makes code for several instruction sets; results must agree.

#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace heald::test {
namespace {

cpu::Target named(const char* name) {
    setenv("HEALD_CPU_TARGET", name, 1);
    cpu::Target target = compiler().resolve({});
    unsetenv("HEALD_CPU_TARGET");
    return target;
}

TEST(Targets, TheHostIsDescribedByItsFeatures) {
    const cpu::Target host = compiler().resolve({});
    EXPECT_FALSE(host.cpu.empty());
    EXPECT_EQ(host.features.find("avx10"), std::string::npos);
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2");
    EXPECT_EQ(host.features.find("+avx2") != std::string::npos, avx2);
#endif
    EXPECT_EQ(compiler().resolve(host).features, host.features);
}

TEST(Targets, AnUnknownOverrideIsAnError) {
    setenv("HEALD_CPU_TARGET", "pentium", 1);
    EXPECT_THROW(compiler().resolve({}), Error);
    unsetenv("HEALD_CPU_TARGET");
}

class EachTarget : public testing::TestWithParam<const char*> {};

TEST_P(EachTarget, MathAndMemoryGiveTheSameResults) {
    const std::string name = GetParam();
    if (name == "x86-64-v4" && !__builtin_cpu_supports("avx512vl")) GTEST_SKIP() << "no AVX-512";
    if (name == "x86-64-v3" && !__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no AVX2";
    CompiledProgram program(compiler().compile(source_of(R"(
#include <cuda_fp16.h>
extern "C" __global__ void k(int n, const float* x, float* y, double* z, unsigned short* h) {
    __shared__ float s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    float v = s[127 - t];
    if (i < n) {
        y[i] = expf(v) * sinf(v) + powf(fabsf(v), 1.5f) + tanhf(v);
        z[i] = exp((double)v) + log(1.0 + fabs((double)v));
        _Float16 a = (_Float16)v;
        a = a * a + (_Float16)0.125f;
        h[i] = __builtin_bit_cast(unsigned short, a);
    }
})")),
                            named(GetParam()));
    const int n = 1000;
    std::vector<float> x(n), y(n, NAN);
    std::vector<double> z(n, NAN);
    std::vector<unsigned short> h(n, 0xabab);
    for (int i = 0; i < n; ++i) x[i] = std::sin(0.1F * static_cast<float>(i)) * 3;
    program.run("k", line((n + 127) / 128, 128), n, x.data(), y.data(), z.data(), h.data());
    for (int i = 0; i < n; ++i) {
        const int j = i / 128 * 128 + 127 - i % 128;
        const double v = j < n ? x[j] : 0.0F;
        const double want = std::exp(v) * std::sin(v) + std::pow(std::fabs(v), 1.5) + std::tanh(v);
        EXPECT_NEAR(y[i], want, 1e-5 * (1 + std::fabs(want))) << i;
        EXPECT_NEAR(z[i], std::exp(v) + std::log(1 + std::fabs(v)), 1e-12 * 20) << i;
        _Float16 a = static_cast<_Float16>(static_cast<float>(v));
        a = static_cast<_Float16>(static_cast<float>(a) * static_cast<float>(a));
        a = static_cast<_Float16>(static_cast<float>(a) + 0.125F);
        EXPECT_EQ(h[i], __builtin_bit_cast(unsigned short, a)) << i << ' ' << v;
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, EachTarget,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"));

TEST(Options, ContractionIsTheCallersChoice) {
    const char* source =
        "extern \"C\" __global__ void k(float* o, float a, float b, float c) {"
        " float p = a * b; *o = p + c; }\n";
    auto input = source_of(source);
    const float a = 1 + 0x1p-12F, c = -(1 + 0x1p-11F);
    for (const bool contract : {true, false}) {
        input.contract = contract;
        CompiledProgram program(compiler().compile(input), named("x86-64-v3"));
        float out = 0;
        program.run("k", line(1, 1), &out, a, a, c);
        EXPECT_EQ(out, contract ? 0x1p-24F : 0.0F);
    }
}

TEST(Options, LineInformationAndFastMathCompile) {
    auto input = source_of(
        "extern \"C\" __global__ void k(float* o) { o[threadIdx.x] = expf(o[threadIdx.x]) / 3; "
        "}\n");
    for (int i = 0; i < 3; ++i) {
        input.line_info = i == 0;
        input.debug = i == 1;
        input.fast_math = i == 2;
        CompiledProgram program(compiler().compile(input));
        std::vector<float> out(64, 1.0F);
        program.run("k", line(1, 64), out.data());
        for (const float x : out) EXPECT_NEAR(x, std::exp(1.0F) / 3, 1e-5) << i;
    }
}

TEST(Variants, FollowTheBlockAndTheKernel) {
    cpu::KernelRecord kernel;
    const auto lanes = [&](std::uint32_t x, std::uint32_t y, std::uint32_t limit = 0) {
        const std::uint32_t block[3] = {x, y, 1};
        return compiler().choose_variant(kernel, block, limit);
    };
    EXPECT_EQ(lanes(256, 1), (cpu::Variant{32, true, true}));
    EXPECT_EQ(lanes(100, 1), (cpu::Variant{32, true, false}));
    EXPECT_EQ(lanes(16, 16), (cpu::Variant{16, true, true}));
    EXPECT_EQ(lanes(10, 10), (cpu::Variant{4, false, true}));
    EXPECT_EQ(lanes(256, 1, 8), (cpu::Variant{8, true, true}));
    EXPECT_EQ(lanes(1, 1).lanes, 1);
    kernel.uses_warp = true;
    EXPECT_EQ(lanes(16, 16), (cpu::Variant{32, false, true}));
    EXPECT_EQ(lanes(16, 1, 4), (cpu::Variant{32, true, false}));
    kernel.uses_warp = false;
    kernel.has_lane_yield = true;
    EXPECT_EQ(lanes(256, 1), (cpu::Variant{1, true, true}));
}

}  // namespace
}  // namespace heald::test
