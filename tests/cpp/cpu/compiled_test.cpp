// The runtime with kernels that the compiler made.

#include "src/backend/cpu/backend.hpp"
#include "src/backend/cpu/code.hpp"
#include "tests/cpp/cpu/kernels.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>

namespace heald::cpu {
namespace {

using namespace testing;
using namespace std::chrono_literals;

constexpr const char* source = R"(
#include <cassert>
__device__ int counter = 5;
__constant__ float factors[2] = {2.0f, 3.0f};
extern "C" __global__ void scale(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factors[i % 2];
}
extern "C" __global__ void bump() { atomicAdd(&counter, 1); }
extern "C" __global__ void reverse(int* x, int n) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
extern "C" __global__ void past_the_end(int* p, long long offset) {
    if (blockIdx.x == 3) p[offset + threadIdx.x] = 1;
}
extern "C" __global__ void check(int n) { assert((int)threadIdx.x < n); }
extern "C" __global__ void endless(volatile int* p) { while (*p == 0) {} }
extern "C" __global__ void set_flag(int* p) { atomicExch(p, 1); }
)";

class Compiled : public ::testing::Test {
protected:
    static std::shared_ptr<Backend> backend;
    static core::CodeData data;
    static std::string missing;

    static void SetUpTestSuite() {
        backend = std::make_shared<Backend>();
        try {
            data = compile(source);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::unavailable) throw;
            missing = error.what();
        }
    }
    void SetUp() override {
        if (!missing.empty()) GTEST_SKIP() << missing;
        code = backend->load(data);
        queue = backend->make_queue({});
    }

    static core::CodeData compile(const std::string& text, bool fast_math = false) {
        core::CompileRequest request;
        request.options.fast_math = fast_math;
        request.source = text;
        request.name = "compiled_test.cu";
        return backend->compile(request);
    }

    template <class... Values>
    void run(const char* name, const LaunchConfig& config, Values... values) {
        void* pointers[] = {&values..., nullptr};
        backend->launch(code->function(name), *queue, config, {pointers, sizeof...(Values), {}},
                        {"site.py", 12});
    }
    std::string failure() {
        std::string text;
        EXPECT_EQ(kind_of_error([&] { backend->synchronize(*queue); }, &text),
                  ErrorKind::kernel_fault);
        return text;
    }

    std::shared_ptr<core::CodeImpl> code;
    std::shared_ptr<core::QueueImpl> queue;
};

std::shared_ptr<Backend> Compiled::backend;
core::CodeData Compiled::data;
std::string Compiled::missing;

LaunchConfig with_shared(std::uint32_t grid, std::uint32_t block, std::size_t bytes) {
    LaunchConfig config = shape(grid, block);
    config.shared_memory = bytes;
    return config;
}

TEST_F(Compiled, KernelsOfOneCodeShareItsVariables) {
    for (int i = 0; i < 3; ++i) run("bump", shape(4, 50));
    backend->synchronize(*queue);
    const core::GlobalSymbol counter = code->global("counter");
    EXPECT_EQ(counter.size, sizeof(int));
    EXPECT_FALSE(counter.is_constant);
    EXPECT_EQ(*static_cast<int*>(counter.address), 605);
    // Another load has variables of its own.
    EXPECT_EQ(*static_cast<int*>(backend->load(data)->global("counter").address), 5);

    std::vector<float> x(1000, 1.0f);
    run("scale", shape(5, 200), x.data(), 1000);
    backend->synchronize(*queue);
    EXPECT_EQ(x[0], 2.0f);
    EXPECT_EQ(x[999], 3.0f);
    static_cast<float*>(code->global("factors").address)[1] = 7.0f;
    run("scale", shape(5, 200), x.data(), 1000);
    backend->synchronize(*queue);
    EXPECT_EQ(x[998], 4.0f);
    EXPECT_EQ(x[999], 21.0f);
}

TEST_F(Compiled, FastMathFlushesDenormalsOfSinglePrecision) {
    const std::string halves = R"(
extern "C" __global__ void single(float* x) { x[threadIdx.x] = x[threadIdx.x] * 0.5f; }
extern "C" __global__ void both(float* x) { x[threadIdx.x] = (float)(x[threadIdx.x] * 0.50000000001); }
)";
    const float smallest = std::numeric_limits<float>::min(), half = smallest / 2;
    const auto after = [&](bool fast, const char* name) {
        code = backend->load(compile(halves, fast));
        std::vector<float> x{1.0f, smallest, half};
        run(name, shape(1, 3), x.data());
        backend->synchronize(*queue);
        EXPECT_EQ(x[0], 0.5f);
        return std::pair(x[1], x[2]);
    };
    EXPECT_EQ(after(false, "single"), std::pair(half, half / 2));
    EXPECT_EQ(after(true, "single"), std::pair(0.0f, 0.0f));
    EXPECT_EQ(after(true, "both"), std::pair(half, half / 2));
    // The thread's own arithmetic is as it was.
    const volatile float mine = smallest;
    EXPECT_NE(mine / 2, 0.0f);
}

TEST_F(Compiled, BarriersAndDynamicSharedMemory) {
    for (const int n : {1, 31, 256, 1000}) {
        std::vector<int> x(n), expected(n);
        std::iota(x.begin(), x.end(), 0);
        for (int i = 0; i < n; ++i) expected[i] = n - 1 - i;
        run("reverse", with_shared(1, static_cast<std::uint32_t>(n), 4 * n), x.data(), n);
        backend->synchronize(*queue);
        EXPECT_EQ(x, expected);
    }
}

