#include "src/array/host_work.hpp"
#include "src/array/select/selection.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>

namespace heald::array {
namespace {

constexpr std::int64_t tiles_per_part = 16;
constexpr std::int64_t short_size = 8192;

std::int64_t tiles_of(std::int64_t size) {
    return (size + selection_tile - 1) / selection_tile;
}

std::int64_t count_true(const std::uint8_t* mask, std::int64_t n) noexcept {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n;) {
        // Bytes hold what one round can add.
        const std::int64_t end = std::min<std::int64_t>(n, i + 128);
        std::uint8_t few = 0;
        for (; i < end; ++i) few = static_cast<std::uint8_t>(few + (mask[i] != 0));
        count += few;
    }
    return count;
}

/// Calls function(tile, first element, elements) for every tile, on the device's threads.
template <class Function>
void for_tiles(const HostWork& work, std::int64_t size, Function function) {
    const std::int64_t tiles = tiles_of(size);
    const Parts parts{tiles, (tiles + tiles_per_part - 1) / tiles_per_part};
    work.run(parts.count, size <= short_size, [=](std::int64_t part) {
        for (std::int64_t tile = parts.begin(part); tile < parts.end(part); ++tile) {
            const std::int64_t first = tile * selection_tile;
            function(tile, first, std::min(selection_tile, size - first));
        }
    });
}

/// Places within a tile of its true elements; their number.
std::int64_t find_true(const std::uint8_t* mask, std::int64_t n, std::uint16_t* places) noexcept {
    std::int64_t count = 0;
    std::int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, mask + i, 8);
        if (word == 0) continue;
        for (std::int64_t k = 0; k < 8; ++k) {
            places[count] = static_cast<std::uint16_t>(i + k);
            count += mask[i + k] != 0;
        }
    }
    for (; i < n; ++i) {
        places[count] = static_cast<std::uint16_t>(i);
        count += mask[i] != 0;
    }
    return count;
}

/// Calls function(first mask element, places in the tile, their number, place in the result).
template <class Function>
void for_selected(const HostWork& work, const std::uint8_t* mask, const std::int64_t* sums,
                  std::int64_t size, Function function) {
    for_tiles(work, size, [=](std::int64_t tile, std::int64_t first, std::int64_t n) {
        std::array<std::uint16_t, selection_tile + 8> places;
        const std::int64_t count = find_true(mask + first, n, places.data());
        function(first, places.data(), count, sums[tile] - count);
    });
}

template <class T>
void compress_elements(const HostWork& work, const std::uint8_t* mask, const std::int64_t* sums,
                       std::int64_t size, const void* from_, void* to_) {
    const auto* from = static_cast<const T*>(from_);
    auto* to = static_cast<T*>(to_);
    for_selected(
        work, mask, sums, size,
        [=](std::int64_t first, const std::uint16_t* places, std::int64_t count, std::int64_t at) {
            for (std::int64_t k = 0; k < count; ++k) to[at + k] = from[first + places[k]];
        });
}

struct Sixteen {
    std::uint64_t low, high;
};

}  // namespace

Selection select_on_cpu(const Array& mask, const Stream& stream) {
    const std::int64_t size = mask.size(), tiles = tiles_of(size);
    Selection selection{mask, Array({tiles}, DType::int64, stream), 0};
    HostWork work(stream);
    const auto* from = work.read<std::uint8_t>(mask);
    auto* sums = work.write<std::int64_t>(selection.sums);
    auto to_do = std::make_shared<std::atomic<std::int64_t>>(tiles);
    for_tiles(work, size, [=](std::int64_t tile, std::int64_t first, std::int64_t n) {
        sums[tile] = count_true(from + first, n);
        if (to_do->fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        for (std::int64_t t = 1; t < tiles; ++t) sums[t] += sums[t - 1];
    });
    stream.synchronize();
    selection.count = sums[tiles - 1];
    return selection;
}

void places_on_cpu(const Selection& selection, const Array& to, const Stream& stream) {
    HostWork work(stream);
    const auto* mask = work.read<std::uint8_t>(selection.mask);
    const auto* sums = work.read<std::int64_t>(selection.sums);
    auto* places = work.write<std::int64_t>(to);
    const std::int64_t size = selection.mask.size(), count = selection.count;
    const Shape shape = selection.mask.shape();
    for_selected(
        work, mask, sums, size,
        [=](std::int64_t first, const std::uint16_t* selected, std::int64_t n, std::int64_t at) {
            // The last axis from the flat place, then the next, …
            std::array<std::int64_t, selection_tile> rest;
            for (std::int64_t k = 0; k < n; ++k)
                rest[static_cast<std::size_t>(k)] = first + selected[k];
            for (std::size_t axis = shape.size(); axis-- > 0;) {
                std::int64_t* row = places + static_cast<std::int64_t>(axis) * count + at;
                const std::int64_t extent = shape[axis];
                for (std::int64_t k = 0; k < n; ++k) {
                    std::int64_t& place = rest[static_cast<std::size_t>(k)];
                    row[k] = axis == 0 ? place : place % extent;
                    if (axis > 0) place /= extent;
                }
            }
        });
}

void compress_on_cpu(const Selection& selection, const Array& from, const Array& to,
                     std::int64_t group, const Stream& stream) {
    HostWork work(stream);
    const auto* mask = work.read<std::uint8_t>(selection.mask);
    const auto* sums = work.read<std::int64_t>(selection.sums);
    const auto* x = work.read<std::byte>(from);
    auto* y = work.write<std::byte>(to);
    const std::int64_t size = selection.mask.size();
    const std::int64_t bytes = group * static_cast<std::int64_t>(size_of(from.dtype()));
    switch (bytes) {
        case 1:
            return compress_elements<std::uint8_t>(work, mask, sums, size, x, y);
        case 2:
            return compress_elements<std::uint16_t>(work, mask, sums, size, x, y);
        case 4:
            return compress_elements<std::uint32_t>(work, mask, sums, size, x, y);
        case 8:
            return compress_elements<std::uint64_t>(work, mask, sums, size, x, y);
        case 16:
            return compress_elements<Sixteen>(work, mask, sums, size, x, y);
        default:
            break;
    }
    for_selected(
        work, mask, sums, size,
        [=](std::int64_t first, const std::uint16_t* places, std::int64_t count, std::int64_t at) {
            for (std::int64_t k = 0; k < count; ++k)
                std::memcpy(y + (at + k) * bytes, x + (first + places[k]) * bytes,
                            static_cast<std::size_t>(bytes));
        });
}

}  // namespace heald::array
