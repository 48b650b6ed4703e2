// A 2-D grid of 2-D blocks whose width is no multiple of a warp.
//@ arg w = int32(37)
//@ arg h = int32(29)
//@ arg out = out int32[h * w]
//@ launch index_2d<<<(4, 3), (10, 10)>>>(w, h, out)

extern "C" __global__ void index_2d(int w, int h, int* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = x * 1000 + y + threadIdx.x * 7 + threadIdx.y * 11;
}
