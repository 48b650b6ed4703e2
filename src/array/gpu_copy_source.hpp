#pragma once

namespace heald::array {

/// CUDA C++ of the kernels that copy elements between layouts.
inline constexpr const char* gpu_copy_source = R"(
struct Layout {
    long long extent[8];
    long long to[8];
    long long from[8];
    long long count;
    int axes;
};
template <class T, class Index>
__global__ void strided_copy(char* to, const char* from, Layout layout) {
    const Index step = Index(blockDim.x) * gridDim.x;
    const Index count = Index(layout.count);
    for (Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x; i < count; i += step) {
        Index rest = i;
        long long to_offset = 0, from_offset = 0;
        for (int axis = layout.axes - 1; axis > 0; --axis) {
            const Index extent = Index(layout.extent[axis]);
            const Index outer = rest / extent;
            const Index at = rest - outer * extent;
            to_offset += at * layout.to[axis];
            from_offset += at * layout.from[axis];
            rest = outer;
        }
        to_offset += rest * layout.to[0];
        from_offset += rest * layout.from[0];
        *(T*)(to + to_offset) = *(const T*)(from + from_offset);
    }
}
// The last two axes: the source's contiguous one, then the destination's. In tiles of Tile x Tile
// elements, read along the one and written along the other; in accesses of 16 bytes where `wide`
// says that every row is aligned for it (1: the source's, 2: the destination's).
template <class T, int Tile>
__global__ void __launch_bounds__(256, 8) transpose(char* to, const char* from, Layout layout,
                                                    int wide) {
    constexpr int lanes = 16 / int(sizeof(T)), across = Tile / lanes, rows = 256 / across;
    constexpr int padding = sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
    union Vector {
        uint4 whole;
        T part[lanes];
    };
    __shared__ T tile[Tile][Tile + padding];
    const int inner = layout.axes - 2;
    const long long ni = layout.extent[inner], nj = layout.extent[inner + 1];
    const long long from_row = layout.from[inner + 1], to_row = layout.to[inner];
    const int x = threadIdx.x % across, y = threadIdx.x / across;
    for (long long outer = blockIdx.z; outer < layout.count; outer += gridDim.z) {
        const char* f0 = from;
        char* t0 = to;
        long long rest = outer;
        for (int axis = inner - 1; axis >= 0; --axis) {
            const long long next = rest / layout.extent[axis];
            const long long at = rest - next * layout.extent[axis];
            t0 += at * layout.to[axis];
            f0 += at * layout.from[axis];
            rest = next;
        }
        const long long i0 = blockIdx.x * (long long)Tile;
        for (long long j0 = blockIdx.y * (long long)Tile; j0 < nj;
             j0 += gridDim.y * (long long)Tile) {
            const char* f = f0 + i0 * (long long)sizeof(T) + j0 * from_row;
            const bool whole = i0 + Tile <= ni && j0 + Tile <= nj;
            if (whole && (wide & 1)) {
                f += y * from_row + x * 16;
#pragma unroll
                for (int k = 0; k < Tile; k += rows) {
                    Vector v;
                    v.whole = *(const uint4*)(f + k * from_row);
#pragma unroll
                    for (int lane = 0; lane < lanes; ++lane)
                        tile[y + k][x * lanes + lane] = v.part[lane];
                }
            } else {
#pragma unroll 1
                for (int n = threadIdx.x; n < Tile * Tile; n += 256) {
                    const int row = n / Tile, column = n % Tile;
                    if (i0 + column < ni && j0 + row < nj)
                        tile[row][column] =
                            *(const T*)(f + row * from_row + column * (long long)sizeof(T));
                }
            }
            __syncthreads();
            char* t = t0 + j0 * (long long)sizeof(T) + i0 * to_row;
            if (whole && (wide & 2)) {
                t += y * to_row + x * 16;
#pragma unroll
                for (int k = 0; k < Tile; k += rows) {
                    Vector v;
#pragma unroll
                    for (int lane = 0; lane < lanes; ++lane)
                        v.part[lane] = tile[x * lanes + lane][y + k];
                    *(uint4*)(t + k * to_row) = v.whole;
                }
            } else {
#pragma unroll 1
                for (int n = threadIdx.x; n < Tile * Tile; n += 256) {
                    const int row = n / Tile, column = n % Tile;
                    if (i0 + row < ni && j0 + column < nj)
                        *(T*)(t + row * to_row + column * (long long)sizeof(T)) =
                            tile[column][row];
                }
            }
            __syncthreads();
        }
    }
}
)";

}  // namespace heald::array
