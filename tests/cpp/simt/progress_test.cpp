// Threads that wait for each other, and loops that never end.

#include "tests/cpp/simt/kernel_runner.hpp"

#include <heald/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace heald::cpu::test {
namespace {

class Progress : public testing::Test {
protected:
    void SetUp() override { KernelRunner::cancel = 0; }
    void TearDown() override {
        KernelRunner::cancel = 0;
        KernelRunner::on_relax = nullptr;
    }
};

const char* const lock_source = R"CUDA(
    __device__ int lock;
    __device__ int counter;
    extern "C" __global__ void every_thread(int* out) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        counter += 1;
        __threadfence();
        atomicExch(&lock, 0);
        __syncthreads();
        if (threadIdx.x == 0) *out = counter;
    }
    __device__ unsigned ticket, serving;
    extern "C" __global__ void tickets(int* out) {
        unsigned mine = atomicAdd(&ticket, 1u);
        while (atomicAdd(&serving, 0u) != mine) {}
        *out = *out * 3 + 1;
        atomicAdd(&serving, 1u);
    })CUDA";

TEST_F(Progress, SpinLockOfEveryThread) {
    KernelRunner runner(lock_source);
    EXPECT_TRUE(runner.kernel("every_thread").has_yield_loop);
    EXPECT_TRUE(runner.kernel("every_thread").has_lane_yield);
    int out = 0;
    runner("every_thread", 1, {{1, 1, 1}, {96, 1, 1}}, &out);
    EXPECT_EQ(out, 96);
}

TEST_F(Progress, TicketLock) {
    KernelRunner runner(lock_source);
    EXPECT_TRUE(runner.kernel("tickets").has_lane_yield);
    unsigned out = 0;
    runner("tickets", 1, {{1, 1, 1}, {40, 1, 1}}, &out);
    unsigned expected = 0;
    for (int i = 0; i < 40; ++i) expected = expected * 3 + 1;
    EXPECT_EQ(out, expected);
}

TEST_F(Progress, WarpsThatWaitForEachOther) {
    KernelRunner runner(R"CUDA(
        extern "C" __global__ void chain(int* out) {
            __shared__ volatile int turn;
            if (threadIdx.x == 0) turn = 0;
            __syncthreads();
            int warp = threadIdx.x / 32, last = blockDim.x / 32 - 1;
            while (turn != last - warp) {}
            if (threadIdx.x % 32 == 0) { *out = *out * 10 + warp; turn = turn + 1; }
            __syncthreads();
            if (threadIdx.x == 5) out[1] = turn;
        })CUDA");
    EXPECT_TRUE(runner.kernel("chain").has_yield_loop);
    EXPECT_FALSE(runner.kernel("chain").has_lane_yield);
    int out[2] = {0, 0};
    runner("chain", 32, {{1, 1, 1}, {128, 1, 1}}, &out[0]);
    EXPECT_EQ(out[0], 3210);
    EXPECT_EQ(out[1], 4);
}

TEST_F(Progress, OneThreadOfTheBlockWaits) {
    KernelRunner runner(R"CUDA(
        extern "C" __global__ void wait(int* flag, int* out) {
            if (threadIdx.x == 0) while (atomicAdd(flag, 0) == 0) {}
            __syncthreads();
            out[threadIdx.x] = threadIdx.x;
        })CUDA");
    EXPECT_TRUE(runner.kernel("wait").has_yield_loop);
    EXPECT_FALSE(runner.kernel("wait").has_lane_yield);
    // Another worker's block would set the flag while this one waits.
    int flag = 0;
    int relaxed = 0;
    KernelRunner::on_relax = [&] { flag = ++relaxed > 5; };
    std::vector<int> out(64, -1);
    runner("wait", 32, {{1, 1, 1}, {64, 1, 1}}, &flag, out.data());
    EXPECT_GE(relaxed, 5);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
}

TEST_F(Progress, RetryLoopsDoNotYield) {
    KernelRunner runner(R"CUDA(
        extern "C" __global__ void largest(const float* in, int* out) {
            int old = *out, seen;
            do {
                seen = old;
                if (__int_as_float(seen) >= in[threadIdx.x]) break;
                old = atomicCAS(out, seen, __float_as_int(in[threadIdx.x]));
            } while (old != seen);
        }
        extern "C" __global__ void visit(int n, const int* next, int* visited, int* out) {
            int found = 0;
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                if (atomicCAS(&visited[next[i]], 0, 1) == 0) ++found;
            }
            out[threadIdx.x] = found;
        }
        extern "C" __global__ void queue(int n, int* next, int* out) {
            for (int i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1)) out[i] += i;
        })CUDA");
    EXPECT_FALSE(runner.kernel("largest").has_yield_loop);
    EXPECT_FALSE(runner.kernel("queue").has_yield_loop);
    EXPECT_FALSE(runner.kernel("visit").has_yield_loop);
    std::vector<int> out(1000, 1);
    int next = 0;
    runner("queue", 32, {{2, 1, 1}, {64, 1, 1}}, 1000, &next, out.data());
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(out[i], i + 1);
}

