"""Warp functions and cooperative groups."""

import numpy as np


def _warps(x):
    return x.reshape(-1, 32)


def _mask_bits(flags):
    """Per warp, the ballot of a (warps, 32) array of flags, repeated for its lanes."""
    votes = (flags.astype(np.uint64) << np.arange(32, dtype=np.uint64)).sum(1).astype(np.uint32)
    return np.repeat(votes, 32)


def _gather(x, source, valid=True):
    """x at lane `source` of the own warp, the own value where not valid."""
    i = np.arange(x.size)
    at = np.where(valid, i // 32 * 32 + source, i)
    return x[at]


def shuffles(x, out):
    lane = np.arange(256) % 32
    rows = [_gather(x, x & 31), _gather(x, lane - 3, lane >= 3)]
    rows += [_gather(x, lane + 5, lane + 5 < 32), _gather(x, lane ^ 21)]
    return {"out": np.stack(rows)}


def shuffle_widths(x, out):
    lane = np.arange(128) % 32
    rows = [_gather(x, (lane & ~7) | (lane + 3 & 7)), _gather(x, lane - 2, lane % 8 >= 2)]
    rows += [_gather(x, lane + 7, lane % 16 + 7 < 16), _gather(x, lane ^ 5)]
    return {"out": np.stack(rows)}


def shuffle_types(x, ll, d, h, u):
    lane, i = np.arange(64) % 32, np.arange(64)
    return {
        "ll": _gather(x, lane ^ 7),
        "d": _gather((x >> 10).astype(np.float64), lane + 1, lane < 31),
        "h": _gather((i * 3).astype(np.float16), 31 - lane),
        "u": _gather(x.astype(np.uint32), lane - 1, lane >= 1),
    }


def votes(x, out):
    w = _warps(x)
    before = (np.cumsum(w & 1, 1) - (w & 1)).ravel()
    anyone, everyone = np.repeat((w == 29).any(1), 32), np.repeat((w > -10).all(1), 32)
    return {"out": np.stack([_mask_bits(w > 0), anyone, everyone, before]).astype(np.uint32)}


def divergent_votes(x, out):
    for w, row in enumerate(_warps(x)):
        odd = row & 1 == 1
        if odd.any():
            high = int((row[odd] > 50).sum())
            out[32 * w :][:32][odd] = row[odd][0] * 100 + high
        out[32 * w :][:32][~odd] = -int((row[~odd] > 50).sum())
    return {"out": out}


def match(x, any, any64, all):
    for at in range(0, 128, 32):
        row = x[at : at + 32]
        for lane in range(32):
            any[at + lane] = _mask_bits((row == row[lane])[None])[0]
            any64[at + lane] = _mask_bits((row // 2 == row[lane] // 2)[None])[0]
    all[:] = 0xFFFFFFFF ^ 1
    return {"any": any, "any64": any64, "all": all}


def warp_reduce(x, out):
    w, h = _warps(x), x.reshape(-1, 16)

    def spread(values, count=32):
        return np.repeat(values, count)

    rows = [spread(w.sum(1)), spread(w.min(1)), spread(w.max(1))]
    rows.append(spread(np.bitwise_and.reduce(w | 12, 1)))
    rows.append(spread(np.bitwise_or.reduce(w & 255, 1)))
    rows.append(spread(np.bitwise_xor.reduce(w, 1)))
    rows += [spread(h.sum(1), 16), spread(h.view(np.uint32).max(1).view(np.int32), 16)]
    return {"out": np.stack(rows).astype(np.int32)}


def warp_scan(n, x, out, total):
    return {
        "out": np.cumsum(_warps(x), 1).astype(np.int32).ravel(),
        "total": np.array([x.sum()], np.int32),
    }


def partial_warp(x, out):
    i = np.arange(100)
    counts = np.array([(x[w : w + 32] >= 500).sum() for w in range(0, 100, 32)])
    return {"out": np.stack([counts[i // 32], x[i ^ 1]]).astype(np.int32)}


def active_mask(n, x, counts):
    return {"counts": np.bincount(x, minlength=5).astype(np.int32)}


def cg_tiles(x, out):
    t = np.arange(128)
    quads = x.reshape(-1, 4)
    ballots = np.repeat(((quads > 50) << np.arange(4)).sum(1), 4)
    warps = _warps(x)
    found, positive = np.repeat((warps == 99).any(1), 32), np.repeat((warps >= 0).all(1), 32)
    rows = [np.repeat(x.reshape(-1, 16).sum(1), 16), t // 16 % 2 * 100 + t % 16]
    rows += [t // 4 * 1000 + ballots, found * 2 + positive]
    rows.append(x[t ^ 1] + np.where(t % 4 > 0, x[t - 1], x) * 1000 + 128)
    return {"out": np.stack(rows).astype(np.int32)}


def cg_collectives(x, out):
    tiles = x.reshape(-1, 8)
    exclusive = np.cumsum(tiles, 1) - tiles
    rows = [np.repeat(_warps(x).sum(1), 32), np.repeat(tiles.max(1), 8)]
    rows += [np.cumsum(_warps(x), 1).ravel(), exclusive.ravel()]
    return {"out": np.stack(rows).astype(np.int32)}


def cg_coalesced(n, x, kept, count):
    chosen = int((x % 3 == 0).sum())
    kept[:chosen] = 1
    return {"kept": kept, "count": np.array([chosen], np.int32)}
