// Shuffles by index, up, down and xor over the whole warp.
//@ arg x = in int32[256] integers(-1000, 1000)
//@ arg out = out int32[4, 256]
//@ launch shuffles<<<2, 128>>>(x, out)

extern "C" __global__ void shuffles(const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = x[i];
    out[i] = __shfl_sync(0xffffffffu, v, v & 31);
    out[256 + i] = __shfl_up_sync(0xffffffffu, v, 3);
    out[512 + i] = __shfl_down_sync(0xffffffffu, v, 5);
    out[768 + i] = __shfl_xor_sync(0xffffffffu, v, 21);
}
