// SIMD-in-a-word intrinsics on halves and bytes.
//@ arg n = int32(512)
//@ arg a = in uint32[n] integers(0, 2**32)
//@ arg b = in uint32[n] integers(0, 2**32)
//@ arg out = out uint32[10 * n]
//@ launch packed_lanes<<<4, 128>>>(n, a, b, out)

extern "C" __global__ void packed_lanes(int n, const unsigned* a, const unsigned* b, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = a[i], y = b[i];
    unsigned* o = out + 10 * i;
    o[0] = __vadd2(x, y);
    o[1] = __vadd4(x, y);
    o[2] = __vaddss4(x, y);
    o[3] = __vsubus2(x, y);
    o[4] = __vavgu4(x, y);
    o[5] = __vabsdiffs2(x, y);
    o[6] = __vmaxs4(x, y);
    o[7] = __vminu2(x, y);
    o[8] = __vcmpgts4(x, y);
    o[9] = __vsadu4(x, y);
}
