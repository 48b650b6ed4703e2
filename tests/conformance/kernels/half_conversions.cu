// float, double and integers to half and back, at ties, overflow and subnormals.
//@ arg n = int32(4096)
//@ arg x = in float32[n] values(1.0, 1.00048828125, 1.00146484375, 65504.0, 65519.996, 65520.0, 1e-8, 5.9604645e-8, 2.9802322e-8, 2.9802325e-8, -1e5, inf, -0.0, 0.333251953125, 6.1e-5, 3.3e-6)
//@ arg nearest = out uint16[n]
//@ arg down = out uint16[n]
//@ arg up = out uint16[n]
//@ arg zero = out uint16[n]
//@ arg back = out float32[n]
//@ launch half_conversions<<<32, 128>>>(n, x, nearest, down, up, zero, back)

#include <cuda_fp16.h>
extern "C" __global__ void half_conversions(int n, const float* x, unsigned short* nearest,
                                            unsigned short* down, unsigned short* up,
                                            unsigned short* zero, float* back) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i] * (1.0f + (float)(i / 16) * 0.001953125f);
    nearest[i] = __half_as_ushort(__float2half_rn(v));
    down[i] = __half_as_ushort(__float2half_rd(v));
    up[i] = __half_as_ushort(__float2half_ru(v));
    zero[i] = __half_as_ushort(__float2half_rz(v));
    back[i] = __half2float(__ushort_as_half((unsigned short)(i * 15 % 31744)));
}
