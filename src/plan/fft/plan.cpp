#include <heald/fft.hpp>
#include <heald/operations.hpp>

#include "src/array/lazy/pending.hpp"
#include "src/array/memory_use.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/base/text.hpp"
#include "src/plan/fft/cufft_layout.hpp"
#include "src/plan/fft/executor.hpp"
#include "src/plan/fft/layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heald {

using fft::Callback;
using fft::Direction;
using fft::Kind;
using fft::Resolved;

struct FFT::State {
    Shape shape;
    DType dtype;
    FFTOptions options;
    Resolved resolved;
    std::optional<int> batch;  ///< the first axis that is not transformed

    [[nodiscard]] fft::Transform what(Direction direction) const {
        fft::Transform transform;
        transform.kind = options.kind;
        transform.direction = direction;
        transform.axes = resolved.axes;
        transform.lengths = resolved.lengths;
        transform.norm = options.norm;
        return transform;
    }
};

namespace {

constexpr std::int64_t part_bytes = 1 << 20;  // of the result, for each thread

/// A range of the batch axis of what runs at once.
struct Part {
    std::optional<int> axis;
    std::int64_t begin = 0;
    std::int64_t end = 0;

    /// The part of an array; an operand that broadcasts along the axis stays whole.
    [[nodiscard]] Array of(const Array& array, int ndim) const {
        if (!axis) return array;
        const int own = *axis - (ndim - array.ndim());
        if (own < 0 || array.shape()[static_cast<std::size_t>(own)] == 1) return array;
        return array.slice(own, begin, end, 1);
    }
};

std::vector<Array> indices(const Shape& shape, const Part& part) {
    std::vector<Array> result;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const bool cut = part.axis && static_cast<std::size_t>(*part.axis) == axis;
        const auto first = static_cast<double>(cut ? part.begin : 0);
        Shape along(shape.size(), 1);
        along[axis] = shape[axis];
        result.push_back(range(first, 1, shape[axis], DType::int64).reshape(along));
    }
    return result;
}

bool touches(const Array& out, std::span<const Array> inputs) {
    return std::ranges::any_of(inputs, [&](const Array& input) {
        return array::overlap(array::use_of(out, true), array::use_of(input, false));
    });
}

bool reads(const core::Block& pending, const core::Block& source) {
    return std::ranges::any_of(
        array::node_of(pending)->operands, [&](const array::Operand& operand) {
            return operand.is_array() && operand.array.buffer().block().get() == &source;
        });
}

/// Whether a recorded reduction leads from `source` to `result`.
bool is_reduced(const Array& result, const core::Block& source) {
    for (const core::Block* block : array::pending_needs(result.buffer().block())) {
        const array::Node& node = *array::node_of(*block);
        if (node.kind != array::NodeKind::reduction) continue;
        if (reads(*block, source)) return true;
        for (const core::Block* needed :
             array::pending_needs(node.operands[0].array.buffer().block()))
            if (reads(*needed, source)) return true;
    }
    return false;
}

Array apply(const Callback& callback, const char* name, const Array& value, const Part& part,
            std::span<const Array> operands) {
    std::vector<Array> own;
    for (const Array& operand : operands) own.push_back(part.of(operand, value.ndim()));
    const std::vector<Array> index = indices(value.shape(), part);
    Array result = callback(value, index, own);
    HEALD_EXPECTS(!is_reduced(result, *value.buffer().block()), invalid_value, "[FFT] the ", name,
                  " reduces its values: it sees them in parts, and must work element by element");
    const Shape* const shapes[] = {&value.shape(), &result.shape()};
    HEALD_EXPECTS(array::broadcast_shapes(shapes, name) == value.shape(), invalid_value,
                  "[FFT] the ", name, " gave shape ", array::shape_text(result.shape()),
                  " for values of shape ", array::shape_text(value.shape()),
                  ": it must work element by element");
    return array::broadcast_view(std::move(result), value.shape());
}

}  // namespace

FFT::FFT(Shape shape, DType dtype, FFTOptions options) {
    auto state = std::make_shared<State>();
    state->shape = std::move(shape);
    state->dtype = dtype;
    state->options = std::move(options);
    fft::Transform what;
    what.kind = state->options.kind;
    what.lengths = state->options.lengths;
    what.norm = state->options.norm;
    what.axes = state->options.axes;
    if (what.axes.empty()) {
        what.axes.resize(state->shape.size());
        std::iota(what.axes.begin(), what.axes.end(), 0);
    }
    state->resolved = fft::resolve(state->shape, what, "FFT");
    for (int axis = 0; axis < static_cast<int>(state->shape.size()) && !state->batch; ++axis)
        if (std::ranges::count(state->resolved.axes, axis) == 0) state->batch = axis;
    state_ = std::move(state);
}

