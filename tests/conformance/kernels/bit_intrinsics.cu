// Counting, finding and reversing bits; zero included.
//@ arg n = int32(256)
//@ arg x = in uint32[n] integers(0, 2**32)
//@ arg out = out int32[8 * n]
//@ launch bit_intrinsics<<<2, 128>>>(n, x, out)

extern "C" __global__ void bit_intrinsics(int n, const unsigned* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = i % 8 == 0 ? 0u : x[i] >> (i % 32);
    unsigned long long w = (unsigned long long)v << (i % 33);
    out[8 * i + 0] = __popc(v);
    out[8 * i + 1] = __clz((int)v);
    out[8 * i + 2] = __ffs((int)v);
    out[8 * i + 3] = (int)__brev(v);
    out[8 * i + 4] = __popcll(w);
    out[8 * i + 5] = __clzll((long long)w);
    out[8 * i + 6] = __ffsll((long long)w);
    out[8 * i + 7] = (int)(__brevll(w) >> 32);
}
