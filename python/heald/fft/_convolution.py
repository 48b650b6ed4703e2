"""Filters and convolutions by way of transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from heald._arguments import array_argument, common_dtype, device_of
from heald._arrays import zeros
from heald._heald import Array
from heald.fft._transforms import fftn, ifftn, irfftn, rfftn


def filter(x: Any, h: Any, *, axes: Sequence[int] | None = None, out: Array | None = None) -> Array:
    """`x` transformed, multiplied by `h`, transformed back, over `axes` (all by default).

    `h` are factors for the values of fftn(x), or for those of rfftn(x) if `x` is real: they
    broadcast to them. The division by the number of points is part of the multiplication.
    """
    x = array_argument(x, "fft.filter")
    h = array_argument(h, "fft.filter", x.device)
    chosen = tuple(range(x.ndim)) if axes is None else tuple(axes)
    scale = 1.0 / math.prod(x.shape[axis] for axis in chosen)
    if x.dtype.kind == "c":
        spectrum = fftn(x, axes=chosen)
        spectrum[...] = spectrum * h * scale
        return ifftn(spectrum, None, chosen, "forward", spectrum if out is None else out)
    spectrum = rfftn(x, axes=chosen)
    spectrum[...] = spectrum * h * scale
    return irfftn(spectrum, [x.shape[axis] for axis in chosen], chosen, "forward", out)


def next_fast_len(target: int, real: bool = False) -> int:
    """The least number of points >= `target` that is 2^a 3^b 5^c 7^d: all libraries are fast there.

    >>> hd.fft.next_fast_len(1021)
    1024
    """
    if target < 1:
        raise ValueError(f"[fft.next_fast_len] the number of points must be positive, got {target}")
    best = 1 << (target - 1).bit_length()
    seven = 1
    while seven < best:
        five = seven
        while five < best:
            three = five
            while three < best:
                rest = -(-target // three)
                best = min(best, three << (rest - 1).bit_length())
                three *= 3
            five *= 5
        seven *= 7
    return best


def _convolution_axes(a: Array, b: Array, axes: Any, name: str) -> tuple[int, ...]:
    if a.ndim != b.ndim:
        raise ValueError(f"[{name}] the inputs have {a.ndim} and {b.ndim} axes")
    chosen = range(a.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    result = tuple(axis % a.ndim if -a.ndim <= axis < a.ndim else axis for axis in chosen)
    if any(not 0 <= axis < a.ndim for axis in result) or len(set(result)) != len(result):
        raise ValueError(f"[{name}] axes {tuple(chosen)} are not different axes of {a.ndim}")
    for axis in set(range(a.ndim)) - set(result):
        if a.shape[axis] != b.shape[axis] and 1 not in (a.shape[axis], b.shape[axis]):
            raise ValueError(f"[{name}] shapes {a.shape} and {b.shape} differ along axis {axis}")
    return result


def _part(full: Array, a: Array, b: Array, mode: str, axes: tuple[int, ...], name: str) -> Array:
    """What of the full convolution a mode wants, as in scipy.signal."""
    if mode == "full":
        return full
    key = [slice(None)] * full.ndim
    for axis in axes:
        first, second = a.shape[axis], b.shape[axis]
        if mode == "same":
            length, start = first, (second - 1) // 2
        elif mode == "valid":
            length, start = abs(first - second) + 1, min(first, second) - 1
        else:
            raise ValueError(f"[{name}] mode must be 'full', 'valid' or 'same', got {mode!r}")
        key[axis] = slice(start, start + length)
    return full[tuple(key)]


def _ordered(a: Any, b: Any, mode: str, axes: Any, name: str) -> tuple[Array, Array, Any]:
    device = device_of(a, b)
    a, b = array_argument(a, name, device), array_argument(b, name, device)
    chosen = _convolution_axes(a, b, axes, name)
    if mode == "valid":
        larger = [a.shape[axis] >= b.shape[axis] for axis in chosen]
        smaller = [a.shape[axis] <= b.shape[axis] for axis in chosen]
        if not (all(larger) or all(smaller)):
            raise ValueError(
                f"[{name}] for mode 'valid' one input must be at least as large as the other in "
                f"every axis, got {a.shape} and {b.shape}"
            )
        if not all(larger):
            a, b = b, a
    return a, b, chosen


def fftconvolve(
    a: Any, b: Any, mode: str = "full", axes: int | Sequence[int] | None = None
) -> Array:
    """The convolution of two arrays over `axes` (all by default), by transforms padded to fast
    lengths. `mode` is "full", "valid" or "same" (the size of `a`), as in scipy.signal.fftconvolve.
    """
    a, b, chosen = _ordered(a, b, mode, axes, "fft.fftconvolve")
    dtype = common_dtype(a, b)
    if 0 in a.shape or 0 in b.shape:
        return zeros(0, dtype, device=a.device)
    if not chosen:
        return a * b
    full = [a.shape[axis] + b.shape[axis] - 1 for axis in chosen]
    s = [next_fast_len(length) for length in full]
    if dtype.kind == "c":
        product = fftn(a, s, chosen)
        product = product * fftn(b, s, chosen)
        result = ifftn(product, s, chosen)
    else:
        product = rfftn(a, s, chosen) * rfftn(b, s, chosen)
        result = irfftn(product, s, chosen)
    key = [slice(None)] * result.ndim
    for axis, length in zip(chosen, full, strict=True):
        key[axis] = slice(0, length)
    return _part(result[tuple(key)], a, b, mode, chosen, "fft.fftconvolve")


def _block_length(short: int, long: int) -> int:
    """The block that costs least per new value, among powers of two."""
    candidates = [
        1 << k for k in range((2 * short - 1).bit_length(), (long + short).bit_length() + 1)
    ]
    if not candidates:
        return next_fast_len(long + short - 1)
    return min(candidates, key=lambda n: n * math.log2(n) * math.ceil(long / (n - short + 1)))


def oaconvolve(
    a: Any, b: Any, mode: str = "full", axes: int | Sequence[int] | None = None
) -> Array:
    """fftconvolve() by blocks of the longer input (overlap-add): less memory and time where one
    input is much longer than the other along an axis. All blocks are one batch of transforms."""
    name = "fft.oaconvolve"
    a, b, chosen = _ordered(a, b, mode, axes, name)
    if len(chosen) != 1 or 0 in a.shape or 0 in b.shape:
        return fftconvolve(a, b, mode, axes)
    (axis,) = chosen
    long, short = (a, b) if a.shape[axis] >= b.shape[axis] else (b, a)
    length, taps = long.shape[axis], short.shape[axis]
    n = _block_length(taps, length)
    step = n - taps + 1
    blocks = -(-length // step)
    if blocks <= 1 or step < taps:
        return fftconvolve(a, b, mode, axes)
    x = _moved(long, axis)
    padded = zeros((*x.shape[:-1], blocks * step), x.dtype, device=x.device)
    padded[..., :length] = x
    pieces = padded.reshape((*x.shape[:-1], blocks, step))
    kernel = _moved(short, axis)
    kernel = kernel.reshape((*kernel.shape[:-1], 1, taps))
    parts = fftconvolve(pieces, kernel, "full", -1)
    # A block's result reaches taps - 1 places into the next block: step is more than that.
    full = length + taps - 1
    shape = parts.shape[:-2]
    total = zeros((*shape, (blocks + 1) * step), parts.dtype, device=x.device)
    own = total[..., : blocks * step].reshape((*shape, blocks, step))
    own[...] = parts[..., :step]
    later = total[..., step:].reshape((*shape, blocks, step))
    later[..., : taps - 1] += parts[..., step:]
    result = _moved_back(total[..., :full], axis)
    return _part(result, a, b, mode, chosen, name)


def _moved(x: Array, axis: int) -> Array:
    order = [k for k in range(x.ndim) if k != axis] + [axis]
    return x.transpose(order)


def _moved_back(x: Array, axis: int) -> Array:
    order = list(range(x.ndim - 1))
    order.insert(axis, x.ndim - 1)
    return x.transpose(order)


__all__ = ["fftconvolve", "filter", "next_fast_len", "oaconvolve"]
