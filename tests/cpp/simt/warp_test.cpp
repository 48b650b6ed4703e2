// Warp operations against the same on arrays of 32.

#include "tests/cpp/simt/kernel_runner.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

namespace heald::cpu::test {
namespace {

using Warp = std::array<int, 32>;

class WarpOperations : public testing::TestWithParam<const char*> {
protected:
    static constexpr int warps = 6;

    void SetUp() override {
        if (!can_run(GetParam())) GTEST_SKIP() << "this machine is older than " << GetParam();
    }

    // `body` computes r from v (the thread's input) and l (its lane).
    void expect(const std::string& body, const std::function<Warp(const Warp&)>& reference,
                const Dim& block = {64, 1, 1}) {
        KernelRunner runner(R"CUDA(extern "C" __global__ void k(const int* in, int* out) {
            int t = threadIdx.x + blockDim.x * threadIdx.y;
            int i = blockIdx.x * 64 + t, l = t % 32, v = in[i], r = -1;
            const unsigned all = 0xffffffffu;
            )CUDA" + body + "\nout[i] = r; }",
                            GetParam());
        const unsigned seed = std::random_device{}();
        std::mt19937 generator(seed);
        std::vector<int> in(warps * 32);
        for (int& value : in) value = static_cast<int>(generator() % 1000);
        std::vector<int> out(in.size());
        runner("k", 32, {{warps / 2, 1, 1}, block}, in.data(), out.data());
        for (int warp = 0; warp < warps; ++warp) {
            Warp values;
            for (int lane = 0; lane < 32; ++lane) values[lane] = in[warp * 32 + lane];
            const Warp expected = reference(values);
            for (int lane = 0; lane < 32; ++lane) {
                EXPECT_EQ(out[warp * 32 + lane], expected[lane])
                    << "warp " << warp << " lane " << lane << " seed " << seed;
            }
        }
    }

    static Warp each(const std::function<int(int)>& of_lane) {
        Warp result;
        for (int lane = 0; lane < 32; ++lane) result[lane] = of_lane(lane);
        return result;
    }
};

TEST_P(WarpOperations, Shuffles) {
    expect("r = __shfl_sync(all, v, 7);",
           [](const Warp& v) { return each([&](int) { return v[7]; }); });
    expect("r = __shfl_sync(all, v, v);",
           [](const Warp& v) { return each([&](int l) { return v[v[l] % 32]; }); });
    expect("r = __shfl_up_sync(all, v, 3);",
           [](const Warp& v) { return each([&](int l) { return v[l < 3 ? l : l - 3]; }); });
    expect("r = __shfl_down_sync(all, v, 5, 8);",
           [](const Warp& v) { return each([&](int l) { return v[l % 8 + 5 < 8 ? l + 5 : l]; }); });
    expect("r = __shfl_xor_sync(all, v, 9);",
           [](const Warp& v) { return each([&](int l) { return v[l ^ 9]; }); });
    expect(
        "int d = in[0] % 31; r = __shfl_up_sync(all, v, d + 1); r = (int)__shfl_sync(all, "
        "(double)v, d);",
        [first = 0](const Warp& v) mutable {
            static int d;
            if (first++ == 0) d = v[0] % 31;
            return each([&](int) { return v[d]; });
        });
}

TEST_P(WarpOperations, Votes) {
    expect("r = __ballot_sync(all, v % 3 == 0);", [](const Warp& v) {
        unsigned bits = 0;
        for (int l = 0; l < 32; ++l) bits |= unsigned{v[l] % 3 == 0} << l;
        return each([&](int) { return static_cast<int>(bits); });
    });
    expect("if (v % 2) r = __ballot_sync(__activemask(), v > 500);", [](const Warp& v) {
        unsigned bits = 0;
        for (int l = 0; l < 32; ++l) bits |= unsigned{v[l] % 2 && v[l] > 500} << l;
        return each([&](int l) { return v[l] % 2 ? static_cast<int>(bits) : -1; });
    });
    expect("r = __any_sync(all, v > 990) * 2 + __all_sync(all, v > 5);", [](const Warp& v) {
        bool any = false;
        bool all = true;
        for (int value : v) {
            any |= value > 990;
            all &= value > 5;
        }
        return each([&](int) { return any * 2 + all; });
    });
    expect("unsigned tile = 0xffu << (l & 24); r = __popc(__ballot_sync(tile, v & 4));",
           [](const Warp& v) {
               return each([&](int l) {
                   int votes = 0;
                   for (int k = l & 24; k < (l & 24) + 8; ++k) votes += (v[k] & 4) != 0;
                   return votes;
               });
           });
}

TEST_P(WarpOperations, WarpsFollowTheLinearIndex) {
    // 16 × 4 threads are two warps of two rows each.
    expect("r = __shfl_sync(all, v, 20) + __reduce_add_sync(all, 1);",
           [](const Warp& v) { return each([&](int) { return v[20] + 32; }); }, {16, 4, 1});
    expect(
        "int s = v; for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(all, s, d); r = "
        "__shfl_sync(all, s, 0);",
        [](const Warp& v) {
            int sum = 0;
            for (int value : v) sum += value;
            return each([&](int) { return sum; });
        },
        {16, 4, 1});
}

INSTANTIATE_TEST_SUITE_P(Targets, WarpOperations,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"),
                         [](const auto& info) { return std::string(info.param + 7); });

}  // namespace
}  // namespace heald::cpu::test
