// A driver of an older toolkit: some entry points are missing. Nothing fails before one is needed.

#include "tests/cpp/cuda/fake_fixture.hpp"

namespace heald::cuda {
namespace {

class OldDriver : public WithFakeDriver {};

TEST_F(OldDriver, WorksWithoutGraphUpdates) {
    const auto code = backend->load(code_of());
    for (int i = 0; i < 500; ++i) launch(code->function("scale"), i);
    EXPECT_EQ(control.launches.size(), 500u);
    EXPECT_EQ(graph_launches(), 0);
    EXPECT_EQ(control.graphs_alive, 0);
    backend->synchronize();
}

TEST_F(OldDriver, NamesTheMissingFunctionWhenItIsNeeded) {
    core::CodeData bare = code_of();
    bare.kernels.clear();
    const auto code = backend->load(bare);
    const std::string error = error_of([&] { (void)code->function("scale"); });
    EXPECT_NE(error.find("cuFuncGetParamInfo"), std::string::npos) << error;
    EXPECT_NE(error.find("update the NVIDIA driver"), std::string::npos) << error;
}

TEST_F(OldDriver, HostFunctionsHoldTheDriversThreadInstead) {
    int order = 0;
    backend->host_function(*queue, [&] { order = 1; });
    EXPECT_EQ(order, 1);
    const auto signal = std::make_shared<core::Signal>();
    signal->set();
    backend->wait_signal(*queue, signal);
    backend->synchronize(*queue);
}

TEST_F(OldDriver, ListsTheKernelsThatItKnows) {
    const auto code = backend->load(code_of());
    EXPECT_EQ(code->function_names(), std::vector<std::string>{"scale"});
}

}  // namespace
}  // namespace heald::cuda
