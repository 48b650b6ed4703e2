"""The work of benchmarks/jit/kernels.py with Numba's CPU compiler, @njit(parallel=True), and SAXPY
in its CUDA simulator. Runs in an environment with Numba:

python benchmarks/jit/numba_peer.py
"""

from __future__ import annotations

import math
import os
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy as np
from numba import cuda, njit, prange

F = np.float32


@njit(parallel=True)
def saxpy(a, x, y, out):
    for i in prange(out.size):
        out[i] = F(a) * x[i] + y[i]


@njit(parallel=True, fastmath=False)
def matmul(a, b, c):
    n = a.shape[0]
    for i in prange(n):
        c[i] = 0
        for k in range(n):
            v = a[i, k]
            for j in range(n):
                c[i, j] += v * b[k, j]


@njit(parallel=True)
def n_body(x, y, z, ax, ay, az, soft):
    for i in prange(x.size):
        fx = F(0)
        fy = F(0)
        fz = F(0)
        for j in range(x.size):
            dx = x[j] - x[i]
            dy = y[j] - y[i]
            dz = z[j] - z[i]
            inverse = F(1) / math.sqrt(dx * dx + dy * dy + dz * dz + soft)
            force = inverse * inverse * inverse
            fx += dx * force
            fy += dy * force
            fz += dz * force
        ax[i] = fx
        ay[i] = fy
        az[i] = fz


@njit(parallel=True)
def mandelbrot(image, left, top, step, limit):
    for row in prange(image.shape[0]):
        for column in range(image.shape[1]):
            cx = F(left + column * step)
            cy = F(top + row * step)
            zx = F(0)
            zy = F(0)
            last = 0
            for n in range(limit):
                last = n
                xx = zx * zx
                yy = zy * zy
                if xx + yy > F(4):
                    break
                zy = F(2) * zx * zy + cy
                zx = xx - yy + cx
            image[row, column] = last


@njit(parallel=True)
def histogram(x, bins):
    parts = np.zeros((64, 256), np.int32)
    for p in prange(64):
        for i in range(p * x.size // 64, (p + 1) * x.size // 64):
            parts[p, x[i]] += 1
    for p in range(64):
        bins += parts[p]


@cuda.jit
def saxpy_kernel(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


def best(function, *arguments) -> float:
    function(*arguments)
    times = []
    for _ in range(20):
        started = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    rng = np.random.default_rng(1)
    n, m, bodies, rows = 1 << 22, 512, 4096, 512
    x, y, out = (rng.random(n, dtype=F) for _ in range(3))
    a, b, c = (rng.random((m, m), dtype=F) for _ in range(3))
    p = [rng.random(bodies, dtype=F) for _ in range(6)]
    image = np.zeros((rows, rows), np.int32)
    keys, bins = rng.integers(0, 256, n).astype(np.int32), np.zeros(256, np.int32)
    for name, seconds in (
        ("saxpy", best(saxpy, 2.0, x, y, out)),
        ("matmul", best(matmul, a, b, c)),
        ("n-body", best(n_body, *p, F(0.01))),
        ("mandelbrot", best(mandelbrot, image, -2.0, -1.5, 3.0 / rows, 256)),
        ("histogram", best(histogram, keys, bins)),
    ):
        print(f"{name:12} {seconds * 1e3:10.3f} ms")
    small = x[:10_000]
    started = time.perf_counter()
    saxpy_kernel[40, 256](F(2), small, small, small.copy())
    print(f"simulator, saxpy of 10,000: {(time.perf_counter() - started) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
