// Compiled for AVX-512: nothing that other files define inline may be used here, or the linker
// might keep this file's copy of it for all processors.

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

namespace heald::array {
namespace {

struct Lanes32 {
    using U = uint32_t;
    static constexpr int count = 16;
    static __m512i load(const U* p) { return _mm512_loadu_si512(p); }
    static __m512i load(const U* p, unsigned mask) {
        return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), static_cast<__mmask16>(mask), p);
    }
    static void store(U* p, unsigned mask, __m512i v) {
        _mm512_mask_storeu_epi32(p, static_cast<__mmask16>(mask), v);
    }
    static __m512i all(U value) { return _mm512_set1_epi32(static_cast<int>(value)); }
    static __m512i min(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
    static __m512i max(__m512i a, __m512i b) { return _mm512_max_epu32(a, b); }
    static unsigned less(__m512i a, __m512i b) { return _mm512_cmplt_epu32_mask(a, b); }
    static unsigned equal(__m512i a, __m512i b) { return _mm512_cmpeq_epi32_mask(a, b); }
    static __m512i packed(unsigned mask, __m512i v) {
        return _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), v);
    }
    static __m512i chosen(unsigned mask, __m512i no, __m512i yes) {
        return _mm512_mask_mov_epi32(no, static_cast<__mmask16>(mask), yes);
    }
    static __m512i exchanged(__m512i v, int distance) {
        const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        return _mm512_permutexvar_epi32(_mm512_xor_si512(lane, _mm512_set1_epi32(distance)), v);
    }
};

struct Lanes64 {
    using U = uint64_t;
    static constexpr int count = 8;
    static __m512i load(const U* p) { return _mm512_loadu_si512(p); }
    static __m512i load(const U* p, unsigned mask) {
        return _mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), static_cast<__mmask8>(mask), p);
    }
    static void store(U* p, unsigned mask, __m512i v) {
        _mm512_mask_storeu_epi64(p, static_cast<__mmask8>(mask), v);
    }
    static __m512i all(U value) { return _mm512_set1_epi64(static_cast<long long>(value)); }
    static __m512i min(__m512i a, __m512i b) { return _mm512_min_epu64(a, b); }
    static __m512i max(__m512i a, __m512i b) { return _mm512_max_epu64(a, b); }
    static unsigned less(__m512i a, __m512i b) { return _mm512_cmplt_epu64_mask(a, b); }
    static unsigned equal(__m512i a, __m512i b) { return _mm512_cmpeq_epi64_mask(a, b); }
    static __m512i packed(unsigned mask, __m512i v) {
        return _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), v);
    }
    static __m512i chosen(unsigned mask, __m512i no, __m512i yes) {
        return _mm512_mask_mov_epi64(no, static_cast<__mmask8>(mask), yes);
    }
    static __m512i exchanged(__m512i v, int distance) {
        const __m512i lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
        return _mm512_permutexvar_epi64(_mm512_xor_si512(lane, _mm512_set1_epi64(distance)), v);
    }
};

constexpr int vectors = 8;  ///< that a network sorts in registers

constexpr unsigned first_lanes(size_t n) {
    return n >= 32 ? ~0u : (1u << n) - 1;
}

/// The lanes whose number has a bit.
template <int lanes>
constexpr unsigned lanes_with(int bit) {
    unsigned mask = 0;
    for (int lane = 0; lane < lanes; ++lane)
        if ((lane & bit) != 0) mask |= 1u << lane;
    return mask;
}

/// Puts each lane and lane ^ pattern in order; `high` is the pattern's highest bit.
template <class L, int pattern, int high>
[[gnu::always_inline]] inline __m512i in_order(__m512i v) {
    constexpr unsigned upper = lanes_with<L::count>(high);
    const __m512i other = L::exchanged(v, pattern);
    return L::chosen(upper, L::min(v, other), L::max(v, other));
}

/// Merges within one vector: distances d, d / 2, …, 1.
template <class L, int distance>
[[gnu::always_inline]] inline __m512i merged(__m512i v) {
    if constexpr (distance > 0) {
        v = in_order<L, distance, distance>(v);
        v = merged<L, distance / 2>(v);
    }
    return v;
}

template <class L, int run>
[[gnu::always_inline]] inline __m512i sorted_runs(__m512i v) {
    if constexpr (run <= L::count) {
        v = in_order<L, run - 1, run / 2>(v);
        v = merged<L, run / 4>(v);
        v = sorted_runs<L, run * 2>(v);
    }
    return v;
}

/// Up to `N` vectors of numbers, by a bitonic network.
template <class L, int N>
void sort_vectors(const typename L::U* x, size_t n, typename L::U* to) {
    __m512i v[N];
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
        const size_t first = static_cast<size_t>(i * L::count);
        v[i] = L::load(x + first, first < n ? first_lanes(n - first) : 0);
        v[i] = sorted_runs<L, 2>(v[i]);
    }
