#pragma once

#include <heald/array.hpp>
#include <heald/stream.hpp>

#include <cstdint>

namespace heald::array {

/// An array seen as rows along one of its axes.
struct Rows {
    Array elements;  ///< C-contiguous, the axis last
    std::int64_t count = 0;
    std::int64_t length = 0;
    int axis = 0;  ///< where it was, from 0
};

/// Elements that are not in that order already are copied. Throws Error(invalid_value) for an axis
/// that is not there.
[[nodiscard]] Rows rows_along(const Array& array, int axis, const char* operation,
                              const Stream& stream);

/// A view of rows with their axis where it was.
[[nodiscard]] Array axis_put_back(const Array& rows, int axis);

/// The axis moved to the end: a view.
[[nodiscard]] Array axis_moved_last(const Array& array, int axis);

}  // namespace heald::array
