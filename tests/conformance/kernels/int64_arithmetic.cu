// 64-bit integers: products, quotients, remainders, shifts by the thread's amount.
//@ arg n = int32(512)
//@ arg a = in int64[n] integers(-2**62, 2**62)
//@ arg b = in int64[n] integers(1, 2**40)
//@ arg out = out int64[n]
//@ launch int64_arithmetic<<<4, 128>>>(n, a, b, out)

extern "C" __global__ void int64_arithmetic(int n, const long long* a, const long long* b,
                                            long long* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long u = (unsigned long long)a[i];
    long long s = (long long)(u * 6364136223846793005ull + 1442695040888963407ull);
    out[i] = (a[i] / b[i]) ^ (a[i] % b[i]) ^ (s >> (i & 63)) ^ (long long)(u << (i % 31));
}
