"""Control flow and indices."""

import math

import numpy as np


def early_return(n, x, out):
    return {"out": np.where(x < 0, np.float32(-1), x * np.float32(2))}


def multi_exit_loop(n, x, k, out, steps):
    for i in range(n):
        s, count, done = np.float32(0), 0, False
        for j in range(i % 17 + 5):
            v = x[(i + j * 7) % n]
            if v > np.float32(0.9):
                break
            if v < np.float32(-0.95):
                s = np.float32(-1)
                break
            count += 1
            if v < 0:
                continue
            s += v
            q = 0
            while not done and q < (k[(i + q) % n] & 7):
                s += np.float32(0.25)
                count += 1
                q += 1
                done = s > 3
            if done:
                break
        out[i], steps[i] = s, count
    return {"out": out, "steps": steps}


def switch_cases(n, x, out):
    def third(v):  # toward zero
        return int(v / 3)

    def pick(v):
        v = int(v)
        case = v & 7
        if case == 0:
            return v + 1
        if case in (1, 2):
            return (10 if case == 1 else 0) + v * 3 - 1
        if case == 5:
            return -v - 1
        if case == 6:
            return v ^ 0x55
        return third(v) - 1

    return {"out": np.array([pick(x[i]) + pick(pick(i)) for i in range(n)], np.int32)}


def nested_divergence(n, k, out):
    for i in range(n):
        c, block = 0, i // 128
        for a in range(4):
            if (i + a) % 3 == 0:
                continue
            for b in range(10):
                if b == k[i] % 10:
                    break
                q = b
                while q > 0:
                    q -= (int(k[(i + a) % n]) & 1) + 1
                    c += q & 3
                c += 1
                while c % 4:
                    c += 1
                if block % 3 == 1 and a == 1:
                    break
            if block & 1:
                c += a
            elif i & 4:
                c ^= a
        out[i] = c
    return {"out": out}


def collatz(n, out):
    for i in range(n):
        v, steps = i + 1, 0
        while v != 1:
            v = 3 * v + 1 if v & 1 else v // 2
            steps += 1
        out[i] = steps
    return {"out": out}


def short_circuit(n, x, out):
    left = np.concatenate(([False], x[:-1] == 1))
    right = np.concatenate((x[1:] == 2, [True]))
    return {"out": (left * 100 + right * 10 + np.where(x > 1, x, -5)).astype(np.int32)}


def private_array(n, x, out):
    table = (3, 1, 4, 1, 5)
    for i in range(n):
        a = [int(x[(i + j) % n]) for j in range(8)]
        v = int(x[i])
        for j in range(v & 7):
            a[(j + v) & 7] += a[j] * table[v % 5]
        s = 0
        for j in range(8):
            s = s * 31 + a[j]
        out[i] = np.uint32(s & 0xFFFFFFFF).astype(np.int32)
    return {"out": out}


def unrolled_loop(n, m, x, out):
    at = np.arange(n)
    s = sum(x[(at + j) % n] * (j + 1) for j in range(5))
    return {"out": (s - sum(x[(at + j) % n] for j in range(m))).astype(np.int32)}


def grid_stride(n, a, b, c):
    return {"c": a * b + c}


def mandelbrot(w, h, limit, out):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    cx, cy = -2.0 + 0.046875 * x, -1.5 + 0.0625 * y
    zx, zy = np.zeros_like(cx), np.zeros_like(cy)
    count, alive = np.zeros(cx.shape, np.int32), np.ones(cx.shape, bool)
    for _ in range(limit):
        xx, yy = zx * zx, zy * zy
        alive &= ~(xx + yy > 4)
        count += alive
        zy = np.where(alive, 2 * zx * zy + cy, zy)
        zx = np.where(alive, xx - yy + cx, zx)
    return {"out": count.ravel()}


def recursion(n, out):
    fib = [0, 1]
    while len(fib) < 16:
        fib.append(fib[-1] + fib[-2])
    out[0::2] = [fib[i % 16] for i in range(n)]
    out[1::2] = [math.gcd(i * 12, 90 + i % 7) for i in range(n)]
    return {"out": out}


def function_pointer(n, x, out):
    i = np.arange(n)
    return {"out": np.select([i % 3 == 0, i % 3 == 1], [2 * x, x * x], -x).astype(np.int32)}


def index_2d(w, h, out):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    return {"out": (x * 1000 + y + x % 10 * 7 + y % 10 * 11).astype(np.int32).ravel()}


def index_3d(out):
    block = np.arange(out.size) // 60
    return {"out": (2 * 10000 + 3 * 1000 + 2 * 100 + block // 6 * 10 + 32).astype(np.int32)}


def unsigned_halo(n, x, out):
    out[1:] = x[:-1]
    return {"out": out}


def saxpy(n, a, x, y):
    return {"y": (np.float64(a) * x + y).astype(np.float32)}


def _meeting(n, yes, no, x, out):
    for i in range(n):
        a, b, below = int(x[i]), int(x[(i + 7) % n]), int(x[(i + 31) % n])
        if i % 32 > 0:
            a = max(a, below) if yes or i > 2 * n else below
        if i % 32 < 31:
            if no:
                b = min(below, b) + (3 if i // 128 > 1 else 0)
            elif yes and i // 128 == 1:
                b = b & a if b > a else b | a
        out[0, i], out[1, i] = a, b


def _leaving(n, m, yes, x, out):
    for i in range(n):
        total, turns = 0, 0
        for outer in range(3):
            for k in range(10):
                if k * yes > outer:
                    if k + outer == m:
                        break
                    total += int(x[(i + k) % n])
                elif outer == 2 and yes == 0:
                    total -= 1
                    break
                if x[i] > 0 and k % 2 == yes:
                    total ^= k
                turns += 1
            if x[i] % 3 == 0:
                if outer == yes:
                    break
                total += outer
        out[0, i], out[1, i] = total, turns


def _turning(n, m, no, x, out):
    for i in range(n):
        low, high = 5000, -5000
        for k in range(12):
            value = int(x[(i * 3 + k) % n])
            if value % 5 == 0:
                if k == m:
                    continue
                low = min(low, value)
                if i // 128 == 2 and k > m:
                    break
            else:
                if no:
                    continue
                if k < m:
                    high = max(high, value)
            if high > 950:
                break
        out[0, i], out[1, i] = low, high


def _unsettled(n, yes, no, x, out):
    for i in range(n):
        v = int(x[i])
        odd = v & 1
        some, other = v * 3, 1 if no else v + 1
        result = some if odd and yes else 7
        if not odd and v > 0:
            result = min(other, result)
        out[0, i], out[1, i] = result, some if odd else other


def uniform_in_divergent(n, m, yes, no, x, meet, leave, turn, unset):
    _meeting(n, yes, no, x, meet)
    _leaving(n, m, yes, x, leave)
    _turning(n, m, no, x, turn)
    _unsettled(n, yes, no, x, unset)
    return {"meet": meet, "leave": leave, "turn": turn, "unset": unset}
