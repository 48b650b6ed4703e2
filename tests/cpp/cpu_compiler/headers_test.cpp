#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace heald::test {
namespace {

bool has_cxx_library() {
    return std::filesystem::exists("/usr/include/c++");
}

TEST(Headers, StandaloneOnesNeedNothingOnDisk) {
    CompiledProgram program(R"(
#include <cstdint>
#include <cmath>
#include <type_traits>
#include <limits>
#include <cassert>
#include <cstdio>
extern "C" __global__ void k(std::int64_t* out, float x) {
    static_assert(std::is_same<std::int32_t, int>::value, "");
    out[0] = std::numeric_limits<int>::max();
    out[1] = (std::int64_t)std::sqrt(x);
})");
    std::int64_t out[2] = {};
    program.run("k", line(1, 1), &out[0], 81.0F);
    EXPECT_EQ(out[0], 2147483647);
    EXPECT_EQ(out[1], 9);
    EXPECT_TRUE(program.unit().dependencies.empty());
}

TEST(Headers, TheCxxLibraryWorksInKernels) {
    if (!has_cxx_library()) GTEST_SKIP() << "no libstdc++ headers on this machine";
    CompiledProgram program(R"(
#include <algorithm>
#include <array>
#include <tuple>
#include <cmath>
#include <utility>
extern "C" __global__ void k(int* out) {
    std::array<int, 4> a{3, 1, 4, 1};
    std::sort(a.begin(), a.end());
    auto [x, y] = std::tuple<int, int>(a[0] + a[3], std::max(a[1], a[2]));
    out[threadIdx.x] = x * 100 + y * 10 + std::clamp((int)threadIdx.x, 2, 5);
    out[0] = (int)sqrtf(49.0f);
})");
    std::vector<int> out(8);
    program.run("k", line(1, 8), out.data());
    for (int i = 1; i < 8; ++i) EXPECT_EQ(out[i], 530 + std::min(std::max(i, 2), 5)) << i;
    EXPECT_EQ(out[0], 7);
}

TEST(Headers, AWholeProgramWithHostCodeCompiles) {
    if (!has_cxx_library()) GTEST_SKIP() << "no libstdc++ headers on this machine";
    const auto unit = compiler().compile(source_of(R"(
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>
#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { \
    std::cerr << cudaGetErrorString(e) << std::endl; std::exit(1); } } while (0)
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main() {
    int n = 1 << 20;
    std::vector<float> h(n, 1.0f);
    float* d = nullptr;
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    CHECK(cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(d, d, d, n);
    CHECK(cudaDeviceSynchronize());
    cudaFree(d);
    try { std::printf("done\n"); } catch (const std::exception& e) { throw; }
    return 0;
})"));
    ASSERT_EQ(unit.kernels.size(), 1U);
    EXPECT_EQ(unit.kernels[0].display_name, "add");
}

TEST(Headers, HostCodeThatNoKernelUsesMayStandBesideUnannotatedDeviceCode) {
    const auto unit = compiler().compile(source_of(R"(
float twice(float x) { return 2 * x; }
extern "C" __global__ void k(float* x) { *x = twice(*x); }
)"));
    EXPECT_EQ(unit.kernels.size(), 1U);
    const CompileError error = error_of(source_of(R"(
float bad(float x) { if (x < 0) throw 1; return x; }
extern "C" __global__ void k(float* x) { *x = bad(*x); }
)"));
    EXPECT_NE(error.log().find("throw"), std::string::npos) << error.log();
}

TEST(Headers, UserHeadersComeFromMemoryFirst) {
    auto input = source_of(
        "#include \"a.h\"\n#include <sub/b.h>\n"
        "extern \"C\" __global__ void k(int* x) { *x = A + B; }\n");
    input.headers = {{"a.h", "#pragma once\n#define A 1\n"},
                     {"sub/b.h", "#include \"c.h\"\n"},
                     {"sub/c.h", "#include <a.h>\n#define B (A + 40)\n"}};
    CompiledProgram program(compiler().compile(input));
    int x = 0;
    program.run("k", line(1, 1), &x);
    EXPECT_EQ(x, 42);
}

TEST(Headers, DefinesAndUndefinesApply) {
    auto input = source_of(R"(
#if !defined(FLAG) || defined(__CUDACC_RTC__TEST__)
#error flag
#endif
extern "C" __global__ void k(int* x) { x[0] = VALUE; x[1] = ADD(2, 3); x[2] = FLAG; x[3] = __CUDA_ARCH__; }
)");
    input.defines = {"FLAG", "VALUE=7 + 1", "ADD(a,b)=((a) + (b))"};
    CompiledProgram program(compiler().compile(input));
    std::vector<int> x(4);
    program.run("k", line(1, 1), x.data());
    EXPECT_EQ(x, (std::vector<int>{8, 5, 1, 900}));
}

TEST(Headers, OlderAndNewerStandardsWork) {
    for (const char* standard : {"c++14", "c++17", "c++20", "c++23"}) {
        auto input = source_of(
            "#include <cstdint>\n#include <cuda_fp16.h>\n"
            "__global__ void k(long* x) { *x = __cplusplus; }\n");
        input.standard = standard;
        CompiledProgram program(compiler().compile(input));
        long x = 0;
        program.run("k", line(1, 1), &x);
        EXPECT_GE(x, 201402L) << standard;
    }
}

}  // namespace
}  // namespace heald::test
