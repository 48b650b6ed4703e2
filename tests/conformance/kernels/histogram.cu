// Shared and global integer atomics.
//@ arg n = int32(50000)
//@ arg x = in uint8[n] integers(0, 256)
//@ arg bins = inout uint32[256] zeros()
//@ launch histogram<<<16, 256>>>(n, x, bins)

extern "C" __global__ void histogram(int n, const unsigned char* x, unsigned* bins) {
    __shared__ unsigned h[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) h[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&h[x[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], h[i]);
}
