// A 1-D stencil with a halo in shared memory.
//@ arg n = int32(1000)
//@ arg x = in float32[n] integers(-50, 50)
//@ arg out = out float32[n]
//@ launch stencil_shared<<<8, 128>>>(n, x, out)

#define RADIUS 3
extern "C" __global__ void stencil_shared(int n, const float* x, float* out) {
    __shared__ float s[128 + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + RADIUS;
    s[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        s[t - RADIUS] = i >= RADIUS ? x[i - RADIUS] : 0.0f;
        s[t + 128] = i + 128 < n ? x[i + 128] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0.0f;
    for (int d = -RADIUS; d <= RADIUS; ++d) sum += s[t + d];
    out[i] = sum;
}
