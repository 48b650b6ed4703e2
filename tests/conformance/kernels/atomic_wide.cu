// 16-byte compare-and-swap and exchange: both halves change together.
//@ arg n = int32(256)
//@ arg pair = inout uint64[2] zeros()
//@ arg old = out uint64[2]
//@ launch atomic_wide<<<2, 128>>>(n, pair)
//@ launch replace<<<1, 1>>>(pair, old)

struct alignas(16) Pair {
    unsigned long long count, sum;
};
extern "C" __global__ void atomic_wide(int n, Pair* pair) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Pair seen = *pair, old;
    do {
        old = seen;
        Pair next = {old.count + 1, old.sum + (unsigned)i};
        seen = atomicCAS(pair, old, next);
    } while (seen.count != old.count || seen.sum != old.sum);
}
extern "C" __global__ void replace(Pair* pair, Pair* old) {
    Pair next = {7, 9};
    *old = atomicExch(pair, next);
}
