"""Where the values of a transform belong: frequencies and shifts."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from heald._arguments import array_argument
from heald._arrays import empty
from heald._creation import arange
from heald._heald import Array, Device
from heald._manipulation import roll


def _count(n: Any, name: str) -> int:
    try:
        count = operator.index(n)
    except TypeError:
        raise ValueError(f"[{name}] n should be an integer") from None
    if count < 1:
        raise ValueError(f"[{name}] n must be at least 1, got {count}")
    return count


def fftfreq(
    n: int, d: float = 1.0, *, dtype: Any = None, device: Device | str | None = None
) -> Array:
    """The frequencies of fft()'s values: [0, 1, …, (n - 1) // 2, -(n // 2), …, -1] / (d n), for
    samples that are `d` apart.

    >>> hd.fft.fftfreq(5, 0.1).tolist()
    [0.0, 2.0, 4.0, -4.0, -2.0]
    """
    count = _count(n, "fft.fftfreq")
    result = empty(count, "float64" if dtype is None else dtype, device=device)
    positive = (count - 1) // 2 + 1
    result[:positive] = arange(0, positive, dtype="int64", device=device)
    result[positive:] = arange(-(count // 2), 0, dtype="int64", device=device)
    return result * (1.0 / (count * d))


def rfftfreq(
    n: int, d: float = 1.0, *, dtype: Any = None, device: Device | str | None = None
) -> Array:
    """The frequencies of rfft()'s values: [0, 1, …, n // 2] / (d n)."""
    count = _count(n, "fft.rfftfreq")
    kind = "float64" if dtype is None else dtype
    return arange(0, count // 2 + 1, dtype=kind, device=device) * (1.0 / (count * d))


def _axes(x: Array, axes: int | Sequence[int] | None) -> tuple[int, ...]:
    if axes is None:
        return tuple(range(x.ndim))
    return (axes,) if isinstance(axes, int) else tuple(axes)


def fftshift(x: Any, axes: int | Sequence[int] | None = None) -> Array:
    """The zero frequency moved to the middle of the axes (all by default)."""
    x = array_argument(x, "fft.fftshift")
    chosen = _axes(x, axes)
    return roll(x, [x.shape[axis] // 2 for axis in chosen], chosen)


def ifftshift(x: Any, axes: int | Sequence[int] | None = None) -> Array:
    """The inverse of fftshift()."""
    x = array_argument(x, "fft.ifftshift")
    chosen = _axes(x, axes)
    return roll(x, [-(x.shape[axis] // 2) for axis in chosen], chosen)


__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]
