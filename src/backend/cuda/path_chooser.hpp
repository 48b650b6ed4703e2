#pragma once

#include <cstdint>

namespace heald::cuda {

/// Chooses, launch by launch, between the plain driver call and the cached one-node graph for one
/// shape on one queue. It begins with plain calls and times some; after enough of them a graph
/// pays for being made. The graph costs the host half as much, but a GPU that cannot keep up gains
/// nothing from that and may lose on the gap between kernels: when the queue runs full, both paths
/// are timed on the GPU and the faster one is kept for a while.
class PathChooser {
public:
    enum class Path : std::uint8_t { plain, graph };

    static constexpr std::uint64_t warm_up = 32;  ///< plain launches before a graph is made
    static constexpr std::uint64_t window = 128;  ///< launches between two probe events
    static constexpr int trial_windows = 4;       ///< windows by which each path is judged
    static constexpr std::uint64_t longest_trial = 16384;  ///< launches, if timing gets nowhere
    static constexpr double faster_by = 0.985;  ///< plain is kept if it takes less than this part
    static constexpr double host_margin = 1.1;
    static constexpr std::uint64_t settled = 32768;  ///< launches before a choice is questioned

    /// Counts one launch and says how to make it.
    [[nodiscard]] Path next() noexcept;

    /// True once at each window's end: record an event.
    [[nodiscard]] bool at_window_end() const noexcept {
        return launches_ >= warm_up && launches_ % window == 0;
    }
    /// Plain launches worth timing on the host, from one call to the next.
    [[nodiscard]] bool times_host() const noexcept {
        return launches_ > warm_up / 2 && launches_ <= warm_up;
    }
    void host_cost(double microseconds) noexcept;

    /// What the GPU took per launch in one window, in which the queue had no other launches; `busy`
    /// if it never waited for the host.
    void gpu_cost(Path path, double microseconds, bool busy) noexcept;

    /// A graph could not be made: plain for good.
    void give_up() noexcept { state_ = State::plain_only; }

    [[nodiscard]] Path path() const noexcept;

private:
    enum class State : std::uint8_t {
        warming,
        graph,
        trying_plain,
        plain,
        graph_settled,
        plain_only
    };

    void enter(State state) noexcept;

    State state_ = State::warming;
    std::uint64_t launches_ = 0;
    std::uint64_t since_entry_ = 0;
    double plain_host_ = 0;  // microseconds, the least seen
    double graph_busy_ = 0;  // microseconds per launch, the GPU never idle: the least seen
    double plain_gpu_ = 0;   // the least seen during the trial
    int windows_ = 0;        // that were judged since the state was entered
};

}  // namespace heald::cuda
