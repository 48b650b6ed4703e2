// A maximum of floats by compare-and-swap.
//@ arg n = int32(10000)
//@ arg x = in float32[n] uniform(-1000, 1000)
//@ arg best = inout float32[16] full(-1e30)
//@ launch atomic_cas_loop<<<40, 256>>>(n, x, best)

__device__ float atomic_max(float* address, float value) {
    int* bits = (int*)address;
    int old = *bits, seen;
    do {
        seen = old;
        if (__int_as_float(seen) >= value) break;
        old = atomicCAS(bits, seen, __float_as_int(value));
    } while (old != seen);
    return __int_as_float(old);
}
extern "C" __global__ void atomic_cas_loop(int n, const float* x, float* best) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(&best[i & 15], x[i]);
}
