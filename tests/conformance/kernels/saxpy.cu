// One fused multiply-add per element, as both devices contract it.
//@ arg n = int32(100000)
//@ arg a = float32(2.5)
//@ arg x = in float32[n] uniform(-1, 1)
//@ arg y = inout float32[n] uniform(-1, 1)
//@ launch saxpy<<<391, 256>>>(n, a, x, y)

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
