// A transposition through a padded tile, with ragged edges.
//@ arg w = int32(70)
//@ arg h = int32(45)
//@ arg x = in float32[h, w] uniform(-1, 1)
//@ arg out = out float32[w, h]
//@ launch transpose_tile<<<(3, 2), (32, 8)>>>(w, h, x, out)

extern "C" __global__ void transpose_tile(int w, int h, const float* x, float* out) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (col < w && row + j < h) tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * w + col];
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (oc < h && orow + j < w) out[(orow + j) * h + oc] = tile[threadIdx.x][threadIdx.y + j];
}
