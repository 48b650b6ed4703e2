// Escape times; the arithmetic is not contracted, so that every device agrees.
//@ arg w = int32(64)
//@ arg h = int32(48)
//@ arg limit = int32(100)
//@ arg out = out int32[h * w]
//@ launch mandelbrot<<<(4, 6), (16, 8)>>>(w, h, limit, out)

extern "C" __global__ void mandelbrot(int w, int h, int limit, int* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    double cx = __dadd_rn(-2.0, __dmul_rn(0.046875, x)), cy = __dadd_rn(-1.5, __dmul_rn(0.0625, y));
    double zx = 0, zy = 0;
    int it = 0;
    while (it < limit) {
        double xx = __dmul_rn(zx, zx), yy = __dmul_rn(zy, zy);
        if (__dadd_rn(xx, yy) > 4.0) break;
        zy = __dadd_rn(__dmul_rn(__dmul_rn(2.0, zx), zy), cy);
        zx = __dadd_rn(__dsub_rn(xx, yy), cx);
        ++it;
    }
    out[y * w + x] = it;
}
