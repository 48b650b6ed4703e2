#include "src/plan/fft/layout.hpp"

#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace heald::fft {
namespace {

double scale_of(const Transform& what, const std::vector<std::int64_t>& lengths) {
    double points = 1;
    for (const std::int64_t length : lengths) points *= static_cast<double>(length);
    const bool forward = what.direction == Direction::forward;
    switch (what.norm) {
        case Norm::backward:
            return forward ? 1 : 1 / points;
        case Norm::ortho:
            return 1 / std::sqrt(points);
        case Norm::forward:
            return forward ? 1 / points : 1;
    }
    return 1;
}

}  // namespace

Resolved resolve(const Shape& shape, const Transform& what, const char* operation) {
    Resolved result;
    HEALD_EXPECTS(what.lengths.empty() || what.lengths.size() == what.axes.size(), invalid_value,
                  "[", operation, "] Shape and axes have different lengths: ", what.lengths.size(),
                  " lengths, ", what.axes.size(), " axes");
    const int ndim = static_cast<int>(shape.size());
    const std::string prefix = text("[", operation, "] ");
    for (const int axis : what.axes) {
        const int from_0 = array::checked_axis(prefix.c_str(), axis, ndim);
        HEALD_EXPECTS(std::ranges::count(result.axes, from_0) == 0, invalid_value, prefix,
                      "all axes must be unique: axis ", axis, " was given twice");
        result.axes.push_back(from_0);
    }
    HEALD_EXPECTS(!result.axes.empty() || what.kind == Kind::c2c, invalid_value, prefix,
                  "at least one axis must be transformed");
    result.in = result.out = shape;
    for (std::size_t i = 0; i < result.axes.size(); ++i) {
        const auto axis = static_cast<std::size_t>(result.axes[i]);
        const bool last = i + 1 == result.axes.size();
        std::int64_t length = what.lengths.empty() ? -1 : what.lengths[i];
        if (length == -1) {
            length = shape[axis];
            if (last && what.kind == Kind::c2r) length = 2 * (length - 1);
        }
        HEALD_EXPECTS(length >= 1, invalid_value, prefix, "Invalid number of FFT data points (",
                      length, ") specified.");
        result.lengths.push_back(length);
        const std::int64_t half = length / 2 + 1;
        result.in[axis] = last && what.kind == Kind::c2r ? half : length;
        result.out[axis] = last && what.kind == Kind::r2c ? half : length;
    }
    result.scale = scale_of(what, result.lengths);
    return result;
}

bool is_double(DType dtype) noexcept {
    switch (dtype) {
        case DType::float16:
        case DType::bfloat16:
        case DType::float32:
        case DType::complex64:
            return false;
        default:
            return true;
    }
}

DType input_dtype(Kind kind, bool float64) noexcept {
    if (kind == Kind::r2c) return float64 ? DType::float64 : DType::float32;
    return float64 ? DType::complex128 : DType::complex64;
}

DType output_dtype(Kind kind, bool float64) noexcept {
    if (kind == Kind::c2r) return float64 ? DType::float64 : DType::float32;
    return float64 ? DType::complex128 : DType::complex64;
}

bool is_regular(const Array& array) noexcept {
    const auto bytes = static_cast<std::int64_t>(size_of(array.dtype()));
    for (std::size_t axis = 0; axis < array.shape().size(); ++axis) {
        if (array.shape()[axis] == 1) continue;
        const std::int64_t stride = array.strides()[axis];
        if (stride == 0 || stride % bytes != 0) return false;
    }
    return reinterpret_cast<std::uintptr_t>(array.data()) % static_cast<std::uintptr_t>(bytes) == 0;
}

Problem problem_of(Operation operation, const Array& in, const Array& out,
                   const std::vector<int>& axes, const std::vector<std::int64_t>& lengths,
                   double scale) {
    Problem problem;
    problem.operation = operation;
    problem.float64 = is_double(in.dtype());
    problem.in_place = in.data() == out.data();
    problem.scale = scale;
    const auto in_bytes = static_cast<std::int64_t>(size_of(in.dtype()));
    const auto out_bytes = static_cast<std::int64_t>(size_of(out.dtype()));
    const auto axis_of = [&](std::size_t axis, std::int64_t n) {
        return Axis{n, in.strides()[axis] / in_bytes, out.strides()[axis] / out_bytes};
    };
    for (std::size_t i = 0; i < axes.size(); ++i)
        problem.axes.push_back(axis_of(static_cast<std::size_t>(axes[i]), lengths[i]));
    std::vector<Axis> batch;
    for (std::size_t axis = 0; axis < in.shape().size(); ++axis)
        if (std::ranges::count(axes, static_cast<int>(axis)) == 0)
            batch.push_back(axis_of(axis, in.shape()[axis]));
    problem.batch = simplified(std::move(batch));
    return problem;
}

}  // namespace heald::fft
