"""The kernels that are compared: in Python, and by hand in CUDA C++."""

from __future__ import annotations

import math

import numpy as np

import heald as hd

cuda = hd.cuda
TILE = 16


@hd.jit
def saxpy(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


@hd.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, TILE), hd.float32)
    sb = cuda.shared.array((TILE, TILE), hd.float32)
    column, row = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = np.float32(0)
    for k in range(0, a.shape[1], TILE):
        sa[ty, tx] = a[row, k + tx]
        sb[ty, tx] = b[k + ty, column]
        cuda.syncthreads()
        for m in range(TILE):
            total += sa[ty, m] * sb[m, tx]
        cuda.syncthreads()
    c[row, column] = total


@hd.jit
def n_body(x, y, z, ax, ay, az, soft):
    i = cuda.grid(1)
    if i < x.size:
        fx = np.float32(0)
        fy = np.float32(0)
        fz = np.float32(0)
        for j in range(x.size):
            dx = x[j] - x[i]
            dy = y[j] - y[i]
            dz = z[j] - z[i]
            r2 = dx * dx + dy * dy + dz * dz + soft
            inverse = np.float32(1) / math.sqrt(r2)
            force = inverse * inverse * inverse
            fx += dx * force
            fy += dy * force
            fz += dz * force
        ax[i] = fx
        ay[i] = fy
        az[i] = fz


@hd.jit
def mandelbrot(image, left, top, step, limit):
    column, row = cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        cx = np.float32(left) + np.float32(column) * np.float32(step)
        cy = np.float32(top) + np.float32(row) * np.float32(step)
        zx = np.float32(0)
        zy = np.float32(0)
        n = 0
        for n in range(limit):  # noqa: B007
            xx = zx * zx
            yy = zy * zy
            if xx + yy > 4.0:
                break
            zy = 2 * zx * zy + cy
            zx = xx - yy + cx
        image[row, column] = n


@hd.jit
def histogram(x, bins):
    part = cuda.shared.array(256, hd.int32)
    t = cuda.threadIdx.x
    part[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(part, x[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, t, part[t])


BY_HAND = """
extern "C" __global__ void saxpy(float a, const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n, int width) {
    __shared__ float sa[16][16], sb[16][16];
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    float total = 0;
    for (int k = 0; k < n; k += 16) {
        sa[ty][tx] = a[row * n + k + tx];
        sb[ty][tx] = b[(k + ty) * width + column];
        __syncthreads();
        for (int m = 0; m < 16; ++m) total += sa[ty][m] * sb[m][tx];
        __syncthreads();
    }
    c[row * width + column] = total;
}
extern "C" __global__ void n_body(const float* x, const float* y, const float* z, float* ax,
                                  float* ay, float* az, float soft, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; ++j) {
        float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        float r2 = dx * dx + dy * dy + dz * dz + soft;
        float inverse = 1.0f / sqrtf(r2), force = inverse * inverse * inverse;
        fx += dx * force;
        fy += dy * force;
        fz += dz * force;
    }
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
}
extern "C" __global__ void mandelbrot(int* image, int rows, int columns, float left, float top,
                                      float step, int limit) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    float cx = left + column * step, cy = top + row * step, zx = 0, zy = 0;
    int n = 0, last = 0;
    for (; n < limit; ++n) {
        last = n;
        float xx = zx * zx, yy = zy * zy;
        if (xx + yy > 4.0f) break;
        zy = 2 * zx * zy + cy;
        zx = xx - yy + cx;
    }
    image[row * columns + column] = last;
}
extern "C" __global__ void histogram(const int* x, int n, int* bins) {
    __shared__ int part[256];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[x[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}
extern "C" __global__ void three(float a, const float* x, float* out) { }
"""


def cases(scale: int = 1) -> dict[str, tuple]:
    """name -> (kernel, grid, block, its arguments, the arguments of the one by hand, result)"""
    rng = np.random.default_rng(1)

    def random(*shape: int) -> hd.Array:
        return hd.array(rng.random(shape, dtype=np.float32))

    n = (1 << 22) * scale
    x, y, out = random(n), random(n), random(n)
    m = 512 * scale
    a, b, c = random(m, m), random(m, m), random(m, m)
    bodies = 4096 * scale
    p = [random(bodies) for _ in range(3)]
    f = [random(bodies) for _ in range(3)]
    rows = 512 * scale
    image = hd.zeros((rows, rows), dtype=np.int32)
    limit, step = 256, 3.0 / rows
    keys = hd.array(rng.integers(0, 256, n).astype(np.int32))
    bins = hd.zeros(256, dtype=np.int32)
    square = (m // 16, m // 16)
    picture = (-(-rows // 32), -(-rows // 8))
    return {
        "saxpy": (saxpy, n // 256, 256, (2.0, x, y, out), (2.0, x, y, out, n), out),
        "matmul": (matmul, square, (16, 16), (a, b, c), (a, b, c, m, m), c),
        "n-body": (
            n_body, bodies // 256, 256, (*p, *f, np.float32(0.01)), (*p, *f, 0.01, bodies), f[0],
        ),
        "mandelbrot": (
            mandelbrot, picture, (32, 8), (image, -2.0, -1.5, step, limit),
            (image, rows, rows, -2.0, -1.5, step, limit), image,
        ),
        "histogram": (histogram, 256, 256, (keys, bins), (keys, n, bins), bins),
    }  # fmt: skip
