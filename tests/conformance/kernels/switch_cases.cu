// A switch with fall-through, gaps and a default, called twice.
//@ arg n = int32(500)
//@ arg x = in int32[n] integers(-1000, 1000)
//@ arg out = out int32[n]
//@ launch switch_cases<<<4, 128>>>(n, x, out)

__device__ int pick(int x) {
    int r = 0;
    switch (x & 7) {
        case 0: return x + 1;
        case 1: r = 10;
        case 2: r += x * 3; break;
        case 5: r = -x; break;
        case 6: return x ^ 0x55;
        default: r = x / 3;
    }
    return r - 1;
}
extern "C" __global__ void switch_cases(int n, const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = pick(x[i]) + pick(pick(i));
}
