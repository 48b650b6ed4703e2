#include "src/array/strided_copy.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace heald::array {
namespace {

using Axis = StridedCopy::Axis;

// Elements each way. Two tiles of 8-byte elements stay in the first cache.
constexpr std::int64_t tile = 32;

template <std::size_t Size>
struct Element {
    std::byte bytes[Size];
};

template <std::size_t Size>
void copy_row(std::byte* to, const std::byte* from, const Axis& axis) noexcept {
    for (std::int64_t i = 0; i < axis.extent; ++i)
        std::memcpy(to + i * axis.to, from + i * axis.from, Size);
}

/// A transpose: the source runs along `outer`, the destination along `inner`. By way of packed
/// memory: rows of the source a power of two apart would push each other out of the cache.
template <std::size_t Size>
void transpose_tile(std::byte* to, const std::byte* from, const Axis& outer,
                    const Axis& inner) noexcept {
    Element<Size> packed[tile][tile + 1];
    const auto run = static_cast<std::size_t>(outer.extent) * Size;
    for (std::int64_t j = 0; j < inner.extent; ++j)
        std::memcpy(packed[j], from + j * inner.from, run);
    for (std::int64_t i = 0; i < outer.extent; ++i) {
        Element<Size> row[tile];
        for (std::int64_t j = 0; j < inner.extent; ++j) row[j] = packed[j][i];
        std::memcpy(to + i * outer.to, row, static_cast<std::size_t>(inner.extent) * Size);
    }
}

/// One side runs along `outer`, the other along `inner`: in tiles, so that both use whole lines.
template <std::size_t Size>
void copy_plane(std::byte* to, const std::byte* from, const Axis& outer,
                const Axis& inner) noexcept {
    const bool transposes = outer.from == Size && inner.to == Size;
    for (std::int64_t i0 = 0; i0 < outer.extent; i0 += tile) {
        const Axis rows{std::min(tile, outer.extent - i0), outer.to, outer.from};
        for (std::int64_t j0 = 0; j0 < inner.extent; j0 += tile) {
            const Axis row{std::min(tile, inner.extent - j0), inner.to, inner.from};
            std::byte* tile_to = to + i0 * outer.to + j0 * inner.to;
            const std::byte* tile_from = from + i0 * outer.from + j0 * inner.from;
            if (transposes) {
                transpose_tile<Size>(tile_to, tile_from, rows, row);
                continue;
            }
            for (std::int64_t i = 0; i < rows.extent; ++i)
                copy_row<Size>(tile_to + i * rows.to, tile_from + i * rows.from, row);
        }
    }
}

struct Functions {
    void (*row)(std::byte*, const std::byte*, const Axis&) noexcept;
    void (*plane)(std::byte*, const std::byte*, const Axis&, const Axis&) noexcept;
};

template <std::size_t Size>
constexpr Functions functions{&copy_row<Size>, &copy_plane<Size>};

Functions functions_for(std::size_t item_size) noexcept {
    switch (item_size) {
        case 1:
            return functions<1>;
        case 2:
            return functions<2>;
        case 4:
            return functions<4>;
        case 8:
            return functions<8>;
        default:
            return functions<16>;
    }
}

/// Calls `inner(to, from)` for every index of `axes`.
template <class Inner>
void for_each_index(const Axis* axes, std::size_t count, std::byte* to, const std::byte* from,
                    const Inner& inner) noexcept {
    if (count == 0) {
        inner(to, from);
        return;
    }
    for (std::int64_t i = 0; i < axes->extent; ++i)
        for_each_index(axes + 1, count - 1, to + i * axes->to, from + i * axes->from, inner);
}

std::int64_t magnitude(std::int64_t value) noexcept {
    return value < 0 ? -value : value;
}

// Enough that taking a part costs nothing beside it.
constexpr std::int64_t part_bytes = std::int64_t{256} << 10;

std::int64_t ceiling_ratio(std::int64_t a, std::int64_t b) noexcept {
    return (a + b - 1) / b;
}

}  // namespace

std::int64_t StridedCopy::size() const noexcept {
    std::int64_t size = 1;
    for (const Axis& axis : axes) size *= axis.extent;
    return size;
}

bool StridedCopy::is_contiguous() const noexcept {
    const auto item = static_cast<std::int64_t>(item_size);
    return axes.empty() || (axes.size() == 1 && axes[0].to == item && axes[0].from == item);
}

