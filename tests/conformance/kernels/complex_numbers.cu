// cuComplex: products, quotients, magnitudes.
//@ arg n = int32(256)
//@ arg a = in float32[n, 2] uniform(-2, 2)
//@ arg b = in float32[n, 2] uniform(1, 2)
//@ arg out = out float32[n, 2]
//@ compare out rtol=1e-5 atol=1e-5
//@ launch complex_numbers<<<2, 128>>>(n, a, b, out)

#include <cuComplex.h>
extern "C" __global__ void complex_numbers(int n, const cuFloatComplex* a, const cuFloatComplex* b,
                                           cuFloatComplex* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuFloatComplex z = cuCdivf(cuCmulf(a[i], b[i]), cuConjf(b[i]));
    out[i] = cuCaddf(z, make_cuFloatComplex(cuCabsf(a[i]), 0.0f));
}
