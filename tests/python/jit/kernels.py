"""Whole kernels, each with a way to make its arguments: (blocks, threads, arguments), NumPy arrays
that are compared afterwards."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

import heald as hd

cuda = hd.cuda
KERNELS: list = []
TILE = 4
SIGMA = np.float32(0.5)
Box = namedtuple("Box", "low high")


def kernel(make):
    def register(function):
        KERNELS.append((function, make))
        return function

    return register


def f32(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def f64(rng, *shape):
    return rng.standard_normal(shape)


def i32(rng, *shape, high=100):
    return rng.integers(-high, high, shape).astype(np.int32)


@kernel(lambda rng: (4, 32, (2.0, f32(rng, 100), f32(rng, 100), f32(rng, 100))))
def saxpy(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


@kernel(lambda rng: (2, 32, (f32(rng, 300), f32(rng, 300))))
def grid_stride(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = x[i] * 2 + i


@kernel(lambda rng: (2, 32, (f32(rng, 300), f32(rng, 300))))
def grid_stride_while(x, out):
    i = cuda.grid(1)
    while i < len(x):
        out[i] = x[i] - 1
        i += cuda.gridsize(1)


@kernel(lambda rng: (2, 32, (f32(rng, 50), f32(rng, 50))))
def stencil(x, out):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if 0 < i < x.size - 1:
        out[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1]


@kernel(lambda rng: ((2, 2), (8, 8), (f32(rng, 12, 15), f32(rng, 15, 12))))
def transpose(x, out):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        out[j, i] = x[i, j]


@kernel(lambda rng: ((2, 2), (8, 8), (f32(rng, 12, 9), f32(rng, 9, 14), f32(rng, 12, 14))))
def matmul(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        s = 0.0
        for k in range(a.shape[1]):
            s += a[i, k] * b[k, j]
        c[i, j] = s


@kernel(lambda rng: ((2, 2), (TILE, TILE), (f32(rng, 8, 8), f32(rng, 8, 8), f32(rng, 8, 8))))
def matmul_shared(a, b, c):
    sa = cuda.shared.array((TILE, TILE), hd.float32)
    sb = cuda.shared.array((TILE, TILE), hd.float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = np.float32(0)
    for k in range(cuda.gridDim.x):
        sa[tx, ty] = a[x, ty + k * TILE]
        sb[tx, ty] = b[tx + k * TILE, y]
        cuda.syncthreads()
        for m in range(TILE):
            total += sa[tx, m] * sb[m, ty]
        cuda.syncthreads()
    c[x, y] = total


@kernel(lambda rng: (3, 16, (f32(rng, 48), f32(rng, 3))))
def block_sum(x, out):
    part = cuda.shared.array(16, hd.float32)
    t = cuda.threadIdx.x
    part[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    s = cuda.blockDim.x // 2
    while s > 0:
        if t < s:
            part[t] += part[t + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]


@kernel(lambda rng: (2, 16, (i32(rng, 32), np.zeros(32, np.int32))))
def block_reverse(x, out):
    seen = cuda.shared.array(16, "int32")
    t = cuda.threadIdx.x
    seen[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    out[cuda.grid(1)] = seen[cuda.blockDim.x - 1 - t]


@kernel(lambda rng: (2, 64, (rng.integers(0, 10, 128).astype(np.int32), np.zeros(10, np.int32))))
def histogram(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, x[i], 1)


@kernel(lambda rng: (2, 64, (i32(rng, 128), np.array([0, 0, 0], np.int32))))
def atomic_extremes(x, out):
    i = cuda.grid(1)
    cuda.atomic.max(out, 0, x[i])
    cuda.atomic.min(out, 1, x[i])
    cuda.atomic.xor(out, 2, x[i])


@kernel(lambda rng: (1, 32, (f64(rng, 32), np.zeros(1))))
def atomic_sum(x, out):
    cuda.atomic.add(out, 0, x[cuda.grid(1)])


@kernel(lambda rng: (1, 32, (f32(rng, 32), np.full(1, -100, np.float32))))
def atomic_float_max(x, out):
    cuda.atomic.max(out, 0, x[cuda.grid(1)])


@kernel(lambda rng: (1, 20, (f64(rng, 20, 3), f64(rng, 20, 3), 0.01)))
def n_body(p, a, soft):
    i = cuda.grid(1)
    if i >= p.shape[0]:
        return
    ax = 0.0
    ay = 0.0
    az = 0.0
    for j in range(p.shape[0]):
        dx = p[j, 0] - p[i, 0]
        dy = p[j, 1] - p[i, 1]
        dz = p[j, 2] - p[i, 2]
        r2 = dx * dx + dy * dy + dz * dz + soft
        inv = 1.0 / math.sqrt(r2 * r2 * r2)
        ax += dx * inv
        ay += dy * inv
        az += dz * inv
    a[i, 0] = ax
    a[i, 1] = ay
    a[i, 2] = az


@kernel(lambda rng: ((2, 2), (8, 8), (np.zeros((12, 15), np.int32), 30)))
def mandelbrot(image, limit):
    i, j = cuda.grid(2)
    rows, columns = image.shape
    if i < rows and j < columns:
        c = complex(-2 + 3 * j / columns, -1 + 2 * i / rows)
        z = 0j
        n = 0
        for n in range(limit):  # noqa: B007
            z = z * z + c
            if z.real * z.real + z.imag * z.imag > 4:
                break
        image[i, j] = n


@kernel(lambda rng: (1, 16, (f32(rng, 10, 12), np.zeros(10, np.float32))))
def row_sums(x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        row = x[i]
        s = np.float32(0)
        for v in row:
            s += v
        out[i] = s


@kernel(lambda rng: (1, 16, (f32(rng, 12, 10), np.zeros(10, np.float32))))
def column_maxima(x, out):
    j = cuda.grid(1)
    if j < out.size:
        column = x[:, j]
        best = column[0]
        for k in range(1, len(column)):
            best = max(best, column[k])
        out[j] = best


@kernel(lambda rng: (1, 1, (f32(rng, 20), np.zeros(20, np.float32))))
def slices(x, out):
    if cuda.grid(1) == 0:
        middle = x[2:-3]
        every = x[1::2]
        back = x[::-1]
        out[0] = middle[0]
        out[1] = middle[-1]
        out[2] = len(middle)
        out[3] = every[3]
        out[4] = len(every)
        out[5] = back[0]
        out[6] = back[2:5][1]
        out[7] = x[-4:][0]
        out[8] = len(x[5:3])
        out[9] = len(x[:100])
        out[10] = x[10:2:-3][1]


@kernel(lambda rng: (1, 1, (f32(rng, 4, 5, 6), np.zeros(8, np.float32))))
def views_of_three(x, out):
    if cuda.grid(1) == 0:
        out[0] = x[1][2][3]
        out[1] = x[1, 2:][1, 4]
        out[2] = x[..., 2][3, 4]
        out[3] = x[:, 1, ::2][2, 1]
        out[4] = x.T[5, 4, 3]
        out[5] = x[-1, -1, -1]
        out[6] = x[None, 2].shape[0] + x.ndim
        out[7] = x[2, :, 1:4].size


@kernel(lambda rng: (1, 1, (f32(rng, 4, 6),)))
def assign_views(x):
    if cuda.grid(1) == 0:
        x[0] = 1
        x[1, 2:4] = x[2, :2]
        x[:, 5] += 10
        x[3, ::2] *= 2


@kernel(lambda rng: (1, 32, (f32(rng, 32), np.zeros(32, np.float32))))
def local_memory(x, out):
    window = cuda.local.array(4, hd.float32)
    i = cuda.grid(1)
    for k in range(4):
        window[k] = x[(i + k) % 32]
    for k in range(3):
        for m in range(3 - k):
            if window[m] > window[m + 1]:
                window[m], window[m + 1] = window[m + 1], window[m]
    out[i] = window[1] - window[2]


@kernel(lambda rng: (1, 32, (i32(rng, 30), (1, 2.5), np.zeros(30))))
def tuple_argument(x, pair, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] * pair[0] + pair[1]


@kernel(lambda rng: (1, 32, (f32(rng, 30), Box(-0.5, 0.5), np.zeros(30, np.float32))))
def named_tuple_argument(x, box, out):
    i = cuda.grid(1)
    if i < out.size:
        v = x[i]
        if v < box.low:
            v = box.low
        elif v > box.high:
            v = box.high
        out[i] = v


@kernel(lambda rng: (1, 32, ((f32(rng, 30), f32(rng, 30)), np.zeros(30, np.float32))))
def tuple_of_arrays(pair, out):
    i = cuda.grid(1)
    a, b = pair
    if i < out.size:
        out[i] = a[i] * pair[1][i] + b[i]


@kernel(lambda rng: (1, 32, (f32(rng, 30), np.zeros(30, np.float32))))
def gaussian(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = np.exp(-(x[i] ** 2) / (2 * SIGMA**2))


@kernel(
    lambda rng: (1, 32, (np.sort(rng.integers(0, 60, 30)).astype(np.int64), np.zeros(6, np.int64)))
)
def group_time_stamps(stamps, counts):
    i = cuda.grid(1)
    if i < stamps.size:
        cuda.atomic.add(counts, stamps[i] // 10, 1)


@kernel(lambda rng: (1, 32, (np.sort(i32(rng, 40)), i32(rng, 30), np.zeros(30, np.int32))))
def binary_search(table, wanted, out):
    i = cuda.grid(1)
    if i < wanted.size:
        low = 0
        high = table.size
        while low < high:
            middle = (low + high) // 2
            if table[middle] < wanted[i]:
                low = middle + 1
            else:
                high = middle
        out[i] = low


@kernel(lambda rng: (1, 32, (np.zeros(50, np.bool_), 50)))
def primes(out, n):
    i = cuda.grid(1)
    for v in range(i, n, 32):
        prime = v > 1
        k = 2
        while prime and k * k <= v:
            prime = v % k != 0
            k += 1
        out[v] = prime


@kernel(lambda rng: (1, 8, (f64(rng, 8, 5), f64(rng, 5), np.zeros(8))))
def polynomials(x, c, out):
    i = cuda.grid(1)
    value = 0.0
    for k, coefficient in enumerate(c):
        value += coefficient * x[i, k] ** k
    out[i] = value


@kernel(lambda rng: (1, 16, (f32(rng, 16), f32(rng, 12), np.zeros(16, np.float32))))
def dot_of_shorter(a, b, out):
    i = cuda.grid(1)
    s = 0.0
    for p, q in zip(a, b):
        s += p * q
    out[i] = s + i


@kernel(
    lambda rng: (1, 32, (rng.integers(0, 2**32, 32).astype(np.uint32), np.zeros(32, np.uint32)))
)
def xorshift(state, out):
    i = cuda.grid(1)
    v = state[i]
    for _ in range(5):
        v ^= v << 13
        v ^= v >> 17
        v ^= v << 5
    out[i] = v


@kernel(lambda rng: (1, 32, (f32(rng, 2, 32), np.zeros((2, 32), np.complex64))))
def complex_store(x, out):
    i = cuda.grid(1)
    out[0, i] = complex(x[0, i], x[1, i])
    out[1, i] = x[0, i] + 1j * x[1, i]


@kernel(lambda rng: (1, 32, (rng.standard_normal(32).astype(np.float16), np.zeros(32, np.float16))))
def half_precision(x, out):
    i = cuda.grid(1)
    out[i] = x[i] * x[i] + x[31 - i] / 3


@kernel(lambda rng: ((2, 1, 2), (2, 4, 2), (np.zeros((4, 4, 4), np.int32),)))
def three_dimensions(out):
    i, j, k = cuda.grid(3)
    out[i, j, k] = 100 * i + 10 * j + k + cuda.gridDim.x * cuda.blockDim.y


@kernel(lambda rng: ((2, 2), (8, 8), (f32(rng, 16, 16), np.zeros((16, 16), np.float32))))
def heat(u, out):
    i, j = cuda.grid(2)
    rows, columns = u.shape
    if 0 < i < rows - 1 and 0 < j < columns - 1:
        out[i, j] = u[i, j] + 0.1 * (
            u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
        )
    else:
        out[i, j] = u[i, j]


@kernel(lambda rng: (1, 16, (i32(rng, 16, high=5), np.zeros(16, np.int64), None)))
def none_argument(x, out, mask):
    i = cuda.grid(1)
    if mask is None:
        out[i] = x[i] ** 3
    else:
        out[i] = mask[i]


@kernel(lambda rng: (1, 16, (i32(rng, 16), np.zeros(16, np.int64), np.int32(7), True, 2**40)))
def scalar_kinds(x, out, typed, flag, large):
    i = cuda.grid(1)
    out[i] = (x[i] + typed) * 2 if flag else 0
    out[i] += large
