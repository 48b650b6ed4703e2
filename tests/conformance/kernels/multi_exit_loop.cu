// A loop that is left by break, return, continue and goto.
//@ arg n = int32(2000)
//@ arg x = in float32[n] uniform(-1, 1)
//@ arg k = in int32[n] integers(0, 100)
//@ arg out = out float32[n]
//@ arg steps = out int32[n]
//@ launch multi_exit_loop<<<16, 128>>>(n, x, k, out, steps)

extern "C" __global__ void multi_exit_loop(int n, const float* x, const int* k, float* out,
                                           int* steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    int count = 0;
    for (int j = 0; j < i % 17 + 5; ++j) {
        float v = x[(i + j * 7) % n];
        if (v > 0.9f) break;
        if (v < -0.95f) {
            out[i] = -1.0f;
            steps[i] = count;
            return;
        }
        ++count;
        if (v < 0.0f) continue;
        s += v;
        for (int q = 0; q < (k[(i + q) % n] & 7); ++q) {
            s += 0.25f;
            ++count;
            if (s > 3.0f) goto done;
        }
    }
done:
    out[i] = s;
    steps[i] = count;
}
