#pragma once

#include <heald/array.hpp>
#include <heald/kernel.hpp>

#include "src/core/block.hpp"

#include <cstddef>
#include <cstdint>

namespace heald::array {

/// What reading or writing the elements of an array touches of its block.
[[nodiscard]] inline MemoryUse use_of(const Array& array, bool write) {
    const auto [first, last] = array.byte_range();
    const auto offset = static_cast<std::int64_t>(array.buffer().offset());
    return {array.buffer().block().get(), static_cast<std::size_t>(offset + first),
            static_cast<std::size_t>(offset + last), write};
}

[[nodiscard]] inline bool overlap(const MemoryUse& a, const MemoryUse& b) noexcept {
    return a.block == b.block && a.begin < b.end && b.begin < a.end;
}

}  // namespace heald::array
