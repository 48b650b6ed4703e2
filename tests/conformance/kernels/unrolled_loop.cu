// #pragma unroll over a runtime and a constant bound.
//@ arg n = int32(256)
//@ arg m = int32(11)
//@ arg x = in int32[n] integers(0, 100)
//@ arg out = out int32[n]
//@ launch unrolled_loop<<<2, 128>>>(n, m, x, out)

template <int N>
__device__ int weighted(const int* x, int i, int n) {
    int s = 0;
#pragma unroll
    for (int j = 0; j < N; ++j) s += x[(i + j) % n] * (j + 1);
    return s;
}
extern "C" __global__ void unrolled_loop(int n, int m, const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = weighted<5>(x, i, n);
#pragma unroll 4
    for (int j = 0; j < m; ++j) s -= x[(i + j) % n];
    out[i] = s;
}
