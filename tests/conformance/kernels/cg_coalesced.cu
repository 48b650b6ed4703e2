// Coalesced threads in a branch elect one for an atomic.
//@ arg n = int32(2000)
//@ arg x = in int32[n] integers(0, 100)
//@ arg kept = inout int32[n] full(-1)
//@ arg count = inout int32[1] zeros()
//@ launch cg_coalesced<<<8, 256>>>(n, x, kept, count)

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int claim(int* counter) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, (int)active.size());
    return active.shfl(first, 0) + (int)active.thread_rank();
}
extern "C" __global__ void cg_coalesced(int n, const int* x, int* kept, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 3 == 0) kept[claim(count)] = 1;
}