TEST_F(Progress, LocksAndShufflesTogetherAreAnError) {
    try {
        KernelRunner runner(R"CUDA(
            __device__ int lock;
            extern "C" __global__ void both(int* out) {
                int sum = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
                while (atomicCAS(&lock, 0, 1) != 0) {}
                *out += sum;
                atomicExch(&lock, 0);
            })CUDA");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::compile);
        EXPECT_NE(std::string(error.what()).find("warp"), std::string::npos) << error.what();
    }
}

// Undefined in CUDA; here the warp arrives once, and threads that ended count as arrived.
TEST_F(Progress, BarrierReachedByPartOfAWarp) {
    KernelRunner runner(R"CUDA(
        extern "C" __global__ void part(int* out) {
            if (threadIdx.x % 3 == 0) __syncthreads();
            out[threadIdx.x] = threadIdx.x;
            if (threadIdx.x % 5 == 0) return;
            __syncthreads();
            out[threadIdx.x] += 1;
        })CUDA");
    for (unsigned lanes : {1U, 8U, 32U}) {
        std::vector<int> out(64, -1);
        runner("part", lanes, {{1, 1, 1}, {64, 1, 1}}, out.data());
        for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i + (i % 5 != 0)) << lanes << " lanes";
    }
}

class Cancel : public Progress, public testing::WithParamInterface<unsigned> {
protected:
    void expect_cancelled(const char* source, std::vector<void*> arguments) {
        KernelRunner runner(source);
        EXPECT_TRUE(runner.kernel("endless").has_unbounded_loop);
        std::thread canceller([] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            std::atomic_ref(KernelRunner::cancel).store(1);
        });
        const Launch launch{{4, 1, 1}, {64, 1, 1}};
        runner.run("endless", variant_for(GetParam(), launch.block), launch, arguments);
        canceller.join();
    }
};

TEST_P(Cancel, EndlessLoop) {
    expect_cancelled(R"CUDA(extern "C" __global__ void endless() { for (;;) {} })CUDA", {});
}

TEST_P(Cancel, LoopOverMemory) {
    std::vector<float> memory(64, 0.0F);
    float* pointer = memory.data();
    expect_cancelled(R"CUDA(
        extern "C" __global__ void endless(float* p) {
            while (p[threadIdx.x] < 1) p[threadIdx.x] *= 0.5f;
        })CUDA",
                     {&pointer});
}

TEST_P(Cancel, WaitingForAFlagThatNeverComes) {
    int flag = 0;
    int* pointer = &flag;
    expect_cancelled(R"CUDA(
        extern "C" __global__ void endless(volatile int* flag) {
            if (threadIdx.x == 0) while (*flag == 0) {}
            __syncthreads();
        })CUDA",
                     {&pointer});
}

TEST_P(Cancel, BarriersInAnEndlessLoop) {
    int out = 0;
    int* pointer = &out;
    expect_cancelled(R"CUDA(
        extern "C" __global__ void endless(int* p) {
            __shared__ int s[64];
            while (*p == 0) { s[threadIdx.x] = threadIdx.x; __syncthreads(); }
        })CUDA",
                     {&pointer});
}

INSTANTIATE_TEST_SUITE_P(Lanes, Cancel, testing::Values(1U, 32U));

TEST_F(Progress, BoundedLoopsAreBounded) {
    KernelRunner runner(R"CUDA(
        extern "C" __global__ void fixed(float* p) { for (int i = 0; i < 100; ++i) p[i] += 1; }
        extern "C" __global__ void counted(int n, float* p) {
            for (int i = threadIdx.x; i < n; i += 32) p[i] += 1;
        }
        extern "C" __global__ void steps(int n, int step, float* p) {
            for (int i = 0; i != n; i += step) p[i] += 1;
        })CUDA");
    EXPECT_FALSE(runner.kernel("fixed").has_unbounded_loop);
    EXPECT_FALSE(runner.kernel("counted").has_unbounded_loop);
    EXPECT_TRUE(runner.kernel("steps").has_unbounded_loop);
}

}  // namespace
}  // namespace heald::cpu::test
