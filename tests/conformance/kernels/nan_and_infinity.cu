// Comparisons, min and max, and classification with NaN, infinity and subnormals.
//@ arg n = int32(64)
//@ arg a = in float32[n] values(nan, 1.0, inf, -inf, 0.0, -0.0, 1e-42, -3.0)
//@ arg b = in float32[n] values(2.0, nan, nan, 3.0, 1.0, 7.0, 5.0, inf, -1.0)
//@ arg out = out float32[2 * n]
//@ arg flags = out int32[n]
//@ launch nan_and_infinity<<<1, 64>>>(n, a, b, out, flags)

extern "C" __global__ void nan_and_infinity(int n, const float* a, const float* b, float* out,
                                            int* flags) {
    int i = threadIdx.x;
    float x = a[i], y = b[i];
    out[2 * i] = fminf(x, y);
    out[2 * i + 1] = fmaxf(x, y);
    int f = 0;
    if (x < y) f |= 1;
    if (!(x >= y)) f |= 2;
    if (x == x) f |= 4;
    if (isnan(x)) f |= 8;
    if (isinf(x)) f |= 16;
    if (isfinite(x)) f |= 32;
    if (signbit(x)) f |= 64;
    if (x != 0.0f) f |= 128;
    flags[i] = f;
}
