#include "src/array/rows.hpp"

#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace heald::array {

Array axis_moved_last(const Array& array, int axis) {
    std::vector<int> axes(array.shape().size());
    std::iota(axes.begin(), axes.end(), 0);
    std::rotate(axes.begin() + axis, axes.begin() + axis + 1, axes.end());
    return array.transpose(axes);
}

Array axis_put_back(const Array& rows, int axis) {
    std::vector<int> axes(rows.shape().size());
    std::iota(axes.begin(), axes.end(), 0);
    std::rotate(axes.begin() + axis, axes.end() - 1, axes.end());
    return rows.transpose(axes);
}

Rows rows_along(const Array& array, int axis, const char* operation, const Stream& stream) {
    Rows rows;
    rows.axis = checked_axis(operation, axis, array.ndim());
    rows.length = array.shape()[static_cast<std::size_t>(rows.axis)];
    rows.count = rows.length == 0 ? 0 : array.size() / rows.length;
    const Array moved = axis_moved_last(array, rows.axis);
    rows.elements = moved.is_c_contiguous() ? moved : moved.copy(stream);
    return rows;
}

}  // namespace heald::array
