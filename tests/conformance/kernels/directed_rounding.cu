// Arithmetic rounded to nearest, down, up and to zero.
//@ arg n = int32(1024)
//@ arg a = in float32[n] uniform(-3, 3)
//@ arg b = in float32[n] uniform(-1e-3, 1e3)
//@ arg out = out float32[16 * n]
//@ launch directed_rounding<<<8, 128>>>(n, a, b, out)

extern "C" __global__ void directed_rounding(int n, const float* a, const float* b, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i], y = b[i];
    float* o = out + 16 * i;
    o[0] = __fadd_rn(x, y), o[1] = __fadd_rd(x, y), o[2] = __fadd_ru(x, y), o[3] = __fadd_rz(x, y);
    o[4] = __fmul_rn(x, y), o[5] = __fmul_rd(x, y), o[6] = __fmul_ru(x, y), o[7] = __fmul_rz(x, y);
    o[8] = __fdiv_rn(x, y), o[9] = __fdiv_rd(x, y), o[10] = __fdiv_ru(x, y);
    o[11] = __fdiv_rz(x, y);
    x = fabsf(x);
    o[12] = __fsqrt_rn(x), o[13] = __fsqrt_rd(x), o[14] = __fsqrt_ru(x), o[15] = __fsqrt_rz(x);
}
