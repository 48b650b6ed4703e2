// Neighbours by unsigned arithmetic that wraps inside a warp.
//@ arg n = int32(1000)
//@ arg x = in float32[n] uniform(-1, 1)
//@ arg out = inout float32[n] uniform(5, 6)
//@ launch unsigned_halo<<<8, 128>>>(n, x, out)

extern "C" __global__ void unsigned_halo(int n, const float* x, float* out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = i - 1u;
    if (j < (unsigned)n - 1u) out[i] = x[j];
}
