// What arithmetic on arrays becomes on the CPU: one-line kernels and reductions beside the plain
// loops that do the same, on one or more threads.
//
//     heald_benchmarks_elementwise [THREADS [ELEMENTS [NAME…]]]
//
// Ratios are C++ time / heald time. Both sides are started and waited for in each measurement.

#include "benchmarks/cpu/thread_team.hpp"

#include <heald/heald.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace heald;

struct Operands {
    const void* a;
    const void* b;
    const void* c;
    void* out;
};

/// Elements [begin, end); for reductions the result goes to out[worker].
using Loop = void (*)(const Operands&, std::int64_t begin, std::int64_t end, int worker);

template <class A, class B, class C, class Out, class Function>
void each(const Operands& o, std::int64_t begin, std::int64_t end, Function function) {
    const A* __restrict a = static_cast<const A*>(o.a);
    const B* __restrict b = static_cast<const B*>(o.b);
    const C* __restrict c = static_cast<const C*>(o.c);
    Out* __restrict out = static_cast<Out*>(o.out);
    for (std::int64_t i = begin; i < end; ++i) out[i] = function(a, b, c, i);
}

struct Row {
    const char* name;
    const char* types[4];  ///< of a, b, c and out, as the kernel names them
    const char* expression;
    int bytes;  ///< moved per element
    Loop loop;
};

// A row's loop, from the C++ types and the expression over a, b, c and i.
#define LOOP(A, B, C, OUT, ...)                                                                \
    [](const Operands& o, std::int64_t begin, std::int64_t end, int) {                         \
        each<A, B, C, OUT>(                                                                    \
            o, begin, end,                                                                     \
            []([[maybe_unused]] const A* __restrict a, [[maybe_unused]] const B* __restrict b, \
               [[maybe_unused]] const C* __restrict c,                                         \
               std::int64_t i) -> OUT { return __VA_ARGS__; });                                \
    }
#define F "float"

const Row rows[] = {
    {"2x + y",
     {F, F, F, F},
     "a[i] * 2.0f + b[i]",
     12,
     LOOP(float, float, float, float, a[i] * 2.0f + b[i])},
    {"xy + z sin x",
     {F, F, F, F},
     "a[i] * b[i] + c[i] * sinf(a[i])",
     16,
     LOOP(float, float, float, float, a[i] * b[i] + c[i] * std::sin(a[i]))},
    {"2x + y, double",
     {"double", "double", F, "double"},
     "a[i] * 2.0 + b[i]",
     24,
     LOOP(double, double, float, double, a[i] * 2.0 + b[i])},
    {"int8 to float",
     {"signed char", F, F, F},
     "(float)a[i]",
     5,
     LOOP(signed char, float, float, float, static_cast<float>(a[i]))},
    {"float to int8",
     {F, F, F, "signed char"},
     "(signed char)a[i]",
     5,
     LOOP(float, float, float, signed char, static_cast<signed char>(static_cast<int>(a[i])))},
    {"float to int64",
     {F, F, F, "long long"},
     "(long long)a[i]",
     12,
     LOOP(float, float, float, long long, static_cast<long long>(a[i]))},
    {"int64 to float",
     {"long long", F, F, F},
     "(float)a[i]",
     12,
     LOOP(long long, float, float, float, static_cast<float>(a[i]))},
    {"x < y", {F, F, F, "bool"}, "a[i] < b[i]", 9, LOOP(float, float, float, bool, a[i] < b[i])},
    {"where",
     {"signed char", F, F, F},
     "a[i] ? b[i] : c[i]",
     13,
     LOOP(signed char, float, float, float, a[i] ? b[i] : c[i])},
    {"x[3i] + 1",
     {F, F, F, F},
     "a[i * 3] + 1.0f",
     16,
     LOOP(float, float, float, float, a[i * 3] + 1.0f)},
};

constexpr int chunk = 16384;

const char* const sum_source = R"(
extern "C" __global__ void k(const float* __restrict__ x, float* __restrict__ out, long long n) {
    long long begin = (long long)blockIdx.x * 16384;
    int m = n - begin < 16384 ? (int)(n - begin) : 16384;
    x += begin;
    float a0 = 0, a1 = 0, a2 = 0, a3 = 0;
    int i = threadIdx.x, full = m / 128;
    for (int j = 0; j < full; ++j, i += 128) {
        a0 += x[i]; a1 += x[i + 32]; a2 += x[i + 64]; a3 += x[i + 96];
    }
    for (; i < m; i += 32) a0 += x[i];
    float sum = (a0 + a1) + (a2 + a3);
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
})";

