// Host and end-to-end cost of launches and allocations from C++, beside the C program's, in one
// run.

#include "benchmarks/gpu/c_paths.hpp"
#include "benchmarks/gpu/kernels.hpp"
#include "benchmarks/gpu/measure.hpp"

#include <heald/heald.hpp>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

using namespace heald;
using gpu_benchmark::print_title;
using gpu_benchmark::Row;

namespace {

struct Bench {
    Device device{"cuda:0"};
    ObjectCode code = Program(benchmark_kernels, "bench.cu", {}, device).compile();
    Stream stream{device};
    Buffer a{4096, stream}, b{4096, stream};
    std::string cubin = code.bytes();

    [[nodiscard]] Kernel kernel(const char* name) const { return code.get_kernel(name, device); }
    [[nodiscard]] CPath* c_path(const char* name, long long cycles = 0) const {
        return c_path_open(cubin.data(), name, cycles);
    }
    void finish() const { stream.synchronize(); }
};

Row c_row(const char* name, CPath* path, void (*work)(CPath*, int), const char* goal = "") {
    return {name, [=](int n) { work(path, n); }, [=] { c_path_synchronize(path); }, goal};
}

template <class Launch>
Row heald_row(const char* name, const Bench& bench, Launch launch, const char* goal = "") {
    return {name,
            [launch](int n) {
                for (int i = 0; i < n; ++i) launch(i);
            },
            [&bench] { bench.finish(); }, goal};
}

void small_kernels(const Bench& bench) {
    print_title("Launches of an empty kernel with three arguments (ratios: to the first row)");
    CPath* path = bench.c_path("k3");
    const Kernel k3 = bench.kernel("k3"), other = bench.kernel("other");
    const int three = 3;
    const Argument arguments[] = {Argument(bench.a), Argument(bench.b), Argument(three)};
    const BoundLaunch bound = k3.bind({1, 32}, bench.stream, arguments);
    const auto changing = [&](int i) { k3({1, 32}, bench.stream, bench.a, bench.b, i + 1); };
    Row without_context =
        heald_row("heald: changing arguments, no context current", bench, changing);
    without_context.work = [path, work = without_context.work](int n) {
        c_path_leave(path);
        work(n);
        c_path_enter(path);
    };
    const auto same = [&](int) { k3({1, 32}, bench.stream, bench.a, bench.b, 3); };
    const auto in_turn = [&](int i) {
        (i % 2 == 0 ? k3 : other)({1, 32}, bench.stream, bench.a, bench.b, i + 1);
    };
    const auto grids = [&](int i) {
        k3({1 + static_cast<unsigned>(i % 61), 32}, bench.stream, bench.a, bench.b, 3);
    };
    for (const int count : {100, 500, 5000}) {
        std::printf("-- %d launches between synchronisations\n", count);
        gpu_benchmark::measure_rows(
            {c_row("C: cuLaunchKernel", path, c_path_plain),
             c_row("C: set parameters + graph launch", path, c_path_set_and_graph),
             c_row("C: one-node graph launch", path, c_path_graph),
             heald_row("heald: same arguments", bench, same, "goal: C graph + 0.5 us"),
             heald_row("heald: changing arguments", bench, changing, "goal: C set + 0.5 us"),
             heald_row("heald: two kernels in turn", bench, in_turn), without_context,
             heald_row(
                 "heald: bound launch", bench, [&](int) { bound(); }, "goal: <= 0.5")},
            count);
        gpu_benchmark::measure_rows(
            {c_row("C: cuLaunchKernel, changing grid", path, c_path_plain_changing_grid),
             heald_row("heald: changing grid", bench, grids, "goal: <= 1.10")},
            count);
    }
    c_path_close(path);
}

void longer_kernels(const Bench& bench) {
    print_title("Kernels of some microseconds (ratios: to the C loop of cuLaunchKernel)");
    constexpr double mhz = 1980;
    for (const int microseconds : {2, 3, 5, 7, 10}) {
        const auto cycles = static_cast<long long>(microseconds * mhz);
        CPath* path = bench.c_path("spin", cycles);
        const Kernel spin = bench.kernel("spin");
        std::printf("-- %d us\n", microseconds);
        gpu_benchmark::measure_rows(
            {c_row("C: cuLaunchKernel", path, c_path_plain),
             c_row("C: set parameters + graph launch", path, c_path_set_and_graph),
             heald_row(
                 "heald", bench,
                 [&](int i) { spin({1, 32}, bench.stream, bench.a, bench.b, i + 1, cycles); },
                 "goal: <= 1.00")},
            3000, 21);
        c_path_close(path);
    }
}

/// Microseconds per launch of all threads together.
template <class Work>
double on_threads(int threads, int count, Work work) {
    std::barrier gate(threads + 1);
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t)
        pool.emplace_back([&, t] {
            gate.arrive_and_wait();
            work(t, count);
            gate.arrive_and_wait();
        });
    gate.arrive_and_wait();
    const auto begin = std::chrono::steady_clock::now();
    gate.arrive_and_wait();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    for (auto& thread : pool) thread.join();
    return time.count() / (static_cast<double>(threads) * count);
}

