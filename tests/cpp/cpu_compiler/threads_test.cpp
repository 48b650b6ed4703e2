#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace heald::test {
namespace {

TEST(Threads, EightCompileAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([t, &good] {
            for (int round = 0; round < 3; ++round) {
                const int factor = t * 10 + round;
                CompiledProgram program(
                    "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = threadIdx.x * " +
                    std::to_string(factor) + "; }\n");
                std::vector<int> x(64, -1);
                program.run("k", line(1, 64), x.data());
                bool right = true;
                for (int i = 0; i < 64; ++i) right = right && x[i] == i * factor;
                good += right;
                try {
                    compiler().compile(
                        source_of("__global__ void k() { bad" + std::to_string(t) + " = 1; }\n"));
                } catch (const CompileError& error) {
                    const std::string text = error.what();
                    good += text.find("bad" + std::to_string(t)) != std::string::npos;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(good, 8 * 3 * 2);
}

}  // namespace
}  // namespace heald::test
