"""Sine and cosine transforms, types 1 to 4, by way of real transforms of twice the length."""

from __future__ import annotations

import math
from typing import Any

from heald._arguments import array_argument, inexact_dtype
from heald._arrays import zeros
from heald._creation import arange
from heald._heald import Array
from heald._joining import concatenate
from heald._ufuncs import exp
from heald.fft._transforms import fft, irfft, rfft

# The type that undoes a type.
_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def _rows(x: Any, n: int | None, axis: int, name: str) -> tuple[Array, int]:
    """The axis last, cut or padded with zeros to n; where it was."""
    x = array_argument(x, name)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"[{name}] axis {axis} is out of bounds for an array with {x.ndim} axes")
    if x.dtype.kind == "c":
        raise TypeError(f"[{name}] takes real input, got {x.dtype}: transform x.real and x.imag")
    if x.dtype.kind != "f":
        x = x.astype(inexact_dtype(x.dtype))
    elif x.dtype.itemsize < 4:
        x = x.astype("float32")
    place = axis % x.ndim
    x = x.transpose([*(k for k in range(x.ndim) if k != place), place])
    length = x.shape[-1] if n is None else n
    if length < 1:
        raise ValueError(f"[{name}] Invalid number of data points ({length}) specified.")
    if length > x.shape[-1]:
        room = zeros((*x.shape[:-1], length - x.shape[-1]), x.dtype, device=x.device)
        x = concatenate([x, room], -1)
    return x[..., :length], place


def _turns(x: Array, numerator: Array, denominator: int) -> Array:
    """exp(-i pi numerator / denominator) in the precision of `x`."""
    angles = numerator * (-1j * math.pi / denominator)
    return exp(angles).astype("complex64" if x.dtype.itemsize == 4 else "complex128")


def _places(x: Array, first: int, count: int, step: int = 1) -> Array:
    return arange(first, first + step * count, step, dtype="float64", device=x.device)


def _cosine(x: Array, kind: int) -> Array:
    n = x.shape[-1]
    if kind == 1:
        return rfft(concatenate([x, x[..., -2:0:-1]], -1)).real
    if kind == 2:
        half = rfft(concatenate([x, x[..., ::-1]], -1))[..., :n]
        return (half * _turns(x, _places(x, 0, n), 2 * n)).real
    if kind == 3:
        return irfft(x * _turns(x, _places(x, 0, n), -2 * n), 2 * n, norm="forward")[..., :n]
    spectrum = fft(x * _turns(x, _places(x, 0, n), 2 * n), 2 * n)[..., :n]
    return (spectrum * _turns(x, _places(x, 1, n, 2), 4 * n)).real * 2


def _sine(x: Array, kind: int) -> Array:
    n = x.shape[-1]
    if kind == 1:
        zero = zeros((*x.shape[:-1], 1), x.dtype, device=x.device)
        return -rfft(concatenate([zero, x, zero, -x[..., ::-1]], -1))[..., 1 : n + 1].imag
    if kind == 2:
        half = rfft(concatenate([x, -x[..., ::-1]], -1))[..., 1:]
        return -(half * _turns(x, _places(x, 1, n), 2 * n)).imag
    if kind == 3:
        zero = zeros((*x.shape[:-1], 1), "complex64" if x.dtype.itemsize == 4 else "complex128",
                     device=x.device)  # fmt: skip
        inner = x[..., :-1] * _turns(x, _places(x, 1, n - 1), -2 * n) * -1j
        last = x[..., -1:].astype(zero.dtype)
        return irfft(concatenate([zero, inner, last], -1), 2 * n, norm="forward")[..., :n]
    spectrum = fft(x * _turns(x, _places(x, 0, n), 2 * n), 2 * n)[..., :n]
    return (spectrum * _turns(x, _places(x, 1, n, 2), 4 * n)).imag * -2


def _scaled_ends(x: Array, places: tuple[int, ...], factor: float) -> Array:
    x = x.copy()
    for place in places:
        x[..., place] *= factor
    return x


def _run(
    x: Any, kind: int, n: int | None, axis: int, norm: str | None, sine: bool, inverse: bool,
    name: str,
) -> Array:  # fmt: skip
    if kind not in _INVERSE:
        raise ValueError(f"[{name}] type must be 1, 2, 3 or 4, got {kind!r}")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(
            f'[{name}] Invalid norm value {norm!r}; should be "backward", "ortho" or "forward".'
        )
    kind = _INVERSE[kind] if inverse else kind
    rows, place = _rows(x, n, axis, name)
    length = rows.shape[-1]
    if kind == 1 and not sine and length < 2:
        raise ValueError(f"[{name}] DCT-I is not defined for fewer than 2 points")
    points = 2 * (length + (0 if kind > 1 else 1 if sine else -1))
    ends = (-1,) if sine else (0,)
    if norm == "ortho" and kind == 1 and not sine:
        rows = _scaled_ends(rows, (0, -1), math.sqrt(2))
    if norm == "ortho" and kind == 3:
        rows = _scaled_ends(rows, ends, math.sqrt(2))
    result = _sine(rows, kind) if sine else _cosine(rows, kind)
    if norm == "ortho":
        result = result * (1 / math.sqrt(points))
        if kind == 2:
            result = _scaled_ends(result, ends, math.sqrt(0.5))
        if kind == 1 and not sine:
            result = _scaled_ends(result, (0, -1), math.sqrt(0.5))
    elif (norm == "forward") != inverse:
        result = result * (1 / points)
    order = list(range(result.ndim - 1))
    order.insert(place, result.ndim - 1)
    return result.transpose(order)


def dct(
    x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """The discrete cosine transform of a type from 1 to 4, as scipy.fft.dct defines it.

    Real input, cut or padded with zeros to `n` points. ValueError for another type or norm,
    TypeError for complex input."""
    return _run(x, type, n, axis, norm, False, False, "fft.dct")


def idct(
    x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """The inverse of dct() of that type."""
    return _run(x, type, n, axis, norm, False, True, "fft.idct")


def dst(
    x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """The discrete sine transform of a type from 1 to 4, as scipy.fft.dst defines it."""
    return _run(x, type, n, axis, norm, True, False, "fft.dst")


def idst(
    x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """The inverse of dst() of that type."""
    return _run(x, type, n, axis, norm, True, True, "fft.idst")


__all__ = ["dct", "dst", "idct", "idst"]
