#include "src/plan/fft/fftw_passes.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace heald::fft::fftw {
namespace {

constexpr std::int64_t piece_bytes = 1 << 18;      // of the result, to stay in the second cache
constexpr std::int64_t short_points = 1 << 14;     // some 20 µs
constexpr std::int64_t threaded_points = 1 << 15;  // of one transform that threads of FFTW share

std::int64_t result_bytes(const Problem& problem) {
    std::int64_t bytes = problem.out_bytes();
    for (std::size_t i = 0; i < problem.axes.size(); ++i) bytes *= problem.out_extent(i);
    return bytes;
}

/// One pass, cut along a batch axis.
Pass cut(Problem problem, Place from, Place to, std::int64_t threads, bool short_work) {
    Pass pass;
    pass.from = from;
    pass.to = to;
    problem.batch = simplified(std::move(problem.batch));
    pass.whole = pass.part = problem;
    const std::int64_t count = problem.transforms();
    if (short_work || count == 1) {
        if (!short_work && count == 1 && problem.points() >= threaded_points)
            pass.threads = static_cast<int>(threads);
        return pass;
    }
    // The axis whose pieces lie furthest apart, if it has enough of them.
    std::size_t along = 0;
    for (std::size_t i = 1; i < problem.batch.size(); ++i)
        if (problem.batch[along].n < 2 * threads && problem.batch[i].n > problem.batch[along].n)
            along = i;
    const Axis axis = problem.batch[along];
    const std::int64_t bytes = result_bytes(problem) * (count / axis.n);
    std::int64_t length = std::max<std::int64_t>(1, piece_bytes / bytes);
    length = std::min(length, std::max<std::int64_t>(1, axis.n / (2 * threads)));
    // Neighbouring columns share cache lines.
    if (std::abs(axis.out) == 1 || std::abs(axis.in) == 1)
        length = std::min(axis.n, std::max<std::int64_t>(length, 16));
    pass.pieces = (axis.n + length - 1) / length;
    pass.part.batch[along].n = length;
    pass.rest = pass.part;
    pass.rest.batch[along].n = axis.n - (pass.pieces - 1) * length;
    pass.in_step = length * axis.in * problem.in_bytes();
    pass.out_step = length * axis.out * problem.out_bytes();
    return pass;
}

/// C order of the complex side of a c2r problem: batch, then axes.
std::int64_t lay_out_scratch(const Problem& problem, std::vector<std::int64_t>& batch,
                             std::vector<std::int64_t>& axes) {
    std::int64_t step = 1;
    axes.resize(problem.axes.size());
    batch.resize(problem.batch.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        axes[i] = step;
        step *= problem.in_extent(i);
    }
    for (std::size_t i = batch.size(); i-- > 0;) {
        batch[i] = step;
        step *= problem.batch[i].n;
    }
    return step;
}

class Divider {
public:
    explicit Divider(std::int64_t threads) : threads_(threads) {}

    /// Inverse transforms of all axes but the halved one, then that.
    void c2r(const Problem& problem) {
        std::vector<std::int64_t> batch, axes;
        passes_.scratch = lay_out_scratch(problem, batch, axes);
        const std::size_t last = axes.size() - 1;

        Problem first = problem;
        first.operation = Operation::inverse;
        first.in_place = false;
        first.scale = 1;
        first.axes.pop_back();
        for (std::size_t i = 0; i < last; ++i) first.axes[i].out = axes[i];
        for (std::size_t i = 0; i < batch.size(); ++i) first.batch[i].out = batch[i];
        first.batch.push_back({problem.in_extent(last), problem.axes[last].in, 1});

        Problem second = problem;
        second.in_place = false;
        second.axes = {{problem.axes[last].n, 1, problem.axes[last].out}};
        for (std::size_t i = 0; i < batch.size(); ++i) second.batch[i].in = batch[i];
        for (std::size_t i = 0; i < last; ++i)
            second.batch.push_back({problem.axes[i].n, axes[i], problem.axes[i].out});

        axes_apart(first, Place::in, Place::scratch);
        add(second, Place::scratch, Place::out);
    }

    /// Several axes: all at once where a batch gives every thread enough, else the first one apart.
    void axes_apart(const Problem& problem, Place from, Place to) {
        const bool together =
            problem.axes.size() == 1 || passes_.short_work || problem.transforms() >= 4 * threads_;
        if (together) return add(problem, from, to);
        Problem inner = problem;
        inner.scale = 1;
        inner.axes.erase(inner.axes.begin());
        inner.batch.push_back(problem.axes.front());

        Problem outer = problem;
        outer.operation =
            problem.operation == Operation::inverse ? Operation::inverse : Operation::forward;
        outer.in_place = true;
        const Axis& axis = problem.axes.front();
        outer.axes = {{axis.n, axis.out, axis.out}};
        for (Axis& one : outer.batch) one.in = one.out;
        for (std::size_t i = 1; i < problem.axes.size(); ++i)
            outer.batch.push_back(
                {problem.out_extent(i), problem.axes[i].out, problem.axes[i].out});
        axes_apart(inner, from, to);
        add(outer, to, to);
    }

    void add(const Problem& problem, Place from, Place to) {
        passes_.list.push_back(cut(problem, from, to, threads_, passes_.short_work));
    }

    Passes passes_;

private:
    std::int64_t threads_;
};

}  // namespace

Passes divide(const Problem& problem, std::int64_t threads) {
    Divider divider(threads);
    divider.passes_.short_work = problem.points() * problem.transforms() <= short_points;
    if (problem.operation == Operation::c2r && problem.axes.size() > 1)
        divider.c2r(problem);
    else if (problem.operation == Operation::r2r)
        divider.add(problem, Place::in, Place::out);
    else
        divider.axes_apart(problem, Place::in, Place::out);
    return std::move(divider.passes_);
}

}  // namespace heald::fft::fftw
