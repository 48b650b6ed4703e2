// Pointers in memory, pointer arithmetic, pointer comparison.
//@ arg n = int32(256)
//@ arg x = in int32[n] integers(0, 1000)
//@ arg out = out int32[n]
//@ launch pointer_table<<<2, 128>>>(n, x, out)

extern "C" __global__ void pointer_table(int n, const int* x, int* out) {
    __shared__ const int* table[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    table[t] = x + (i * 7) % n;
    __syncthreads();
    const int* p = table[127 - t];
    const int* end = x + n;
    int s = 0;
    for (int k = 0; k < 3 && p < end; ++k) s += *p++;
    out[i] = s + (int)(p - x);
}
