// n / 0 and INT_MIN / -1 do not trap. What they give is the device's, and the same on both.
//@ arg n = int32(256)
//@ arg a = in int32[n] values(0, 1, -1, 7, -7, 2147483647, -2147483648, 1000)
//@ arg b = in int32[n] values(0, 0, 1, -1, 3, -3, 2, 0, -1, 10, -2147483648)
//@ arg quotient = out int32[n]
//@ arg discarded = out int32[n]
//@ launch integer_division<<<2, 128>>>(n, a, b, quotient, discarded)

extern "C" __global__ void integer_division(int n, const int* a, const int* b, int* quotient,
                                            int* discarded) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    quotient[i] = a[i] / b[i];
    unsigned q = (unsigned)a[i] / (unsigned)b[i];
    if (b[i] == 0) q = 7;
    discarded[i] = (int)q;
}
