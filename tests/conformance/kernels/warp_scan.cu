// An inclusive scan per warp and the sum of all by an atomic.
//@ arg n = int32(1024)
//@ arg x = in int32[n] integers(0, 100)
//@ arg out = out int32[n]
//@ arg total = inout int32[1] zeros()
//@ launch warp_scan<<<4, 256>>>(n, x, out, total)

extern "C" __global__ void warp_scan(int n, const int* x, int* out, int* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int v = x[i];
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) v += u;
    }
    out[i] = v;
    if (lane == 31) atomicAdd(total, v);
}
