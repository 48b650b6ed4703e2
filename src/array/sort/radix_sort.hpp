#pragma once

#include "src/array/sort/vector_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heald::array {

/// What a radix sort moves: unsigned numbers that are their own keys.
template <class U>
struct PlainElements {
    using Element = U;
    using Key = U;
    static Key key(Element element) noexcept { return element; }
    static bool less(Element a, Element b) noexcept { return a < b; }
};

/// A key of at most 32 bits above a 32-bit place: distinct, so that any order of equal keys but
/// theirs is wrong.
struct PlacedElements {
    using Element = std::uint64_t;
    using Key = std::uint32_t;
    static Key key(Element element) noexcept { return static_cast<Key>(element >> 32); }
    static bool less(Element a, Element b) noexcept { return a < b; }
};

/// A key of up to 64 bits and a place.
struct WideElements {
    struct Element {
        std::uint64_t key;
        std::uint64_t place;
    };
    using Key = std::uint64_t;
    static Key key(Element element) noexcept { return element.key; }
    static bool less(Element a, Element b) noexcept { return a.key < b.key; }
};

/// Stable sorts on one thread. Elements are in `x`, `y` is as long; the result is left in `y` if
/// `into_y`, else in `x`.
template <class Elements>
class RadixSort {
public:
    using Element = typename Elements::Element;
    using Key = typename Elements::Key;

    static void sort(Element* x, Element* y, std::size_t n, bool into_y) {
        // Whole elements are compared: for places with keys that is their order too.
        if constexpr (std::is_same_v<Element, std::uint32_t>) {
            if (const auto vector = vector_sort_32(); vector != nullptr && n <= many)
                return vector(x, y, n, into_y ? y : x, sort_in_place);
        } else if constexpr (std::is_same_v<Element, std::uint64_t>) {
            if (const auto vector = vector_sort_64(); vector != nullptr && n <= many)
                return vector(x, y, n, into_y ? y : x, sort_in_place);
        }
        sort_by_digits(x, y, n, into_y);
    }

private:
    static void sort_in_place(Element* x, Element* y, std::size_t n) {
        sort_by_digits(x, y, n, false);
    }

    static void sort_by_digits(Element* x, Element* y, std::size_t n, bool into_y) {
        if (n <= few) {
            insert(x, n);
            if (into_y) std::memcpy(y, x, n * sizeof(Element));
            return;
        }
        const Key varying = varying_bits(x, n);
        if (varying == 0) {
            if (into_y) std::memcpy(y, x, n * sizeof(Element));
            return;
        }
        const int low = std::countr_zero(varying);
        const int top = std::bit_width(varying);
        // By the lowest digit first if that takes no more passes than dividing until few are left.
        const int passes = (top - low + 7) / 8;
        const int divisions = (static_cast<int>(std::bit_width(n)) + 3) / 8;
        if (n >= 512 && passes <= std::max(divisions + 1, 2) && n * sizeof(Element) <= cached)
            lowest_first(x, y, n, low, top, passes, into_y);
        else
            divide(x, y, n, low, top, into_y);
    }

    static constexpr std::size_t few = 20;
    static constexpr std::size_t many = std::size_t{1} << 20;  ///< elements; more are divided first
    static constexpr std::size_t cached = std::size_t{1} << 20;  ///< bytes that stay near a core

    static void insert(Element* x, std::size_t n) noexcept {
        for (std::size_t i = 1; i < n; ++i) {
            const Element element = x[i];
            std::size_t j = i;
            for (; j > 0 && Elements::less(element, x[j - 1]); --j) x[j] = x[j - 1];
            x[j] = element;
        }
    }

    static Key varying_bits(const Element* x, std::size_t n) noexcept {
        Key some = 0, every = static_cast<Key>(~Key{0});
        for (std::size_t i = 0; i < n; ++i) {
            some = static_cast<Key>(some | Elements::key(x[i]));
            every = static_cast<Key>(every & Elements::key(x[i]));
        }
        return static_cast<Key>(some ^ every);
    }

    static void lowest_first(Element* x, Element* y, std::size_t n, int low, int top, int passes,
                             bool into_y) {
        const int bits = (top - low + passes - 1) / passes;
        const unsigned mask = (1u << bits) - 1;
        std::array<std::array<std::uint32_t, 256>, 8> counts;
        for (int pass = 0; pass < passes; ++pass)
            std::fill_n(counts[static_cast<std::size_t>(pass)].begin(), mask + 1, 0);
        for (std::size_t i = 0; i < n; ++i) {
            auto rest = static_cast<Key>(Elements::key(x[i]) >> low);
            for (int pass = 0; pass < passes; ++pass) {
                ++counts[static_cast<std::size_t>(pass)][static_cast<unsigned>(rest) & mask];
                rest = static_cast<Key>(rest >> bits);
            }
        }
        for (int pass = 0; pass < passes; ++pass) {
            auto& places = counts[static_cast<std::size_t>(pass)];
            std::uint32_t sum = 0;
            for (unsigned digit = 0; digit <= mask; ++digit) {
                const std::uint32_t count = places[digit];
                places[digit] = sum;
                sum += count;
            }
            const int shift = low + pass * bits;
            for (std::size_t i = 0; i < n; ++i) {
                const Element element = x[i];
                y[places[static_cast<unsigned>(Elements::key(element) >> shift) & mask]++] =
                    element;
            }
            std::swap(x, y);
            into_y = !into_y;
        }
        if (into_y) std::memcpy(y, x, n * sizeof(Element));
    }

    static void divide(Element* x, Element* y, std::size_t n, int low, int top, bool into_y) {
        const int bits =
            std::min(std::clamp(static_cast<int>(std::bit_width(n)) - 2, 2, 8), top - low);
        const int shift = top - bits;
        const unsigned mask = (1u << bits) - 1;
        std::array<std::size_t, 257> begins;
        std::fill_n(begins.begin(), mask + 2, 0);
        const auto digit = [&](const Element& element) {
            return static_cast<unsigned>(Elements::key(element) >> shift) & mask;
        };
        for (std::size_t i = 0; i < n; ++i) ++begins[digit(x[i]) + 1];
        for (unsigned d = 0; d < mask; ++d) begins[d + 1] += begins[d];
        std::array<std::size_t, 256> next;
        std::copy_n(begins.begin(), mask + 1, next.begin());
        for (std::size_t i = 0; i < n; ++i) {
            const Element element = x[i];
            y[next[digit(element)]++] = element;
        }
        for (unsigned d = 0; d <= mask; ++d) {
            const std::size_t begin = begins[d], count = next[d] - begin;
            if (shift == low && !into_y) continue;  // nothing left to compare: copied below
            if (count == 1 && !into_y)
                x[begin] = y[begin];
            else if (count > 1 && shift != low)
                sort(y + begin, x + begin, count, !into_y);
        }
        if (shift == low && !into_y) std::memcpy(x, y, n * sizeof(Element));
    }
};

}  // namespace heald::array
