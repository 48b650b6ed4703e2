#include "tests/gpu/check.hpp"

#include <heald/heald.hpp>

#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

using namespace heald;
using gpu_check::error_of;

namespace {

const Device& gpu() {
    static const Device device("cuda:0");
    return device;
}

ObjectCode compile(const std::string& source, const std::vector<std::string>& names = {},
                   ProgramOptions options = {}) {
    return Program(source, "test.cu", std::move(options), gpu()).compile("", names);
}

template <class T>
std::vector<T> to_host(const Buffer& buffer, const Stream& stream) {
    std::vector<T> result(buffer.size() / sizeof(T));
    buffer.copy_to_host(result.data(), buffer.size(), stream);
    return result;
}

template <class T>
Buffer to_device(const std::vector<T>& values, const Stream& stream) {
    return Buffer::from_host(values.data(), values.size() * sizeof(T), stream);
}

}  // namespace

GPU_TEST(saxpy_is_right) {
    const Stream stream(gpu());
    const auto kernel = compile(
                            "extern \"C\" __global__ void saxpy(float a, const float* x, "
                            "float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
                            "if (i < n) y[i] = a * x[i] + y[i]; }")
                            .get_kernel("saxpy", gpu());
    constexpr int n = 100003;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = float(i) / 7, y[i] = 1.0f / float(i + 1);
    const Buffer dx = to_device(x, stream), dy = to_device(y, stream);
    kernel({(n + 255) / 256, 256}, stream, 2.5f, dx, dy, n);
    const auto result = to_host<float>(dy, stream);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += result[i] != std::fma(2.5f, x[i], y[i]);
    EXPECT_EQUAL(wrong, 0);
    EXPECT_CONTAINS(to_string(kernel.signature()), "const float");
    EXPECT_CONTAINS(error_of([&] { kernel({1, 1}, stream, 2.5f, dx, dy); }), "saxpy");
    EXPECT_CONTAINS(error_of([&] { kernel({1, 1}, stream, 2.5f, 3, dy, n); }), "argument");
}

GPU_TEST(templates_globals_and_plain_names) {
    const Stream stream(gpu());
    const auto code = compile(
        "__constant__ float weights[4];\n"
        "namespace n { __device__ int calls; }\n"
        "template <class T, int N> __global__ void scale(T* x) "
        "{ x[threadIdx.x] *= T(weights[N]); atomicAdd(&n::calls, 1); }",
        {"scale<float, 2>", "scale<double, 3>"});
    const Buffer weights = code.get_global("weights", gpu());
    const float host[] = {1, 2, 3, 4};
    weights.copy_from_host(host, sizeof host, stream);
    const Buffer x = to_device(std::vector<float>{1, 2, 3}, stream);
    code.get_kernel("scale<float, 2>", gpu())({1, 3}, stream, x);
    EXPECT_EQUAL(to_host<float>(x, stream)[2], 9.0f);
    EXPECT_EQUAL(to_host<int>(code.get_global("n::calls", gpu()), stream)[0], 3);
    EXPECT_CONTAINS(error_of([&] { (void)code.get_kernel("scal<float, 2>", gpu()); }),
                    "scal<float, 2>");
}

GPU_TEST(code_without_source_tells_parameter_sizes) {
    const auto made = compile(
        "extern \"C\" __global__ void k(float* x, int n, double d) "
        "{ x[0] = n + d; }\n__global__ void typed(const short* s) {}");
    const ObjectCode code = ObjectCode::from_bytes(made.bytes(), "bare");
    const Kernel kernel = code.get_kernel("k", gpu());
    EXPECT(kernel.signature().source == Signature::Source::sizes_only);
    EXPECT_EQUAL(kernel.signature().parameters.size(), std::size_t{3});
    EXPECT_EQUAL(kernel.signature().parameters[1].size, std::size_t{4});
    EXPECT_EQUAL(kernel.signature().parameters[2].size, std::size_t{8});
    const Stream stream(gpu());
    const Buffer x(4, stream);
    kernel({1, 1}, stream, x, 2, 0.5);
    EXPECT_EQUAL(to_host<float>(x, stream)[0], 2.5f);
    EXPECT_CONTAINS(to_string(code.get_kernel("typed", gpu()).signature()), "short");
}

GPU_TEST(attributes_and_occupancy) {
    const auto kernel = compile(
                            "__global__ void k(float* x) { __shared__ float t[256]; "
                            "t[threadIdx.x] = x[threadIdx.x]; __syncthreads(); "
                            "x[threadIdx.x] = t[255 - threadIdx.x]; }")
                            .get_kernel("k", gpu());
    const KernelAttributes attributes = kernel.attributes();
    EXPECT(attributes.registers > 0);
    EXPECT_EQUAL(attributes.static_shared, std::size_t{1024});
    EXPECT_EQUAL(attributes.max_threads_per_block, 1024);
    EXPECT(attributes.max_dynamic_shared + 1024 ==
           gpu().properties().shared_memory_per_block_optin);
    const int blocks = kernel.max_active_blocks(256);
    EXPECT(blocks >= 1 && blocks * 256 <= gpu().properties().max_threads_per_multiprocessor);
    const BlockSize size = kernel.suggest_block_size();
    EXPECT(size.block >= 32 && size.block <= 1024 && size.block % 32 == 0);
    EXPECT(size.grid >= gpu().properties().multiprocessor_count);
}

