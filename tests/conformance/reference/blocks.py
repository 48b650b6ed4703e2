"""Shared memory, barriers, threads that wait for each other."""

import numpy as np


def block_reduce(n, x, out):
    padded = np.zeros(20 * 256, np.int32)
    padded[:n] = x
    return {"out": padded.reshape(20, 256).sum(1).astype(np.int32)}


def block_scan(x, out):
    return {"out": np.cumsum(x.reshape(4, 256), 1).astype(np.int32).ravel()}


def matmul_tile(n, a, b, c):
    return {"c": a @ b}


def transpose_tile(w, h, x, out):
    return {"out": x.T.copy()}


def stencil_shared(n, x, out):
    padded = np.pad(x, 3)
    return {"out": sum(padded[d : d + n] for d in range(7))}


def barriers_in_loops(x, out):
    t = np.arange(128)
    for block in range(2):
        s, total = x[128 * block :][:128].copy(), 0
        for round_ in range(3):
            v = s[(t * 7 + round_) % 128]
            s = np.where(v & 1, v * 3, v + 1)
            total += int((v & 1).sum())
            if total > 64:
                s = s + (s[127 - t] & 3)
        out[128 * block :][:128] = s * 1000 + total
    return {"out": out}


def private_array_across_barrier(x, out):
    t = np.arange(128)
    a = np.stack([x[(t + j) % 128] for j in range(6)], 1)
    s = a[t, x % 6].copy()
    for j in range(6):
        a[t, (j + x) % 6] += s[(t + 10 * j) % 128]
    s = a[t, t % 6]
    total = s[(t + 1) % 128].copy()
    for j in range(6):
        total = total * 3 + a[t, (j + t) % 6]
    return {"out": total.astype(np.int32)}


def barrier_counts(x, out):
    b = x.reshape(3, 100)
    index = np.arange(3)[:, None]
    rows = [(b > 4).sum(1), (b < 10).all(1), (b > 8).any(1), ((b & index) != 0).sum(1)]
    return {"out": np.stack([np.repeat(r, 100) for r in rows]).astype(np.int32)}


def exited_warps(x, out):
    t = np.arange(128)
    stays = t // 32 % 2 == 0
    for block in range(2):
        own = x[128 * block :][:128]
        s = np.where(stays, own, 0)
        s = np.where(stays, s + s[(t + 64) % 128], 0)
        out[128 * block :][:128] = np.where(stays, s[(t + 32) % 128] + s, 5)
    return {"out": out}


def dynamic_shared(n, x, out):
    t = np.arange(n)
    o = n - 1 - t
    return {"out": x[o].astype(np.float64) + (np.float32(2) * x)[(t + 1) % n] + o}


def shared_structs(n, x, out):
    t = np.arange(128)
    k = (t * 5 + 1) % 128
    for block in range(2):
        own = x[128 * block :][:128]
        out[128 * block :][:128] = own[k] * 100 + (k - 64) + own[k] % 7 + own.max()
    return {"out": out}


def spin_lock(n, locks, sums):
    return {
        "locks": locks,
        "sums": np.array([np.arange(k, n, 4).sum() for k in range(4)], np.int32),
    }


def producer_consumer(out):
    lane, data = np.arange(32), np.zeros(32, np.int32)
    for warp in (3, 2, 1, 0):
        data = (data * 2 + warp + lane).astype(np.int32)
        out[32 * warp :][:32] = data
    return {"out": out}


def last_block(n, x, partial, state, total):
    sums = x.reshape(16, 256).sum(1).astype(np.int32)
    return {"partial": sums, "state": state, "total": np.array([sums.sum()], np.int32)}


def nbody(n, p, out):
    v = p.astype(np.float64)
    d = v[None, :, :3] - v[:, None, :3]
    s = v[None, :, 3] * ((d**2).sum(2) + 0.01) ** -1.5
    return {"out": np.concatenate([(d * s[..., None]).sum(1), v[:, 3:]], 1).astype(np.float32)}
