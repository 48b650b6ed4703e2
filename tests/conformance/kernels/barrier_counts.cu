// __syncthreads_count, _and, _or.
//@ arg x = in int32[300] integers(0, 10)
//@ arg out = out int32[4, 300]
//@ launch barrier_counts<<<3, 100>>>(x, out)

extern "C" __global__ void barrier_counts(const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __syncthreads_count(x[i] > 4);
    out[300 + i] = __syncthreads_and(x[i] < 10) != 0;
    out[600 + i] = __syncthreads_or(x[i] > 8) != 0;
    out[900 + i] = __syncthreads_count(x[i] & blockIdx.x);
}
