// Atomic sums of half, half2 and bfloat162 (exact in any order), 16-bit compare-and-swap, and the
// block and system forms.
//@ arg n = int32(256)
//@ arg h = inout float16[2] zeros()
//@ arg h2 = inout float16[2] zeros()
//@ arg b2 = inout uint16[2] zeros()
//@ arg s = inout uint16[2] zeros()
//@ arg i32 = inout int32[4] zeros()
//@ launch atomic_short_types<<<2, 128>>>(n, h, h2, b2, s, i32)

#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void atomic_short_types(int n, half* h, half2* h2, __nv_bfloat162* b2,
                                              unsigned short* s, int* i32) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&h[i & 1], __float2half((float)(i % 4)));
    atomicAdd(h2, __floats2half2_rn(1.0f, (float)(i % 3)));
    if (i < 100) atomicAdd(b2, __floats2bfloat162_rn(1.0f, 2.0f));
    unsigned short seen = s[0], old;
    do {
        old = seen;
        seen = atomicCAS(&s[0], old, (unsigned short)(old + 3));
    } while (seen != old);
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd_block(&count, 2);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd_system(&i32[0], count);
    atomicMax_system(&i32[1], i);
    atomicOr_block(&i32[2], 1 << (i & 15));
}
