// Hillis-Steele scan with two buffers.
//@ arg x = in int32[1024] integers(-100, 100)
//@ arg out = out int32[1024]
//@ launch block_scan<<<4, 256>>>(x, out)

extern "C" __global__ void block_scan(const int* x, int* out) {
    __shared__ int buffer[2][256];
    int t = threadIdx.x, g = blockIdx.x * blockDim.x + t, p = 0;
    buffer[0][t] = x[g];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        buffer[1 - p][t] = t >= d ? buffer[p][t] + buffer[p][t - d] : buffer[p][t];
        p = 1 - p;
        __syncthreads();
    }
    out[g] = buffer[p][t];
}
