// Shifts by at least the width: everything is shifted out.
//@ arg n = int32(128)
//@ arg x = in int32[n] integers(-2**31, 2**31)
//@ arg s = in int32[n] arange(0, 1)
//@ arg left = out uint32[n]
//@ arg right = out int32[n]
//@ arg right64 = out uint64[n]
//@ launch wide_shifts<<<1, 128>>>(n, x, s, left, right, right64)

extern "C" __global__ void wide_shifts(int n, const int* x, const int* s, unsigned* left, int* right,
                                       unsigned long long* right64) {
    int i = threadIdx.x;
    left[i] = (unsigned)x[i] << s[i];
    right[i] = x[i] >> s[i];
    right64[i] = 0xf000000000000001ull >> s[i];
}
