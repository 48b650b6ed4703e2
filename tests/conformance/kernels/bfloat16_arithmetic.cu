// bfloat16: conversions and arithmetic rounded to 16 bits.
//@ arg n = int32(2048)
//@ arg a = in float32[n] uniform(-100, 100)
//@ arg b = in float32[n] uniform(-100, 100)
//@ arg out = out uint16[6 * n]
//@ launch bfloat16_arithmetic<<<16, 128>>>(n, a, b, out)

#include <cuda_bf16.h>
extern "C" __global__ void bfloat16_arithmetic(int n, const float* a, const float* b,
                                               unsigned short* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat16 x = __float2bfloat16(a[i]), y = __float2bfloat16_rn(b[i]);
    unsigned short* o = out + 6 * i;
    o[0] = __bfloat16_as_ushort(x);
    o[1] = __bfloat16_as_ushort(__float2bfloat16_rz(b[i]));
    o[2] = __bfloat16_as_ushort(__hadd_rn(x, y));
    o[3] = __bfloat16_as_ushort(__hmul_rn(x, y));
    o[4] = __bfloat16_as_ushort(__hfma(x, y, x));
    o[5] = __bfloat16_as_ushort(__hmax(x, y));
}
