// __restrict__, const and volatile pointers; in-place update through one pointer.
//@ arg n = int32(512)
//@ arg x = in float32[n] uniform(0, 1)
//@ arg y = inout float32[n] uniform(0, 1)
//@ launch pointer_aliasing<<<4, 128>>>(n, x, y)

extern "C" __global__ void __launch_bounds__(128, 2)
pointer_aliasing(int n, const float* __restrict__ x, float* __restrict__ y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile float* v = y;
    float a = __ldg(x + i), b = v[i];
    v[i] = a;
    float c = y[i];
    y[i] = c * 2.0f + b;
}
