#pragma once

namespace heald::array {

// Kernels of accumulations. Before them: In, Acc, Out, element(x, i), result(v), combine(a, b).

/// One thread for each row or column of (outer, n, inner) elements.
inline constexpr const char* serial_scan_source = R"(
extern "C" __global__ void __launch_bounds__(128)
fused(const In* __restrict__ x, Out* __restrict__ y, const long long n, const long long inner,
      const long long columns) {
    const long long column = (long long)blockIdx.x * 128 + threadIdx.x;
    if (column >= columns) return;
    const long long base = column / inner * n * inner + column % inner;
    Acc sum = element(x, base);
    y[base] = result(sum);
    long long i = 1;
    for (; i + 8 <= n; i += 8) {
        Acc next[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) next[k] = element(x, base + (i + k) * inner);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            sum = combine(sum, next[k]);
            y[base + (i + k) * inner] = result(sum);
        }
    }
    for (; i < n; ++i) {
        sum = combine(sum, element(x, base + i * inner));
        y[base + i * inner] = result(sum);
    }
}
)";

/// One pass over the elements, the operations always in the same order. A row is divided into tiles
/// of THREADS * ITEMS elements, tiles into groups of GROUP. A tile publishes its total; what comes
/// before it is what came before its group, then the totals of the earlier tiles of the group; the
/// last tile of a group publishes what comes before the next. Blocks start in order, so what a tile
/// waits for is under way.
inline constexpr const char* tile_scan_source = R"(
constexpr int TILE = THREADS * ITEMS;
constexpr int WARPS = THREADS / 32;
constexpr int WORDS = ((int)sizeof(Acc) + 3) / 4;

// A value in 32-bit words.
struct Words {
    unsigned w[WORDS];
};
template <class T> __device__ inline Words words_of(const T value) {
    Words words;
    if constexpr (sizeof(T) < 4)
        words.w[0] = (unsigned)value;
    else
        memcpy(words.w, &value, sizeof(T));
    return words;
}
template <class T> __device__ inline T value_from(const Words words) {
    if constexpr (sizeof(T) < 4) {
        return (T)words.w[0];
    } else {
        T value;
        memcpy(&value, words.w, sizeof(T));
        return value;
    }
}
__device__ inline Acc value_of(const Words words) { return value_from<Acc>(words); }
__device__ inline Acc from_lane_below(const Acc value, const int distance) {
    Words words = words_of(value);
#pragma unroll
    for (int k = 0; k < WORDS; ++k) words.w[k] = __shfl_up_sync(0xffffffffu, words.w[k], distance);
    return value_of(words);
}
__device__ inline Acc from_lane_above(const Acc value, const int distance) {
    Words words = words_of(value);
#pragma unroll
    for (int k = 0; k < WORDS; ++k)
        words.w[k] = __shfl_down_sync(0xffffffffu, words.w[k], distance);
    return value_of(words);
}

