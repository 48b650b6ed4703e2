// The usual index computations stay contiguous vector accesses.

#include "tests/cpp/simt/kernel_runner.hpp"

#include <gtest/gtest.h>

namespace heald::cpu::test {
namespace {

int occurrences(const std::string& text, const std::string& what) {
    int found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        ++found;
    }
    return found;
}

struct Access {
    const char* name;
    const char* body;
};

class Contiguous : public testing::TestWithParam<Access> {};

TEST_P(Contiguous, NoGatherAndNoScatter) {
    const std::string source =
        std::string("extern \"C\" __global__ void k(int n, float a, const float* x, float* y) {") +
        GetParam().body + "}";
    KernelRunner runner(source, can_run("x86-64-v4") ? "x86-64-v4" : "x86-64-v3");
    const std::string code = runner.vectorised("k", variant_for(32, {256, 1, 1}));
    EXPECT_EQ(occurrences(code, "call <32 x float> @llvm.masked.gather"), 0) << code;
    EXPECT_EQ(occurrences(code, "call void @llvm.masked.scatter"), 0) << code;
    EXPECT_GT(
        occurrences(code, "x float> @llvm.masked.load") + occurrences(code, "load <32 x float>"),
        0);
}

INSTANTIATE_TEST_SUITE_P(
    Indices, Contiguous,
    testing::Values(
        Access{"saxpy_int",
               "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i];"},
        Access{"saxpy_unsigned",
               "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
               "if (i < n) y[i] = a * x[i] + y[i];"},
        Access{"saxpy_size_t",
               "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;"
               "if (i < n) y[i] = a * x[i] + y[i];"},
        Access{"grid_stride",
               "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;"
               "     i += blockDim.x * gridDim.x) y[i] = a * x[i];"},
        Access{"stencil",
               "int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y, i = r * n + c;"
               "if (i > 0 && i < n) y[i] = x[i - 1] + x[i + 1] + x[i - n] + x[i + n];"},
        Access{"rows",
               "int c = threadIdx.x; for (int r = 0; r < n; ++r) y[r * n + c] = x[r * n + c] * a;"},
        Access{"shared_tile",
               "__shared__ float s[256]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads();"
               "y[threadIdx.x] = s[threadIdx.x ^ 32];"}),
    [](const auto& info) { return std::string(info.param.name); });

// Where wrapping around cannot be excluded, both forms are there and a scalar check chooses.
TEST(Guarded, UnsignedHalo) {
    KernelRunner runner(R"CUDA(extern "C" __global__ void k(unsigned n, const float* x, float* y) {
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = i - 1u;
        if (j < n) y[i] = x[j]; })CUDA",
                        can_run("x86-64-v4") ? "x86-64-v4" : "x86-64-v3");
    const std::string code = runner.vectorised("k", variant_for(32, {256, 1, 1}));
    EXPECT_EQ(occurrences(code, "call <32 x float> @llvm.masked.gather"), 1) << code;
    EXPECT_EQ(occurrences(code, "call <32 x float> @llvm.masked.load"), 1) << code;
}

}  // namespace
}  // namespace heald::cpu::test
