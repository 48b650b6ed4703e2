// Elementary functions in single precision.
//@ arg n = int32(4096)
//@ arg x = in float32[n] uniform(0.01, 20)
//@ arg out = out float32[12 * n]
//@ compare out rtol=4e-6 atol=1e-6
//@ launch math_single<<<32, 128>>>(n, x, out)

extern "C" __global__ void math_single(int n, const float* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    float* o = out + 12 * i;
    o[0] = expf(-v);
    o[1] = logf(v);
    o[2] = sinf(v);
    o[3] = cosf(v);
    o[4] = tanhf(v);
    o[5] = powf(v, 1.5f);
    o[6] = sqrtf(v);
    o[7] = rsqrtf(v);
    o[8] = exp2f(v * 0.25f);
    o[9] = log2f(v);
    o[10] = atan2f(v, 3.0f);
    o[11] = cbrtf(v);
}
