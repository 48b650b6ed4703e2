// A block that is no multiple of 32: the last warp has absent lanes.
//@ arg x = in int32[100] integers(0, 1000)
//@ arg out = out int32[2, 100]
//@ launch partial_warp<<<1, 100>>>(x, out)

extern "C" __global__ void partial_warp(const int* x, int* out) {
    int i = threadIdx.x;
    unsigned present = i / 32 < 3 ? 0xffffffffu : 0xfu;
    out[i] = __popc(__ballot_sync(present, x[i] >= 500));
    out[100 + i] = __shfl_xor_sync(present, x[i], 1);
}
