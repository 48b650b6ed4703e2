// Every thread counts itself once, one atomic per group of active lanes.
//@ arg n = int32(3000)
//@ arg x = in int32[n] integers(0, 5)
//@ arg counts = inout int32[5] zeros()
//@ launch active_mask<<<12, 256>>>(n, x, counts)

extern "C" __global__ void active_mask(int n, const int* x, int* counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 5; ++k) {
        if (x[i] == k) {
            unsigned group = __activemask();
            if ((threadIdx.x & 31) == __ffs(group) - 1) atomicAdd(&counts[k], __popc(group));
        }
    }
}
