// A loop whose trip count differs widely between neighbours.
//@ arg n = int32(5000)
//@ arg out = out int32[n]
//@ launch collatz<<<20, 256>>>(n, out)

extern "C" __global__ void collatz(int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = i + 1;
    int steps = 0;
    while (v != 1) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        ++steps;
    }
    out[i] = steps;
}
