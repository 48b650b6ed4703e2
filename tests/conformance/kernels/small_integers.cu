// bool, char, short: promotion, truncation, sign.
//@ arg n = int32(256)
//@ arg a = in int8[n] integers(-128, 128)
//@ arg b = in uint8[n] integers(0, 256)
//@ arg c = in int16[n] integers(-30000, 30000)
//@ arg out8 = out int8[n]
//@ arg outu8 = out uint8[n]
//@ arg out16 = out int16[n]
//@ arg flags = out bool[n]
//@ launch small_integers<<<2, 128>>>(n, a, b, c, out8, outu8, out16, flags)

extern "C" __global__ void small_integers(int n, const signed char* a, const unsigned char* b,
                                          const short* c, signed char* out8, unsigned char* outu8,
                                          short* out16, bool* flags) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out8[i] = (signed char)(a[i] + b[i]);
    outu8[i] = (unsigned char)(b[i] * 3 - a[i]);
    out16[i] = (short)(c[i] * 5 + (a[i] >> 2));
    flags[i] = (a[i] < 0) != (c[i] < 0);
}
