#include "tests/cpp/cuda/fake_fixture.hpp"

#include "src/backend/cuda/graph_launch.hpp"
#include "src/backend/cuda/launch_cache.hpp"

#include <cstring>

namespace heald::cuda {
namespace {

using driver::Result;

class LaunchTest : public WithFakeDriver {
protected:
    LaunchTest() : code(backend->load(code_of())), kernel(code->function("scale")) {
        control.launches.clear();
        // Enough launches that this thread counts as the only one.
        for (int i = 0; i < 40; ++i) launch(kernel, -1, {1000u + static_cast<unsigned>(i), 32});
        control.launches.clear();
    }

    static int n_of(const fake::Launch& launch) {
        int n = 0;
        std::memcpy(&n, launch.arguments.at(2).data(), sizeof n);
        return n;
    }

    std::shared_ptr<core::CodeImpl> code;
    core::FunctionImpl& kernel;
};

TEST_F(LaunchTest, AsksForCapturesOnlyOfStreamsThatOthersKnow) {
    const int before = control.count("cuStreamIsCapturing");
    EXPECT_FALSE(queue->has_handle(1234));
    for (int i = 0; i < 100; ++i) launch(kernel, i);
    EXPECT_EQ(control.count("cuStreamIsCapturing"), before);
    EXPECT_TRUE(queue->has_handle(queue->handle()));
    for (int i = 0; i < 100; ++i) launch(kernel, i);
    EXPECT_GT(control.count("cuStreamIsCapturing"), before);
}

TEST_F(LaunchTest, PassesShapeAndArguments) {
    heald::LaunchConfig config{{3, 4, 5}, {32, 2, 1}, 1024};
    launch(kernel, 77, config);
    ASSERT_EQ(control.launches.size(), 1u);
    const fake::Launch& seen = control.launches[0];
    EXPECT_EQ(seen.kernel, "scale");
    EXPECT_EQ(seen.grid[2], 5u);
    EXPECT_EQ(seen.block[1], 2u);
    EXPECT_EQ(seen.shared, 1024u);
    EXPECT_EQ(n_of(seen), 77);
    EXPECT_EQ(seen.stream, reinterpret_cast<driver::Stream>(queue->handle()));
}

TEST_F(LaunchTest, RepeatedShapesGoByGraphWithTheRightArguments) {
    for (int i = 0; i < 1000; ++i) launch(kernel, i);
    ASSERT_EQ(control.launches.size(), 1000u);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(n_of(control.launches[i]), i);
    EXPECT_GT(graph_launches(), 900);
    EXPECT_FALSE(control.launches[0].by_graph);
    EXPECT_TRUE(control.launches[999].by_graph);
}

TEST_F(LaunchTest, UnchangedArgumentsAreNotSetAgain) {
    for (int i = 0; i < 100; ++i) launch(kernel, 5);
    const int before = control.count("cuGraphExecKernelNodeSetParams_v2");
    for (int i = 0; i < 100; ++i) launch(kernel, 5);
    EXPECT_EQ(control.count("cuGraphExecKernelNodeSetParams_v2"), before);
    launch(kernel, 6);
    EXPECT_EQ(control.count("cuGraphExecKernelNodeSetParams_v2"), before + 1);
    EXPECT_EQ(n_of(control.launches.back()), 6);
}

TEST_F(LaunchTest, ChangingGridsStayPlain) {
    for (unsigned i = 0; i < 1000; ++i) launch(kernel, 1, {1 + i, 128});
    EXPECT_EQ(graph_launches(), 0);
}

TEST_F(LaunchTest, ChangingGridsDoNotDriveOutARepeatedShape) {
    for (int i = 0; i < 100; ++i) launch(kernel, i);
    ASSERT_TRUE(control.launches.back().by_graph);
    for (unsigned i = 0; i < 1000; ++i) {
        launch(kernel, 1, {5000 + i, 128});
        launch(kernel, static_cast<int>(i));
        ASSERT_TRUE(control.launches.back().by_graph) << i;
    }
}

TEST_F(LaunchTest, JudgesNoGraphByWindowsThatOthersLaunchedIn) {
    // The fake's clock moves with its events: every window seems to take a second per launch, which
    // counts for graphs of a queue that has no other launches.
    control.microseconds_per_event = 1e6 * PathChooser::window;
    control.set_hold(true);  // the GPU lags behind
    control.parameter_sizes["other"] = {8, 4, 4};
    const auto second = backend->load(code_of("other"));
    const auto run = [&](bool in_turn) {
        control.launches.clear();
        for (int i = 0; i < 4000; ++i) {
            launch(kernel, i);
            if (in_turn) launch(second->function("other"), i, {9, 64});
            if (i % PathChooser::window == PathChooser::window - 2) control.set_hold(false);
            if (i % PathChooser::window == 0) control.set_hold(true);
        }
        return graph_launches();
    };
    EXPECT_GT(run(true), 7500);
    control.microseconds_per_event = 1;
}

TEST_F(LaunchTest, TwoKernelsInTurnBothGoByGraph) {
    control.parameter_sizes["other"] = {8, 4, 4};
    const auto second = backend->load(code_of("other"));
    for (int i = 0; i < 200; ++i) {
        launch(kernel, i);
        launch(second->function("other"), -i);
    }
    const auto& launches = control.launches;
    EXPECT_TRUE(launches[launches.size() - 1].by_graph);
    EXPECT_TRUE(launches[launches.size() - 2].by_graph);
    EXPECT_EQ(launches[launches.size() - 1].kernel, "other");
    EXPECT_EQ(launches[launches.size() - 2].kernel, "scale");
    EXPECT_EQ(n_of(launches[launches.size() - 1]), -199);
}

TEST_F(LaunchTest, QueuesDoNotShareGraphs) {
    const auto other = backend->make_queue({-3, false});
    for (int i = 0; i < 200; ++i) {
        launch(kernel, i);
        std::swap(queue, const_cast<std::shared_ptr<core::QueueImpl>&>(other));
    }
    const auto& launches = control.launches;
    const auto& a = launches[launches.size() - 2];
    const auto& b = launches[launches.size() - 1];
    EXPECT_TRUE(a.by_graph && b.by_graph);
    EXPECT_NE(a.stream, b.stream);
    EXPECT_EQ(a.priority + b.priority, -3) << "each node has its queue's priority";
}

TEST_F(LaunchTest, ThreadsInTurnStayPlain) {
    std::atomic<int> turn{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 300; ++i) {
                while (turn.load() % 2 != t) std::this_thread::yield();
                launch(kernel, i);
                turn.fetch_add(1);
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(graph_launches(), 0);
    EXPECT_EQ(control.launches.size(), 600u);
}

TEST_F(LaunchTest, UnderCaptureLaunchesArePlain) {
    (void)queue->handle();
    for (int i = 0; i < 100; ++i) launch(kernel, i);
    ASSERT_TRUE(control.launches.back().by_graph);
    control.capturing = true;
    launch(kernel, 1);
    EXPECT_FALSE(control.launches.back().by_graph);
    control.capturing = false;
    launch(kernel, 1);
    EXPECT_TRUE(control.launches.back().by_graph);
}

TEST_F(LaunchTest, NobodyIsAskedAboutCaptureWhileNobodyHasTheHandle) {
    const int before = control.count("cuStreamIsCapturing");
    for (int i = 0; i < 100; ++i) launch(kernel, i);
    EXPECT_EQ(control.count("cuStreamIsCapturing"), before);
}

TEST_F(LaunchTest, CooperativeAndClusterLaunchesCarryTheirAttributes) {
    heald::LaunchConfig config{4, 128};
    config.cooperative = true;
    config.cluster = {2, 1, 1};
    for (int i = 0; i < 100; ++i) launch(kernel, i, config);
    const fake::Launch& last = control.launches.back();
    EXPECT_TRUE(last.cooperative);
    EXPECT_EQ(last.cluster[0], 2u);
    EXPECT_EQ(graph_launches(), 0);
}

TEST_F(LaunchTest, GraphsAreBoundedAndGoWithTheirKernels) {
    const int graphs = control.graphs_alive;
    for (unsigned shape = 0; shape < 100; ++shape)
        for (int i = 0; i < 50; ++i) launch(kernel, i, {1 + shape, 64});
    EXPECT_TRUE(eventually([&] { return control.graphs_alive <= graphs + 16; }))
        << "a queue holds few";
    EXPECT_GT(control.graphs_alive, graphs);
    code.reset();
    EXPECT_TRUE(eventually([&] { return control.graphs_alive <= graphs; }));
}

TEST_F(LaunchTest, CodeClosedInFlightIsUnloadedAfterItsWork) {
    for (int i = 0; i < 100; ++i) launch(kernel, i);
    const int modules = control.modules_alive;
    const int graphs = control.graphs_alive;
    control.set_hold(true);
    code.reset();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(control.modules_alive, modules);
    EXPECT_EQ(control.graphs_alive, graphs);
    control.set_hold(false);
    EXPECT_TRUE(eventually([&] { return control.modules_alive == modules - 1; }));
    EXPECT_LT(control.graphs_alive, graphs);
}

TEST_F(LaunchTest, ANewKernelAtAnOldAddressGetsNoOldGraph) {
    control.parameter_sizes["other"] = {8, 4, 4};
    for (int round = 0; round < 50; ++round) {
        const std::string name = round % 2 == 0 ? "scale" : "other";
        const auto fresh = backend->load(code_of(name));
        for (int i = 0; i < 60; ++i) {
            launch(fresh->function(name), i);
            ASSERT_EQ(control.launches.back().kernel, name);
            ASSERT_EQ(n_of(control.launches.back()), i);
        }
    }
}

TEST_F(LaunchTest, ManyCodesLeaveNothingBehind) {
    const int modules = control.modules_alive;
    for (int i = 0; i < 2000; ++i) {
        const auto fresh = backend->load(code_of());
        launch(fresh->function("scale"), i);
    }
    EXPECT_TRUE(eventually([&] { return control.modules_alive == modules; }));
}

TEST_F(LaunchTest, SharedMemoryIsOptedInToOnce) {
    const int before = control.count("cuFuncSetAttribute");
    for (int i = 0; i < 10; ++i) launch(kernel, i, {1, 128, 100000});
    EXPECT_EQ(control.count("cuFuncSetAttribute"), before + 1);
    const std::string error = error_of([&] { launch(kernel, 1, {1, 128, 300000}); });
    EXPECT_NE(error.find("'scale': 300000 bytes of dynamic shared memory are too many"),
              std::string::npos)
        << error;
    launch(kernel, 1);
}

TEST_F(LaunchTest, ARefusedLaunchSaysWhatWasAsked) {
    const std::string error = error_of([&] { launch(kernel, 1, {1, 2000}); });
    EXPECT_NE(error.find("'scale' with grid (1, 1, 1), block (2000, 1, 1)"), std::string::npos)
        << error;
    launch(kernel, 3);
    EXPECT_EQ(n_of(control.launches.back()), 3);
}

TEST_F(LaunchTest, AFailedGraphFallsBackToPlainCalls) {
    control.fail_next["cuGraphInstantiateWithFlags"] = Result::out_of_memory;
    for (int i = 0; i < 200; ++i) launch(kernel, i);
    EXPECT_EQ(graph_launches(), 0);
    ASSERT_EQ(control.launches.size(), 200u);
    EXPECT_EQ(n_of(control.launches.back()), 199);
}

TEST_F(LaunchTest, ArgumentsThatCouldNotBeSetAreSetNextTime) {
    for (int i = 0; i < 100; ++i) launch(kernel, 5);
    control.fail_next["cuGraphExecKernelNodeSetParams_v2"] = Result::invalid_value;
    EXPECT_NE(error_of([&] { launch(kernel, 6); }), "");
    launch(kernel, 6);
    EXPECT_EQ(n_of(control.launches.back()), 6);
}

TEST_F(LaunchTest, ABoundLaunchIsOneDriverCall) {
    backend->context().deferred().drain();
    void* x = nullptr;
    float a = 2;
    int n = 9;
    void* values[] = {&x, &a, &n};
    const auto bound = backend->bind(kernel, queue, {4, 128}, {values, 3, {}}, {"demo.py", 3});
    n = 10;  // the values were taken
    const Current current(backend->context());
    control.calls.clear();
    control.launches.clear();
    bound->launch();
    bound->launch();
    EXPECT_EQ(control.calls["cuGraphLaunch"], 2);
    control.calls.erase("cuEventQuery");  // of the thread that looks for work that is done
    EXPECT_EQ(control.calls.size(), 1u);
    EXPECT_EQ(n_of(control.launches.back()), 9);
    (void)queue->handle();
    control.capturing = true;
    bound->launch();
    EXPECT_FALSE(control.launches.back().by_graph);
    EXPECT_EQ(n_of(control.launches.back()), 9);
    control.capturing = false;
}

TEST_F(LaunchTest, UnknownKernelsSuggestNearNames) {
    try {
        (void)code->function("scalee");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_NE(std::string(error.what()).find("did you mean 'scale'"), std::string::npos)
            << error.what();
    }
}

TEST_F(LaunchTest, CodeWithoutSignaturesTellsSizes) {
    core::CodeData bare = code_of();
    bare.kernels.clear();
    const auto loaded = backend->load(bare);
    const Signature& signature = loaded->function("scale").signature();
    EXPECT_EQ(signature.source, Signature::Source::sizes_only);
    ASSERT_EQ(signature.parameters.size(), 3u);
    EXPECT_EQ(signature.parameters[0].size, 8u);
    EXPECT_EQ(signature.parameters[2].size, 4u);
}

}  // namespace
}  // namespace heald::cuda
