#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace heald::array {

/// "(2, 3)", "(4,)"
[[nodiscard]] HEALD_API std::string shape_text(const Shape& shape);

/// Elements, and bytes; throws Error(invalid_value) if an extent is negative or they pass 2^63.
[[nodiscard]] std::int64_t checked_size(const char* operation, const Shape& shape,
                                        std::size_t item_size);

/// Bytes from element [0, …, 0] that elements span: [first, second). {0, 0} if there are none.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> span_of(const Shape& shape,
                                                            const Shape& strides,
                                                            std::size_t item_size);

[[nodiscard]] bool is_c_contiguous(const Shape& shape, const Shape& strides,
                                   std::size_t item_size) noexcept;
[[nodiscard]] bool is_f_contiguous(const Shape& shape, const Shape& strides,
                                   std::size_t item_size) noexcept;

/// Strides of an array, in elements.
[[nodiscard]] Shape element_strides(const Array& array);
[[nodiscard]] Shape element_strides(Shape bytes, DType dtype);

/// `axis` from 0, or from the end if it is negative.
[[nodiscard]] int checked_axis(const char* operation, int axis, int ndim);

/// `shape` with an extent of -1 replaced by what `size` elements need.
[[nodiscard]] Shape resolved_shape(const Shape& from, const Shape& shape, std::int64_t size);

/// Strides with which the same elements have another shape of the same size; nullopt if a copy is
/// needed.
[[nodiscard]] std::optional<Shape> view_strides(const Shape& shape, const Shape& strides,
                                                std::size_t item_size, const Shape& wanted);

}  // namespace heald::array