Array FFT::execute(const Array& x, Direction direction, const std::optional<Array>& out,
                   std::span<const Array> before, std::span<const Array> after) const {
    const State& plan = *state_;
    HEALD_EXPECTS(x.shape() == plan.shape && x.dtype() == plan.dtype, invalid_value,
                  "[FFT.execute] the plan is for ", name_of(plan.dtype), " of shape ",
                  array::shape_text(plan.shape), ", got ", name_of(x.dtype()), " of shape ",
                  array::shape_text(x.shape()));
    const fft::Transform what = plan.what(direction);
    const FFTOptions& options = plan.options;
    if (!options.prologue && !options.epilogue) return fft::transform(x, what, out);
    HEALD_EXPECTS(!out || out->shape() == plan.resolved.out, invalid_value,
                  "[FFT.execute] out has shape ", out ? array::shape_text(out->shape()) : "",
                  ", the result ", array::shape_text(plan.resolved.out));

    // The result comes part by part, and must not overwrite what later parts read.
    if (out && (touches(*out, {&x, 1}) || touches(*out, before) || touches(*out, after))) {
        assign(*out, execute(x, direction, std::nullopt, before, after));
        return *out;
    }

    const Stream stream = array::stream_for(x);
    const StreamScope scope(stream);
    std::int64_t step = plan.batch ? x.shape()[static_cast<std::size_t>(*plan.batch)] : 1;
    const std::int64_t batch = step;
    Part part{plan.batch, 0, batch};
    std::int64_t bytes = static_cast<std::int64_t>(size_of(DType::complex128));
    for (const std::int64_t extent : plan.resolved.out) bytes *= extent;
    if (plan.batch && x.device().kind() == DeviceKind::cpu && batch > 1) {
        const std::int64_t threads =
            stream.state().device.backend().properties().multiprocessor_count;
        step = std::clamp<std::int64_t>(
            part_bytes * threads * batch / std::max<std::int64_t>(bytes, 1), 1, batch);
    } else {
        part.axis.reset();
    }
    std::optional<Array> result = out;
    for (part.begin = 0; part.begin < batch; part.begin += step) {
        part.end = part.axis ? std::min(part.begin + step, batch) : batch;
        if (!part.axis) part.begin = 0;
        Array value = part.of(x, x.ndim());
        if (options.prologue) value = apply(options.prologue, "prologue", value, part, before);
        std::optional<Array> target;
        if (!options.epilogue && result) target = part.of(*result, x.ndim());
        Array spectrum = fft::transform(value, what, target);
        if (options.epilogue) spectrum = apply(options.epilogue, "epilogue", spectrum, part, after);
        if (part.begin == 0 && part.end == batch && !result) return spectrum;
        if (!result) result = Array(plan.resolved.out, spectrum.dtype(), stream);
        if (!target) assign(part.of(*result, x.ndim()), spectrum);
        if (!part.axis) break;
    }
    if (!result) return fft::transform(x, what);  // nothing to transform
    return *result;
}

const Shape& FFT::shape() const noexcept {
    return state_->shape;
}
DType FFT::dtype() const noexcept {
    return state_->dtype;
}
const Shape& FFT::result_shape() const noexcept {
    return state_->resolved.out;
}

std::string FFT::explain(const Device& device) const {
    const State& plan = *state_;
    const bool on_cpu = device.kind() == DeviceKind::cpu;
    const bool float64 = fft::is_double(plan.dtype);
    const StreamScope scope(device.default_stream());
    std::string result;
    const char* where = on_cpu && plan.batch ? " over parts of the batch" : "";
    if (plan.options.prologue) result += text("prologue: one fused pass", where, "\n");
    const auto operation = plan.options.kind == Kind::r2c   ? fft::Operation::r2c
                           : plan.options.kind == Kind::c2r ? fft::Operation::c2r
                                                            : fft::Operation::forward;
    const Array in(plan.resolved.in, fft::input_dtype(plan.options.kind, float64));
    const Array out(plan.resolved.out, fft::output_dtype(plan.options.kind, float64));
    const fft::Problem problem =
        fft::problem_of(operation, in, out, plan.resolved.axes, plan.resolved.lengths,
                        on_cpu ? plan.resolved.scale : 1);
    if (in.size() == 0)
        result += "nothing to transform";
    else if (on_cpu || fft::cufft_takes(problem))
        result += fft::executor_for(device.state(), problem)->describe();
    else
        result += "cuFFT in several steps with copies";
    if (plan.options.epilogue) result += text("\nepilogue: one fused pass", where);
    return result;
}

}  // namespace heald
