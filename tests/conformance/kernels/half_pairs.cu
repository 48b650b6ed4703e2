// half2 arithmetic, comparison, conversion and permutation.
//@ arg n = int32(1024)
//@ arg a = in float16[n, 2] uniform(-10, 10)
//@ arg b = in float16[n, 2] uniform(-10, 10)
//@ arg out = out float16[n, 8]
//@ arg sums = out float32[n]
//@ launch half_pairs<<<8, 128>>>(n, a, b, out, sums)

#include <cuda_fp16.h>
extern "C" __global__ void half_pairs(int n, const half2* a, const half2* b, half2* out,
                                      float* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half2 x = a[i], y = b[i];
    out[4 * i] = __hadd2_rn(x, y);
    out[4 * i + 1] = __hfma2(x, y, __float2half2_rn(1.0f));
    out[4 * i + 2] = __hgt2(x, y);
    out[4 * i + 3] = __lowhigh2highlow(__halves2half2(__low2half(x), __high2half(y)));
    float2 f = __half22float2(x);
    sums[i] = f.x + f.y;
}
