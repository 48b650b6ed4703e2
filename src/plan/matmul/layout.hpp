#pragma once

#include <heald/array.hpp>

#include <cstdint>
#include <optional>

namespace heald::plan {

/// Where the elements of a stack of matrices lie: steps in elements.
struct MatrixSteps {
    Shape batch;
    std::int64_t row = 0;
    std::int64_t column = 0;

    bool operator==(const MatrixSteps&) const = default;
};

/// How a library of the BLAS kind sees a matrix.
struct MatrixOrder {
    bool by_columns = false;   ///< elements of a column lie together, else those of a row
    std::int64_t leading = 1;  ///< elements from a row (column) to the next
};

/// Steps of an array, (…, rows, columns).
[[nodiscard]] MatrixSteps steps_of(const Array& array);

/// nullopt if a library would need a copy. Steps of extents of 1 do not matter.
[[nodiscard]] std::optional<MatrixOrder> order_of(const MatrixSteps& steps, std::int64_t rows,
                                                  std::int64_t columns);

/// The step of one axis of products; nullopt if the axes cannot be joined into one.
[[nodiscard]] std::optional<std::int64_t> joined_step(const Shape& extents, const Shape& steps);

/// True if no library can read it as it is.
[[nodiscard]] bool needs_copy(const Array& array);

}  // namespace heald::plan
