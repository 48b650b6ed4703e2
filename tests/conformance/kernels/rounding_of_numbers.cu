// floor, ceil, trunc, rint, round and their friends at ties and signs.
//@ arg n = int32(64)
//@ arg x = in float32[n] values(0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, -0.0, 8388609.0, 1e30, -1e30, 3.7, -3.7, inf)
//@ arg out = out float32[6 * n]
//@ launch rounding_of_numbers<<<1, 64>>>(n, x, out)

extern "C" __global__ void rounding_of_numbers(int n, const float* x, float* out) {
    int i = threadIdx.x;
    float* o = out + 6 * i;
    o[0] = floorf(x[i]);
    o[1] = ceilf(x[i]);
    o[2] = truncf(x[i]);
    o[3] = rintf(x[i]);
    o[4] = roundf(x[i]);
    o[5] = nearbyintf(x[i]);
}
