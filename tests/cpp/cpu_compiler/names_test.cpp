#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace heald::test {
namespace {

const std::string many = R"(
namespace ns { __global__ void k(float* x) { x[0] = 1; } }
__global__ void over(int* x) { x[0] = 2; }
__global__ void over(float* x) { x[0] = 3; }
extern "C" __global__ void plain(int* x) { x[0] = 4; }
template <class T, int N> __global__ void scale(T* x) { x[0] = x[0] * T(N); }
template __global__ void scale<float, 2>(float*);
namespace { __global__ void hidden(int* x) { x[0] = 5; } }
static __global__ void local(int* x) { x[0] = 6; }
)";

std::vector<std::string> display_names(const cpu::CompiledUnit& unit) {
    std::vector<std::string> names;
    for (const auto& kernel : unit.kernels) names.push_back(kernel.display_name);
    std::sort(names.begin(), names.end());
    return names;
}

TEST(Names, EveryKernelOfTheSourceIsFound) {
    const auto unit = compiler().compile(source_of(many));
    EXPECT_EQ(display_names(unit),
              (std::vector<std::string>{"(anonymous namespace)::hidden", "local", "ns::k", "over",
                                        "over", "plain", "scale<float, 2>"}));
    for (const auto& kernel : unit.kernels) {
        EXPECT_EQ(kernel.display_name == "plain", kernel.name == "plain") << kernel.name;
        EXPECT_EQ(kernel.expression, "");
    }
}

TEST(Names, TemplateInstancesAreMadeOnRequest) {
    CompiledProgram program(compiler().compile(
        source_of(many, {"scale<double, 7>", "scale<float, 2>", "&scale<int,3>"})));
    double x = 2;
    program.run("scale<double, 7>", line(1, 1), &x);
    EXPECT_EQ(x, 14);
    float y = 4;
    program.run("scale<float, 2>", line(1, 1), &y);
    EXPECT_EQ(y, 8);
    int z = 5;
    program.run("&scale<int,3>", line(1, 1), &z);
    EXPECT_EQ(z, 15);
    EXPECT_EQ(program.record("&scale<int,3>").display_name, "scale<int, 3>");
}

TEST(Names, PlainNamesFindKernelsThatAreNotExternC) {
    const auto unit =
        compiler().compile(source_of(many, {"ns::k", "k", "plain", "hidden", "scale"}));
    const auto asked = [&](const std::string& expression) {
        for (const auto& kernel : unit.kernels) {
            if (kernel.expression == expression) return kernel.display_name;
        }
        return std::string("none");
    };
    EXPECT_EQ(asked("ns::k"), "ns::k");
    EXPECT_EQ(asked("k"), "ns::k");
    EXPECT_EQ(asked("plain"), "plain");
    EXPECT_EQ(asked("hidden"), "(anonymous namespace)::hidden");
    EXPECT_EQ(asked("scale"), "scale<float, 2>");
}

TEST(Names, OverloadsAreListed) {
    const CompileError error = error_of(source_of(many, {"over"}));
    const std::string text = error.what();
    EXPECT_NE(text.find("ambiguous"), std::string::npos) << text;
    EXPECT_NE(text.find("over(int *)"), std::string::npos) << text;
    EXPECT_NE(text.find("over(float *)"), std::string::npos) << text;
}

TEST(Names, OverloadsCanBeChosenByTheirType) {
    CompiledProgram program(
        compiler().compile(source_of(many, {"static_cast<void (*)(float*)>(over)"})));
    float x = 0;
    program.run("static_cast<void (*)(float*)>(over)", line(1, 1), &x);
    EXPECT_EQ(x, 3);
}

TEST(Names, UnknownNamesSayWhatThereIs) {
    const CompileError error = error_of(source_of(many, {"nothing"}));
    const std::string text = error.what();
    EXPECT_NE(text.find("nothing"), std::string::npos) << text;
    EXPECT_NE(text.find("plain(int *)"), std::string::npos) << text;
}

TEST(Names, ErrorsInAnExpressionAreClangsOwnAndNameIt) {
    const CompileError error = error_of(source_of(many, {"scale<flot, 2>"}));
    ASSERT_FALSE(error.diagnostics().empty());
    const Diagnostic& first = error.diagnostics()[0];
    EXPECT_EQ(first.file, "name expression 'scale<flot, 2>'");
    EXPECT_EQ(first.line, 1);
    EXPECT_EQ(first.column, 7);
    EXPECT_NE(first.message.find("flot"), std::string::npos);
    EXPECT_EQ(error.log().find("__heald"), std::string::npos) << error.log();
}

TEST(Names, ADeviceFunctionIsNoKernel) {
    const CompileError error =
        error_of(source_of("template <class T> __device__ void f(T* x) { *x = 1; }\n", {"f<int>"}));
    EXPECT_NE(std::string(error.what()).find("not a __global__"), std::string::npos)
        << error.what();
}

TEST(Names, TheSameKernelMayBeAskedForTwice) {
    const auto unit = compiler().compile(source_of(many, {"scale<int, 2>", "scale<int, 1 + 1>"}));
    int count = 0;
    for (const auto& kernel : unit.kernels) count += kernel.display_name == "scale<int, 2>";
    EXPECT_EQ(count, 2);
}

TEST(Names, ASourceWithoutKernelsIsFine) {
    const auto unit = compiler().compile(source_of("__device__ int f(int x) { return x + 1; }\n"));
    EXPECT_TRUE(unit.kernels.empty());
}

TEST(Names, InstancesMadeByLaunchesInHostCodeAreFound) {
    const auto unit = compiler().compile(source_of(R"(
#include <cuda_runtime.h>
template <class T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
void host(float* x) { fill<<<1, 32>>>(x, 2.0f); fill<float><<<dim3(2), dim3(8), 0>>>(x, 1.0f); }
int main() { return 0; }
)"));
    ASSERT_EQ(unit.kernels.size(), 1U);
    EXPECT_EQ(unit.kernels[0].display_name, "fill<float>");
}

}  // namespace
}  // namespace heald::test
