#pragma once

namespace heald::array {

/// A tile of a mask: 256 threads with 16 elements each.
inline constexpr const char* select_tile_source = R"(
constexpr int THREADS = 256;
constexpr int ITEMS = 16;
constexpr int TILE = THREADS * ITEMS;

// The high bit of each byte that is not 0.
__device__ inline unsigned true_bytes(const unsigned word) {
    return ((word & 0x7f7f7f7fu) + 0x7f7f7f7fu | word) & 0x80808080u;
}

// This thread's elements as such bits.
struct Mine {
    unsigned bits[4];
};
__device__ inline Mine load_mask(const unsigned char* mask, const long long n) {
    const long long first = (long long)blockIdx.x * TILE + threadIdx.x * ITEMS;
    Mine mine{};
    if (first + ITEMS <= n && ((unsigned long long)mask & 15) == 0) {
        const uint4 words = *(const uint4*)(mask + first);
        mine.bits[0] = true_bytes(words.x);
        mine.bits[1] = true_bytes(words.y);
        mine.bits[2] = true_bytes(words.z);
        mine.bits[3] = true_bytes(words.w);
        return mine;
    }
    for (int k = 0; k < ITEMS; ++k)
        if (first + k < n && mask[first + k] != 0) mine.bits[k / 4] |= 0x80u << 8 * (k % 4);
    return mine;
}
__device__ inline int count_of(const Mine mine) {
    return __popc(mine.bits[0]) + __popc(mine.bits[1]) + __popc(mine.bits[2]) +
           __popc(mine.bits[3]);
}
__device__ inline int warp_sum_through(int count) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const int below = __shfl_up_sync(0xffffffffu, count, distance);
        if ((int)threadIdx.x % 32 >= distance) count += below;
    }
    return count;
}

// Fills `places` with the places in the tile of its true elements; their number.
__device__ inline int find_true(const Mine mine, unsigned short* places) {
    __shared__ int warp_counts[THREADS / 32];
    const int own = count_of(mine);
    const int through = warp_sum_through(own);
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 31) warp_counts[warp] = through;
    __syncthreads();
    int before = through - own, total = 0;
    for (int w = 0; w < THREADS / 32; ++w) {
        if (w < warp) before += warp_counts[w];
        total += warp_counts[w];
    }
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        if (mine.bits[k / 4] & 0x80u << 8 * (k % 4))
            places[before++] = (unsigned short)(threadIdx.x * ITEMS + k);
    __syncthreads();
    return total;
}
)";

inline constexpr const char* count_source = R"(
extern "C" __global__ void __launch_bounds__(THREADS)
fused(const unsigned char* __restrict__ mask, long long* __restrict__ counts, const long long n) {
    __shared__ int warp_counts[THREADS / 32];
    const int through = warp_sum_through(count_of(load_mask(mask, n)));
    if (threadIdx.x % 32 == 31) warp_counts[threadIdx.x / 32] = through;
    __syncthreads();
    if (threadIdx.x == 0) {
        long long total = 0;
        for (int w = 0; w < THREADS / 32; ++w) total += warp_counts[w];
        counts[blockIdx.x] = total;
    }
}
)";

inline constexpr const char* places_source = R"(
struct Numbers {
    long long count;
    long long extent[AXES];
};
extern "C" __global__ void __launch_bounds__(THREADS)
fused(const unsigned char* __restrict__ mask, const long long* __restrict__ sums,
      long long* __restrict__ to, const long long n, const Numbers numbers) {
    __shared__ unsigned short places[TILE];
    const int count = find_true(load_mask(mask, n), places);
    const long long at = sums[blockIdx.x] - count;
    for (int k = threadIdx.x; k < count; k += THREADS) {
        long long rest = (long long)blockIdx.x * TILE + places[k];
#pragma unroll
        for (int axis = AXES - 1; axis > 0; --axis) {
            const long long outer = rest / numbers.extent[axis];
            to[axis * numbers.count + at + k] = rest - outer * numbers.extent[axis];
            rest = outer;
        }
        to[at + k] = rest;
    }
}
)";

inline constexpr const char* compress_source = R"(
extern "C" __global__ void __launch_bounds__(THREADS)
fused(const unsigned char* __restrict__ mask, const long long* __restrict__ sums,
      const Element* __restrict__ from, Element* __restrict__ to, const long long n,
      const long long group) {
    __shared__ unsigned short places[TILE];
    const int count = find_true(load_mask(mask, n), places);
    const long long at = sums[blockIdx.x] - count;
    const long long first = (long long)blockIdx.x * TILE;
    if constexpr (ALONE) {
        // Several loads are under way at once.
        constexpr int TOGETHER = sizeof(Element) == 16 ? 4 : sizeof(Element) == 8 ? 8 : 16;
        for (int k = threadIdx.x; k < count; k += THREADS * TOGETHER) {
            Element moved[TOGETHER];
#pragma unroll
            for (int j = 0; j < TOGETHER; ++j)
                if (k + j * THREADS < count) moved[j] = from[first + places[k + j * THREADS]];
#pragma unroll
            for (int j = 0; j < TOGETHER; ++j)
                if (k + j * THREADS < count) to[at + k + j * THREADS] = moved[j];
        }
    } else {
        for (long long k = threadIdx.x; k < count * group; k += THREADS)
            to[at * group + k] = from[(first + places[k / group]) * group + k % group];
    }
}
)";

}  // namespace heald::array
