// A lock per bucket; every thread takes one and updates plain memory under it.
//@ arg n = int32(512)
//@ arg locks = inout int32[4] zeros()
//@ arg sums = inout int32[4] zeros()
//@ launch spin_lock<<<4, 128>>>(n, locks, sums)

extern "C" __global__ void spin_lock(int n, int* locks, int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int bucket = i & 3;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[bucket], 0, 1) == 0) {
            __threadfence();
            volatile int* s = sums;
            s[bucket] = s[bucket] + i;
            __threadfence();
            atomicExch(&locks[bucket], 0);
            done = true;
        }
    }
}