GPU_TEST(large_dynamic_shared_memory) {
    const Stream stream(gpu());
    const auto kernel = compile(
                            "__global__ void k(int* x, int last) { extern __shared__ int t[]; "
                            "t[last] = 5; __syncthreads(); x[0] = t[last]; }")
                            .get_kernel("k", gpu());
    const Buffer x(4, stream);
    const std::size_t bytes = kernel.attributes().max_dynamic_shared;
    for (int i = 0; i < 100; ++i)
        kernel({1, 32, bytes}, stream, x, static_cast<int>(bytes / 4 - 1));
    EXPECT_EQUAL(to_host<int>(x, stream)[0], 5);
    EXPECT_CONTAINS(error_of([&] { kernel({1, 32, bytes + 1}, stream, x, 0); }), "shared memory");
}

GPU_TEST(cooperative_launch_synchronises_the_grid) {
    if (!gpu().properties().cooperative_launch) gpu_check::skip("no cooperative launches");
    const Stream stream(gpu());
    const auto kernel = compile(
                            "#include <cooperative_groups.h>\n"
                            "__global__ void k(int* x, int* sums) {\n"
                            "  x[blockIdx.x] = blockIdx.x;\n"
                            "  cooperative_groups::this_grid().sync();\n"
                            "  int s = 0; for (int i = 0; i < gridDim.x; ++i) s += x[i];\n"
                            "  sums[blockIdx.x] = s; }")
                            .get_kernel("k", gpu());
    const auto blocks = static_cast<unsigned>(gpu().properties().multiprocessor_count);
    const Buffer x(4 * blocks, stream), sums(4 * blocks, stream);
    LaunchConfig config{blocks, 1};
    config.cooperative = true;
    for (int i = 0; i < 50; ++i) kernel(config, stream, x, sums);
    const int expected = static_cast<int>(blocks * (blocks - 1) / 2);
    for (const int sum : to_host<int>(sums, stream)) EXPECT_EQUAL(sum, expected);
    config.grid = 1000000;
    EXPECT(!error_of([&] { kernel(config, stream, x, sums); }).empty());
    kernel({1, 1}, stream, x, sums);
    stream.synchronize();
}

GPU_TEST(clusters) {
    if (!gpu().properties().cluster_launch) gpu_check::skip("no clusters on this GPU");
    const Stream stream(gpu());
    const auto kernel = compile(
                            "__global__ void k(unsigned* x) { unsigned n; "
                            "asm(\"mov.u32 %0, %cluster_nctaid.x;\" : \"=r\"(n)); "
                            "x[blockIdx.x] = n; }")
                            .get_kernel("k", gpu());
    const Buffer x(4 * 8, stream);
    LaunchConfig config{8, 32};
    config.cluster = {4, 1, 1};
    kernel(config, stream, x);
    for (const unsigned n : to_host<unsigned>(x, stream)) EXPECT_EQUAL(n, 4u);
    kernel({8, 32}, stream, x);
    EXPECT_EQUAL(to_host<unsigned>(x, stream)[0], 1u);
    config.cluster = {3, 1, 1};
    EXPECT(!error_of([&] { kernel(config, stream, x); }).empty());
}

GPU_TEST(linking_cubin_and_ltoir) {
    const Stream stream(gpu());
    for (const char* target : {"cubin", "ltoir"}) {
        ProgramOptions options;
        options.relocatable = true;
        const auto part = [&](const char* source) {
            return Program(source, "part.cu", options, gpu()).compile(target);
        };
        const auto linked = Linker({part("__device__ int f(int x) { return 3 * x; }"),
                                    part("__device__ int f(int x); extern \"C\" __global__ void "
                                         "k(int* x, int n) { x[0] = f(n); }")},
                                   {}, gpu())
                                .link();
        const Buffer x(4, stream);
        linked.get_kernel("k", gpu())({1, 1}, stream, x, 14);
        EXPECT_EQUAL(to_host<int>(x, stream)[0], 42);
    }
}

GPU_TEST(ptx_is_loaded_by_the_driver) {
    const Stream stream(gpu());
    const auto code =
        Program("__global__ void k(int* x) { x[0] = 7; }", "p.cu", {}, gpu()).compile("ptx");
    const Buffer x(4, stream);
    code.get_kernel("k", gpu())({1, 1}, stream, x);
    EXPECT_EQUAL(to_host<int>(x, stream)[0], 7);
    const auto junk = ObjectCode::from_bytes(".version 99.0\n.target sm_90\n", "junk");
    EXPECT(!error_of([&] { (void)junk.get_kernel("k", gpu()); }).empty());
}

GPU_TEST(threads_compile_and_launch_at_once) {
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([t, &right] {
            const Stream stream(gpu());
            const auto kernel = compile("__global__ void k(int* x, int a) { x[0] += a * " +
                                        std::to_string(t + 1) + "; }")
                                    .get_kernel("k", gpu());
            const Buffer x(4, stream);
            x.fill(0, 1, stream);
            for (int i = 0; i < 500; ++i) kernel({1, 1}, stream, x, i);
            right += to_host<int>(x, stream)[0] == (t + 1) * 124750;
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQUAL(right.load(), 8);
}
