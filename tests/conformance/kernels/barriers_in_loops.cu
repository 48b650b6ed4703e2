// Barriers in nested loops and under conditions that the whole block shares.
//@ arg x = in int32[256] integers(0, 100)
//@ arg out = out int32[256]
//@ launch barriers_in_loops<<<2, 128>>>(x, out)

extern "C" __global__ void barriers_in_loops(const int* x, int* out) {
    __shared__ int s[128];
    __shared__ int total;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = x[i];
    if (t == 0) total = 0;
    __syncthreads();
    for (int round = 0; round < 3; ++round) {
        int v = s[(t * 7 + round) % 128];
        __syncthreads();
        if (v & 1) {
            s[t] = v * 3;
            atomicAdd(&total, 1);
        } else {
            s[t] = v + 1;
        }
        __syncthreads();
        if (total > 64) {
            int other = s[127 - t];
            __syncthreads();
            s[t] += other & 3;
            __syncthreads();
        }
    }
    out[i] = s[t] * 1000 + total;
}