#pragma GCC unroll 4
    for (int group = 2; group <= N; group *= 2) {
#pragma GCC unroll 8
        for (int base = 0; base < N; base += group) {
#pragma GCC unroll 4
            for (int a = 0; a < group / 2; ++a) {
                const __m512i low = v[base + a];
                const __m512i high = L::exchanged(v[base + group - 1 - a], L::count - 1);
                v[base + a] = L::min(low, high);
                v[base + group - 1 - a] = L::exchanged(L::max(low, high), L::count - 1);
            }
        }
#pragma GCC unroll 4
        for (int distance = group / 4; distance > 0; distance /= 2) {
#pragma GCC unroll 8
            for (int a = 0; a < N; ++a) {
                if ((a & distance) != 0) continue;
                const __m512i low = v[a], high = v[a + distance];
                v[a] = L::min(low, high);
                v[a + distance] = L::max(low, high);
            }
        }
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) v[i] = merged<L, L::count / 2>(v[i]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
        const size_t first = static_cast<size_t>(i * L::count);
        L::store(to + first, first < n ? first_lanes(n - first) : 0, v[i]);
    }
}

template <class L>
void sort_few(const typename L::U* x, size_t n, typename L::U* to) {
    constexpr size_t lanes = L::count;
    if (n <= lanes)
        sort_vectors<L, 1>(x, n, to);
    else if (n <= 2 * lanes)
        sort_vectors<L, 2>(x, n, to);
    else if (n <= 4 * lanes)
        sort_vectors<L, 4>(x, n, to);
    else
        sort_vectors<L, 8>(x, n, to);
}

template <class L>
typename L::U median_of_samples(const typename L::U* x, size_t n) {
    typename L::U samples[L::count];
    for (int i = 0; i < L::count; ++i)
        samples[i] = x[n / L::count * static_cast<size_t>(i) + n / (2 * L::count)];
    sort_vectors<L, 1>(samples, L::count, samples);
    return samples[L::count / 2];
}

/// Quicksort. Numbers below the pivot are packed at the front of `x`, others set aside in `y`, then
/// put behind them. `to` is `x` or `y`; what is written there is not touched again.
template <class L>
void sort(typename L::U* x, typename L::U* y, size_t n, typename L::U* to, int depth,
          void (*fallback)(typename L::U*, typename L::U*, size_t)) {
    using U = typename L::U;
    constexpr size_t lanes = L::count;
    while (n > vectors * lanes) {
        if (depth-- == 0) {
            fallback(x, y, n);
            if (to != x) __builtin_memcpy(to, x, n * sizeof(U));
            return;
        }
        const U pivot = median_of_samples<L>(x, n);
        const __m512i pivots = L::all(pivot);
        size_t low = 0, high = 0, i = 0;
        for (; i + lanes <= n; i += lanes) {
            const __m512i v = L::load(x + i);
            const unsigned below = L::less(v, pivots);
            const unsigned others = ~below & first_lanes(lanes);
            const auto count = static_cast<size_t>(__builtin_popcount(below));
            // Whole vectors: what is past the packed ones was read, or is written later.
            _mm512_storeu_si512(x + low, L::packed(below, v));
            _mm512_storeu_si512(y + high, L::packed(others, v));
            low += count;
            high += lanes - count;
        }
        if (i < n) {
            const unsigned there = first_lanes(n - i);
            const __m512i v = L::load(x + i, there);
            const unsigned below = L::less(v, pivots) & there;
            const unsigned others = ~below & there;
            const auto count = static_cast<size_t>(__builtin_popcount(below));
            L::store(x + low, first_lanes(count), L::packed(below, v));
            L::store(y + high, first_lanes(n - i - count), L::packed(others, v));
            low += count;
            high += n - i - count;
        }
        if (low == 0) {  // the pivot is the least: those equal to it are in place
            size_t rest = n;
            for (i = 0; i < n; i += lanes) {
                const unsigned there = first_lanes(n - i < lanes ? n - i : lanes);
                rest -= static_cast<size_t>(
                    __builtin_popcount(L::equal(L::load(y + i, there), pivots) & there));
            }
            const size_t equal = n - rest;
            size_t at = equal;
            for (i = 0; i < n; i += lanes) {
                const unsigned there = first_lanes(n - i < lanes ? n - i : lanes);
                const __m512i v = L::load(y + i, there);
                const unsigned others = ~L::equal(v, pivots) & there;
                const auto count = static_cast<size_t>(__builtin_popcount(others));
                L::store(x + at, first_lanes(count), L::packed(others, v));
                at += count;
            }
            for (i = 0; i < equal; ++i) to[i] = pivot;
            x += equal;
            y += equal;
            to += equal;
            n = rest;
            continue;
        }
        __builtin_memcpy(x + low, y, high * sizeof(U));
        sort<L>(x, y, low, to, depth, fallback);
        x += low;
        y += low;
        to += low;
        n = high;
    }
    if (n != 0) sort_few<L>(x, n, to);
}

int depth_for(size_t n) {
    return 2 * (64 - __builtin_clzll(n | 1)) + 8;
}

}  // namespace

void avx512_sort_32(uint32_t* x, uint32_t* y, size_t n, uint32_t* to,
                    void (*fallback)(uint32_t*, uint32_t*, size_t)) {
    sort<Lanes32>(x, y, n, to, depth_for(n), fallback);
}

void avx512_sort_64(uint64_t* x, uint64_t* y, size_t n, uint64_t* to,
                    void (*fallback)(uint64_t*, uint64_t*, size_t)) {
    sort<Lanes64>(x, y, n, to, depth_for(n), fallback);
}

}  // namespace heald::array
