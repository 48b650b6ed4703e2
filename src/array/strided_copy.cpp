#include "src/array/strided_copy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace heald::array {
namespace {

using Axis = StridedCopy::Axis;

// Elements each way: whole cache lines of small ones, and two tiles of large ones in the first
// cache.
template <std::size_t Size>
constexpr std::int64_t tile = Size <= 2 ? 64 : 32;

template <std::size_t Size>
void copy_row(std::byte* to, const std::byte* from, const Axis& axis) noexcept {
    for (std::int64_t i = 0; i < axis.extent; ++i)
        std::memcpy(to + i * axis.to, from + i * axis.from, Size);
}

template <std::size_t Size>
struct Item;
template <>
struct Item<1> {
    using Word = std::uint8_t;
};
template <>
struct Item<2> {
    using Word = std::uint16_t;
};
template <>
struct Item<4> {
    using Word = std::uint32_t;
};
template <>
struct Item<8> {
    using Word = std::uint64_t;
};

constexpr std::size_t vector_bytes = 16;

/// <a0 b0 a1 b1 …> of the first halves, or of the second ones.
template <bool Second, class Vector, std::size_t... I>
Vector interleave(Vector a, Vector b, std::index_sequence<I...>) noexcept {
    constexpr std::size_t count = sizeof...(I), from = Second ? count / 2 : 0;
    return __builtin_shufflevector(a, b, (I % 2 * count + from + I / 2)...);
}

/// A square of as many elements each way as a vector has, in registers. Steps are bytes.
template <std::size_t Size>
void transpose_square(std::byte* to, std::int64_t to_step, const std::byte* from,
                      std::int64_t from_step) noexcept {
    constexpr std::size_t count = vector_bytes / Size;
    using Word [[gnu::vector_size(vector_bytes)]] = typename Item<Size>::Word;
    constexpr auto lanes = std::make_index_sequence<count>();
    Word rows[count], woven[count];
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&rows[i], from + static_cast<std::int64_t>(i) * from_step, vector_bytes);
    for (std::size_t done = 1; done < count; done *= 2) {
        for (std::size_t i = 0; i < count / 2; ++i) {
            woven[2 * i] = interleave<false>(rows[i], rows[i + count / 2], lanes);
            woven[2 * i + 1] = interleave<true>(rows[i], rows[i + count / 2], lanes);
        }
        std::copy(woven, woven + count, rows);
    }
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(to + static_cast<std::int64_t>(i) * to_step, &rows[i], vector_bytes);
}

/// A transpose: the source runs along `outer`, the destination along `inner`. By way of packed
/// memory: rows of the source a power of two apart would push each other out of the cache.
template <std::size_t Size>
void transpose_tile(std::byte* to, const std::byte* from, const Axis& outer,
                    const Axis& inner) noexcept {
    constexpr std::int64_t item = Size, row = (tile<Size> + vector_bytes / Size) * item;
    alignas(64) std::byte packed[tile<Size> * row];
    const auto run = static_cast<std::size_t>(outer.extent) * Size;
    for (std::int64_t j = 0; j < inner.extent; ++j)
        std::memcpy(packed + j * row, from + j * inner.from, run);
    std::int64_t rows = 0, columns = 0;  // of whole squares
    if constexpr (Size < vector_bytes) {
        constexpr std::int64_t square = vector_bytes / Size;
        rows = outer.extent / square * square;
        columns = inner.extent / square * square;
        for (std::int64_t i = 0; i < rows; i += square)
            for (std::int64_t j = 0; j < columns; j += square)
                transpose_square<Size>(to + i * outer.to + j * item, outer.to,
                                       packed + j * row + i * item, row);
    }
    for (std::int64_t i = 0; i < outer.extent; ++i)
        for (std::int64_t j = i < rows ? columns : 0; j < inner.extent; ++j)
            std::memcpy(to + i * outer.to + j * item, packed + j * row + i * item, Size);
}

template <std::size_t Size>
void copy_tile(std::byte* to, const std::byte* from, const Axis& outer,
               const Axis& inner) noexcept {
    if (outer.from == Size && inner.to == Size) return transpose_tile<Size>(to, from, outer, inner);
    for (std::int64_t i = 0; i < outer.extent; ++i)
        copy_row<Size>(to + i * outer.to, from + i * outer.from, inner);
}

/// Calls `body(to, from, outer, inner)` for squares of the plane.
template <class Body>
void for_each_square(std::int64_t side, std::byte* to, const std::byte* from, const Axis& outer,
                     const Axis& inner, const Body& body) noexcept {
    for (std::int64_t i = 0; i < outer.extent; i += side)
        for (std::int64_t j = 0; j < inner.extent; j += side)
            body(to + i * outer.to + j * inner.to, from + i * outer.from + j * inner.from,
                 Axis{std::min(side, outer.extent - i), outer.to, outer.from},
                 Axis{std::min(side, inner.extent - j), inner.to, inner.from});
}

/// One side runs along `outer`, the other along `inner`: in tiles, so that both use whole lines,
/// and these in squares of several tiles, so that both use what a page's address has cost.
template <std::size_t Size>
void copy_plane(std::byte* to, const std::byte* from, const Axis& outer,
                const Axis& inner) noexcept {
    for_each_square(8 * tile<Size>, to, from, outer, inner,
                    [](std::byte* t, const std::byte* f, const Axis& o, const Axis& i) {
                        for_each_square(tile<Size>, t, f, o, i, copy_tile<Size>);
                    });
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
// Parts hold whole tiles.
constexpr std::int64_t part_step = tile<1>;

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
    if (axes[last].extent > axes[axis_].extent * part_step) axis_ = last;
    const Axis& cut = axes[axis_];
    if (axes[last].to == 0 || cut.extent < 2) return;
    const std::int64_t bytes = copy_.size() * static_cast<std::int64_t>(copy_.item_size);
    extent_ = ceiling_ratio(cut.extent, std::max<std::int64_t>(bytes / part_bytes, 1));
    if (extent_ > part_step / 2) extent_ = ceiling_ratio(extent_, part_step) * part_step;
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
