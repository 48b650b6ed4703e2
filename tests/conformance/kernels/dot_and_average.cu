// Byte dot products, sums of absolute differences, averages.
//@ arg n = int32(512)
//@ arg a = in int32[n] integers(-2**31, 2**31)
//@ arg b = in int32[n] integers(-2**31, 2**31)
//@ arg out = out int32[8 * n]
//@ launch dot_and_average<<<4, 128>>>(n, a, b, out)

extern "C" __global__ void dot_and_average(int n, const int* a, const int* b, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[8 * i + 0] = __dp4a(a[i], b[i], i);
    out[8 * i + 1] = (int)__dp4a((unsigned)a[i], (unsigned)b[i], 5u);
    out[8 * i + 2] = __dp2a_lo(a[i], b[i], i);
    out[8 * i + 3] = __dp2a_hi(a[i], b[i], i);
    out[8 * i + 4] = (int)__sad(a[i], b[i], 1u);
    out[8 * i + 5] = (int)__usad((unsigned)a[i], (unsigned)b[i], 1u);
    out[8 * i + 6] = __hadd(a[i], b[i]);
    out[8 * i + 7] = (int)__urhadd((unsigned)a[i], (unsigned)b[i]);
}
