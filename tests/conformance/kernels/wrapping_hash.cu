// 32-bit products that wrap, widened to 64 bits afterwards.
//@ arg n = int32(1000)
//@ arg out = out uint64[n]
//@ launch wrapping_hash<<<8, 128>>>(n, out)

extern "C" __global__ void wrapping_hash(int n, unsigned long long* out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)n) return;
    unsigned h = i * 2654435761u;
    unsigned long long g = i * 2654435761u;
    out[i] = (g % 1009ull) * 1000003ull + (g >> 20) + (h ^ (h >> 15));
}
