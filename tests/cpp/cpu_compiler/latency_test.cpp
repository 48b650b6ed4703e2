// Prints how long compiles take. The bounds asserted are generous: processors differ.

#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

namespace heald::test {
namespace {

struct Sample {
    const char* name;
    Shape shape;
    const char* source;
};

const Sample samples[] = {
    {"saxpy", line(1, 256), R"(
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
})"},
    {"gridstride", line(1, 256), R"(
extern "C" __global__ void gridstride(int n, const float* a, const float* b, float* c) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        c[i] = a[i] * b[i] + c[i];
})"},
    {"reduce", line(1, 256), R"(
extern "C" __global__ void reduce(int n, const float* in, float* out) {
    extern __shared__ float sm[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sm[t] = i < n ? in[i] : 0.f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) sm[t] += sm[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sm[0];
})"},
    {"matmul", {{1, 1, 1}, {16, 16, 1}, 0}, R"(
extern "C" __global__ void matmul(int n, const float* A, const float* B, float* C) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0.f;
    for (int t = 0; t < n / 16; ++t) {
        As[ty][tx] = A[row * n + t * 16 + tx];
        Bs[ty][tx] = B[(t * 16 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
})"},
};

/// Processor time of this thread: what the work costs on a machine that does other things too.
double milliseconds(const std::function<void()>& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    };
    const double start = now();
    work();
    return now() - start;
}

TEST(Latency, OfCompilingAndBuilding) {
    for (const Sample& sample : samples) {
        double compile = 1e9, build = 1e9, load = 1e9;
        for (int i = 0; i < 5; ++i) {
            cpu::CompiledUnit unit;
            cpu::KernelObject object;
            compile = std::min(compile, milliseconds([&] {
                                   unit = compiler().compile(source_of(sample.source));
                               }));
            const auto variant = compiler().choose_variant(unit.kernels[0], sample.shape.block, 0);
            build = std::min(build, milliseconds([&] {
                                 object = compiler().build(unit, unit.kernels[0].name, variant, {});
                             }));
            load = std::min(load, milliseconds([&] { cpu::LoadedObject::load(object.elf, {}); }));
        }
        std::printf("%-12s compile %6.1f ms, build %6.1f ms, load %.3f ms\n", sample.name, compile,
                    build, load);
        EXPECT_LT(compile + build, 1000);
        EXPECT_LT(load, 50);
    }
}

}  // namespace
}  // namespace heald::test
