#include "src/array/select/select.hpp"

#include "src/array/ops/elementwise.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/select/selection.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>

namespace heald::array {
namespace {

Array contiguous(const Array& array, const Stream& stream) {
    return array.is_c_contiguous() ? array : array.copy(stream);
}

bool on_host(const Stream& stream, bool use_kernels) {
    return stream.device().kind() == DeviceKind::cpu && !use_kernels;
}

Selection select(const Array& mask, const Stream& stream, bool on_host) {
    return on_host ? select_on_cpu(mask, stream) : select_with_kernels(mask, stream);
}

Selection select_true(const Array& x, const Stream& stream, bool on_host) {
    const Array mask = contiguous(cast(x, DType::boolean), stream);
    if (mask.size() == 0) return {mask, Array(), 0};
    return select(mask, stream, on_host);
}

}  // namespace

std::int64_t count_nonzero(const Array& x, bool use_kernels) {
    const Stream stream = stream_for(x);
    return select_true(x, stream, on_host(stream, use_kernels)).count;
}

Array nonzero(const Array& x, bool use_kernels) {
    HEALD_EXPECTS(x.ndim() > 0, invalid_value,
                  "[nonzero] an array without axes has no indices: use x.reshape(1)");
    const Stream stream = stream_for(x);
    const bool host = on_host(stream, use_kernels);
    const Selection selection = select_true(x, stream, host);
    Array places({x.ndim(), selection.count}, DType::int64, stream);
    if (selection.count == 0) return places;
    host ? places_on_cpu(selection, places, stream)
         : places_with_kernels(selection, places, stream);
    return places;
}

Array compress(const Array& x, const Array& mask_, bool use_kernels) {
    constexpr const char* operation = "[compress] ";
    HEALD_EXPECTS(mask_.dtype() == DType::boolean, type_mismatch, operation,
                  "the mask must be bool, it is ", name_of(mask_.dtype()));
    HEALD_EXPECTS(mask_.device() == x.device(), invalid_value, operation, "the arrays are on ",
                  x.device().name(), " and ", mask_.device().name(),
                  ": bring them together with x.to(device)");
    HEALD_EXPECTS(mask_.ndim() <= x.ndim(), out_of_bounds, operation,
                  "too many indices for array: array is ", x.ndim(), "-dimensional, but ",
                  mask_.ndim(), " were indexed");
    for (std::size_t axis = 0; axis < mask_.shape().size(); ++axis)
        HEALD_EXPECTS(mask_.shape()[axis] == x.shape()[axis], out_of_bounds, operation,
                      "boolean index did not match indexed array along axis ", axis,
                      "; size of axis is ", x.shape()[axis], " but size of boolean axis is ",
                      mask_.shape()[axis]);
    const Stream stream = stream_for(x);
    const bool host = on_host(stream, use_kernels);
    const Array mask = contiguous(mask_, stream);
    Shape shape(x.shape().begin() + mask.ndim(), x.shape().end());
    std::int64_t group = 1;
    for (const std::int64_t extent : shape) group *= extent;
    const Selection selection =
        mask.size() == 0 ? Selection{mask, Array(), 0} : select(mask, stream, host);
    shape.insert(shape.begin(), selection.count);
    Array result(shape, x.dtype(), stream);
    if (result.size() == 0) return result;
    const Array from = contiguous(x, stream);
    host ? compress_on_cpu(selection, from, result, group, stream)
         : compress_with_kernels(selection, from, result, group, stream);
    return result;
}

}  // namespace heald::array
