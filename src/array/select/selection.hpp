#pragma once

#include <heald/array.hpp>
#include <heald/stream.hpp>

#include <cstdint>

namespace heald::array {

/// Mask elements that are counted together.
inline constexpr std::int64_t selection_tile = 4096;

/// How many elements of a mask are true: in all, and up to the end of each tile.
struct Selection {
    Array mask;  ///< C-contiguous bool
    Array sums;  ///< int64, for each tile of selection_tile elements
    std::int64_t count = 0;
};

/// Counts, and waits for the number.
[[nodiscard]] Selection select_on_cpu(const Array& mask, const Stream& stream);
[[nodiscard]] Selection select_with_kernels(const Array& mask, const Stream& stream);

/// int64 (ndim, count): the places of what is selected.
void places_on_cpu(const Selection& selection, const Array& to, const Stream& stream);
void places_with_kernels(const Selection& selection, const Array& to, const Stream& stream);

/// The selected ones of `from`, C-contiguous groups of elements, each `group` elements.
void compress_on_cpu(const Selection& selection, const Array& from, const Array& to,
                     std::int64_t group, const Stream& stream);
void compress_with_kernels(const Selection& selection, const Array& from, const Array& to,
                           std::int64_t group, const Stream& stream);

}  // namespace heald::array
