// An array of the thread, indexed dynamically, and a constant table.
//@ arg n = int32(400)
//@ arg x = in int32[n] integers(0, 1000)
//@ arg out = out int32[n]
//@ launch private_array<<<4, 100>>>(n, x, out)

extern "C" __global__ void private_array(int n, const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a[8];
    const int table[5] = {3, 1, 4, 1, 5};
    for (int j = 0; j < 8; ++j) a[j] = x[(i + j) % n];
    for (int j = 0; j < (x[i] & 7); ++j) a[(j + x[i]) & 7] += a[j] * table[x[i] % 5];
    int s = 0;
    for (int j = 0; j < 8; ++j) s = s * 31 + a[j];
    out[i] = s;
}
