// Shuffles of 64-bit numbers, half and unsigned.
//@ arg x = in int64[64] integers(-2**62, 2**62)
//@ arg ll = out int64[64]
//@ arg d = out float64[64]
//@ arg h = out float16[64]
//@ arg u = out uint32[64]
//@ launch shuffle_types<<<1, 64>>>(x, ll, d, h, u)

#include <cuda_fp16.h>
extern "C" __global__ void shuffle_types(const long long* x, long long* ll, double* d, half* h,
                                         unsigned* u) {
    int i = threadIdx.x;
    ll[i] = __shfl_xor_sync(0xffffffffu, x[i], 7);
    d[i] = __shfl_down_sync(0xffffffffu, (double)(x[i] >> 10), 1);
    h[i] = __shfl_sync(0xffffffffu, __float2half((float)(i * 3)), 31 - (i & 31));
    u[i] = __shfl_up_sync(0xffffffffu, (unsigned)x[i], 1);
}