StridedCopy plan_copy(const Shape& shape, const Shape& to_strides, const Shape& from_strides,
                      std::size_t item_size) {
    StridedCopy copy;
    copy.item_size = item_size;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        Axis axis{shape[i], to_strides[i], from_strides[i]};
        if (axis.to < 0) {  // walk it the other way
            copy.to_offset += (axis.extent - 1) * axis.to;
            copy.from_offset += (axis.extent - 1) * axis.from;
            axis.to = -axis.to;
            axis.from = -axis.from;
        }
        copy.axes.push_back(axis);
    }
    std::stable_sort(copy.axes.begin(), copy.axes.end(), [](const Axis& a, const Axis& b) {
        return a.to != b.to ? a.to > b.to : magnitude(a.from) > magnitude(b.from);
    });
    std::vector<Axis> joined;
    for (const Axis& axis : copy.axes) {
        if (!joined.empty() && joined.back().to == axis.extent * axis.to &&
            joined.back().from == axis.extent * axis.from) {
            joined.back() = {joined.back().extent * axis.extent, axis.to, axis.from};
        } else {
            joined.push_back(axis);
        }
    }
    copy.axes = std::move(joined);
    return copy;
}

void run_copy(const StridedCopy& copy, void* to_, const void* from_) {
    std::byte* to = static_cast<std::byte*>(to_) + copy.to_offset;
    const std::byte* from = static_cast<const std::byte*>(from_) + copy.from_offset;
    const auto item = static_cast<std::int64_t>(copy.item_size);
    if (copy.axes.empty()) {
        std::memcpy(to, from, copy.item_size);
        return;
    }
    std::vector<Axis> axes = copy.axes;
    const Axis inner = axes.back();
    axes.pop_back();
    if (inner.to == item && inner.from == item) {
        const auto bytes = static_cast<std::size_t>(inner.extent * item);
        for_each_index(axes.data(), axes.size(), to, from,
                       [bytes](std::byte* t, const std::byte* f) { std::memcpy(t, f, bytes); });
        return;
    }
    const Functions copies = functions_for(copy.item_size);
    // The axis along which the source runs goes with the destination's own.
    const auto along = std::min_element(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
        return magnitude(a.from) < magnitude(b.from);
    });
    if (along != axes.end() && magnitude(along->from) < magnitude(inner.from)) {
        const Axis outer = *along;
        axes.erase(along);
        for_each_index(axes.data(), axes.size(), to, from,
                       [&](std::byte* t, const std::byte* f) { copies.plane(t, f, outer, inner); });
        return;
    }
    for_each_index(axes.data(), axes.size(), to, from,
                   [&](std::byte* t, const std::byte* f) { copies.row(t, f, inner); });
}

CopyParts::CopyParts(StridedCopy copy) : copy_(std::move(copy)) {
    const std::vector<Axis>& axes = copy_.axes;
    if (axes.empty()) return;
    // The longest axis, the last one only if there is none beside it worth cutting. What is written
    // several times stays in one part.
    for (std::size_t i = 1; i + 1 < axes.size(); ++i)
        if (axes[i].extent > axes[axis_].extent) axis_ = i;
    const std::size_t last = axes.size() - 1;
    if (axes[last].extent > axes[axis_].extent * tile) axis_ = last;
    const Axis& cut = axes[axis_];
    if (axes[last].to == 0 || cut.extent < 2) return;
    const std::int64_t bytes = copy_.size() * static_cast<std::int64_t>(copy_.item_size);
    extent_ = ceiling_ratio(cut.extent, std::max<std::int64_t>(bytes / part_bytes, 1));
    if (extent_ > tile / 2) extent_ = ceiling_ratio(extent_, tile) * tile;
    count_ = static_cast<std::uint64_t>(ceiling_ratio(cut.extent, extent_));
}

StridedCopy CopyParts::part(std::uint64_t index) const {
    StridedCopy part = copy_;
    if (count_ == 1) return part;
    Axis& cut = part.axes[axis_];
    const std::int64_t first = static_cast<std::int64_t>(index) * extent_;
    part.to_offset += first * cut.to;
    part.from_offset += first * cut.from;
    cut.extent = std::min(extent_, cut.extent - first);
    return part;
}

}  // namespace heald::array
