// Dynamic shared memory cut into arrays of several types.
//@ arg n = int32(64)
//@ arg x = in float32[n] uniform(-1, 1)
//@ arg out = out float64[n]
//@ launch dynamic_shared<<<1, 64, 64 * 8 + 64 * 4 + 64>>>(n, x, out)

extern "C" __global__ void dynamic_shared(int n, const float* x, double* out) {
    extern __shared__ __align__(16) unsigned char arena[];
    double* d = reinterpret_cast<double*>(arena);
    float* f = reinterpret_cast<float*>(arena + 8 * n);
    unsigned char* b = arena + 12 * n;
    int t = threadIdx.x;
    d[t] = x[t];
    f[t] = 2.0f * x[t];
    b[t] = (unsigned char)t;
    __syncthreads();
    int o = n - 1 - b[t];
    out[t] = d[o] + (double)f[(t + 1) % n] + b[o];
}
