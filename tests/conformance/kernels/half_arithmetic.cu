// half: every operation rounds to 16 bits.
//@ arg n = int32(2048)
//@ arg a = in float16[n] uniform(-100, 100)
//@ arg b = in float16[n] uniform(-100, 100)
//@ arg out = out float16[6 * n]
//@ launch half_arithmetic<<<16, 128>>>(n, a, b, out)

#include <cuda_fp16.h>
extern "C" __global__ void half_arithmetic(int n, const half* a, const half* b, half* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half x = a[i], y = b[i];
    half* o = out + 6 * i;
    o[0] = __hadd_rn(x, y);
    o[1] = __hsub_rn(x, y);
    o[2] = __hmul_rn(x, y);
    o[3] = __hfma(x, y, __float2half(0.125f));
    o[4] = __hgt(x, y) ? x : y;
    o[5] = __hneg(__habs(x));
}
