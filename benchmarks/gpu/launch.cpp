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
using gpu_benchmark::Cost;
using gpu_benchmark::measure;
using gpu_benchmark::print_row;
using gpu_benchmark::print_title;

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

Cost measure_c(CPath* path, void (*work)(CPath*, int), int count = 500) {
    return measure([=](int n) { work(path, n); }, [=] { c_path_synchronize(path); }, count);
}

void small_kernels(const Bench& bench) {
    print_title("Launches of an empty kernel with three arguments (ratios: to the C loop)");
    CPath* path = bench.c_path("k3");
    const Kernel k3 = bench.kernel("k3"), other = bench.kernel("other");
    const auto finish = [&] { bench.finish(); };
    for (const int count : {100, 500, 5000}) {
        std::printf("-- %d launches between synchronisations\n", count);
        const Cost floor = measure_c(path, c_path_plain, count);
        print_row("C: cuLaunchKernel", floor);
        const Cost set = measure_c(path, c_path_set_and_graph, count);
        print_row("C: set parameters + graph launch", set, &floor);
        const Cost graph = measure_c(path, c_path_graph, count);
        print_row("C: one-node graph launch", graph, &floor);
        const auto heald_row = [&](const char* name, const char* goal, auto launch) {
            const Cost cost = measure(
                [&](int n) {
                    for (int i = 0; i < n; ++i) launch(i);
                },
                finish, count);
            print_row(name, cost, &floor, goal);
        };
        heald_row("heald: same arguments", "goal: C graph + 0.5 us",
                  [&](int) { k3({1, 32}, bench.stream, bench.a, bench.b, 3); });
        heald_row("heald: changing arguments", "goal: C set + 0.5 us",
                  [&](int i) { k3({1, 32}, bench.stream, bench.a, bench.b, i + 1); });
        heald_row("heald: two kernels in turn", "", [&](int i) {
            (i % 2 == 0 ? k3 : other)({1, 32}, bench.stream, bench.a, bench.b, i + 1);
        });
        c_path_leave(path);
        heald_row("heald: changing arguments, no context current", "",
                  [&](int i) { k3({1, 32}, bench.stream, bench.a, bench.b, i + 1); });
        c_path_enter(path);
        const Argument arguments[] = {Argument(bench.a), Argument(bench.b), Argument(3)};
        const BoundLaunch bound = k3.bind({1, 32}, bench.stream, arguments);
        heald_row("heald: bound launch", "goal: <= 0.5", [&](int) { bound(); });
        const Cost changing = measure_c(path, c_path_plain_changing_grid, count);
        print_row("C: cuLaunchKernel, changing grid", changing);
        const Cost ours = measure(
            [&](int n) {
                for (int i = 0; i < n; ++i)
                    k3({1 + static_cast<unsigned>(i % 61), 32}, bench.stream, bench.a, bench.b, 3);
            },
            finish, count);
        print_row("heald: changing grid", ours, &changing, "goal: <= 1.10");
    }
    c_path_close(path);
}

void longer_kernels(const Bench& bench) {
    print_title("Kernels of some microseconds (ratios: to the C loop of cuLaunchKernel)");
    const double mhz = 1980;
    for (const double microseconds : {2.0, 3.0, 5.0, 7.0, 10.0}) {
        const auto cycles = static_cast<long long>(microseconds * mhz);
        CPath* path = bench.c_path("spin", cycles);
        const Kernel spin = bench.kernel("spin");
        constexpr int count = 3000;
        const Cost floor = measure_c(path, c_path_plain, count);
        char name[80];
        std::snprintf(name, sizeof name, "C: cuLaunchKernel, %.0f us", microseconds);
        print_row(name, floor);
        const Cost set = measure_c(path, c_path_set_and_graph, count);
        std::snprintf(name, sizeof name, "C: set parameters + graph, %.0f us", microseconds);
        print_row(name, set, &floor);
        const Cost ours = measure(
            [&](int n) {
                for (int i = 0; i < n; ++i)
                    spin({1, 32}, bench.stream, bench.a, bench.b, i + 1, cycles);
            },
            [&] { bench.finish(); }, count);
        std::snprintf(name, sizeof name, "heald, %.0f us", microseconds);
        print_row(name, ours, &floor, "goal: <= 1.00");
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
    std::vector<double> floors, values;
    for (int repeat = 0; repeat < 7; ++repeat) {
        floors.push_back(on_threads(threads, count, [&](int t, int n) {
            // The context is current on the thread, as in a CUDA program.
            c_path_enter(paths[static_cast<std::size_t>(t)]);
            c_path_plain(paths[static_cast<std::size_t>(t)], n);
            c_path_synchronize(paths[static_cast<std::size_t>(t)]);
        }));
        values.push_back(on_threads(threads, count, [&](int t, int n) {
            const Stream& stream = streams[static_cast<std::size_t>(t)];
            const Buffer a(4096, stream), b(4096, stream);
            for (int i = 0; i < n; ++i) k3({1, 32}, stream, a, b, i + 1);
            stream.synchronize();
        }));
    }
    std::sort(floors.begin(), floors.end());
    std::sort(values.begin(), values.end());
    std::printf("%-52s %7.3f us\n%-52s %7.3f us  ratio %5.2f  goal: <= 1.10\n", "C: cuLaunchKernel",
                floors[3], "heald", values[3], values[3] / floors[3]);
    for (CPath* path : paths) c_path_close(path);
}

void allocations(const Bench& bench) {
    print_title("Allocation and release (goal: <= 1 us)");
    CPath* path = bench.c_path("k3");
    for (const std::size_t bytes :
         {std::size_t{4096}, std::size_t{1} << 20, std::size_t{1} << 25}) {
        const Cost floor = measure([&](int n) { c_path_allocate(path, n, bytes); },
                                   [&] { c_path_synchronize(path); });
        print_row("C: cuMemAllocAsync + cuMemFreeAsync, " + std::to_string(bytes), floor);
        const Cost ours = measure(
            [&](int n) {
                for (int i = 0; i < n; ++i) const Buffer buffer(bytes, bench.stream);
            },
            [&] { bench.finish(); });
        print_row("heald: Buffer, " + std::to_string(bytes), ours, &floor);
    }
    print_title("Small driver calls");
    print_row("cuCtxGetCurrent", measure_c(path, c_path_current_context, 5000));
    print_row("cuStreamIsCapturing", measure_c(path, c_path_is_capturing, 5000));
    print_row("cuCtxPushCurrent + cuCtxPopCurrent", measure_c(path, c_path_context_switches, 5000));
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