TEST_F(Compiled, FaultsNameWhatIsKnownAndLeaveTheDeviceUsable) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer does not survive a jump out of a handler of SIGSEGV";
#endif
    auto* block = static_cast<int*>(backend->allocate(1 << 20, MemoryKind::device, *queue));
    for (int round = 0; round < 3; ++round) {
        run("past_the_end", shape(8), block, (1LL << 18) + 64);
        std::string text = failure();
        for (const char* part :
             {"past_the_end", "wrote to address", "block (3, 0, 0)", "site.py:12"})
            EXPECT_NE(text.find(part), std::string::npos) << text;
        run("check", shape(1, 64), 40);
        text = failure();
        for (const char* part : {"(int)threadIdx.x < n", "compiled_test.cu:", "thread (40, 0, 0)"})
            EXPECT_NE(text.find(part), std::string::npos) << text;
        std::vector<float> x(10, 1.0f);
        run("scale", shape(1, 10), x.data(), 10);
        backend->synchronize(*queue);
        EXPECT_EQ(x[1], 3.0f);
    }
    backend->release(block, 1 << 20, MemoryKind::device, *queue);
}

TEST_F(Compiled, EndlessLoopsAreCancelledAndWaitingKernelsGoOn) {
    int flag = 0;
    run("endless", shape(10, 64), &flag);
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(backend->done(*queue));
    backend->cancel(*queue);
    EXPECT_EQ(kind_of_error([&] { backend->synchronize(*queue); }), ErrorKind::cancelled);
    // One kernel waits for another on a second queue.
    run("endless", shape(10, 64), &flag);
    const auto first = queue;
    queue = backend->make_queue({});
    run("set_flag", shape(1, 1), &flag);
    EXPECT_TRUE(static_cast<Queue&>(*first).synchronize(30s));
}

TEST_F(Compiled, CodeTravelsAsBytes) {
    core::CodeData bare;
    bare.format = "cpu";
    bare.name = "from a file";
    bare.bytes = data.bytes;
    code = backend->load(bare);
    std::vector<float> x(4, 1.0f);
    run("scale", shape(1, 4), x.data(), 4);
    backend->synchronize(*queue);
    EXPECT_EQ(x[3], 3.0f);
    bare.bytes[bare.bytes.size() / 2] ^= 1;
    EXPECT_EQ(kind_of_error([&] { (void)backend->load(bare); }), ErrorKind::invalid_value);
    bare.bytes = data.bytes.substr(0, data.bytes.size() - 9);
    EXPECT_EQ(kind_of_error([&] { (void)backend->load(bare); }), ErrorKind::invalid_value);
    EXPECT_EQ(kind_of_error([&] { (void)code->function("no_such_kernel"); }), ErrorKind::not_found);
    EXPECT_EQ(kind_of_error([&] { (void)code->global("no_such_variable"); }), ErrorKind::not_found);
}

TEST_F(Compiled, TooMuchStaticSharedMemoryIsACompileError) {
    std::string text;
    EXPECT_EQ(kind_of_error(
                  [] {
                      (void)compile(
                          "extern \"C\" __global__ void big(int* p) { __shared__ int s[20000];"
                          " s[threadIdx.x] = 1; __syncthreads(); *p = s[*p]; }");
                  },
                  &text),
              ErrorKind::compile);
    EXPECT_NE(text.find("big"), std::string::npos);
    EXPECT_NE(text.find("49152"), std::string::npos);
}

TEST_F(Compiled, EightThreadsCompileAndLaunchAtOnce) {
    std::vector<std::thread> users;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 8; ++t)
        users.emplace_back([&, t] {
            for (int i = 0; i < 3; ++i) {
                const int value = t * 10 + i;
                const auto own =
                    compile("extern \"C\" __global__ void put(int* p) { p[threadIdx.x] = " +
                            std::to_string(value) + "; }");
                const auto loaded = backend->load(own);
                const auto stream = backend->make_queue({});
                std::vector<int> x(64, -1);
                int* pointer = x.data();
                void* values[] = {&pointer};
                backend->launch(loaded->function("put"), *stream, shape(1, 64), {values, 1, {}},
                                {});
                backend->synchronize(*stream);
                for (const int element : x) wrong += element != value;
            }
        });
    for (auto& user : users) user.join();
    EXPECT_EQ(wrong.load(), 0);
}

TEST_F(Compiled, AChildGoesOnWhileTheParentCompiles) {
    std::atomic<bool> stop{false};
    std::thread compiling([&] {
        for (int i = 0; !stop; ++i)
            (void)compile("extern \"C\" __global__ void f" + std::to_string(i) +
                          "(int* p) { *p = 1; }");
    });
    for (int round = 0; round < 5; ++round) {
        std::this_thread::sleep_for(15ms);
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            std::vector<float> x(1000, 1.0f);
            run("scale", shape(5, 200), x.data(), 1000);
            backend->synchronize(*queue);
            _exit(x[999] == 3.0f ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    stop = true;
    compiling.join();
}

TEST_F(Compiled, DroppedCodeLeavesMemoryFlat) {
    const auto resident = [] {
        std::ifstream file("/proc/self/statm");
        std::size_t total = 0, pages = 0;
        file >> total >> pages;
        return pages * 4096;
    };
    const auto load_and_run = [&](int times) {
        for (int i = 0; i < times; ++i) {
            code = backend->load(data);
            std::vector<float> x(4, 1.0f);
            run("scale", shape(1, 4), x.data(), 4);
            backend->synchronize(*queue);
            ASSERT_EQ(x[3], 3.0f);
        }
    };
    load_and_run(300);
    const std::size_t before = resident();
    load_and_run(3000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(resident(), before + (std::size_t{8} << 20));
#else
    static_cast<void>(before);
#endif
}

}  // namespace
}  // namespace heald::cpu
