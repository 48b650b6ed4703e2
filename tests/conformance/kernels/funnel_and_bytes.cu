// Funnel shifts and byte permutation.
//@ arg n = int32(512)
//@ arg a = in uint32[n] integers(0, 2**32)
//@ arg b = in uint32[n] integers(0, 2**32)
//@ arg s = in uint32[n] integers(0, 2**16)
//@ arg out = out uint32[5 * n]
//@ launch funnel_and_bytes<<<4, 128>>>(n, a, b, s, out)

extern "C" __global__ void funnel_and_bytes(int n, const unsigned* a, const unsigned* b,
                                            const unsigned* s, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned shift = s[i] % 70u;
    out[5 * i + 0] = __funnelshift_l(a[i], b[i], shift);
    out[5 * i + 1] = __funnelshift_r(a[i], b[i], shift);
    out[5 * i + 2] = __funnelshift_lc(a[i], b[i], shift);
    out[5 * i + 3] = __funnelshift_rc(a[i], b[i], shift);
    out[5 * i + 4] = __byte_perm(a[i], b[i], s[i]);
}
