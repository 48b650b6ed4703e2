#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

namespace heald::array {

/// Matrix products of the last two axes, (…, m, k) times (…, k, n); the axes before them broadcast.
/// Equal dtypes. Sums of float16 and bfloat16 are kept in float, integers wrap, a sum of bools is
/// an or. Enqueued. Throws Error(invalid_value) for shapes that do not fit, Error(type_mismatch)
/// for dtypes that differ.
[[nodiscard]] HEALD_API Array matrix_product(const Array& a, const Array& b);

}  // namespace heald::array
