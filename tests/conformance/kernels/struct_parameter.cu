// Structs passed by value, with arrays and nested members, and returned from functions.
//@ arg n = int32(200)
//@ arg box = in bytes struct('<4f3i4xd', 1.5, -2.0, 0.25, 4.0, 7, -3, 11, 0.125)
//@ arg out = out float64[n]
//@ launch struct_parameter<<<2, 100>>>(n, box, out)

struct Inner {
    float v[4];
};
struct Box {
    Inner inner;
    int k[3];
    double scale;
};
__device__ Inner shifted(Inner in, int by) {
    Inner r;
    for (int j = 0; j < 4; ++j) r.v[j] = in.v[(j + by) & 3];
    return r;
}
extern "C" __global__ void struct_parameter(int n, Box box, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Inner s = shifted(box.inner, i);
    out[i] = (s.v[0] + box.k[i % 3]) * box.scale + s.v[2];
}
