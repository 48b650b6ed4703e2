#include "benchmarks/cpu/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>

namespace bench {
namespace {

constexpr int rounds = 8;
constexpr int runs_in_a_row = 3;
constexpr double never = std::numeric_limits<double>::infinity();

double milliseconds(const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

void improve(double& best, const std::function<void()>& run) {
    for (int i = 0; i < runs_in_a_row; ++i) best = std::min(best, milliseconds(run));
}

Loop find_loop(const LoopSet& set, const char* name) {
    for (const NamedLoop& loop : set.loops)
        if (std::strcmp(loop.name, name) == 0) return loop.loop;
    throw std::logic_error(std::string("no loop named ") + name);
}

std::vector<const LoopSet*> loop_sets() {
    return {
        &loops_of_this_compiler(),
#ifdef HEALD_HAS_CLANG_LOOPS
        &loops_of_clang(),
#endif
    };
}

}  // namespace

Measured measure(const Case& which, Operands& operands, ThreadTeam& team) {
    using namespace heald;
    const Stream stream = Stream::current();
    const auto arguments = which.arguments(operands);
    const auto plain = [&](const LoopSet& set, const char* name, int (*items)(const Data&)) {
        const Loop loop = find_loop(set, name);
        team.run(items(operands.data), which.grain,
                 [&](int begin, int end, int worker) { loop(operands.data, begin, end, worker); });
    };

    Kernel kernel;
    const auto launch = [&] {
        kernel.launch(which.config, stream, arguments);
        stream.synchronize();
    };
    operands.reset();
    Measured result;
    result.compile = milliseconds([&] {
        const Program program(which.source, std::string(which.name) + ".cu");
        kernel = program.compile("", {which.kernel}).get_kernel(which.kernel);
        launch();
    });
    plain(loops_of_this_compiler(), which.loop, which.items);
    result.difference = difference(which, operands, team.size());

    result.loop = result.heald = never;
    result.split = *which.split ? never : 0;
    for (int round = 0; round < rounds; ++round) {
        for (const LoopSet* set : loop_sets()) {
            double best = never;
            improve(best, [&] { plain(*set, which.loop, which.items); });
            if (best < result.loop) {
                result.loop = best;
                result.compiler = set->compiler;
            }
            if (*which.split)
                improve(result.split, [&] { plain(*set, which.split, which.split_items); });
        }
        improve(result.heald, launch);
    }
    result.compile -= result.heald;
    return result;
}

EmptyLaunch measure_empty_launch() {
    using namespace heald;
    constexpr int launches = 2000;
    const Stream stream = Stream::current();
    const Kernel kernel = Program(empty_kernel).compile().get_kernel("empty");
    const LaunchConfig config{{1}, {256}};
    EmptyLaunch best{never, never};
    for (int round = 0; round < rounds; ++round) {
        best.launch = std::min(best.launch, milliseconds([&] {
                                   for (int i = 0; i < launches; ++i)
                                       kernel.launch(config, stream, {});
                               }));
        stream.synchronize();
        best.round_trip = std::min(best.round_trip, milliseconds([&] {
                                       for (int i = 0; i < launches; ++i) {
                                           kernel.launch(config, stream, {});
                                           stream.synchronize();
                                       }
                                   }));
    }
    return {1e3 * best.launch / launches, 1e3 * best.round_trip / launches};
}

}  // namespace bench
