#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include "src/array/lazy/node.hpp"
#include "src/array/ops/fold.hpp"

#include <optional>
#include <span>
#include <vector>

namespace heald::array {

/// Records a reduction over `axes` (each from 0 to ndim - 1, once); the result has the other axes,
/// and the folded ones with extent 1 if `keep_axes`. `dtype`: of the sum; default: NumPy's.
[[nodiscard]] HEALD_API Array reduce(const Fold& fold, const Array& array, std::vector<int> axes,
                                     bool keep_axes, std::optional<DType> dtype = std::nullopt);

/// Records `start + i * step` for i from 0 to count - 1. Values are of `dtype`.
[[nodiscard]] HEALD_API Array range(const Value& start, const Value& step, std::int64_t count,
                                    DType dtype, const Stream& stream);

/// Whether elements of `shape` broadcast into `target`.
[[nodiscard]] HEALD_API bool can_assign(const Array& target, const Shape& shape) noexcept;
/// target[...] = value, converted and broadcast; where `where` (a boolean array) holds. Everything
/// pending that reads what is overwritten reads the old values. Enqueued at once. A pending value
/// that nobody else holds is computed where it goes: move it here.
HEALD_API void assign(const Array& target, Array value,
                      const std::optional<Array>& where = std::nullopt);
/// Every element becomes `value`, of the target's dtype.
HEALD_API void assign(const Array& target, const Value& value);

}  // namespace heald::array
