// __constant__ tables with initial values, indexed uniformly and per thread.
//@ arg n = int32(256)
//@ arg x = in float32[n] uniform(-1, 1)
//@ arg out = out float32[n]
//@ compare out ulp=1
//@ launch constant_memory<<<2, 128>>>(n, x, out)

__constant__ float weights[4] = {1.0f, 0.5f, 0.25f, 8.0f};
__constant__ int order[8] = {3, 1, 2, 0, 0, 2, 1, 3};
struct Setting {
    float gain;
    int shift;
};
__constant__ Setting setting = {2.0f, 5};
extern "C" __global__ void constant_memory(int n, const float* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0.0f;
    for (int k = 0; k < 4; ++k) s = __fadd_rn(s, __fmul_rn(weights[k], x[(i + k) % n]));
    out[i] = __fmul_rn(s, weights[order[i & 7]]) * setting.gain + (float)setting.shift;
}
