#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

namespace heald::test {
namespace {

cpu::CompiledUnit link(const std::vector<std::string>& sources) {
    std::vector<cpu::CompiledUnit> units;
    for (const std::string& source : sources)
        units.push_back(compiler().compile(source_of(source)));
    std::vector<const cpu::CompiledUnit*> pointers;
    for (const auto& unit : units) pointers.push_back(&unit);
    return compiler().link(pointers);
}

const char* library = R"(
__device__ int offset = 100;
static __device__ int mine = 1;
__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
__device__ int shifted(int x) { return x + offset + mine; }
)";

const char* user = R"(
extern __device__ int offset;
extern __device__ float warp_sum(float v);
__device__ int shifted(int x);
static __device__ int mine = 1000;
extern "C" __global__ void k(int* out, float* sums) {
    int i = threadIdx.x;
    out[i] = shifted(i) + mine;
    sums[i] = warp_sum((float)i);
    if (i == 0) offset += 0;
}
)";

TEST(Link, FunctionsAndVariablesOfOtherUnitsAreFound) {
    CompiledProgram program(link({user, library}));
    std::vector<int> out(32);
    std::vector<float> sums(32);
    program.run("k", line(1, 32), out.data(), sums.data());
    for (int i = 0; i < 32; ++i) {
        EXPECT_EQ(out[i], i + 100 + 1 + 1000) << i;
        EXPECT_EQ(sums[i], 496.0F) << i;
    }
    EXPECT_TRUE(program.record("k").uses_warp);
    EXPECT_EQ(program.unit().globals.size(), 3U);
}

TEST(Link, ALinkedUnitCanBeLinkedAgain) {
    const cpu::CompiledUnit once = link({user, library});
    const cpu::CompiledUnit more =
        compiler().compile(source_of("extern \"C\" __global__ void other(int* x) { *x = 3; }\n"));
    CompiledProgram program(compiler().link({&more, &once}));
    int x = 0;
    program.run("other", line(1, 1), &x);
    EXPECT_EQ(x, 3);
    EXPECT_EQ(program.unit().kernels.size(), 2U);
}

TEST(Link, SymbolsDefinedTwiceAreNamed) {
    try {
        link({library, library});
        FAIL() << "no error";
    } catch (const CompileError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.find("offset") != std::string::npos ||
                    text.find("shifted") != std::string::npos ||
                    text.find("warp_sum") != std::string::npos)
            << text;
    }
}

TEST(Link, WhatNoUnitDefinesIsNamedWhenItIsLoaded) {
    const auto unit = compiler().compile(
        source_of("__device__ int elsewhere(int x);\n"
                  "extern \"C\" __global__ void k(int* x) { *x = elsewhere(*x); }\n"));
    CompiledProgram program(unit);
    int x = 0;
    try {
        program.run("k", line(1, 1), &x);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("elsewhere(int)"), std::string::npos)
            << error.what();
    }
}

TEST(Link, NothingIsAnError) {
    EXPECT_THROW(compiler().link({}), Error);
}

}  // namespace
}  // namespace heald::test
