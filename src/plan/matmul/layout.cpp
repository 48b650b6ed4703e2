#include "src/plan/matmul/layout.hpp"

#include "src/array/shape.hpp"

#include <algorithm>

namespace heald::plan {

MatrixSteps steps_of(const Array& array) {
    const Shape steps = array::element_strides(array);
    const std::size_t axes = steps.size();
    return {Shape(steps.begin(), steps.end() - 2), steps[axes - 2], steps[axes - 1]};
}

std::optional<MatrixOrder> order_of(const MatrixSteps& steps, std::int64_t rows,
                                    std::int64_t columns) {
    if ((columns == 1 || steps.column == 1) && (rows == 1 || steps.row >= columns))
        return MatrixOrder{false, rows == 1 ? std::max<std::int64_t>(columns, 1) : steps.row};
    if ((rows == 1 || steps.row == 1) && (columns == 1 || steps.column >= rows))
        return MatrixOrder{true, columns == 1 ? std::max<std::int64_t>(rows, 1) : steps.column};
    return std::nullopt;
}

std::optional<std::int64_t> joined_step(const Shape& extents, const Shape& steps) {
    std::int64_t step = 0;
    std::int64_t next = 0;
    bool first = true;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
        if (extents[axis] == 1) continue;
        if (first) {
            step = steps[axis];
        } else if (steps[axis] != next) {
            return std::nullopt;
        }
        first = false;
        next = steps[axis] * extents[axis];
    }
    return step;
}

bool needs_copy(const Array& array) {
    if (array.size() == 0) return false;
    const Shape& shape = array.shape();
    const std::size_t axes = shape.size();
    return !order_of(steps_of(array), shape[axes - 2], shape[axes - 1]);
}

}  // namespace heald::plan
