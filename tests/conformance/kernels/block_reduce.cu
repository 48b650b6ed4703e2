// A sum by halving, in dynamic shared memory.
//@ arg n = int32(5000)
//@ arg x = in int32[n] integers(-1000, 1000)
//@ arg out = out int32[20]
//@ launch block_reduce<<<20, 256, 1024>>>(n, x, out)

extern "C" __global__ void block_reduce(int n, const int* x, int* out) {
    extern __shared__ int s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
