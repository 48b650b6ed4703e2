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

    /// Launches down the path that suits. The context must be current.
    driver::Result launch(Kernel& kernel, const heald::LaunchConfig& config, void** values);

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

    [[nodiscard]] Slot* find(const LaunchShape& shape);
    driver::Result launch_in(Slot& slot, Kernel& kernel, const heald::LaunchConfig& config,
                             void** values);
    driver::Result plain(Slot* slot, Kernel& kernel, const heald::LaunchConfig& config,
                         void** values);
    void empty(Slot& slot) noexcept;

    Context& context_;
    driver::Stream stream_;
    int priority_;
    mutable std::mutex mutex_;
    std::uint64_t clock_ = 0;
    std::array<Slot, slots> table_{};
    Slot* last_ = nullptr;  ///< of the last launch
};

/// Notices whether the launches of a device come from one thread or from several. Threads that
/// launch at once write what they share only now and then.
class ThreadWatch {
public:
    /// Counts a launch of this thread; true if the last few dozen were all its own.
    [[nodiscard]] bool alone() noexcept {
        State& mine = state();
        if (last_.load(std::memory_order_relaxed) == mine.id) [[likely]]
            return mine.quiet >= enough || ++mine.quiet >= enough;
        mine.quiet = 0;
        if (mine.others++ % write_every == 0) last_.store(mine.id, std::memory_order_relaxed);
        return false;
    }

private:
    static constexpr std::uint32_t enough = 64;
    static constexpr std::uint32_t write_every = 32;

    struct State {
        std::uint32_t id = 0;
        std::uint32_t quiet = 0;   ///< launches since another thread's was seen
        std::uint32_t others = 0;  ///< launches that followed another thread's
    };
    static State& state() noexcept {
        static std::atomic<std::uint32_t> next{1};
        thread_local State mine{next.fetch_add(1, std::memory_order_relaxed)};
        return mine;
    }

    alignas(64) std::atomic<std::uint32_t> last_{0};
};

}  // namespace heald::cuda
