// frexp, ldexp, modf, logb, nextafter, copysign, fdim, remainder.
//@ arg n = int32(512)
//@ arg x = in float32[n] uniform(-1e3, 1e3)
//@ arg out = out float32[8 * n]
//@ launch number_parts<<<4, 128>>>(n, x, out)

extern "C" __global__ void number_parts(int n, const float* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i % 5 == 0 ? x[i] * 1e-42f : x[i], whole;
    int e;
    float* o = out + 8 * i;
    o[0] = frexpf(v, &e);
    o[1] = (float)e;
    o[2] = ldexpf(x[i], i % 64 - 140);
    o[3] = modff(x[i], &whole);
    o[4] = whole;
    o[5] = nextafterf(x[i], 0.0f);
    o[6] = copysignf(3.0f, x[i]) + fdimf(x[i], 1.0f);
    o[7] = remainderf(x[i], 7.0f);
}
