"""Floating point: functions, roundings, conversions, 16-bit formats."""

import math
from fractions import Fraction

import numpy as np

_erf = np.vectorize(math.erf)
_erfc = np.vectorize(math.erfc)


def math_single(n, x, out):
    v = x.astype(np.float64)
    columns = [np.exp(-v), np.log(v), np.sin(v), np.cos(v), np.tanh(v), v**1.5, np.sqrt(v)]
    columns += [1 / np.sqrt(v), np.exp2(v / 4), np.log2(v), np.arctan2(v, 3), np.cbrt(v)]
    return {"out": np.stack(columns, 1).ravel().astype(np.float32)}


def math_double(n, x, out):
    columns = [np.exp(-x), np.log(x), np.sin(x), np.cos(x), np.tanh(x), x**1.5, np.sqrt(x)]
    columns += [1 / np.sqrt(x), np.log1p(x), np.expm1(-x), np.hypot(x, 3), np.fmod(x, 0.75)]
    return {"out": np.stack(columns, 1).ravel()}


def math_special(n, x, out):
    gamma = np.vectorize(math.gamma)(x + 1)
    columns = [np.sin(np.pi * x), np.cos(np.pi * x), x, x, x, np.exp(x * x) * _erfc(x), 10**x]
    columns += [1 / np.cbrt(x), np.sqrt(x * x + 5), 1 / np.hypot(x, 2), gamma, 0 * x]
    return {"out": np.stack(columns, 1).ravel()}


def rounding_of_numbers(n, x, out):
    away = np.copysign(np.floor(np.abs(x.astype(np.float64)) + 0.5), x)
    columns = [np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), away, np.rint(x)]
    return {"out": np.stack(columns, 1).ravel().astype(np.float32)}


def _rounded(exact: Fraction, dtype=np.float32) -> list:
    """The exact value rounded to nearest, down, up, to zero."""
    near = (
        dtype(float(exact)) if dtype == np.float32 else dtype(exact.numerator / exact.denominator)
    )
    if Fraction(float(near)) == exact:
        return [near] * 4
    other = np.nextafter(near, dtype(np.inf if Fraction(float(near)) < exact else -np.inf))
    # float() may have rounded once already: settle which of the two neighbours is nearest.
    if abs(Fraction(float(other)) - exact) < abs(Fraction(float(near)) - exact):
        near, other = other, near
    low, high = sorted((near, other))
    return [near, low, high, high if exact < 0 else low]


