#pragma once

#include <bit>
#include <cstddef>

namespace heald::cpu {

/// Blocks up to this size come from the C library, larger ones are mapped each on its own.
inline constexpr std::size_t largest_small_block = std::size_t{256} << 10;

/// Sizes that the pool rounds to, so that a freed block fits the next request of about its size.
/// Eight steps per power of two: at most an eighth is unused.
struct SizeClass {
    std::size_t bytes = 0;
    std::size_t index = 0;

    static constexpr std::size_t smallest = 256;
    static constexpr std::size_t steps = 8;
    static constexpr std::size_t page = 4096;

    static constexpr SizeClass of(std::size_t bytes) noexcept {
        const std::size_t unit = bytes <= largest_small_block ? smallest : page;
        if (bytes <= smallest) return {smallest, 0};
        const auto power = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;
        const std::size_t base = std::size_t{1} << power;
        const std::size_t step = base / steps > unit ? base / steps : unit;
        const std::size_t rounded = base + (bytes - base + step - 1) / step * step;
        // Distinct for distinct sizes: power of two and step within it.
        return {rounded, power * steps + (rounded - base) / (base / steps > 0 ? base / steps : 1)};
    }
};

}  // namespace heald::cpu
