"""Windows of signal processing: `M` numbers in float64, symmetric, 1 in the middle."""

from __future__ import annotations

import math
from typing import Any

from heald._arrays import ones
from heald._heald import Array, call_ufunc
from heald._ranges import range_of


def _cosines(M: int, terms: tuple[float, ...], device: Any) -> Array:
    if M < 2:
        return ones(max(M, 0), device=device)
    odd = range_of(float(1 - M), 2.0, M, "float64", device)  # 1 - M, 3 - M, …, M - 1
    result: Any = terms[0]
    for k, term in enumerate(terms[1:], 1):
        wave = call_ufunc("cos", call_ufunc("multiply", odd, math.pi * k / (M - 1)))
        result = call_ufunc("add", result, call_ufunc("multiply", wave, term))
    return result


def hanning(M: int, *, device: Any = None) -> Array:
    """The Hann window: 0.5 + 0.5 cos."""
    return _cosines(M, (0.5, 0.5), device)


def hamming(M: int, *, device: Any = None) -> Array:
    """The Hamming window: 0.54 + 0.46 cos."""
    return _cosines(M, (0.54, 0.46), device)


def blackman(M: int, *, device: Any = None) -> Array:
    """The Blackman window: 0.42 + 0.5 cos + 0.08 cos of twice the angle."""
    return _cosines(M, (0.42, 0.5, 0.08), device)


def bartlett(M: int, *, device: Any = None) -> Array:
    """The triangle with zeros at the ends."""
    if M < 2:
        return ones(max(M, 0), device=device)
    odd = range_of(float(1 - M), 2.0, M, "float64", device)
    return call_ufunc("subtract", 1.0, call_ufunc("absolute", call_ufunc("divide", odd, M - 1.0)))


__all__ = ["bartlett", "blackman", "hamming", "hanning"]
