#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

namespace heald::test {
namespace {

const char* source = R"(
__constant__ float table[4] = {1, 2, 3, 4};
__constant__ int unset;
__device__ int counter = 5;
__device__ int* pointer = &counter;
namespace ns { __device__ double big[3] = {0.5, 1.5}; }
static __device__ unsigned hidden = 9;
__device__ int unused = 3;
extern "C" __global__ void bump(int* out) {
    static __device__ int calls = 100;
    if (threadIdx.x == 0) { counter += 1; hidden += 10; calls += 1; *out = calls; }
}
extern "C" __global__ void read(float* out) {
    out[0] = table[0] + table[threadIdx.x & 3] * 0 + table[3];
    out[1] = counter; out[2] = hidden; out[3] = *pointer; out[4] = ns::big[1]; out[5] = unset;
}
)";

TEST(Globals, AreSharedByKernelsAndVisibleToTheHost) {
    CompiledProgram program(source);
    float out[6] = {};
    program.run("read", line(1, 1), &out[0]);
    EXPECT_EQ(out[0], 5.0F);
    EXPECT_EQ(out[1], 5.0F);
    EXPECT_EQ(out[2], 9.0F);
    EXPECT_EQ(out[3], 5.0F);
    EXPECT_EQ(out[4], 1.5F);
    EXPECT_EQ(out[5], 0.0F);

    int calls = 0;
    program.run("bump", line(1, 32), &calls);
    program.run("bump", line(1, 32), &calls);
    EXPECT_EQ(calls, 102);
    program.run("read", line(1, 1), &out[0]);
    EXPECT_EQ(out[1], 7.0F);
    EXPECT_EQ(out[2], 29.0F);
    EXPECT_EQ(out[3], 7.0F);

    // The host writes; another variant of the kernel sees it.
    *program.variable<int>("counter") = 40;
    program.variable<float>("table")[3] = 10;
    program.run("read", line(1, 96), &out[0]);
    EXPECT_EQ(out[0], 11.0F);
    EXPECT_EQ(out[1], 40.0F);
}

TEST(Globals, AreListedWithTypeSizeAndKind) {
    const auto unit = compiler().compile(source_of(source));
    std::map<std::string, cpu::GlobalRecord> found;
    for (const auto& global : unit.globals) found[global.display_name] = global;
    ASSERT_TRUE(found.count("table"));
    EXPECT_EQ(found["table"].size, 16U);
    EXPECT_TRUE(found["table"].is_constant);
    EXPECT_EQ(found["table"].type_name, "float[4]");
    ASSERT_TRUE(found.count("ns::big"));
    EXPECT_EQ(found["ns::big"].size, 24U);
    EXPECT_FALSE(found["ns::big"].is_constant);
    EXPECT_TRUE(found.count("unused"));
    EXPECT_TRUE(found.count("hidden"));
    EXPECT_TRUE(found.count("pointer"));
}

TEST(Globals, TwoUnitsOfOneSourceHaveTheirOwn) {
    const auto unit = compiler().compile(source_of(source));
    CompiledProgram first(unit), second(unit);
    int calls = 0;
    first.run("bump", line(1, 1), &calls);
    EXPECT_EQ(*first.variable<int>("counter"), 6);
    EXPECT_EQ(*second.variable<int>("counter"), 5);
}

TEST(Globals, SharedVariablesAreNoGlobals) {
    const auto unit = compiler().compile(source_of(R"(
extern __shared__ float dynamic[];
extern "C" __global__ void k(float* out) {
    __shared__ float buffer[64];
    buffer[threadIdx.x] = dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = buffer[63 - threadIdx.x] + dynamic[threadIdx.x];
})"));
    EXPECT_TRUE(unit.globals.empty());
    EXPECT_EQ(unit.kernels.at(0).static_shared_bytes, 256U);
    EXPECT_TRUE(unit.kernels.at(0).has_dynamic_shared);
    EXPECT_TRUE(unit.kernels.at(0).has_barrier);
    CompiledProgram program(unit);
    std::vector<float> out(64);
    Shape shape = line(1, 64);
    shape.dynamic_shared = 256;
    program.run("k", shape, out.data());
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 63.0F);
}

TEST(Globals, RecursiveAndVirtualFunctionsRun) {
    CompiledProgram program(R"(
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
struct Base { __device__ virtual int f(int x) const { return x; } };
struct Twice : Base { __device__ int f(int x) const override { return 2 * x; } };
struct Square : Base { __device__ int f(int x) const override { return x * x; } };
typedef int (*Op)(int);
__device__ int inc(int x) { return x + 1; }
__device__ int dec(int x) { return x - 1; }
__device__ Op ops[2] = {inc, dec};
extern "C" __global__ void k(int* out) {
    int i = threadIdx.x;
    Twice twice; Square square;
    const Base* b = (i & 1) ? (const Base*)&twice : (const Base*)&square;
    out[i] = fib(i % 12) * 10000 + b->f(i) * 10 + ops[i % 2](i % 3);
})");
    std::vector<int> out(48);
    program.run("k", line(1, 48), out.data());
    const auto fib = [](auto self, int n) -> int {
        return n < 2 ? n : self(self, n - 1) + self(self, n - 2);
    };
    for (int i = 0; i < 48; ++i) {
        const int f = (i & 1) ? 2 * i : i * i;
        const int o = i % 2 == 0 ? i % 3 + 1 : i % 3 - 1;
        EXPECT_EQ(out[i], fib(fib, i % 12) * 10000 + f * 10 + o) << i;
    }
    EXPECT_TRUE(program.record("k").calls_out_of_line);
}

}  // namespace
}  // namespace heald::test
