// memcpy, memset, and malloc and free on the device heap.
//@ arg n = int32(64)
//@ arg x = in int32[n] integers(0, 1000)
//@ arg out = out int32[n]
//@ launch device_memory<<<1, 64>>>(n, x, out)

extern "C" __global__ void device_memory(int n, const int* x, int* out) {
    int t = threadIdx.x;
    int copy[4];
    memcpy(copy, x + t / 4 * 4, sizeof copy);
    int* heap = (int*)malloc(4 * sizeof(int));
    memset(heap, 0, 4 * sizeof(int));
    for (int j = 0; j < 4; ++j) heap[3 - j] += copy[j];
    out[t] = heap[t % 4] * 10 + heap[0] % 10;
    free(heap);
}
