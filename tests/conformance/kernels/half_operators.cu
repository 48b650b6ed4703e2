// half in expressions, with conversions, and half2 in a shared reduction.
//@ arg n = int32(256)
//@ arg x = in float16[n] uniform(-2, 2)
//@ arg out = out float32[n]
//@ compare out rtol=2e-3 atol=2e-3
//@ launch half_operators<<<2, 128>>>(n, x, out)

#include <cuda_fp16.h>
extern "C" __global__ void half_operators(int n, const __half* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half v = x[i];
    __half w = v * v + __half(0.5f);
    w -= v;
    w /= __half(2);
    if (w > __float2half(1.0f)) w = -w;
    out[i] = static_cast<float>(w) + __half2float(hexp(v));
}
