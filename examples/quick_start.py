"""A kernel on NumPy data, on the first usable GPU or else the CPU."""

import numpy as np

import heald as hd

SOURCE = """
#include <cmath>

// The distance of each point to its nearest centre. A block keeps the centres in shared memory.
template <int block>
__global__ void nearest(const float2* points, int n, const float2* centres, int m,
                        float* distance) {
    __shared__ float2 tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    const float2 p = i < n ? points[i] : make_float2(0, 0);
    float best = INFINITY;
    for (int start = 0; start < m; start += block) {
        if (start + threadIdx.x < m) tile[threadIdx.x] = centres[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < min(block, m - start); ++j)
            best = fminf(best, hypotf(tile[j].x - p.x, tile[j].y - p.y));
        __syncthreads();
    }
    if (i < n) distance[i] = best;
}
"""


def main() -> None:
    rng = np.random.default_rng(1)
    points = rng.random((10_000, 2), np.float32)
    centres = rng.random((300, 2), np.float32)

    kernel = hd.Program(SOURCE, name="nearest.cu").compile(names=["nearest<256>"])
    nearest = kernel.get_kernel("nearest<256>")
    distance = hd.empty(len(points), np.float32)
    as_float2 = [hd.Buffer.from_host(values) for values in (points, centres)]
    grid = -(-len(points) // 256)
    nearest.launch(grid, 256, (as_float2[0], len(points), as_float2[1], len(centres), distance))

    result = hd.asnumpy(distance)
    expected = np.hypot(*(points[:, None] - centres).transpose(2, 0, 1)).min(axis=1)
    print(f"{hd.Device().name}: largest difference from NumPy {abs(result - expected).max():.1e}")
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-7)


if __name__ == "__main__":
    main()
