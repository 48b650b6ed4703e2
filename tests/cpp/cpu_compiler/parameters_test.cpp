// Every way in which the platform passes structures must reach the kernel whole.

#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

namespace heald::test {
namespace {

struct Float3 {
    float x, y, z;
};
struct DoubleChar {
    double d;
    char c;
};
struct Bytes5 {
    char b[5];
};
struct Shorts3 {
    short s[3];
};
struct Large {
    int values[40];
};
struct Mixed {
    float f;
    int i;
    double d;
};
struct Empty {};

const char* types = R"(
struct Float3 { float x, y, z; };
struct DoubleChar { double d; char c; };
struct Bytes5 { char b[5]; };
struct Shorts3 { short s[3]; };
struct Large { int values[40]; };
struct Mixed { float f; int i; double d; };
struct Empty {};
)";

TEST(Parameters, SmallStructuresArriveWhole) {
    CompiledProgram program(std::string(types) + R"(
extern "C" __global__ void k(double* out, Float3 a, DoubleChar b, Bytes5 c, Shorts3 d, Mixed e,
                             Empty, bool f, char g, unsigned short h) {
    out[0] = a.x + a.y * 10 + a.z * 100; out[1] = b.d + b.c; out[2] = c.b[0] + c.b[4] * 10;
    out[3] = d.s[0] + d.s[1] + d.s[2]; out[4] = e.f + e.i + e.d; out[5] = f; out[6] = g; out[7] = h;
})");
    std::vector<double> out(8);
    program.run("k", line(1, 1), out.data(), Float3{1, 2, 3}, DoubleChar{0.5, 7},
                Bytes5{{1, 0, 0, 0, 4}}, Shorts3{{-1, 30, 500}}, Mixed{0.25F, 3, 8.0}, Empty{},
                true, static_cast<char>(-5), static_cast<unsigned short>(65535));
    EXPECT_EQ(out, (std::vector<double>{321, 7.5, 41, 529, 11.25, 1, -5, 65535}));
}

TEST(Parameters, LargeStructuresArePrivateToEachThread) {
    CompiledProgram program(std::string(types) + R"(
extern "C" __global__ void k(int* out, Large a, int n) {
    int i = threadIdx.x;
    a.values[i % 40] += i;          // must not be seen by other threads
    out[i] = a.values[(i + n) % 40];
})");
    Large a{};
    for (int i = 0; i < 40; ++i) a.values[i] = 1000 + i;
    std::vector<int> out(64);
    program.run("k", line(1, 64), out.data(), a, 0);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 1000 + i % 40 + i) << i;
    program.run("k", line(1, 64), out.data(), a, 3);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 1000 + (i + 3) % 40) << i;
}

TEST(Parameters, ClassesWithConstructorsAndLambdasWork) {
    CompiledProgram program(R"(
struct Owner {
    int v;
    __host__ __device__ Owner(int x) : v(x) {}
    __host__ __device__ Owner(const Owner& o) : v(o.v) {}
    __host__ __device__ ~Owner() {}
};
extern "C" __global__ void k(int* out, Owner o) {
    o.v += threadIdx.x;
    auto f = [=](int x) { return x * o.v; };
    out[threadIdx.x] = f(2);
})");
    std::vector<int> out(40);
    program.run("k", line(1, 40), out.data(), 5);
    for (int i = 0; i < 40; ++i) EXPECT_EQ(out[i], 2 * (5 + i)) << i;
}

TEST(Parameters, ManyParametersWork) {
    std::string list, sum;
    for (int i = 0; i < 40; ++i) {
        list += ", " + std::string(i % 2 ? "double" : "int") + " p" + std::to_string(i);
        sum += " + p" + std::to_string(i);
    }
    CompiledProgram program("extern \"C\" __global__ void k(double* out" + list + ") { *out = 0" +
                            sum + "; }\n");
    double out = 0;
    double* out_pointer = &out;
    int ints[20];
    double doubles[20];
    std::vector<void*> argv{&out_pointer};
    double expected = 0;
    for (int i = 0; i < 40; ++i) {
        if (i % 2) {
            doubles[i / 2] = i + 0.5;
            argv.push_back(&doubles[i / 2]);
            expected += i + 0.5;
        } else {
            ints[i / 2] = i;
            argv.push_back(&ints[i / 2]);
            expected += i;
        }
    }
    program.run_packed("k", line(1, 1), argv.data());
    EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace heald::test
