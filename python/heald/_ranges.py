"""Evenly spaced numbers on a device: the ground that other functions build on."""

from __future__ import annotations

from typing import Any

from heald import _heald
from heald._heald import Array


def int_range(count: int, device: Any, *, start: int = 0, step: int = 1) -> Array:
    """start, start + step, …: `count` int64 numbers."""
    return _heald.range_array(start, step, count, "int64", device)


def range_of(start: Any, step: Any, count: int, dtype: Any, device: Any) -> Array:
    return _heald.range_array(start, step, count, dtype, device)


def along(x: Array, axis: int, ndim: int) -> Array:
    """One axis as axis `axis` of `ndim`, the others of length 1."""
    return x.reshape((1,) * axis + (x.size,) + (1,) * (ndim - axis - 1))
