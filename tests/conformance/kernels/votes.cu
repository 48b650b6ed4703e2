// ballot, any, all over the warp.
//@ arg x = in int32[256] integers(-10, 30)
//@ arg out = out uint32[4, 256]
//@ launch votes<<<2, 128>>>(x, out)

extern "C" __global__ void votes(const int* x, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = x[i];
    out[i] = __ballot_sync(0xffffffffu, v > 0);
    out[256 + i] = __any_sync(0xffffffffu, v == 29) ? 1u : 0u;
    out[512 + i] = __all_sync(0xffffffffu, v > -10) ? 1u : 0u;
    out[768 + i] = __popc(__ballot_sync(0xffffffffu, v & 1) & ((1u << (i & 31)) - 1u));
}