// A published value: each word with a mark beside it, written and read as one.
__device__ inline void publish(unsigned long long* place, const Acc value) {
    const Words words = words_of(value);
#pragma unroll
    for (int k = 0; k < WORDS; ++k)
        *(volatile unsigned long long*)(place + k) = 1ull << 32 | words.w[k];
}
// All lanes of a warp wait together, each for the first `wanted` of COUNT values, and for one at
// `other` if there is one. They are all asked for at once: that takes as long as asking for one.
template <int COUNT>
__device__ inline void wait_for(const unsigned long long* place, const int wanted, Acc* values,
                                const unsigned long long* other, Acc& other_value) {
    constexpr unsigned long long mark = 1ull << 32;
    unsigned long long seen[COUNT + 1][WORDS];
#pragma unroll
    for (int i = 0; i <= COUNT; ++i)
#pragma unroll
        for (int k = 0; k < WORDS; ++k)
            seen[i][k] = (i < COUNT ? i < wanted : other != nullptr) ? 0 : mark;
    bool waits;
    do {
        waits = false;
#pragma unroll
        for (int i = 0; i <= COUNT; ++i)
#pragma unroll
            for (int k = 0; k < WORDS; ++k) {
                const unsigned long long* from = i < COUNT ? place + i * WORDS : other;
                if (seen[i][k] < mark) seen[i][k] = *(const volatile unsigned long long*)(from + k);
                waits |= seen[i][k] < mark;
            }
    } while (__any_sync(0xffffffffu, waits));
#pragma unroll
    for (int i = 0; i <= COUNT; ++i) {
        Words words;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) words.w[k] = (unsigned)seen[i][k];
        (i < COUNT ? values[i] : other_value) = value_of(words);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
fused(const In* __restrict__ x, Out* __restrict__ y, unsigned long long* state, const long long n,
      const long long tiles, const long long groups) {
    __shared__ Acc cells[TILE];
    __shared__ Acc warp_totals[WARPS];
    __shared__ Acc shared_before;
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const long long row = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    const long long first = row * n + tile * TILE;
    const long long left = n - tile * TILE;
    const int count = left < TILE ? (int)left : TILE;

    if (count == TILE) {
        Acc loaded[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) loaded[k] = element(x, first + k * THREADS + thread);
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) cells[k * THREADS + thread] = loaded[k];
    } else {
        for (int i = thread; i < count; i += THREADS) cells[i] = element(x, first + i);
    }
    __syncthreads();

    // Each thread's own elements, then its place among the threads. What is past the end is only
    // ever combined into what is past the end too.
    const int begin = thread * ITEMS;
    Acc own[ITEMS];
    own[0] = begin < count ? cells[begin] : Acc{};
#pragma unroll
    for (int k = 1; k < ITEMS; ++k)
        own[k] = begin + k < count ? combine(own[k - 1], cells[begin + k]) : own[k - 1];
    Acc through = own[ITEMS - 1];
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const Acc below = from_lane_below(through, distance);
        if (lane >= distance) through = combine(below, through);
    }
    const Acc lanes_before = from_lane_below(through, 1);
    if (lane == 31) warp_totals[warp] = through;
    __syncthreads();

    if (tiles > 1 && warp == 0) {
        unsigned long long* totals = state + row * tiles * WORDS;
        unsigned long long* before_groups =
            state + (gridDim.x + row * groups) * (unsigned long long)WORDS;
        Acc total = warp_totals[0];
        for (int w = 1; w < WARPS; ++w) total = combine(total, warp_totals[w]);
        const bool is_last = tile + 1 == tiles;
        if (lane == 0 && !is_last) publish(totals + tile * WORDS, total);

        const long long group = tile / GROUP;
        const int in_group = (int)(tile % GROUP);
        constexpr int EACH = GROUP / 32;
        const unsigned long long* group_totals = totals + group * GROUP * WORDS;
        Acc earlier_tiles[EACH], earlier;
        wait_for<EACH>(group_totals + lane * EACH * WORDS, in_group - lane * EACH, earlier_tiles,
                       group > 0 ? before_groups + group * WORDS : nullptr, earlier);
        Acc partial = earlier_tiles[0];
#pragma unroll
        for (int k = 1; k < EACH; ++k)
            if (lane * EACH + k < in_group) partial = combine(partial, earlier_tiles[k]);
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2) {
            const Acc above = from_lane_above(partial, distance);
            if (lane + distance < 32 && (lane + distance) * EACH < in_group)
                partial = combine(partial, above);
        }
        Acc before = partial;
        if (group > 0) before = in_group > 0 ? combine(earlier, partial) : earlier;
        if (lane == 0) {
            if (in_group == GROUP - 1 && !is_last)
                publish(before_groups + (group + 1) * WORDS, combine(before, total));
            shared_before = before;
        }
    }
    __syncthreads();

    Acc before{};
    if (tile > 0) before = shared_before;
    if (warp > 0) {
        Acc warps = warp_totals[0];
        for (int w = 1; w < warp; ++w) warps = combine(warps, warp_totals[w]);
        before = tile > 0 ? combine(before, warps) : warps;
    }
    const bool is_first = tile == 0 && thread == 0;
    const Acc joined = tile > 0 || warp > 0 ? combine(before, lanes_before) : lanes_before;
    before = lane > 0 ? joined : before;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        if (begin + k < count) cells[begin + k] = is_first ? own[k] : combine(before, own[k]);
    __syncthreads();
    if (count == TILE) {
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            y[first + k * THREADS + thread] = result(cells[k * THREADS + thread]);
    } else {
        for (int i = thread; i < count; i += THREADS) y[first + i] = result(cells[i]);
    }
}
)";

}  // namespace heald::array
