#include "src/plan/fft/cufft_layout.hpp"

#include <algorithm>
#include <utility>

namespace heald::fft::cufft {
namespace {

/// Strides of axes as nested extents around the last axis; false if they are not that.
bool nest(const std::vector<Axis>& axes, const std::vector<std::int64_t>& extents,
          std::int64_t Axis::* stride, Layout::Side& side) {
    side.stride = axes.back().*stride;
    side.embed.assign(axes.size(), 0);
    side.embed[0] = extents[0];
    if (side.stride <= 0) return false;
    for (std::size_t i = 1; i < axes.size(); ++i) {
        const std::int64_t outer = axes[i - 1].*stride, inner = axes[i].*stride;
        if (inner <= 0 || outer % inner != 0 || outer / inner < extents[i]) return false;
        side.embed[i] = outer / inner;
    }
    return true;
}

}  // namespace

std::int64_t Layout::calls() const noexcept {
    std::int64_t count = 1;
    for (const Axis& axis : loops) count *= axis.n;
    return count;
}

std::optional<Layout> layout_of(const Problem& problem) {
    if (problem.axes.empty() || problem.axes.size() > most_axes ||
        problem.operation == Operation::r2r)
        return std::nullopt;
    // The order of axes matters to the halved one only.
    Problem ordered = problem;
    const bool halved = problem.operation == Operation::r2c || problem.operation == Operation::c2r;
    std::sort(ordered.axes.begin(), ordered.axes.end() - (halved ? 1 : 0),
              [](const Axis& a, const Axis& b) { return a.out > b.out; });

    Layout layout;
    std::vector<std::int64_t> in, out;
    for (std::size_t i = 0; i < ordered.axes.size(); ++i) {
        layout.n.push_back(ordered.axes[i].n);
        in.push_back(ordered.in_extent(i));
        out.push_back(ordered.out_extent(i));
    }
    if (!nest(ordered.axes, in, &Axis::in, layout.in) ||
        !nest(ordered.axes, out, &Axis::out, layout.out))
        return std::nullopt;

    layout.loops = problem.batch;
    if (layout.loops.empty()) {
        layout.in.distance = layout.out.distance = 1;
        return layout;
    }
    const auto largest = std::max_element(layout.loops.begin(), layout.loops.end(),
                                          [](const Axis& a, const Axis& b) { return a.n < b.n; });
    const Axis batch = *largest;
    if (batch.in <= 0 || batch.out <= 0) return std::nullopt;
    layout.batch = batch.n;
    layout.in.distance = batch.in;
    layout.out.distance = batch.out;
    layout.loops.erase(largest);
    if (layout.calls() > most_calls) return std::nullopt;
    // cuFFT wants real data at addresses of whole complex numbers.
    for (const Axis& axis : layout.loops)
        if ((problem.real_in() && axis.in % 2 != 0) || (problem.real_out() && axis.out % 2 != 0))
            return std::nullopt;
    return layout;
}

}  // namespace heald::fft::cufft
