#include "src/backend/cuda/path_chooser.hpp"

#include <algorithm>

namespace heald::cuda {

void PathChooser::enter(State state) noexcept {
    state_ = state;
    since_entry_ = 0;
    plain_gpu_ = 0;
    windows_ = 0;
}

PathChooser::Path PathChooser::path() const noexcept {
    return state_ == State::graph || state_ == State::graph_settled ? Path::graph : Path::plain;
}

PathChooser::Path PathChooser::next() noexcept {
    ++launches_;
    ++since_entry_;
    switch (state_) {
        case State::warming:
            if (launches_ > warm_up) enter(State::graph);
            break;
        case State::trying_plain:
            if (since_entry_ > longest_trial) enter(State::graph_settled);
            break;
        case State::plain:
        case State::graph_settled:
            if (since_entry_ > settled) enter(State::graph);
            break;
        case State::graph:
        case State::plain_only:
            break;
    }
    return path();
}

void PathChooser::host_cost(double microseconds) noexcept {
    if (plain_host_ == 0 || microseconds < plain_host_) plain_host_ = microseconds;
}

void PathChooser::gpu_cost(Path path, double microseconds, bool busy) noexcept {
    if (path == Path::plain) {
        if (state_ != State::trying_plain) return;
        if (plain_gpu_ == 0 || microseconds < plain_gpu_) plain_gpu_ = microseconds;
        if (++windows_ >= trial_windows)
            enter(plain_gpu_ < faster_by * graph_busy_ ? State::plain : State::graph_settled);
        return;
    }
    if (state_ != State::graph) return;
    // Plain calls would leave the host, with what it does between them, hardly faster than the GPU:
    // the graph wins whatever the gap.
    if (!busy || microseconds <= host_margin * plain_host_) {
        windows_ = 0;
        return;
    }
    // One slow window may have any reason.
    graph_busy_ = windows_ == 0 ? microseconds : std::min(graph_busy_, microseconds);
    if (++windows_ >= trial_windows) enter(State::trying_plain);
}

}  // namespace heald::cuda
