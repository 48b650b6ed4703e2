#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace heald::array {

/// Elements of an array that arrays of integers select, as in `a[:, i, j]`: axis `axes[k]` is
/// indexed by `indices[k]`, which broadcast together; their axes take the place of the indexed
/// ones, at axis `position` of the result. Negative indices count from the end. All on one device.
struct IndexedElements {
    Array array;
    std::vector<int> axes;
    std::vector<Array> indices;
    int position = 0;
};

/// The shape of what is selected; throws Error(invalid_value) if the indices do not broadcast.
[[nodiscard]] HEALD_API Shape shape_of(const IndexedElements& elements);

/// A new array with the selected elements, C order; zero for an index out of range. Enqueued.
[[nodiscard]] HEALD_API Array gather(const IndexedElements& elements);

/// Writes `value`, of the same dtype and broadcast to shape_of(elements). An element that is
/// selected more than once gets the last value, in C order of the indices, on every device; indices
/// out of range write nothing. `distinct`: the caller knows that none is selected twice. Enqueued.
HEALD_API void scatter(const IndexedElements& elements, const Array& value, bool distinct);

/// The place in C order of the first index that an axis of that length does not have. Waits.
[[nodiscard]] HEALD_API std::optional<std::int64_t> first_bad_index(const Array& index,
                                                                    std::int64_t length);
/// Enqueues the same check on a GPU: the next synchronisation throws Error(out_of_bounds), which
/// names the axis, if there is such an index.
HEALD_API void check_indices_later(const Array& index, std::int64_t length, int axis);

}  // namespace heald::array
