#include "src/plan/fft/gpu_steps.hpp"

#include "src/base/check.hpp"
#include "src/plan/fft/cufft_layout.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace heald::fft {
namespace {

/// A view with the transformed axes last, in their order.
Array axes_last(const Array& array, const std::vector<int>& axes) {
    std::vector<int> order;
    for (int axis = 0; axis < array.ndim(); ++axis)
        if (std::ranges::count(axes, axis) == 0) order.push_back(axis);
    order.insert(order.end(), axes.begin(), axes.end());
    return array.transpose(order);
}

/// cuFFT wants real data at addresses of whole complex numbers, too.
bool is_aligned(const Array& array, const Problem& problem) {
    return reinterpret_cast<std::uintptr_t>(array.data()) % (problem.float64 ? 16 : 8) == 0;
}

class Steps {
public:
    Steps(core::DeviceState& device, const Stream& stream) : device_(device), stream_(stream) {}

    void transform(Array in, bool own, const Array& out, Operation operation,
                   const std::vector<int>& axes, const std::vector<std::int64_t>& lengths) {
        if (axes.size() > cufft::most_axes) return groups(in, own, out, operation, axes, lengths);
        // cuFFT destroys the input of c2r.
        if (operation == Operation::c2r && !own) in = in.copy(stream_);
        const Problem problem = problem_of(operation, in, out, axes, lengths, 1);
        if (is_aligned(in, problem) && is_aligned(out, problem) && cufft_takes(problem))
            return executor_for(device_, problem)->run(in, out, stream_);
        // Copies, the transformed axes last, are what cuFFT can always take.
        const Array from = axes_last(in, axes).copy(stream_);
        const Array target = axes_last(out, axes);
        const bool complex = operation == Operation::forward || operation == Operation::inverse;
        const Array to = complex ? from : Array(target.shape(), out.dtype(), stream_);
        std::vector<int> last;
        for (std::size_t i = 0; i < axes.size(); ++i)
            last.push_back(in.ndim() - static_cast<int>(axes.size() - i));
        const Problem straight = problem_of(operation, from, to, last, lengths, 1);
        executor_for(device_, straight)->run(from, to, stream_);
        target.copy_from(to, stream_);
    }

private:
    /// More axes than cuFFT takes at once: the last ones, and then the others where the complex
    /// side lies.
    void groups(Array in, bool own, const Array& out, Operation operation,
                const std::vector<int>& axes, const std::vector<std::int64_t>& lengths) {
        const auto cut = static_cast<std::ptrdiff_t>(axes.size() - cufft::most_axes);
        const std::vector<int> first(axes.begin(), axes.begin() + cut);
        const std::vector<int> last(axes.begin() + cut, axes.end());
        const std::vector<std::int64_t> first_lengths(lengths.begin(), lengths.begin() + cut);
        const std::vector<std::int64_t> last_lengths(lengths.begin() + cut, lengths.end());
        if (operation == Operation::c2r) {
            if (!own) in = in.copy(stream_);
            transform(in, true, in, Operation::inverse, first, first_lengths);
            transform(in, true, out, operation, last, last_lengths);
            return;
        }
        const Operation then =
            operation == Operation::inverse ? Operation::inverse : Operation::forward;
        transform(in, own, out, operation, last, last_lengths);
        transform(out, true, out, then, first, first_lengths);
    }

    core::DeviceState& device_;
    const Stream& stream_;
};

}  // namespace

void run_on_gpu(const Array& in, bool own, const Array& out, Operation operation,
                const std::vector<int>& axes, const std::vector<std::int64_t>& lengths,
                const Stream& stream) {
    Steps(stream.state().device, stream).transform(in, own, out, operation, axes, lengths);
}

}  // namespace heald::fft
