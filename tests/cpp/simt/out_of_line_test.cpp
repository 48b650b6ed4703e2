// Functions that cannot be inlined: recursion, function pointers, virtual calls.

#include "tests/cpp/simt/kernel_runner.hpp"

#include <heald/error.hpp>

#include <gtest/gtest.h>

namespace heald::cpu::test {
namespace {

class OutOfLine : public testing::TestWithParam<unsigned> {
protected:
    static constexpr int count = 300;
    static constexpr Launch launch{{3, 1, 1}, {128, 1, 1}, 0};

    std::vector<int> run(const char* source, const char* kernel) {
        std::vector<int> out(count, -1);
        KernelRunner runner(source);
        runner(kernel, GetParam(), launch, count, out.data());
        return out;
    }
};

TEST_P(OutOfLine, Recursion) {
    const auto out = run(R"CUDA(
        __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
        extern "C" __global__ void k(int n, int* out) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) out[i] = fibonacci(i % 15);
        })CUDA",
                         "k");
    int expected[15] = {0, 1};
    for (int i = 2; i < 15; ++i) expected[i] = expected[i - 1] + expected[i - 2];
    for (int i = 0; i < count; ++i) EXPECT_EQ(out[i], expected[i % 15]) << i;
}

TEST_P(OutOfLine, KnowsItsThread) {
    const auto out = run(R"CUDA(
        __device__ int walk(int depth) {
            if (depth == 0) return blockIdx.x * blockDim.x + threadIdx.x + gridDim.x * 1000;
            return walk(depth - 1) + (int)threadIdx.y;
        }
        extern "C" __global__ void k(int n, int* out) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i % 3 != 1 && i < n) out[i] = walk(i % 4);
        })CUDA",
                         "k");
    for (int i = 0; i < count; ++i) EXPECT_EQ(out[i], i % 3 != 1 ? i + 3000 : -1) << i;
}

TEST_P(OutOfLine, FunctionPointers) {
    const auto out = run(R"CUDA(
        __device__ int twice(int x) { return 2 * x; }
        __device__ int negate(int x) { return -x; }
        __device__ int thread(int x) { return x + threadIdx.x; }
        __device__ int (*const table[3])(int) = {twice, negate, thread};
        extern "C" __global__ void k(int n, int* out) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) out[i] = table[i % 3](i);
        })CUDA",
                         "k");
    for (int i = 0; i < count; ++i) {
        const int expected = i % 3 == 0 ? 2 * i : i % 3 == 1 ? -i : i + i % 128;
        EXPECT_EQ(out[i], expected) << i;
    }
}

TEST_P(OutOfLine, VirtualCalls) {
    const auto out = run(R"CUDA(
        struct Shape { __device__ virtual int area(int x) const { return 0; } };
        struct Square : Shape { __device__ int area(int x) const override { return x * x; } };
        struct Strip : Shape {
            int width;
            __device__ Strip(int w) : width(w) {}
            __device__ int area(int x) const override { return width * x; }
        };
        extern "C" __global__ void k(int n, int* out) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            Square square;
            Strip strip(i % 7);
            const Shape* shapes[2] = {&square, &strip};
            if (i < n) out[i] = shapes[i % 2]->area(i);
        })CUDA",
                         "k");
    for (int i = 0; i < count; ++i) EXPECT_EQ(out[i], i % 2 ? i % 7 * i : i * i) << i;
}

TEST_P(OutOfLine, SharedMemory) {
    const auto out = run(R"CUDA(
        __shared__ int before[7];
        __device__ int sum(int first, int last) {
            __shared__ int values[128];
            if (last == -1) { values[first] = first * 3; return 0; }
            if (first == last) return values[first];
            int middle = (first + last) / 2;
            return sum(first, middle) + sum(middle + 1, last);
        }
        extern "C" __global__ void k(int n, int* out) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            before[threadIdx.x % 7] = 1;
            sum(threadIdx.x, -1);
            __syncthreads();
            if (i < n) out[i] = sum(0, threadIdx.x) + before[i % 7];
        })CUDA",
                         "k");
    for (int i = 0; i < count; ++i) {
        const int t = i % 128;
        EXPECT_EQ(out[i], 3 * t * (t + 1) / 2 + 1) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Lanes, OutOfLine, testing::Values(1U, 4U, 32U, 64U));

TEST(OutOfLineErrors, BarrierNamesTheFunction) {
    try {
        KernelRunner runner(R"CUDA(
            __device__ int deep(int n) {
                __syncthreads();
                return n == 0 ? 0 : deep(n - 1) + 1;
            }
            extern "C" __global__ void k(int* out) { *out = deep(3 + threadIdx.x); })CUDA");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::compile);
        EXPECT_NE(std::string(error.what()).find("deep"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("__syncthreads"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace heald::cpu::test
