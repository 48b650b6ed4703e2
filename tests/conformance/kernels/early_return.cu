// Threads past the end, and those with a negative input, leave early.
//@ arg n = int32(1000)
//@ arg x = in float32[n] uniform(-1, 1)
//@ arg out = out float32[n]
//@ launch early_return<<<8, 128>>>(n, x, out)

extern "C" __global__ void early_return(int n, const float* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (x[i] < 0.0f) {
        out[i] = -1.0f;
        return;
    }
    out[i] = x[i] * 2.0f;
}
