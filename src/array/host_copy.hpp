#pragma once

#include "src/array/axes.hpp"

#include <cstddef>
#include <span>

namespace heald::array {

/// Copies elements of 1, 2, 4, 8 or 16 bytes in host memory.
void copy_elements(void* destination, const void* source, std::span<const Axis> loops,
                   std::size_t item_size) noexcept;

}  // namespace heald::array
