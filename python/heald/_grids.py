"""Coordinates of grids, and indices of patterns."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald._arguments import array_argument
from heald._arrays import asarray
from heald._creation import arange, linspace
from heald._heald import Array, Device, call_ufunc
from heald._ranges import along, range_of


def indices(
    dimensions: Any,
    dtype: Any = "int64",
    sparse: bool = False,
    *,
    device: Device | str | None = None,
) -> Any:
    """The coordinates of every element of a grid: shape (n, *dimensions), or with `sparse` a tuple
    of arrays that broadcast to it."""
    shape = tuple(int(n) for n in dimensions)
    ndim = len(shape)
    parts = [along(range_of(0, 1, n, dtype, device), k, ndim) for k, n in enumerate(shape)]
    if sparse:
        return tuple(parts)
    result = Array((ndim, *shape), dtype, device=device)
    for k, part in enumerate(parts):
        result[k] = part
    return result


def ix_(*args: Any) -> tuple[Any, ...]:
    """Indices that select a grid: x[hd.ix_([0, 2], [1, 3])]. Sequences with one axis, of integers
    or bools; what is given as an Array stays one."""
    result = []
    for k, item in enumerate(args):
        part: Any = item if isinstance(item, Array) else np.asarray(item)
        if part.ndim != 1:
            raise ValueError("[ix_] Cross index must be 1 dimensional")
        if part.size == 0 and not isinstance(item, (Array, np.ndarray)):
            part = part.astype(np.int64)
        if part.dtype.kind == "b":
            if isinstance(part, Array):
                from heald._index_key import nonzero_of

                part = nonzero_of(part)[0]
            else:
                part = np.nonzero(part)[0]
        result.append(part.reshape((1,) * k + (-1,) + (1,) * (len(args) - k - 1)))
    return tuple(result)


class _Grid:
    """hd.mgrid[0:5, 0:3:7j]: coordinates of a grid, written as slices; a step of nj means n points,
    the end included. hd.ogrid gives arrays that broadcast to it."""

    def __init__(self, sparse: bool) -> None:
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _points(key)
        axes = [_points(part) for part in key]
        dtype = np.result_type(*[axis.dtype for axis in axes])
        parts = [along(axis.astype(dtype), k, len(axes)) for k, axis in enumerate(axes)]
        if self._sparse:
            return tuple(parts)
        shape = tuple(axis.size for axis in axes)
        result = Array((len(axes), *shape), dtype)
        for k, part in enumerate(parts):
            result[k] = part
        return result


def _points(part: slice) -> Array:
    start = 0 if part.start is None else part.start
    step = 1 if part.step is None else part.step
    if isinstance(step, complex):
        return linspace(start, part.stop, int(abs(step)))
    return arange(start, part.stop, step)


mgrid = _Grid(sparse=False)
ogrid = _Grid(sparse=True)


def _on_device(arrays: Any, device: Any) -> tuple[Array, ...]:
    return tuple(asarray(x, device=device) for x in arrays)


def tril_indices(
    n: int, k: int = 0, m: int | None = None, *, device: Device | str | None = None
) -> tuple[Array, ...]:
    """Row and column numbers of the elements at and below the diagonal `k` of an n by m matrix."""
    return _on_device(np.tril_indices(n, k, m), device)


def triu_indices(
    n: int, k: int = 0, m: int | None = None, *, device: Device | str | None = None
) -> tuple[Array, ...]:
    """Row and column numbers of the elements at and above the diagonal `k` of an n by m matrix."""
    return _on_device(np.triu_indices(n, k, m), device)


def tril_indices_from(arr: Any, k: int = 0) -> tuple[Array, ...]:
    """tril_indices for the shape of a matrix."""
    arr = array_argument(arr, "tril_indices_from")
    return tril_indices(arr.shape[-2], k, arr.shape[-1], device=arr.device)


def triu_indices_from(arr: Any, k: int = 0) -> tuple[Array, ...]:
    """triu_indices for the shape of a matrix."""
    arr = array_argument(arr, "triu_indices_from")
    return triu_indices(arr.shape[-2], k, arr.shape[-1], device=arr.device)


def diag_indices(n: int, ndim: int = 2, *, device: Device | str | None = None) -> tuple[Array, ...]:
    """The same numbers for every one of `ndim` axes: they select a main diagonal."""
    return (range_of(0, 1, n, "int64", device),) * ndim


def diag_indices_from(arr: Any) -> tuple[Array, ...]:
    """diag_indices for an array with equal axes."""
    arr = array_argument(arr, "diag_indices_from")
    if arr.ndim < 2:
        raise ValueError("[diag_indices_from] input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("[diag_indices_from] All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim, device=arr.device)


def unravel_index(indices: Any, shape: Any) -> tuple[Array, ...]:
    """Coordinates of elements from their places in C order."""
    index = array_argument(indices, "unravel_index")
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    result = []
    for n in reversed(lengths):
        result.append(call_ufunc("remainder", index, n))
        index = call_ufunc("floor_divide", index, n)
    return tuple(reversed(result))


def ravel_multi_index(multi_index: Any, dims: Any) -> Array:
    """Places in C order of elements from their coordinates."""
    parts = [array_argument(part, "ravel_multi_index") for part in multi_index]
    total = parts[0]
    for part, n in zip(parts[1:], tuple(dims)[1:], strict=True):
        total = call_ufunc("add", call_ufunc("multiply", total, n), part)
    return total


__all__ = [
    "diag_indices",
    "diag_indices_from",
    "indices",
    "ix_",
    "mgrid",
    "ogrid",
    "ravel_multi_index",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]
