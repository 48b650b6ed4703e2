// The last block to finish adds up what all wrote.
//@ arg n = int32(4096)
//@ arg x = in int32[n] integers(0, 100)
//@ arg partial = out int32[16]
//@ arg state = inout uint32[1] zeros()
//@ arg total = out int32[1]
//@ launch last_block<<<16, 256>>>(n, x, partial, state, total)

extern "C" __global__ void last_block(int n, const int* x, int* partial, unsigned* state,
                                      int* total) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(state, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int s = 0;
        for (int b = 0; b < gridDim.x; ++b) s += ((volatile int*)partial)[b];
        *total = s;
    }
}
