// A private array with dynamic indices that lives across barriers.
//@ arg x = in int32[128] integers(0, 1000)
//@ arg out = out int32[128]
//@ launch private_array_across_barrier<<<1, 128>>>(x, out)

extern "C" __global__ void private_array_across_barrier(const int* x, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x, a[6];
    for (int j = 0; j < 6; ++j) a[j] = x[(t + j) % 128];
    s[t] = a[x[t] % 6];
    __syncthreads();
    for (int j = 0; j < 6; ++j) a[(j + x[t]) % 6] += s[(t + 10 * j) % 128];
    __syncthreads();
    s[t] = a[t % 6];
    __syncthreads();
    int sum = s[(t + 1) % 128];
    for (int j = 0; j < 6; ++j) sum = sum * 3 + a[(j + t) % 6];
    out[t] = sum;
}
