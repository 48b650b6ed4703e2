#pragma once

#include "src/array/host_work.hpp"
#include "src/array/sort/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace heald::array {

/// How a sort's elements are made and what becomes of them. `first` counts within one row.
template <class Element>
struct SortEnds {
    void (*load)(const void* row, std::int64_t first, std::int64_t count, Element* elements);
    void (*store)(const Element* sorted, std::int64_t first, std::int64_t count, void* row);
};

/// One long row: divided into buckets by all threads, then bucket by bucket. The result is the same
/// for any number of threads.
template <class Elements>
class ParallelSort {
public:
    using Element = typename Elements::Element;
    using Key = typename Elements::Key;

    ParallelSort(const void* from, void* to, Element* x, Element* y, std::int64_t length,
                 const SortEnds<Element>& ends, std::int64_t parts)
        : from_(from), to_(to), x_(x), y_(y), ends_(ends), parts_{length, parts} {}

    static void enqueue(const HostWork& work, const void* from, void* to, Element* x, Element* y,
                        std::int64_t length, const SortEnds<Element>& ends) {
        const std::int64_t parts = std::clamp<std::int64_t>(length >> 16, 1, 4 * work.threads());
        auto sort = std::make_shared<ParallelSort>(from, to, x, y, length, ends, parts);
        work.run(1, true, [sort](std::int64_t) { sort->choose_range(); });
        work.run(parts, false, [sort](std::int64_t part) { sort->count(part); });
        work.run(parts, false, [sort](std::int64_t part) { sort->distribute(part); });
        work.run(buckets, false, [sort](std::int64_t bucket) { sort->finish_bucket(bucket); });
    }

private:
    static constexpr int bin_bits = 14;
    static constexpr std::size_t bins = std::size_t{1} << bin_bits;
    static constexpr std::int64_t buckets = 256;
    static constexpr std::int64_t samples = 1024;
    static constexpr std::int64_t piece = 2048;  ///< elements loaded at once, in L1

    /// Bins of equal width over the range of some of the keys; others go to the outer bins.
    void choose_range() {
        Key least = static_cast<Key>(~Key{0}), greatest = 0;
        const std::int64_t count = std::min(samples, parts_.size);
        for (std::int64_t i = 0; i < count; ++i) {
            Element element;
            ends_.load(from_, parts_.size / count * i, 1, &element);
            least = std::min(least, Elements::key(element));
            greatest = std::max(greatest, Elements::key(element));
        }
        least_ = least;
        shift_ = std::max(
            static_cast<int>(std::bit_width(static_cast<Key>(greatest - least))) - bin_bits, 0);
        counts_.resize(static_cast<std::size_t>(parts_.count) * bins);
        to_do_ = parts_.count;
    }

    [[nodiscard]] std::size_t bin(const Element& element) const noexcept {
        const Key key = Elements::key(element);
        const Key above = key > least_ ? static_cast<Key>(key - least_) : Key{0};
        return std::min<std::size_t>(static_cast<std::size_t>(above >> shift_), bins - 1);
    }

    /// Calls function(element) for the elements of a part in order.
    template <class Function>
    void for_part(std::int64_t part, Function&& function) const {
        std::array<Element, piece> loaded;
        const std::int64_t end = parts_.end(part);
        for (std::int64_t first = parts_.begin(part); first < end; first += piece) {
            const std::int64_t count = std::min(piece, end - first);
            ends_.load(from_, first, count, loaded.data());
            for (std::int64_t i = 0; i < count; ++i) function(loaded[static_cast<std::size_t>(i)]);
        }
    }

    void count(std::int64_t part) {
        std::int64_t* counts = counts_.data() + static_cast<std::size_t>(part) * bins;
        const std::int64_t length = parts_.end(part) - parts_.begin(part);
        if (length < std::int64_t{1} << 32) {
            std::vector<std::uint32_t> narrow(bins);
            for_part(part, [&](const Element& element) { ++narrow[bin(element)]; });
            std::copy(narrow.begin(), narrow.end(), counts);
        } else {
            for_part(part, [&](const Element& element) { ++counts[bin(element)]; });
        }
        if (to_do_.fetch_sub(1, std::memory_order_acq_rel) == 1) plan();
    }

    /// Joins bins to buckets of about one length, and places each part's share of them.
    void plan() {
        const std::int64_t target = parts_.size / (buckets - 1) + 1;
        std::int64_t in_bucket = 0;
        std::size_t bucket = 0;
        std::array<std::int64_t, buckets> sizes{};
        for (std::size_t bin = 0; bin < bins; ++bin) {
            for (std::int64_t part = 0; part < parts_.count; ++part)
                in_bucket += counts_[static_cast<std::size_t>(part) * bins + bin];
            bucket_of_[bin] = static_cast<std::uint8_t>(bucket);
            sizes[bucket] = in_bucket;
            if (in_bucket < target) continue;
            ++bucket;
            in_bucket = 0;
        }
        begins_[0] = 0;
        for (std::size_t b = 0; b < buckets; ++b) begins_[b + 1] = begins_[b] + sizes[b];
        places_.resize(static_cast<std::size_t>(parts_.count) * buckets);
        std::array<std::int64_t, buckets> next;
        std::copy_n(begins_.begin(), buckets, next.begin());
        for (std::int64_t part = 0; part < parts_.count; ++part) {
            const std::int64_t* counts = counts_.data() + static_cast<std::size_t>(part) * bins;
            std::int64_t* places = places_.data() + part * buckets;
            std::copy(next.begin(), next.end(), places);
            for (std::size_t bin = 0; bin < bins; ++bin) next[bucket_of_[bin]] += counts[bin];
        }
    }

    void distribute(std::int64_t part) {
        std::array<std::int64_t, buckets> places;
        std::copy_n(places_.data() + part * buckets, buckets, places.begin());
        for_part(part,
                 [&](const Element& element) { y_[places[bucket_of_[bin(element)]]++] = element; });
    }

    void finish_bucket(std::int64_t bucket) {
        const std::int64_t begin = begins_[static_cast<std::size_t>(bucket)];
        const std::int64_t count = begins_[static_cast<std::size_t>(bucket) + 1] - begin;
        if (count == 0) return;
        RadixSort<Elements>::sort(y_ + begin, x_ + begin, static_cast<std::size_t>(count), true);
        ends_.store(x_ + begin, begin, count, to_);
    }

    const void* from_;
    void* to_;
    Element* x_;
    Element* y_;
    SortEnds<Element> ends_;
    Parts parts_;
    Key least_ = 0;
    int shift_ = 0;
    std::atomic<std::int64_t> to_do_{0};
    std::vector<std::int64_t> counts_;  ///< of part and bin
    std::array<std::uint8_t, bins> bucket_of_;
    std::array<std::int64_t, buckets + 1> begins_;
    std::vector<std::int64_t> places_;  ///< of part and bucket
};

}  // namespace heald::array
