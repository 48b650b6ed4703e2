// printf from a few threads: numbers, strings, escapes.
//@ arg n = int32(100)
//@ prints thread 3 of block 0: 3 0.750000 word
//@ prints thread 35 of block 1: 99 24.750000 word
//@ launch print<<<2, 64>>>(n)

#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
extern "C" __global__ void print(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 96 == 3)
        printf("thread %u of block %u: %d %f %s\n", threadIdx.x, blockIdx.x, i, i * 0.25, "word");
}
