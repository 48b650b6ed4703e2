#include "src/backend/cuda/path_chooser.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace heald::cuda {
namespace {

using Path = PathChooser::Path;

/// A GPU on which one launch takes so long by each path, and a host that makes calls without pause.
struct Machine {
    double plain_host = 3, graph_host = 1.6, plain_gpu = 1, graph_gpu = 1.3;

    /// Launches and tells the chooser what it would measure. Returns how many went by graph.
    int run(PathChooser& chooser, int launches) const {
        int graphs = 0;
        for (int i = 0; i < launches; ++i) {
            const Path path = chooser.next();
            if (path == Path::plain && chooser.times_host()) chooser.host_cost(plain_host);
            const double host = path == Path::plain ? plain_host : graph_host;
            const double gpu = path == Path::plain ? plain_gpu : graph_gpu;
            if (chooser.at_window_end()) chooser.gpu_cost(path, std::max(host, gpu), gpu > host);
            graphs += path == Path::graph;
        }
        return graphs;
    }
};

TEST(PathChooser, BeginsPlainAndTakesGraphsForSmallKernels) {
    PathChooser chooser;
    const Machine machine;
    EXPECT_EQ(machine.run(chooser, PathChooser::warm_up), 0);
    EXPECT_EQ(machine.run(chooser, 10000), 10000);
}

TEST(PathChooser, KeepsGraphsWhenTheGpuLagsButIsFasterThanPlainCalls) {
    PathChooser chooser;
    Machine machine;
    machine.graph_gpu = 3.2;  // more than the host needs by graph, less than by plain call
    machine.run(chooser, PathChooser::warm_up);
    EXPECT_EQ(machine.run(chooser, 10000), 10000);
}

TEST(PathChooser, GoesBackToPlainCallsWhereTheGpuIsTheBottleneckAndGraphsAreSlower) {
    PathChooser chooser;
    Machine machine;
    machine.plain_gpu = 6;
    machine.graph_gpu = 7;
    machine.run(chooser, 4000);
    EXPECT_EQ(chooser.path(), Path::plain);
    EXPECT_EQ(machine.run(chooser, 10000), 0);
}

TEST(PathChooser, StaysWithGraphsWhereTheGpuIsTheBottleneckAndTheyAreNotSlower) {
    PathChooser chooser;
    Machine machine;
    machine.plain_gpu = machine.graph_gpu = 6;
    machine.run(chooser, 4000);
    EXPECT_EQ(chooser.path(), Path::graph);
    EXPECT_EQ(machine.run(chooser, 10000), 10000);
}

TEST(PathChooser, IsNotMisledBySingleSlowWindows) {
    PathChooser chooser;
    Machine machine, slow;
    slow.graph_gpu = 50;  // something else ran on the GPU
    machine.run(chooser, PathChooser::warm_up);
    for (int i = 0; i < 100; ++i) {
        const int window = PathChooser::window;
        ASSERT_EQ(slow.run(chooser, window), window) << i;
        ASSERT_EQ(machine.run(chooser, 3 * window), 3 * window) << i;
    }
}

TEST(PathChooser, QuestionsItsChoiceOnceInAWhile) {
    PathChooser chooser;
    Machine machine;
    machine.plain_gpu = 6;
    machine.graph_gpu = 7;
    machine.run(chooser, 4000);
    ASSERT_EQ(chooser.path(), Path::plain);
    machine.plain_gpu = 1;  // the data became smaller
    machine.graph_gpu = 1.3;
    EXPECT_GT(machine.run(chooser, 2 * PathChooser::settled), int(PathChooser::settled) / 2);
}

TEST(PathChooser, GivesUpForGood) {
    PathChooser chooser;
    const Machine machine;
    machine.run(chooser, 100);
    chooser.give_up();
    EXPECT_EQ(machine.run(chooser, 100000), 0);
}

}  // namespace
}  // namespace heald::cuda
