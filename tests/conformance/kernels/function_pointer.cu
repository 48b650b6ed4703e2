// A table of device functions, called through a pointer that differs between threads.
//@ arg n = int32(256)
//@ arg x = in int32[n] integers(-50, 50)
//@ arg out = out int32[n]
//@ launch function_pointer<<<2, 128>>>(n, x, out)

typedef int (*operation)(int);
__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__device__ int negate(int v) { return -v; }
__device__ const operation operations[3] = {twice, square, negate};
extern "C" __global__ void function_pointer(int n, const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = operations[i % 3](x[i]);
}