void several_threads(const Bench& bench) {
    print_title("Four threads, each with its own stream (per launch, all threads together)");
    constexpr int threads = 4, count = 5000;
    std::vector<CPath*> paths;
    std::vector<Stream> streams;
    for (int t = 0; t < threads; ++t) {
        paths.push_back(bench.c_path("k3"));
        streams.emplace_back(bench.device);
    }
    const Kernel k3 = bench.kernel("k3");
    std::vector<double> floors, values, entered;
    const auto launch = [&](int t, int n) {
        const Stream& stream = streams[static_cast<std::size_t>(t)];
        const Buffer a(4096, stream), b(4096, stream);
        for (int i = 0; i < n; ++i) k3({1, 32}, stream, a, b, i + 1);
        stream.synchronize();
    };
    for (int repeat = 0; repeat < 7; ++repeat) {
        floors.push_back(on_threads(threads, count, [&](int t, int n) {
            // The context is current on the thread, as in a CUDA program.
            c_path_enter(paths[static_cast<std::size_t>(t)]);
            c_path_plain(paths[static_cast<std::size_t>(t)], n);
            c_path_synchronize(paths[static_cast<std::size_t>(t)]);
        }));
        values.push_back(on_threads(threads, count, launch));
        entered.push_back(on_threads(threads, count, [&](int t, int n) {
            c_path_enter(paths[static_cast<std::size_t>(t)]);
            launch(t, n);
        }));
    }
    std::sort(floors.begin(), floors.end());
    std::sort(values.begin(), values.end());
    std::sort(entered.begin(), entered.end());
    std::printf("%-52s %7.3f us\n", "C: cuLaunchKernel", floors[3]);
    std::printf("%-52s %7.3f us  ratio %5.2f  goal: <= 1.10\n", "heald, context current as in C",
                entered[3], entered[3] / floors[3]);
    std::printf("%-52s %7.3f us  ratio %5.2f\n", "heald, no context current", values[3],
                values[3] / floors[3]);
    for (CPath* path : paths) c_path_close(path);
}

void allocations(const Bench& bench) {
    CPath* path = bench.c_path("k3");
    for (const std::size_t bytes :
         {std::size_t{4096}, std::size_t{1} << 20, std::size_t{1} << 25}) {
        print_title("Allocation and release of " + std::to_string(bytes) + " bytes");
        gpu_benchmark::measure_rows(
            {{"C: cuMemAllocAsync + cuMemFreeAsync",
              [=](int n) { c_path_allocate(path, n, bytes); }, [=] { c_path_synchronize(path); },
              ""},
             heald_row(
                 "heald: Buffer", bench, [&](int) { const Buffer buffer(bytes, bench.stream); },
                 "goal: <= 1 us")},
            500);
    }
    print_title("Small driver calls");
    gpu_benchmark::measure_rows(
        {c_row("cuCtxGetCurrent", path, c_path_current_context),
         c_row("cuStreamIsCapturing", path, c_path_is_capturing),
         c_row("cuCtxPushCurrent + cuCtxPopCurrent", path, c_path_context_switches)},
        5000);
    c_path_close(path);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string part = argc > 1 ? argv[1] : "";
    const Bench bench;
    std::printf("%s, %s\n", bench.device.properties().name.c_str(),
                bench.device.properties().architecture.c_str());
    const auto wanted = [&](const char* name) { return part.empty() || part == name; };
    if (wanted("small")) small_kernels(bench);
    if (wanted("longer")) longer_kernels(bench);
    if (wanted("threads")) several_threads(bench);
    if (wanted("allocate")) allocations(bench);
}
