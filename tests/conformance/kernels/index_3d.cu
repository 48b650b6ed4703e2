// A 3-D grid of 3-D blocks; every built-in variable.
//@ arg out = out int32[2 * 3 * 2 * 60]
//@ launch index_3d<<<(2, 3, 2), (5, 4, 3)>>>(out)

extern "C" __global__ void index_3d(int* out) {
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned size = blockDim.x * blockDim.y * blockDim.z;
    dim3 g = gridDim;
    uint3 bi = blockIdx;
    out[b * size + t] = int(g.x * 10000 + g.y * 1000 + g.z * 100 + bi.z * 10) + int(warpSize);
}
