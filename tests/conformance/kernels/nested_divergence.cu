// Loops inside branches inside loops, all with conditions of the thread.
//@ arg n = int32(777)
//@ arg k = in int32[n] integers(0, 50)
//@ arg out = out int32[n]
//@ launch nested_divergence<<<7, 128>>>(n, k, out)

extern "C" __global__ void nested_divergence(int n, const int* k, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = 0;
    for (int a = 0; a < 4; ++a) {
        if ((i + a) % 3 == 0) continue;
        for (int b = 0; b < 10; ++b) {
            if (b == k[i] % 10) break;
            int q = b;
            while (q > 0) {
                q -= (k[(i + a) % n] & 1) + 1;
                c += q & 3;
            }
            do {
                ++c;
            } while (c % 4);
            if (blockIdx.x % 3 == 1 && a == 1) break;
        }
        if (blockIdx.x & 1)
            c += a;
        else if (i & 4)
            c ^= a;
    }
    out[i] = c;
}