def _root(x: Fraction) -> Fraction:
    """sqrt to 60 bits past single precision, with an inexact tail that is never a tie."""
    scale = 2**120
    r = math.isqrt(x.numerator * scale * scale // x.denominator)
    exact = r * r * x.denominator == x.numerator * scale * scale
    return Fraction(r, scale) if exact else Fraction(2 * r + 1, 2 * scale)


def directed_rounding(n, a, b, out):
    rows = []
    for x, y in zip(a.tolist(), b.tolist()):
        p, q = Fraction(x), Fraction(y)
        rows += _rounded(p + q) + _rounded(p * q) + _rounded(p / q) + _rounded(_root(abs(p)))
    return {"out": np.array(rows, np.float32)}


def nan_and_infinity(n, a, b, out, flags):
    out[0::2], out[1::2] = np.fmin(a, b), np.fmax(a, b)
    bits = [
        a < b,
        ~(a >= b),
        a == a,
        np.isnan(a),
        np.isinf(a),
        np.isfinite(a),
        np.signbit(a),
        a != 0,
    ]
    return {"out": out, "flags": sum(bit.astype(np.int32) << k for k, bit in enumerate(bits))}


def number_parts(n, x, out):
    i = np.arange(n)
    v = np.where(i % 5 == 0, x * np.float32(1e-42), x)
    fraction, exponent = np.frexp(v)
    rest, whole = np.modf(x)
    columns = [
        fraction,
        exponent,
        np.ldexp(x, i % 64 - 140),
        rest,
        whole,
        np.nextafter(x, np.float32(0)),
    ]
    columns.append(
        np.copysign(np.float32(3), x) + np.where(x > 1, x - np.float32(1), np.float32(0))
    )
    columns.append([math.remainder(float(f), 7.0) for f in x])
    return {"out": np.stack([np.asarray(c, np.float32) for c in columns], 1).ravel()}


def conversions(n, x, out, wide):
    singles, doubles = [], []
    for value in x.tolist():
        v = np.int64(value >> 20).astype(np.int32)
        low_high = _rounded(Fraction(int(v)))
        singles += low_high[:4]
        singles.append(_rounded(Fraction(value))[1])
        singles.append(_rounded(Fraction(float(v) * 1.000000001))[2])
        doubles += _rounded(Fraction(value), np.float64)[1:3]
        doubles.append(np.array([0x3FF00000 << 32 | int(v) % 2**32], np.uint64).view(np.float64)[0])
    return {"out": np.array(singles, np.float32), "wide": np.array(doubles)}


def half_arithmetic(n, a, b, out):
    x, y = a.astype(np.float64), b.astype(np.float64)
    columns = [x + y, x - y, x * y, x * y + 0.125, np.where(x > y, x, y), -np.abs(x)]
    return {"out": np.stack(columns, 1).ravel().astype(np.float16)}


def half_pairs(n, a, b, out, sums):
    x, y = a.astype(np.float64), b.astype(np.float64)
    swapped = np.stack([y[:, 1], x[:, 0]], 1)
    rows = [x + y, x * y + 1, (x > y).astype(np.float64), swapped]
    return {
        "out": np.concatenate(rows, 1).astype(np.float16),
        "sums": a[:, 0].astype(np.float32) + a[:, 1].astype(np.float32),
    }


def _half_directed(v):
    """Bits of v (float32) rounded down, up and to zero, by way of the nearest."""
    near = v.astype(np.float16)
    wide, inf = near.astype(np.float32), np.float16(np.inf)
    down = np.where(wide > v, np.nextafter(near, -inf), near)
    up = np.where(wide < v, np.nextafter(near, inf), near)
    return down, up, np.where(v < 0, up, down)


def half_conversions(n, x, nearest, down, up, zero, back):
    i = np.arange(n)
    v = x * (np.float32(1) + (i // 16).astype(np.float32) * np.float32(0.001953125))
    low, high, inward = _half_directed(v)
    return {
        "nearest": v.astype(np.float16).view(np.uint16),
        "down": low.view(np.uint16),
        "up": high.view(np.uint16),
        "zero": inward.view(np.uint16),
        "back": (i * 15 % 31744).astype(np.uint16).view(np.float16).astype(np.float32),
    }


def half_operators(n, x, out):
    w = x * x + np.float16(0.5)
    w = (w - x) / np.float16(2)
    w = np.where(w > 1, -w, w)
    return {"out": w.astype(np.float32) + np.exp(x.astype(np.float32))}


def _bfloat16(v):
    """float64 values rounded once to bfloat16, as float64. All are in the normal range here."""
    m, e = np.frexp(v)
    return np.ldexp(np.rint(np.ldexp(m, 8)), e - 8)


def _bfloat16_bits(v):
    return (v.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def bfloat16_arithmetic(n, a, b, out):
    x, y = _bfloat16(a.astype(np.float64)), _bfloat16(b.astype(np.float64))
    cut = (b.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    columns = [
        _bfloat16_bits(x),
        cut,
        _bfloat16_bits(_bfloat16(x + y)),
        _bfloat16_bits(_bfloat16(x * y)),
    ]
    columns += [_bfloat16_bits(_bfloat16(x * y + x)), _bfloat16_bits(np.maximum(x, y))]
    return {"out": np.stack(columns, 1).ravel()}


def bfloat16_pairs(n, a, out):
    v = _bfloat16(a.astype(np.float64))
    w = _bfloat16(v * 3).astype(np.float32)
    return {"out": w[:, 0] - w[:, 1] + v[:, 0].astype(np.float32)}


def complex_numbers(n, a, b, out):
    x, y = (v.astype(np.float64) @ [1, 1j] for v in (a, b))
    z = x * y / np.conj(y) + np.abs(x)
    return {"out": np.stack([z.real, z.imag], 1).astype(np.float32)}
