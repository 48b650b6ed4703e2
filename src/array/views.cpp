#include <heald/array.hpp>

#include "src/array/axes.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <optional>

namespace heald {
namespace {

void check_axis(const Array& array, int axis, const char* operation) {
    HEALD_EXPECTS(axis >= 0 && axis < array.ndim(), invalid_value, operation, "axis ", axis,
                  " is out of range for an array of ", array.ndim(), " axes");
}

// Strides with which `array`'s elements, in C order, have another shape; nullopt if none do. Axes
// that continue each other are one run of elements; a run may be cut at new lengths.
std::optional<Shape> reshaped_strides(const Array& array, const Shape& shape) {
    if (array.size() == 0) return c_strides(shape, size_of(array.dtype()));
    struct Run {
        std::int64_t count;
        std::int64_t stride;
    };
    std::vector<Run> runs;
    for (std::size_t i = 0; i < array.shape().size(); ++i) {
        const std::int64_t length = array.shape()[i], stride = array.strides()[i];
        if (length == 1) continue;
        if (!runs.empty() && runs.back().stride == length * stride)
            runs.back() = {runs.back().count * length, stride};
        else
            runs.push_back({length, stride});
    }
    Shape strides(shape.size());
    std::size_t axis = shape.size();
    for (std::size_t r = runs.size(); r-- > 0;) {
        std::int64_t covered = 1;
        while (covered < runs[r].count) {
            if (axis == 0) return std::nullopt;
            --axis;
            strides[axis] = runs[r].stride * covered;
            covered *= shape[axis];
        }
        if (covered != runs[r].count) return std::nullopt;
    }
    // What is left has length 1.
    while (axis-- > 0) strides[axis] = static_cast<std::int64_t>(size_of(array.dtype()));
    return strides;
}

std::int64_t count(const Shape& shape) {
    return array::checked_count(shape, 1, "[Array.reshape] ");
}

}  // namespace

Array Array::slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step) const {
    check_axis(*this, axis, "[Array.slice] ");
    HEALD_EXPECTS(step != 0, invalid_value, "[Array.slice] the step is zero");
    const auto i = static_cast<std::size_t>(axis);
    std::int64_t length = 0;
    if (step > 0 && start < stop) length = (stop - start - 1) / step + 1;
    if (step < 0 && start > stop) length = (start - stop - 1) / -step + 1;
    HEALD_EXPECTS(
        length == 0 || (start >= 0 && start < shape_[i] && start + (length - 1) * step >= 0 &&
                        start + (length - 1) * step < shape_[i]),
        invalid_value, "[Array.slice] ", start, ":", stop, ":", step, " leaves axis ", axis,
        " of length ", shape_[i]);
    Array result(*this);
    result.shape_[i] = length;
    if (length > 0) result.offset_ += start * strides_[i];
    result.strides_[i] = strides_[i] * step;
    return result;
}

Array Array::index(int axis, std::int64_t i) const {
    check_axis(*this, axis, "[Array.index] ");
    const auto a = static_cast<std::size_t>(axis);
    HEALD_EXPECTS(i >= 0 && i < shape_[a], invalid_value, "[Array.index] index ", i,
                  " is out of bounds for axis ", axis, " with size ", shape_[a]);
    Array result(*this);
    result.offset_ += i * strides_[a];
    result.shape_.erase(result.shape_.begin() + axis);
    result.strides_.erase(result.strides_.begin() + axis);
    return result;
}

Array Array::insert_axis(int axis) const {
    HEALD_EXPECTS(axis >= 0 && axis <= ndim(), invalid_value, "[Array.insert_axis] axis ", axis,
                  " is out of range for an array of ", ndim(), " axes");
    Array result(*this);
    result.shape_.insert(result.shape_.begin() + axis, 1);
    result.strides_.insert(result.strides_.begin() + axis, 0);
    return result;
}

Array Array::transpose(std::span<const int> axes) const {
    HEALD_EXPECTS(axes.size() == shape_.size(), invalid_value, "[Array.transpose] ", axes.size(),
                  " axes were given for an array of ", shape_.size());
    Array result(*this);
    std::vector<bool> seen(shape_.size(), false);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const int axis = axes[i] < 0 ? axes[i] + ndim() : axes[i];
        check_axis(*this, axis, "[Array.transpose] ");
        const auto from = static_cast<std::size_t>(axis);
        HEALD_EXPECTS(!seen[from], invalid_value, "[Array.transpose] axis ", axis,
                      " is given twice");
        seen[from] = true;
        result.shape_[i] = shape_[from];
        result.strides_[i] = strides_[from];
    }
    return result;
}

Array Array::transpose() const {
    Array result(*this);
    std::reverse(result.shape_.begin(), result.shape_.end());
    std::reverse(result.strides_.begin(), result.strides_.end());
    return result;
}

bool Array::can_view_as(const Shape& shape) const {
    return count(shape) == size() && reshaped_strides(*this, shape).has_value();
}

Array Array::reshape(const Shape& shape) const {
    HEALD_EXPECTS(count(shape) == size(), invalid_value, "[Array.reshape] ", size(),
                  " elements cannot have a shape of ", count(shape), " elements");
    if (std::optional<Shape> strides = reshaped_strides(*this, shape)) {
        Array result(*this);
        result.shape_ = shape;
        result.strides_ = std::move(*strides);
        return result;
    }
    const Stream current = Stream::current();
    const Device own = device();
    return copy(current.device() == own ? current : own.default_stream()).reshape(shape);
}

}  // namespace heald
