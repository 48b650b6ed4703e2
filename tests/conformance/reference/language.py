"""Types, templates, memory spaces, the library."""

import struct

import numpy as np


def vector_types(n, p, c, q, d, e, sizes):
    q[:] = np.stack([p[:, 3], p[:, 2], p[:, 1] + p[:, 0], 2 * p[:, 0]], 1)
    d[:] = np.stack([c[:, 1], c[:, 0], c[:, 2] + c[:, 3], 255 - c[:, 3]], 1)
    e[:] = np.stack([p[:, 0], p[:, 1].astype(np.float64) * 2], 1)
    sizes[:] = [3, 1, 6, 8, 12, 8, 16, 12, 8, 16, 24, 16, 16, 32, 2, 12]
    return {"q": q, "d": d, "e": e, "sizes": sizes}


def struct_parameter(n, box, out):
    *v, k0, k1, k2, scale = struct.unpack("<4f3i4xd", box)
    v, k, i = np.array(v), np.array([k0, k1, k2]), np.arange(n)
    return {"out": (v[i & 3] + k[i % 3]) * scale + v[(2 + i) & 3]}


def template_kernel(n, factor, x, y):
    v = x.copy()
    for _ in range(4):
        v = (np.float64(0.5) * v + factor).astype(np.float32)
    return {"y": v}


def unannotated(n, out):
    i = np.arange(n)
    square, cube = (i & 3) ** 2, (i & 3) ** 3
    return {"out": (5 + square + cube + 3 * i + 4 + i + 1 + 2 * i).astype(np.int32)}


def lambdas(n, x, out):
    i = np.arange(n)
    count = i % 7
    return {"out": (x * (count * (count - 1) // 2) + 2 * (count * 3) + 1).astype(np.int32)}


def classes(n, out):
    i = np.arange(n)
    return {"out": ((i + 100 + 17) * 1000 + np.where(i > 100, 1, 200) + 32).astype(np.int32)}


def unions_and_bits(n, x, out):
    u = x.view(np.uint32)
    high = (u >> np.uint32(16)).astype(np.uint16).astype(np.int16).astype(np.uint32)
    low, mid = u & np.uint32(31), (u >> np.uint32(7)) & np.uint32(0x7FF)
    return {"out": low * np.uint32(3) + mid * np.uint32(5) + high + (u >> np.uint32(24))}


def constant_memory(n, x, out):
    weights = np.array([1, 0.5, 0.25, 8], np.float32)
    order, i = np.array([3, 1, 2, 0, 0, 2, 1, 3]), np.arange(n)
    s = np.zeros(n, np.float32)
    for k in range(4):
        s = s + weights[k] * x[(i + k) % n]
    return {"out": (s * weights[order[i & 7]]) * np.float32(2) + np.float32(5)}


def device_globals(n, out):
    return {"out": (2 * np.arange(1, n + 1) * 1000 + 7 + 2 * n).astype(np.int32)}


def pointer_aliasing(n, x, y):
    return {"y": x * np.float32(2) + y}


def pointer_table(n, x, out):
    for i in range(n):
        source = i // 128 * 128 + 127 - i % 128
        at = source * 7 % n
        stop = min(at + 3, n)
        out[i] = x[at:stop].sum() + stop
    return {"out": out}


def print(n):
    return {}


def assertions(n, out):
    return {"out": np.arange(n, 0, -1, dtype=np.int32)}


def device_memory(n, x, out):
    reversed_groups = x.reshape(-1, 4)[:, ::-1]
    tail = np.repeat(reversed_groups[:, 0] % 10, 4)
    return {"out": (reversed_groups.ravel() * 10 + tail).astype(np.int32)}


def standard_headers(n, x, out):
    parts = (x >> 30).clip(0, 255) * 1000000
    return {"out": x.clip(-(2**15), 2**15 - 1) + parts + x.clip(-(2**31), 2**31 - 1)}


def out_of_line(n, x, out):
    digits = [str(v) for v in x]
    return {
        "out": np.array([int(min(d)) * 100 + int(max(d)) * 10 + len(d) for d in digits], np.int32)
    }
