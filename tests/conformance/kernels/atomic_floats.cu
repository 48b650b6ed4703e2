// Sums of floats and doubles; the values make every order exact.
//@ arg n = int32(8192)
//@ arg x = in float32[n] integers(-64, 64)
//@ arg f = inout float32[4] zeros()
//@ arg d = inout float64[4] zeros()
//@ launch atomic_floats<<<32, 256>>>(n, x, f, d)

extern "C" __global__ void atomic_floats(int n, const float* x, float* f, double* d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&f[i & 3], x[i]);
    atomicAdd(&d[i & 3], (double)x[i] * 0.5);
}
