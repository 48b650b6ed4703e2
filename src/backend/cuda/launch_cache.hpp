#pragma once

#include "src/backend/cuda/gpu_probe.hpp"
#include "src/backend/cuda/graph_launch.hpp"
#include "src/backend/cuda/launch_shape.hpp"
#include "src/backend/cuda/path_chooser.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

namespace heald::cuda {

class Context;
class Kernel;

/// How the launches of a process go down, as asked for by HEALD_LAUNCH_PATH: "auto", "plain" (also
/// when a tool that watches the driver is attached) or "graph" (at once, for tests).
enum class LaunchPolicy : std::uint8_t { automatic, plain, graph };
[[nodiscard]] LaunchPolicy launch_policy();

/// The shapes that are launched again and again on one queue, each with its one-node graph once it
/// pays. Locked for the length of a launch: the graphs are not safe for several threads.
class LaunchCache {
public:
    /// All graphs of the process; each holds about 113 KiB of device memory.
    static constexpr std::size_t most_graphs = 256;

    LaunchCache(Context& context, driver::Stream stream, int priority)
        : context_(context), stream_(stream), priority_(priority) {}

    /// Launches down the path that suits; the queue has had `launches`, this one included. The
    /// context must be current.
    driver::Result launch(Kernel& kernel, const heald::LaunchConfig& config, void** values,
                          std::uint64_t launches);

    /// Drops the graphs of a kernel that goes away, once their work is done.
    void forget(std::uint64_t kernel) noexcept;
    void clear() noexcept;

    [[nodiscard]] std::size_t graphs() const noexcept;

private:
    struct Slot {
        LaunchShape shape;
        std::uint64_t last_used = 0;
        PathChooser chooser;
        std::chrono::steady_clock::time_point last_plain;
        std::unique_ptr<GraphLaunch> graph;
        std::unique_ptr<GpuProbe> probe;
    };
    static constexpr std::size_t slots = 16;
    static constexpr std::size_t ways = 4;  ///< places that a shape may take

    /// Launches whose shapes did not come before, one after the other, until most of such launches
    /// are not even looked at; then one of so many is.
    static constexpr std::uint32_t many_misses = 64;
    static constexpr std::uint32_t look_every = 16;

    [[nodiscard]] Slot* find(const LaunchShape& shape);
    driver::Result launch_in(Slot& slot, Kernel& kernel, const heald::LaunchConfig& config,
                             void** values, std::uint64_t launches);
    driver::Result plain(Slot* slot, Kernel& kernel, const heald::LaunchConfig& config,
                         void** values);
    void empty(Slot& slot) noexcept;

    Context& context_;
    driver::Stream stream_;
    int priority_;
    std::atomic<std::uint32_t> misses_{0};  ///< since the last launch of a known shape
    mutable std::mutex mutex_;
    std::uint64_t clock_ = 0;
    std::array<Slot, slots> table_{};
    Slot* last_ = nullptr;  ///< of the last launch
};

}  // namespace heald::cuda
