// Recursive device functions, one of them with two calls.
//@ arg n = int32(200)
//@ arg out = out int32[2 * n]
//@ launch recursion<<<2, 100>>>(n, out)

__device__ int fibonacci(int k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }
__device__ int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
extern "C" __global__ void recursion(int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = fibonacci(i % 16);
    out[2 * i + 1] = gcd(i * 12, 90 + i % 7);
}
