// cuda::atomic_ref and cuda::atomic: sums, exchanges, a lock, ordered publication.
//@ arg n = int32(4096)
//@ arg x = in int32[n] integers(-1000, 1000)
//@ arg sums = inout int32[4] zeros()
//@ arg largest = inout float32[1] full(-1e30)
//@ arg total = out int32[1]
//@ launch atomic_references<<<16, 256>>>(n, x, sums, largest)
//@ launch read_total<<<1, 1>>>(total)

#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> total_count;
extern "C" __global__ void atomic_references(int n, const int* x, int* sums, float* largest) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(sums[i & 3]);
    sum.fetch_add(x[i], cuda::memory_order_relaxed);
    cuda::atomic_ref<float, cuda::thread_scope_device> best(*largest);
    float seen = best.load(cuda::memory_order_relaxed);
    while (seen < (float)x[i] && !best.compare_exchange_weak(seen, (float)x[i])) {
    }
    total_count++;
}
extern "C" __global__ void read_total(int* total) {
    *total = total_count.load(cuda::memory_order_acquire);
}
