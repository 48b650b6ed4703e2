// min, max and abs of every type, also of mixed signs.
//@ arg n = int32(256)
//@ arg a = in int32[n] integers(-100, 100)
//@ arg b = in int32[n] integers(-100, 100)
//@ arg out = out float64[8 * n]
//@ launch min_max_types<<<2, 128>>>(n, a, b, out)

extern "C" __global__ void min_max_types(int n, const int* a, const int* b, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = a[i], y = b[i];
    double* o = out + 8 * i;
    o[0] = min(x, y);
    o[1] = max(x, (unsigned)y);
    o[2] = (double)min((long long)x, (long long)y);
    o[3] = (double)max((unsigned long long)x, (unsigned long long)y);
    o[4] = min((float)x, y * 0.5f);
    o[5] = max((double)x, (float)y);
    o[6] = abs(x) + (double)llabs((long long)y);
    o[7] = fmin(fmax((double)x, -5.0), 5.0) + fminf(fabsf((float)y), 3.0f);
}
