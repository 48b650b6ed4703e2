"""Integer arithmetic and intrinsics."""

import numpy as np


def _signed(values, bits=32):
    values = [int(v) & (1 << bits) - 1 for v in values]
    return [v - (1 << bits) if v >> bits - 1 else v for v in values]


def _toward_zero(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def wrapping_hash(n, out):
    h = np.arange(n, dtype=np.uint32) * np.uint32(2654435761)
    g = h.astype(np.uint64)
    mixed = (h ^ (h >> np.uint32(15))).astype(np.uint64)
    return {"out": g % np.uint64(1009) * np.uint64(1000003) + (g >> np.uint64(20)) + mixed}


def int64_arithmetic(n, a, b, out):
    for i in range(n):
        x, y = int(a[i]), int(b[i])
        q = _toward_zero(x, y)
        u = x % 2**64
        s = _signed([u * 6364136223846793005 + 1442695040888963407], 64)[0]
        out[i] = _signed([q ^ (x - q * y) ^ (s >> (i & 63)) ^ (u << (i % 31))], 64)[0]
    return {"out": out}


def small_integers(n, a, b, c, out8, outu8, out16, flags):
    wa, wb, wc = a.astype(np.int32), b.astype(np.int32), c.astype(np.int32)
    return {
        "out8": (wa + wb).astype(np.int8),
        "outu8": (wb * 3 - wa).astype(np.uint8),
        "out16": (wc * 5 + (wa >> 2)).astype(np.int16),
        "flags": (a < 0) != (c < 0),
    }


def integer_division(n, a, b, quotient, discarded):
    for i in range(n):
        x, y = int(a[i]), int(b[i])
        quotient[i] = _signed([_toward_zero(x, y)])[0] if y else -1
        discarded[i] = _signed([(x % 2**32) // (y % 2**32)])[0] if y else 7
    return {"quotient": quotient, "discarded": discarded}


def wide_shifts(n, x, s, left, right, right64):
    for i in range(n):
        left[i] = (int(x[i]) % 2**32 << int(s[i])) % 2**32
        right[i] = int(x[i]) >> int(s[i])
        right64[i] = 0xF000000000000001 >> int(s[i])
    return {"left": left, "right": right, "right64": right64}


def _saturated(x, low, high):
    return np.where(np.isnan(x), 0, np.clip(x.astype(np.float64), low, high))


def float_to_integer(n, x, as_int, as_uint, nearest, up, down):
    i32 = (-(2**31), 2**31 - 1)
    return {
        "as_int": _saturated(np.trunc(x), *i32).astype(np.int32),
        "as_uint": _saturated(np.trunc(x), 0, 2**32 - 1).astype(np.uint32),
        "nearest": _saturated(np.rint(x), *i32).astype(np.int32),
        "up": _saturated(np.ceil(x), *i32).astype(np.int32),
        "down": _saturated(np.floor(x), *i32).astype(np.int32),
    }


def bit_intrinsics(n, x, out):
    def first_set(v):
        return (v & -v).bit_length()

    rows = []
    for i in range(n):
        v = 0 if i % 8 == 0 else int(x[i]) >> (i % 32)
        w = (v << (i % 33)) % 2**64
        rows += [bin(v).count("1"), 32 - v.bit_length(), first_set(v), int(f"{v:032b}"[::-1], 2)]
        rows += [
            bin(w).count("1"),
            64 - w.bit_length(),
            first_set(w),
            int(f"{w:064b}"[::-1], 2) >> 32,
        ]
    return {"out": np.array(_signed(rows), np.int32)}


def funnel_and_bytes(n, a, b, s, out):
    rows = []
    for low, high, select in zip(a.tolist(), b.tolist(), s.tolist()):
        both, shift = high << 32 | low, select % 70
        rows.append((both << shift % 32) >> 32 & 0xFFFFFFFF)
        rows.append(both >> shift % 32 & 0xFFFFFFFF)
        rows.append((both << min(shift, 32)) >> 32 & 0xFFFFFFFF)
        rows.append(both >> min(shift, 32) & 0xFFFFFFFF)
        word = 0
        for k in range(4):
            word |= (both >> 8 * (select >> 4 * k & 7) & 255) << 8 * k
        rows.append(word)
    return {"out": np.array(rows, np.uint32)}


def high_products(n, a, b, out):
    rows = []
    for x, y in zip(a.tolist(), b.tolist()):
        sx, sy = _signed([x, y])
        ux, uy = sx % 2**32, sy % 2**32
        rows += [sx * sy >> 32, ux * uy >> 32, x * y >> 64]
        rows.append(_signed([(x % 2**64) * (y % 2**64) >> 64], 64)[0])
        x24, y24 = _signed([sx, sy], 24)
        rows += [_signed([x24 * y24])[0], (ux % 2**24) * (uy % 2**24) % 2**32]
    return {"out": np.array(rows, np.int64)}


def dot_and_average(n, a, b, out):
    def lanes(v, bits, signed):
        parts = [v >> k & (1 << bits) - 1 for k in range(0, 32, bits)]
        return _signed(parts, bits) if signed else parts

    rows = []
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist())):
        ux, uy = x % 2**32, y % 2**32
        rows.append(sum(p * q for p, q in zip(lanes(x, 8, True), lanes(y, 8, True))) + i)
        rows.append(sum(p * q for p, q in zip(lanes(ux, 8, False), lanes(uy, 8, False))) + 5)
        wide, narrow = lanes(x, 16, True), lanes(y, 8, True)
        rows.append(wide[0] * narrow[0] + wide[1] * narrow[1] + i)
        rows.append(wide[0] * narrow[2] + wide[1] * narrow[3] + i)
        rows += [abs(x - y) + 1, abs(ux - uy) + 1, x + y >> 1, ux + uy + 1 >> 1]
    return {"out": np.array(_signed(rows), np.int32)}


def packed_lanes(n, a, b, out):
    def each(x, y, bits, signed, f):
        result = 0
        for k in range(0, 32, bits):
            p, q = x >> k & (1 << bits) - 1, y >> k & (1 << bits) - 1
            if signed:
                p, q = _signed([p, q], bits)
            result |= (f(p, q) & (1 << bits) - 1) << k
        return result

    rows = []
    for x, y in zip(a.tolist(), b.tolist()):
        rows.append(each(x, y, 16, False, lambda p, q: p + q))
        rows.append(each(x, y, 8, False, lambda p, q: p + q))
        rows.append(each(x, y, 8, True, lambda p, q: min(max(p + q, -128), 127)))
        rows.append(each(x, y, 16, False, lambda p, q: max(p - q, 0)))
        rows.append(each(x, y, 8, False, lambda p, q: p + q + 1 >> 1))
        rows.append(each(x, y, 16, True, lambda p, q: abs(p - q)))
        rows.append(each(x, y, 8, True, max))
        rows.append(each(x, y, 16, False, min))
        rows.append(each(x, y, 8, True, lambda p, q: -(p > q)))
        rows.append(sum(abs((x >> k & 255) - (y >> k & 255)) for k in range(0, 32, 8)))
    return {"out": np.array(rows, np.uint32)}


def min_max_types(n, a, b, out):
    x, y = a.astype(np.float64), b.astype(np.float64)
    u32 = np.maximum(a.astype(np.uint32), b.astype(np.uint32)).astype(np.float64)
    u64 = np.maximum(a.astype(np.uint64), b.astype(np.uint64)).astype(np.float64)
    columns = [np.minimum(x, y), u32, np.minimum(x, y), u64, np.minimum(x, y * 0.5)]
    columns += [np.maximum(x, y), abs(x) + abs(y), np.clip(x, -5, 5) + np.minimum(abs(y), 3)]
    return {"out": np.stack(columns, 1).ravel()}


def histogram(n, x, bins):
    return {"bins": np.bincount(x, minlength=256).astype(np.uint32)}


def atomic_operations(n, x, i32, u32, u64):
    u, wide = x.astype(np.uint32), x.astype(np.uint32).astype(np.uint64)
    i32[0] = _signed([int(x.sum(dtype=np.int64))])[0]
    i32[1] = _signed([-int(x.sum(dtype=np.int64))])[0]
    i32[2:4] = x.min(), x.max()
    i32[4] = np.bitwise_and.reduce(x | np.int32(0xFF00))
    i32[5] = np.bitwise_or.reduce(x & np.int32(0xF0F))
    i32[6] = np.bitwise_xor.reduce(x)
    u32[0], u32[1:3] = int(u.sum(dtype=np.uint64)) % 2**32, (u.min(), u.max())
    u64[0] = int((wide << np.uint64(20)).sum(dtype=np.uint64))
    u64[1:3] = (wide << np.uint64(20)).min(), (wide << np.uint64(20)).max()
    u64[3] = np.bitwise_xor.reduce(wide << np.uint64(9))
    return {"i32": i32, "u32": u32, "u64": u64}


def atomic_results(n, counter, tickets):
    return {
        "counter": np.array([n, n % 100, (-n) % 100, 40], np.uint32),
        "tickets": np.arange(n, dtype=np.uint32) * 2 + 1,
    }


def atomic_floats(n, x, f, d):
    f[:] = [x[k::4].sum() for k in range(4)]
    d[:] = [x[k::4].sum(dtype=np.float64) * 0.5 for k in range(4)]
    return {"f": f, "d": d}


def atomic_cas_loop(n, x, best):
    return {"best": np.array([x[k::16].max() for k in range(16)], np.float32)}


def dpx(n, a, b, c, out):
    def halves(words, f, signed=True):
        result = 0
        for k in (0, 16):
            lanes = [w >> k & 0xFFFF for w in words]
            result |= (f(*(_signed(lanes, 16) if signed else lanes)) & 0xFFFF) << k
        return result

    for i, (x, y, z) in enumerate(zip(a.tolist(), b.tolist(), c.tolist())):
        other = y if i % 3 else x
        high, low = (_signed([x >> k, y >> k], 16) for k in (16, 0))
        row = [max(_signed([x + y])[0], z), min(x, y, z), max(x, y, 0)]
        row.append(halves((x, y, z), lambda p, q, r: min(_signed([p + q], 16)[0], r)))
        row.append(halves((x, y, z), lambda p, q, r: max(p, q, r, 0)))
        row.append(halves((x, y, z), lambda p, q, r: max(p + q & 0xFFFF, r), signed=False))
        row.append(max(x, other) ^ (x >= other))
        row.append(halves((x, y), min) ^ (2 * (high[0] <= high[1])) ^ (4 * (low[0] <= low[1])))
        out[i] = _signed(row)
    return {"out": out}


def atomic_references(n, x, sums, largest, total):
    return {
        "sums": np.array([x[k::4].sum() for k in range(4)], np.int32),
        "largest": np.array([x.max()], np.float32),
        "total": np.array([n], np.int32),
    }


def atomic_short_types(n, h, h2, b2, s, i32):
    i = np.arange(n)
    h[:] = [(i[k::2] % 4).sum() for k in range(2)]
    h2[:] = n, (i % 3).sum()
    b2[:] = (np.array([100, 200], np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    s[0] = 3 * n
    i32[:3] = 2 * n, n - 1, 0xFFFF
    return {"h": h, "h2": h2, "b2": b2, "s": s, "i32": i32}


def atomic_wide(n, pair, old):
    return {"pair": np.array([7, 9], np.uint64), "old": np.array([n, n * (n - 1) // 2], np.uint64)}
