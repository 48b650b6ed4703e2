// __device__ variables keep their values between launches; arrays and initial values.
//@ arg n = int32(128)
//@ arg out = out int32[n]
//@ launch fill<<<2, 64>>>(n)
//@ launch fill<<<2, 64>>>(n)
//@ launch collect<<<2, 64>>>(n, out)

__device__ int table[128];
__device__ int calls = 5;
static __device__ unsigned long long total;
extern "C" __global__ void fill(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    table[i] += i + 1;
    atomicAdd(&total, 1ull);
    if (i == 0) ++calls;
}
extern "C" __global__ void collect(int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i] * 1000 + calls + (int)total;
}
