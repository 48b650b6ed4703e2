#pragma once

#include <heald/array.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace heald::array {

/// One loop of a copy between two strided layouts; strides in bytes.
struct Axis {
    std::int64_t length = 1;
    std::int64_t destination = 0;
    std::int64_t source = 0;
};

/// The loops of a copy, outermost first, as few as there can be: axes of length 1 are dropped,
/// those that continue each other in both layouts merged, and the innermost writes the closest
/// elements. Always at least one.
std::vector<Axis> loops(const Shape& shape, std::span<const std::int64_t> destination,
                        std::span<const std::int64_t> source);

/// Elements of a shape; Error(invalid_value) that names `operation` for a negative length or a
/// number of bytes past 2^63.
std::int64_t checked_count(const Shape& shape, std::size_t item_size, const char* operation);

[[nodiscard]] bool is_contiguous(const Shape& shape, std::span<const std::int64_t> strides,
                                 std::size_t item_size) noexcept;

}  // namespace heald::array
