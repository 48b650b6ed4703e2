// Prints what a launch costs: run by people, not by ctest.

#include "src/backend/cpu/fork.hpp"
#include "src/backend/cpu/function.hpp"
#include "src/backend/cpu/host_operation.hpp"
#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

using namespace heald;
using namespace heald::cpu;
using Clock = std::chrono::steady_clock;

namespace {

void nothing(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {}

Function kernel(bool bounded) {
    KernelRecord record;
    record.display_name = "empty";
    record.has_unbounded_loop = !bounded;
    record.work = 4;
    for (int i = 0; i < 3; ++i) {
        Parameter parameter;
        parameter.size = parameter.alignment = 8;
        record.signature.parameters.push_back(parameter);
    }
    return Function(
        record,
        [](const KernelRecord&, const Variant&) { return KernelCode{nothing, 0, 0, nullptr}; }, {});
}

template <class Body>
void row(const char* what, int repeats, Body&& body) {
    std::vector<double> times;
    for (int round = 0; round < 30; ++round) {
        const auto begin = Clock::now();
        for (int i = 0; i < repeats; ++i) body();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count() /
                        repeats);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-58s %8.3f us best %8.3f us median\n", what, times.front(),
                times[times.size() / 2]);
}

}  // namespace

int main() {
    survive_forks();
    std::printf("%d workers\n", allowance().workers);
    const auto queue = Queue::make(0);
    Function quick = kernel(true), slow = kernel(false);
    long a = 1, b = 2, c = 3;
    void* values[] = {&a, &b, &c};
    const auto launch = [&](Function& function, std::uint32_t grid, std::uint32_t block) {
        const LaunchConfig config{Dim3(grid), Dim3(block), 0, {0, 0, 0}, false};
        launch_grid(function.grid(config, {}), function, values, *queue);
    };
    row("empty launch on the spot, 1 block of 32", 20000, [&] { launch(quick, 1, 32); });
    row("empty launch on the spot, 64 blocks of 32", 20000, [&] { launch(quick, 64, 32); });
    row("launch of 64 blocks across workers and synchronise", 2000, [&] {
        launch(slow, 64, 256);
        queue->synchronize();
    });
    row("launch of 1 block on a worker and synchronise", 2000, [&] {
        launch(slow, 1, 256);
        queue->synchronize();
    });
    row("queued launch of 64 blocks, per launch of 1000", 1, [&] {
        for (int i = 0; i < 1000; ++i) launch(slow, 64, 256);
        queue->synchronize();
    });
    row("host function and synchronise", 500, [&] {
        enqueue_host_function(*queue, [] {});
        queue->synchronize();
    });
}
