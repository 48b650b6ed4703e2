// Some warps leave; the others go on meeting at barriers.
//@ arg x = in int32[256] integers(0, 1000)
//@ arg out = out int32[256]
//@ launch exited_warps<<<2, 128>>>(x, out)

extern "C" __global__ void exited_warps(const int* x, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = 0;
    __syncthreads();
    if (t / 32 % 2 == 1) {
        out[i] = 5;
        return;
    }
    s[t] = x[i];
    __syncthreads();
    int v = s[(t + 64) % 128];
    __syncthreads();
    s[t] += v;
    __syncthreads();
    out[i] = s[(t + 32) % 128] + s[t];
}
