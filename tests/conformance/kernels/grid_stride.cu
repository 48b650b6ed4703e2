// A loop over the grid, with fewer threads than elements.
//@ arg n = int32(10007)
//@ arg a = in float32[n] uniform(-10, 10)
//@ arg b = in float32[n] uniform(-10, 10)
//@ arg c = inout float32[n] uniform(-10, 10)
//@ compare c ulp=1
//@ launch grid_stride<<<7, 96>>>(n, a, b, c)

extern "C" __global__ void grid_stride(int n, const float* a, const float* b, float* c) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        c[i] = __fadd_rn(__fmul_rn(a[i], b[i]), c[i]);
}
