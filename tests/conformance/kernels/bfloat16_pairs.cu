// bfloat162 in a dot product with single precision sums.
//@ arg n = int32(512)
//@ arg a = in float32[n, 2] uniform(-4, 4)
//@ arg out = out float32[n]
//@ launch bfloat16_pairs<<<4, 128>>>(n, a, out)

#include <cuda_bf16.h>
extern "C" __global__ void bfloat16_pairs(int n, const float2* a, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat162 v = __float22bfloat162_rn(a[i]);
    __nv_bfloat162 w = __hmul2_rn(v, __bfloat162bfloat162(__float2bfloat16(3.0f)));
    float2 f = __bfloat1622float2(w);
    out[i] = f.x - f.y + __low2float(v);
}
