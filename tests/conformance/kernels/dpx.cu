// Minima and maxima fused with an addition, a third operand, or a comparison with zero.
//@ arg n = int32(256)
//@ arg a = in int32[n] integers(-2**31, 2**31)
//@ arg b = in int32[n] integers(-2**31, 2**31)
//@ arg c = in int32[n] integers(-2**31, 2**31)
//@ arg out = out int32[n, 8]
//@ launch dpx<<<2, 128>>>(n, a, b, c, out)

extern "C" __global__ void dpx(int n, const int* a, const int* b, const int* c, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = a[i], y = b[i], z = c[i];
    unsigned ux = (unsigned)x, uy = (unsigned)y, uz = (unsigned)z;
    bool first, high, low;
    int* o = out + 8 * i;
    o[0] = __viaddmax_s32(x, y, z);
    o[1] = __vimin3_s32(x, y, z);
    o[2] = __vimax_s32_relu(x, y);
    o[3] = (int)__viaddmin_s16x2(ux, uy, uz);
    o[4] = (int)__vimax3_s16x2_relu(ux, uy, uz);
    o[5] = (int)__viaddmax_u16x2(ux, uy, uz);
    int largest = __vibmax_s32(x, i % 3 ? y : x, &first);
    o[6] = largest ^ (first ? 1 : 0);
    unsigned least = __vibmin_s16x2(ux, uy, &high, &low);
    o[7] = (int)least ^ (high ? 2 : 0) ^ (low ? 4 : 0);
}
