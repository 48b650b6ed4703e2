// A product of matrices by shared tiles; the entries make it exact.
//@ arg n = int32(64)
//@ arg a = in float32[n, n] integers(-8, 8)
//@ arg b = in float32[n, n] integers(-8, 8)
//@ arg c = out float32[n, n]
//@ launch matmul_tile<<<(4, 4), (16, 16)>>>(n, a, b, c)

#define TILE 16
extern "C" __global__ void matmul_tile(int n, const float* a, const float* b, float* c) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; ++t) {
        sa[ty][tx] = a[row * n + t * TILE + tx];
        sb[ty][tx] = b[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
