#include "src/array/sort/cpu_sort.hpp"

#include "src/array/host_work.hpp"
#include "src/array/sort/order_key.hpp"
#include "src/array/sort/parallel_sort.hpp"

#include <cstring>
#include <memory>

namespace heald::array {
namespace {

constexpr std::int64_t short_length = 2048;        ///< some ten microseconds on one thread
constexpr std::int64_t parallel_length = 1 << 17;  ///< a row that is worth all threads

/// A row's elements sorted as they are.
template <class Order, bool descending>
struct KeysAlone {
    using Elements = PlainElements<typename Order::Bits>;
    using U = typename Order::Bits;

    static void load(const void* row, std::int64_t first, std::int64_t count, U* elements) {
        const U* from = static_cast<const U*>(row) + first;
        for (std::int64_t i = 0; i < count; ++i) {
            const U key = Order::key(from[i]);
            elements[i] = descending ? Order::reversed(key) : key;
        }
    }
    static void store(const U* sorted, std::int64_t first, std::int64_t count, void* row) {
        U* to = static_cast<U*>(row) + first;
        for (std::int64_t i = 0; i < count; ++i)
            to[i] = Order::bits(descending ? Order::reversed(sorted[i]) : sorted[i]);
    }
};

/// A row's places, sorted by their elements.
template <class Order, bool descending, class E>
struct PlacesByKey {
    using Elements = E;
    using Element = typename E::Element;
    using U = typename Order::Bits;

    static void load(const void* row, std::int64_t first, std::int64_t count, Element* elements) {
        const U* from = static_cast<const U*>(row) + first;
        for (std::int64_t i = 0; i < count; ++i) {
            const U plain = Order::equal_key(from[i]);
            const U key = descending ? Order::reversed(plain) : plain;
            const auto place = static_cast<std::uint64_t>(first + i);
            if constexpr (std::is_same_v<E, PlacedElements>)
                elements[i] = static_cast<std::uint64_t>(key) << 32 | place;
            else
                elements[i] = {key, place};
        }
    }
    static void store(const Element* sorted, std::int64_t first, std::int64_t count, void* row) {
        auto* to = static_cast<std::int64_t*>(row) + first;
        for (std::int64_t i = 0; i < count; ++i) {
            if constexpr (std::is_same_v<E, PlacedElements>)
                to[i] = static_cast<std::int64_t>(sorted[i] & 0xFFFFFFFF);
            else
                to[i] = static_cast<std::int64_t>(sorted[i].place);
        }
    }
};

/// Scratch memory for elements, ordered on the stream.
template <class Element>
Array scratch(std::int64_t count, const Stream& stream) {
    return Array({count * static_cast<std::int64_t>(sizeof(Element))}, DType::uint8, stream);
}

/// Sorts rows with ends of type Ends. The result may take its elements' place while it is made.
template <class Ends>
void sort_rows(const Rows& rows, const Array& to, bool in_place, const Stream& stream) {
    using Elements = typename Ends::Elements;
    using Element = typename Elements::Element;
    const std::int64_t length = rows.length, count = rows.count;
    HostWork work(stream);
    const auto* from = work.read<std::byte>(rows.elements);
    auto* result = work.write<std::byte>(to);
    const auto from_step = static_cast<std::int64_t>(size_of(rows.elements.dtype())) * length;
    const auto to_step = static_cast<std::int64_t>(size_of(to.dtype())) * length;
    const SortEnds<Element> ends{Ends::load, Ends::store};

    if (count * length <= short_length) {
        work.run(1, true, [=](std::int64_t) {
            std::array<Element, 2 * short_length> memory;
            for (std::int64_t row = 0; row < count; ++row) {
                Element* x = memory.data();
                ends.load(from + row * from_step, 0, length, x);
                RadixSort<Elements>::sort(x, x + length, static_cast<std::size_t>(length), false);
                ends.store(x, 0, length, result + row * to_step);
            }
        });
        return;
    }
    const bool by_rows = count >= work.threads() * 4 || length < parallel_length;
    const std::int64_t concurrent = by_rows ? std::min(count, work.threads() * 4) : 1;
    const Array second = scratch<Element>(concurrent * length, stream);
    auto* y = work.write<Element>(second);
    Array first;
    Element* x = nullptr;
    if (!in_place) {
        first = scratch<Element>(concurrent * length, stream);
        x = work.write<Element>(first);
    }
    if (!by_rows) {
        for (std::int64_t row = 0; row < count; ++row)
            ParallelSort<Elements>::enqueue(
                work, from + row * from_step, result + row * to_step,
                x != nullptr ? x : reinterpret_cast<Element*>(result + row * to_step), y, length,
                ends);
        return;
    }
    const Parts parts{count, concurrent};
    work.run(concurrent, false, [=](std::int64_t part) {
        for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row) {
            Element* a = x != nullptr ? x + part * length
                                      : reinterpret_cast<Element*>(result + row * to_step);
            ends.load(from + row * from_step, 0, length, a);
            RadixSort<Elements>::sort(a, y + part * length, static_cast<std::size_t>(length),
                                      false);
            ends.store(a, 0, length, result + row * to_step);
        }
    });
}

/// A long row of elements of one or two bytes: counted, then written out.
template <class Order, bool descending>
class CountingSort {
public:
    using U = typename Order::Bits;

