// Warp functions inside a branch, with the mask of the lanes that took it.
//@ arg x = in int32[128] integers(0, 100)
//@ arg out = inout int32[128] zeros()
//@ launch divergent_votes<<<1, 128>>>(x, out)

extern "C" __global__ void divergent_votes(const int* x, int* out) {
    int i = threadIdx.x;
    unsigned odd = __ballot_sync(0xffffffffu, x[i] & 1);
    if (x[i] & 1) {
        int first = __shfl_sync(odd, x[i], __ffs(odd) - 1);
        unsigned large = __ballot_sync(odd, x[i] > 50);
        out[i] = first * 100 + __popc(large);
    } else {
        out[i] = -__popc(__ballot_sync(~odd, x[i] > 50));
    }
}
