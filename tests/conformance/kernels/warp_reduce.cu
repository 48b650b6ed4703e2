// __reduce_*_sync with the full mask and in two halves.
//@ arg x = in int32[128] integers(-1000, 1000)
//@ arg out = out int32[8, 128]
//@ launch warp_reduce<<<1, 128>>>(x, out)

extern "C" __global__ void warp_reduce(const int* x, int* out) {
    int i = threadIdx.x;
    unsigned half = (i & 16) ? 0xffff0000u : 0x0000ffffu;
    out[i] = __reduce_add_sync(0xffffffffu, x[i]);
    out[128 + i] = __reduce_min_sync(0xffffffffu, x[i]);
    out[256 + i] = __reduce_max_sync(0xffffffffu, x[i]);
    out[384 + i] = (int)__reduce_and_sync(0xffffffffu, (unsigned)x[i] | 12u);
    out[512 + i] = (int)__reduce_or_sync(0xffffffffu, (unsigned)x[i] & 255u);
    out[640 + i] = (int)__reduce_xor_sync(0xffffffffu, (unsigned)x[i]);
    out[768 + i] = __reduce_add_sync(half, x[i]);
    out[896 + i] = (int)__reduce_max_sync(half, (unsigned)x[i]);
}
