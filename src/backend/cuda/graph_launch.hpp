#pragma once

#include <heald/kernel.hpp>

#include "src/backend/cuda/driver/types.hpp"
#include "src/core/backend.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace heald::cuda {

class Context;
class Kernel;

/// An executable graph of one kernel node: the cheapest way to launch one kernel many times. Each
/// holds about 113 KiB of device memory and is serialised with itself. Not safe for several threads
/// at once: the owner locks.
class GraphLaunch {
public:
    /// Null if the driver cannot make one.
    static std::unique_ptr<GraphLaunch> make(Context& context, Kernel& kernel,
                                             const heald::LaunchConfig& config, int priority,
                                             void** values, bool optional);
    ~GraphLaunch();
    GraphLaunch(const GraphLaunch&) = delete;
    GraphLaunch& operator=(const GraphLaunch&) = delete;

    /// With these arguments; the driver is told of them only if their bytes changed.
    driver::Result launch(driver::Stream stream, void** values);
    /// With the arguments of last time.
    driver::Result launch(driver::Stream stream);

    /// Destroys the graph once the work now in `stream` is done.
    static void retire(std::unique_ptr<GraphLaunch> graph, Context& context, driver::Stream stream);

    /// Executable graphs now alive on all devices.
    [[nodiscard]] static std::size_t alive() noexcept;

private:
    GraphLaunch(Context& context, const Kernel& kernel) : context_(context), kernel_(&kernel) {}

    [[nodiscard]] bool same_arguments(void** values);

    Context& context_;
    const Kernel* kernel_;  ///< for its parameter sizes: alive while launched
    driver::KernelNodeParameters parameters_{};
    driver::GraphNode node_ = nullptr;
    driver::Graph graph_ = nullptr;
    driver::GraphExec executable_ = nullptr;
    std::vector<std::byte> last_;  ///< argument bytes of the last launch
};

}  // namespace heald::cuda
