// Casts of floats out of range saturate, NaN gives 0.
//@ arg n = int32(64)
//@ arg x = in float32[n] values(0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3e9, -3e9, 5e9, 1e20, -1e20, inf, -inf, nan, 2147483520.0, -2147483648.0, 4294967040.0)
//@ arg as_int = out int32[n]
//@ arg as_uint = out uint32[n]
//@ arg nearest = out int32[n]
//@ arg up = out int32[n]
//@ arg down = out int32[n]
//@ launch float_to_integer<<<1, 64>>>(n, x, as_int, as_uint, nearest, up, down)

extern "C" __global__ void float_to_integer(int n, const float* x, int* as_int, unsigned* as_uint,
                                            int* nearest, int* up, int* down) {
    int i = threadIdx.x;
    as_int[i] = (int)x[i];
    as_uint[i] = (unsigned)x[i];
    nearest[i] = __float2int_rn(x[i]);
    up[i] = __float2int_ru(x[i]);
    down[i] = __float2int_rd(x[i]);
}
