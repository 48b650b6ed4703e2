// A device function that is not inlined, with pointers, a struct result and a loop.
//@ arg n = int32(256)
//@ arg x = in int32[n] integers(1, 1000)
//@ arg out = out int32[n]
//@ launch out_of_line<<<2, 128>>>(n, x, out)

struct Pair {
    int low, high;
};
__noinline__ __device__ Pair split(int v, int* digits) {
    Pair p{9, 0};
    *digits = 0;
    for (; v > 0; v /= 10) {
        int d = v % 10;
        p.low = min(p.low, d);
        p.high = max(p.high, d);
        ++*digits;
    }
    return p;
}
extern "C" __global__ void out_of_line(int n, const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, digits;
    if (i >= n) return;
    Pair p = split(x[i], &digits);
    out[i] = p.low * 100 + p.high * 10 + digits;
}
