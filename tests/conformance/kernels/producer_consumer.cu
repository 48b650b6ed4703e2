// Warps of one block wait for each other's flag.
//@ arg out = out int32[128]
//@ launch producer_consumer<<<1, 128>>>(out)

extern "C" __global__ void producer_consumer(int* out) {
    __shared__ volatile int ready;
    __shared__ volatile int data[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) ready = 0;
    data[lane] = 0;
    __syncthreads();
    while (ready != 3 - warp) {
    }
    __threadfence_block();
    int v = data[lane] * 2 + warp + lane;
    __syncwarp();
    data[lane] = v;
    __threadfence_block();
    __syncwarp();
    if (lane == 0) ready = 4 - warp;
    out[threadIdx.x] = v;
}
