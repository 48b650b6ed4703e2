// Every variant of a kernel, for every instruction set, gives what one thread at a time gives.

#include "tests/cpp/simt/kernel_runner.hpp"
#include "tests/cpp/simt/stress_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace heald::cpu::test {

std::vector<StressKernel> stress_kernels() {
    std::vector<StressKernel> all;
    for (const auto& part : {control_flow_kernels(), data_kernels(), block_kernels()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

namespace {

using Kind = StressKernel::Kind;

constexpr int count = 5000;
constexpr int room = count + 1024;

struct Outcome {
    std::vector<float> floats = std::vector<float>(room, 0.0F);
    std::vector<int> integers = std::vector<int>(room, 0);
};

struct Inputs {
    std::vector<float> floats = std::vector<float>(room);
    std::vector<int> integers = std::vector<int>(room);

    explicit Inputs(unsigned seed) {
        std::mt19937 generator(seed);
        std::uniform_real_distribution<float> real(-1.0F, 1.0F);
        for (float& value : floats) value = real(generator);
        for (int& value : integers) value = static_cast<int>(generator() % 1000);
    }
};

std::vector<unsigned> lanes_of(Kind kind) {
    switch (kind) {
        case Kind::warp:
            return {32};
        case Kind::barrier32:
            return {4, 8, 16, 32};
        default:
            return {4, 8, 16, 32, 64};
    }
}

std::vector<Dim> blocks_of(const StressKernel& kernel) {
    switch (kernel.kind) {
        case Kind::warp:
        case Kind::barrier32:
            return {{256, 1, 1}, {64, 1, 1}};
        case Kind::barrier:
            return {{256, 1, 1}, {33, 1, 1}};
        default:
            break;
    }
    std::vector<Dim> blocks{{256, 1, 1}, {100, 1, 1}};
    if (std::strcmp(kernel.name, "coordinates") == 0) {
        for (const Dim& block :
             {Dim{16, 16, 1}, Dim{10, 10, 1}, Dim{8, 4, 4}, Dim{32, 4, 1}, Dim{5, 1, 1}}) {
            blocks.push_back(block);
        }
    }
    return blocks;
}

class VariantsAgree : public testing::TestWithParam<StressKernel> {
protected:
    Outcome run(KernelRunner& runner, unsigned lanes, const Dim& block, const Inputs& inputs) {
        Outcome outcome;
        const unsigned threads = block[0] * block[1] * block[2];
        Launch launch{{(count + threads - 1) / threads, 1, 1}, block, threads * 4};
        if (std::strcmp(GetParam().name, "grid_stride") == 0) launch.grid[0] = 7;
        runner(GetParam().name, lanes, launch, count, inputs.floats.data(), outcome.floats.data(),
               inputs.integers.data(), outcome.integers.data());
        return outcome;
    }

    void expect_same(const Outcome& expected, const Outcome& got, const std::string& where) {
        int differing = 0;
        for (int i = 0; i < room; ++i) {
            const float a = expected.floats[i];
            const float b = got.floats[i];
            // Vector math has up to 4 ulp, and each kernel adds a few dozen results at most.
            const bool close = std::fabs(a - b) <= 2e-5F * (1 + std::fabs(a)) ||
                               (std::isnan(a) && std::isnan(b)) || a == b;
            if (close && expected.integers[i] == got.integers[i]) continue;
            if (differing++ == 0) {
                ADD_FAILURE() << where << ": element " << i << ": " << b << " for " << a << ", "
                              << got.integers[i] << " for " << expected.integers[i];
            }
        }
        if (differing > 0) ADD_FAILURE() << where << ": " << differing << " elements differ";
    }
};

TEST_P(VariantsAgree, WithOneThreadAtATime) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Inputs inputs(seed);
    const StressKernel& kernel = GetParam();
    for (const char* target : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
        if (!can_run(target)) continue;
        KernelRunner runner(kernel.source, target);
        for (const Dim& block : blocks_of(kernel)) {
            const unsigned reference_lanes = kernel.kind == Kind::warp ? 32 : 1;
            const Outcome expected = run(runner, reference_lanes, block, inputs);
            for (unsigned lanes : lanes_of(kernel.kind)) {
                const std::string where = std::string(target) + ", " + std::to_string(lanes) +
                                          " lanes, block " + std::to_string(block[0]) + "x" +
                                          std::to_string(block[1]) + "x" + std::to_string(block[2]);
                expect_same(expected, run(runner, lanes, block, inputs), where);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Stress, VariantsAgree, testing::ValuesIn(stress_kernels()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heald::cpu::test