    static void enqueue(const HostWork& work, const U* from, U* to, std::int64_t length) {
        const std::int64_t parts = std::clamp<std::int64_t>(length >> 18, 1, 4 * work.threads());
        auto sort = std::make_shared<CountingSort>();
        sort->parts_ = {length, parts};
        sort->counts_.resize(static_cast<std::size_t>(parts) * values);
        sort->to_do_ = parts;
        work.run(parts, false, [sort, from](std::int64_t part) { sort->count(from, part); });
        work.run(parts, false, [sort, to](std::int64_t part) { sort->write(to, part); });
    }

private:
    static constexpr std::size_t values = std::size_t{1} << (8 * sizeof(U));

    void count(const U* from, std::int64_t part) {
        // Several counters for a value: equal neighbours need not wait for each other.
        constexpr std::size_t ways = sizeof(U) == 1 ? 4 : 1;
        std::vector<std::int64_t> counts(ways * values);
        std::int64_t i = parts_.begin(part);
        const std::int64_t end = parts_.end(part);
        for (; i + static_cast<std::int64_t>(ways) <= end; i += ways)
            for (std::size_t way = 0; way < ways; ++way)
                ++counts[way * values + from[i + static_cast<std::int64_t>(way)]];
        for (; i < end; ++i) ++counts[from[i]];
        std::int64_t* sums = counts_.data() + static_cast<std::size_t>(part) * values;
        for (std::size_t bits = 0; bits < values; ++bits) {
            std::int64_t sum = 0;
            for (std::size_t way = 0; way < ways; ++way) sum += counts[way * values + bits];
            const U key = Order::key(static_cast<U>(bits));
            sums[descending ? Order::reversed(key) : key] = sum;
        }
        if (to_do_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        ends_.resize(values);
        std::int64_t sum = 0;
        for (std::size_t key = 0; key < values; ++key) {
            for (std::int64_t p = 0; p < parts_.count; ++p)
                sum += counts_[static_cast<std::size_t>(p) * values + key];
            ends_[key] = sum;
        }
    }

    void write(U* to, std::int64_t part) const {
        std::int64_t i = parts_.begin(part);
        const std::int64_t end = parts_.end(part);
        auto key = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), i) -
                                            ends_.begin());
        for (; i < end; ++key) {
            const auto plain = static_cast<U>(key);
            const std::int64_t until = std::min(ends_[key], end);
            std::fill(to + i, to + until, Order::bits(descending ? Order::reversed(plain) : plain));
            i = until;
        }
    }

    Parts parts_;
    std::atomic<std::int64_t> to_do_{0};
    std::vector<std::int64_t> counts_;
    std::vector<std::int64_t> ends_;
};

template <class Order, bool descending>
void sort_as(const Rows& rows, const Array& to, const Stream& stream) {
    using U = typename Order::Bits;
    if constexpr (sizeof(U) <= 2) {
        if (rows.length >= parallel_length) {
            HostWork work(stream);
            const U* from = work.read<U>(rows.elements);
            U* result = work.write<U>(to);
            for (std::int64_t row = 0; row < rows.count; ++row)
                CountingSort<Order, descending>::enqueue(work, from + row * rows.length,
                                                         result + row * rows.length, rows.length);
            return;
        }
    }
    sort_rows<KeysAlone<Order, descending>>(rows, to, true, stream);
}

template <class Order, bool descending>
void argsort_as(const Rows& rows, const Array& to, const Stream& stream) {
    using U = typename Order::Bits;
    if constexpr (sizeof(U) <= 4) {
        if (rows.length <= std::int64_t{1} << 32) {
            sort_rows<PlacesByKey<Order, descending, PlacedElements>>(rows, to, true, stream);
            return;
        }
    }
    sort_rows<PlacesByKey<Order, descending, WideElements>>(rows, to, false, stream);
}

}  // namespace

void sort_rows_on_cpu(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    with_order_key(rows.elements.dtype(), [&]<class Order>(Order) {
        descending ? sort_as<Order, true>(rows, to, stream)
                   : sort_as<Order, false>(rows, to, stream);
    });
}

void argsort_rows_on_cpu(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    with_order_key(rows.elements.dtype(), [&]<class Order>(Order) {
        descending ? argsort_as<Order, true>(rows, to, stream)
                   : argsort_as<Order, false>(rows, to, stream);
    });
}

}  // namespace heald::array
