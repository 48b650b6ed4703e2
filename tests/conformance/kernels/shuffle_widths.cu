// Shuffles inside segments of 8 and 16 lanes.
//@ arg x = in float32[128] uniform(-1, 1)
//@ arg out = out float32[4, 128]
//@ launch shuffle_widths<<<1, 128>>>(x, out)

extern "C" __global__ void shuffle_widths(const float* x, float* out) {
    int i = threadIdx.x;
    float v = x[i];
    out[i] = __shfl_sync(0xffffffffu, v, i + 3, 8);
    out[128 + i] = __shfl_up_sync(0xffffffffu, v, 2, 8);
    out[256 + i] = __shfl_down_sync(0xffffffffu, v, 7, 16);
    out[384 + i] = __shfl_xor_sync(0xffffffffu, v, 5, 16);
}