void sum_loop(const Operands& o, std::int64_t begin, std::int64_t end, int worker) {
    const float* x = static_cast<const float*>(o.a);
    float sum = 0;
    for (std::int64_t i = begin; i < end; ++i) sum += x[i];
    static_cast<float*>(o.out)[worker * 16] = sum;
}

double milliseconds(const std::function<void()>& run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

class Bench {
public:
    Bench(int threads, std::int64_t elements)
        : team_(threads),
          n_(elements),
          a_(static_cast<std::size_t>(n_) * 12),
          b_(static_cast<std::size_t>(n_) * 8),
          c_(static_cast<std::size_t>(n_) * 8),
          out_(static_cast<std::size_t>(n_) * 8) {
        for (const Buffer* buffer : {&a_, &b_, &c_, &out_}) {
            auto* values = static_cast<float*>(buffer->data());
            for (std::size_t i = 0; i < buffer->size() / sizeof(float); ++i)
                values[i] = 0.01f * static_cast<float>(i % 97);
        }
    }

    void run(const char* name, const std::string& source, const LaunchConfig& config,
             const std::vector<Argument>& arguments, Loop loop, int bytes) {
        Kernel kernel;
        const auto launch = [&] {
            kernel.launch(config, stream_, arguments);
            stream_.synchronize();
        };
        const double compile = milliseconds([&] {
            kernel = Program(source).compile().get_kernel("k");
            launch();
        });
        const Operands operands{a_.data(), b_.data(), c_.data(), out_.data()};
        const auto plain = [&] {
            team_.run(static_cast<int>((n_ + 63) / 64), 0, [&](int begin, int end, int worker) {
                loop(operands, begin * std::int64_t{64}, std::min(end * std::int64_t{64}, n_),
                     worker);
            });
        };
        double ours = 1e9, theirs = 1e9;
        const int rounds = n_ > 4'000'000 ? 12 : 60;
        for (int i = 0; i < rounds; ++i) {
            ours = std::min(ours, milliseconds(launch));
            theirs = std::min(theirs, milliseconds(plain));
        }
        const double moved = static_cast<double>(bytes) * static_cast<double>(n_) * 1e-6;
        std::printf("%-15s %9.4f %7.1f %9.4f %7.1f %6.2f %8.1f\n", name, theirs, moved / theirs,
                    ours, moved / ours, theirs / ours, compile - ours);
        std::fflush(stdout);
    }

    void elementwise(const Row& row) {
        std::string source = "extern \"C\" __global__ void k(";
        const char* const names[] = {"a", "b", "c"};
        for (int i = 0; i < 3; ++i)
            source += std::string("const ") + row.types[i] + "* __restrict__ " + names[i] + ", ";
        source += std::string(row.types[3]) +
                  "* __restrict__ out, unsigned n) {\n"
                  "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "    if (i < n) out[i] = " +
                  row.expression + ";\n}\n";
        run(row.name, source, {{blocks_of(256)}, {256}},
            {a_, b_, c_, out_, static_cast<std::uint32_t>(n_)}, row.loop, row.bytes);
    }

    void sum() {
        run("sum", sum_source, {{blocks_of(chunk)}, {32}}, {a_, out_, static_cast<long long>(n_)},
            sum_loop, 4);
    }

private:
    [[nodiscard]] std::uint32_t blocks_of(int elements) const {
        return static_cast<std::uint32_t>((n_ + elements - 1) / elements);
    }

    bench::ThreadTeam team_;
    std::int64_t n_;
    Stream stream_ = Stream::current();
    Buffer a_, b_, c_, out_;
};

}  // namespace

int main(int argc, char** argv) try {
    const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
    const std::int64_t elements = argc > 2 ? std::max(64LL, std::atoll(argv[2])) : 1 << 24;
    setenv("HEALD_NUM_THREADS", std::to_string(threads).c_str(), 1);
    setenv("HEALD_DEVICE", "cpu", 1);
    setenv("HEALD_CACHE", "0", 1);
    Bench bench(threads, elements);
    const auto wanted = [&](const std::string& name) {
        return argc <= 3 || std::find(argv + 3, argv + argc, name) != argv + argc;
    };
    std::printf("%d thread(s), %lld elements\n%-15s %9s %7s %9s %7s %6s %8s\n", threads,
                static_cast<long long>(elements), "", "C++ ms", "GB/s", "heald ms", "GB/s", "ratio",
                "compile");
    for (const Row& row : rows)
        if (wanted(row.name)) bench.elementwise(row);
    if (wanted("sum")) bench.sum();
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
