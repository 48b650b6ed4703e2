#pragma once

namespace heald::array {

// Kernels of sorting. Before them: the order of the elements (order_source), constants.

/// Short rows: bitonic networks in shared memory, ROWS rows of WIDTH elements (a power of two) in a
/// block. Equal keys stay in the order of their places. PLACES: to are the places, else the
/// elements.
inline constexpr const char* row_sort_source = R"(
extern "C" __global__ void __launch_bounds__(256)
fused(const Element* __restrict__ x, To* __restrict__ to, const long long rows, const int length) {
    __shared__ U keys[ROWS * WIDTH];
    __shared__ unsigned short places[ROWS * WIDTH];
    const long long first_row = (long long)blockIdx.x * ROWS;
    for (int e = threadIdx.x; e < ROWS * WIDTH; e += 256) {
        const int place = e % WIDTH;
        const long long row = first_row + e / WIDTH;
        U key = every_bit;
        if (row < rows && place < length) {
            const U bits = x[row * length + place];
            key = PLACES ? equal_key(bits) : order_key(bits);
            if (DESCENDING) key = reversed_key(key);
        }
        keys[e] = key;
        places[e] = (unsigned short)place;
    }
    for (int run = 2; run <= WIDTH; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            __syncthreads();
            for (int pair = threadIdx.x; pair < ROWS * WIDTH / 2; pair += 256) {
                const int a = 2 * pair - (pair & (distance - 1)), b = a + distance;
                const U key_a = keys[a], key_b = keys[b];
                const unsigned short place_a = places[a], place_b = places[b];
                const bool in_order = key_a < key_b || (key_a == key_b && place_a < place_b);
                const bool ascending = (a % WIDTH & run) == 0;
                if (in_order != ascending) {
                    keys[a] = key_b;
                    keys[b] = key_a;
                    places[a] = place_b;
                    places[b] = place_a;
                }
            }
        }
    __syncthreads();
    for (int e = threadIdx.x; e < ROWS * WIDTH; e += 256) {
        const int place = e % WIDTH;
        const long long row = first_row + e / WIDTH;
        if (row >= rows || place >= length) continue;
        if constexpr (PLACES)
            to[row * length + place] = places[e];
        else
            to[row * length + place] = order_bits(DESCENDING ? reversed_key(keys[e]) : keys[e]);
    }
}
)";

/// Keys of the elements at `places`, or of all in order, whose places are then written. KEY(x,
/// place, length) is the key.
inline constexpr const char* make_keys_source = R"(
extern "C" __global__ void __launch_bounds__(256)
fused(const U* __restrict__ x, Key* __restrict__ keys, Place* __restrict__ places,
      const long long n, const long long length) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const long long place = GATHER ? (long long)places[i] : i;
    keys[i] = key_of(x, place, length);
    if (PLACES && !GATHER) places[i] = (Place)place;
}
)";

/// What becomes of sorted keys or places. RESULT: the element of `to` at i.
inline constexpr const char* finish_source = R"(
extern "C" __global__ void __launch_bounds__(256)
fused(const From* __restrict__ sorted, const Element* __restrict__ x, To* __restrict__ to,
      const long long n, const long long length) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i < n) to[i] = RESULT;
}
)";

/// How often each digit occurs in each tile: counts[digit][tile].
inline constexpr const char* radix_count_source = R"(
constexpr int THREADS = 256;
constexpr int ITEMS = 16;
constexpr int TILE = THREADS * ITEMS;
extern "C" __global__ void __launch_bounds__(THREADS)
fused(const Key* __restrict__ keys, long long* __restrict__ counts, const long long n,
      const int shift) {
    __shared__ int digits[256];
    digits[threadIdx.x] = 0;
    __syncthreads();
    const long long first = (long long)blockIdx.x * TILE;
    for (int k = 0; k < ITEMS; ++k) {
        const long long i = first + k * THREADS + threadIdx.x;
        if (i < n) atomicAdd(&digits[(int)(keys[i] >> shift & 255)], 1);
    }
    __syncthreads();
    counts[(long long)threadIdx.x * gridDim.x + blockIdx.x] = digits[threadIdx.x];
}
)";

/// Moves each element to its place by one digit, in order. `ends` are the sums of the counts.
inline constexpr const char* radix_move_source = R"(
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int ITEMS = 16;
constexpr int TILE = THREADS * ITEMS;
extern "C" __global__ void __launch_bounds__(THREADS)
fused(const Key* __restrict__ keys, const Place* __restrict__ places, Key* __restrict__ to_keys,
      Place* __restrict__ to_places, const long long* __restrict__ ends,
      const long long* __restrict__ counts, const long long n, const int shift) {
    __shared__ int in_warp[WARPS][256];
    __shared__ long long base[256];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    for (int w = 0; w < WARPS; ++w) in_warp[w][thread] = 0;
    const long long cell = (long long)thread * gridDim.x + blockIdx.x;
    base[thread] = ends[cell] - counts[cell];
    __syncthreads();

    // A warp's elements follow each other, so that ranks are in their order.
    const long long first = (long long)blockIdx.x * TILE + warp * (32 * ITEMS) + lane;
    Key own[ITEMS];
    int rank[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const long long i = first + k * 32;
        const bool is_there = i < n;
        own[k] = is_there ? keys[i] : (Key)0;
        const int digit = is_there ? (int)(own[k] >> shift & 255) : 256;
        const unsigned same = __match_any_sync(0xffffffffu, digit);
        const int before = __popc(same & ((1u << lane) - 1));
        int sum = 0;
        if (is_there) sum = in_warp[warp][digit];
        __syncwarp();
        if (is_there && before == 0) in_warp[warp][digit] = sum + __popc(same);
        __syncwarp();
        rank[k] = sum + before;
    }
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < WARPS; ++w) {
        const int count = in_warp[w][thread];
        in_warp[w][thread] = sum;
        sum += count;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const long long i = first + k * 32;
        if (i >= n) continue;
        const int digit = (int)(own[k] >> shift & 255);
        const long long place = base[digit] + in_warp[warp][digit] + rank[k];
        to_keys[place] = own[k];
        if constexpr (PLACES) to_places[place] = places[i];
    }
}
)";

/// CUB puts NaNs with a sign bit first: rotates them to the end. Does nothing where there are none.
inline constexpr const char* rotate_source = R"(
__device__ inline bool is_negative_nan(const U bits) {
    return (bits & sign) != 0 && (U)(bits & (U)~sign) > infinity;
}
extern "C" __global__ void __launch_bounds__(256)
fused(const U* __restrict__ from, U* __restrict__ to, long long* __restrict__ found,
      const long long n, const int back) {
    long long low = 0, high = 0;
    if (back) {
        low = *found;
    } else if (is_negative_nan(from[0])) {
        high = n;
        while (low < high) {
            const long long middle = low + (high - low) / 2;
            if (is_negative_nan(from[middle]))
                low = middle + 1;
            else
                high = middle;
        }
    }
    const long long first = (long long)blockIdx.x * 256 + threadIdx.x;
    if (!back && first == 0) *found = low;
    if (low == 0 || low == n) return;
    for (long long i = first; i < n; i += (long long)gridDim.x * 256) {
        if (back)
            to[i] = from[i];
        else
            to[i] = from[i < n - low ? i + low : i - (n - low)];
    }
}
)";

}  // namespace heald::array
