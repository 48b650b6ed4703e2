// High halves of products, and 24-bit products.
//@ arg n = int32(512)
//@ arg a = in int64[n] integers(-2**63, 2**63)
//@ arg b = in int64[n] integers(-2**63, 2**63)
//@ arg out = out int64[6 * n]
//@ launch high_products<<<4, 128>>>(n, a, b, out)

extern "C" __global__ void high_products(int n, const long long* a, const long long* b,
                                         long long* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = (int)a[i], y = (int)b[i];
    out[6 * i + 0] = __mulhi(x, y);
    out[6 * i + 1] = __umulhi((unsigned)x, (unsigned)y);
    out[6 * i + 2] = __mul64hi(a[i], b[i]);
    out[6 * i + 3] = (long long)__umul64hi((unsigned long long)a[i], (unsigned long long)b[i]);
    out[6 * i + 4] = __mul24(x, y);
    out[6 * i + 5] = __umul24((unsigned)x, (unsigned)y);
}
