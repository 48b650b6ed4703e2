// && and || must not evaluate (and not read out of bounds) on the right.
//@ arg n = int32(300)
//@ arg x = in int32[n] integers(0, 4)
//@ arg out = out int32[n]
//@ launch short_circuit<<<3, 128>>>(n, x, out)

extern "C" __global__ void short_circuit(int n, const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool left = i > 0 && x[i - 1] == 1;
    bool right = i == n - 1 || x[i + 1] == 2;
    const int* p = x[i] ? &x[i] : nullptr;
    int v = p && *p > 1 ? *p : -5;
    out[i] = left * 100 + right * 10 + v;
}
