"""Arrays of numbers in order, and of simple patterns. The device is the current one unless `device`
names another or an argument is an Array."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from heald import _heald
from heald._arguments import (
    array_argument,
    array_arguments,
    cast,
    common_dtype,
    device_of,
    dtype_argument,
    host_argument,
    is_number,
    operands,
)
from heald._arrays import asarray, full, zeros
from heald._heald import Array, Device, array_from_numpy, call_ufunc
from heald._ranges import int_range, range_of


def _number(x: Any, operation: str) -> Any:
    """A bound of a range: a Python or NumPy number."""
    return host_argument(x, operation).item() if isinstance(x, Array) else x


def arange(
    start: Any,
    stop: Any = None,
    step: Any = 1,
    dtype: Any = None,
    *,
    device: Device | str | None = None,
) -> Array:
    """start, start + step, … below `stop`; arange(stop) begins at 0. The dtype is that of the
    numbers, int64 or float64 for Python's.

    >>> hd.arange(2, 8, 3)
    """
    start, stop, step = (_number(x, "arange") for x in (start, stop, step))
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ZeroDivisionError("[arange] step must not be 0")
    if dtype is None:
        found = np.result_type(*[np.asarray(x) if is_number(x) else x for x in (start, stop, step)])
        wanted = np.result_type(found, np.int64)  # as NumPy: int64 at least
    else:
        wanted = dtype_argument(dtype)
    if any(isinstance(x, (complex, np.complexfloating)) for x in (start, stop, step)):
        return array_from_numpy(np.arange(start, stop, step, dtype=wanted), device)
    count = max(0, math.ceil((stop - start) / step))
    if all(isinstance(x, (int, np.integer)) for x in (start, stop, step)):
        count = len(range(int(start), int(stop), int(step)))
    if count == 0 or wanted.kind == "b":
        return array_from_numpy(np.arange(start, stop, step, dtype=wanted), device)
    if wanted.kind in "iu":
        first, second = int(start), int(start + step)
        return range_of(first, second - first, count, wanted, device)
    if wanted.itemsize == 2:
        # Numbers of an array's element type would round the step: count in float32.
        return cast(range_of(start, step, count, "float32", device), wanted)
    return range_of(start, step, count, wanted, device)


def linspace(
    start: Any,
    stop: Any,
    /,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Device | str | None = None,
) -> Any:
    """`num` evenly spaced numbers from `start` to `stop`, which is the last one if `endpoint`. Of
    arrays, which broadcast, along a new axis `axis`. With `retstep`, also the distance.

    >>> hd.linspace(0, 1, 3)
    """
    num = int(num)
    if num < 0:
        raise ValueError(f"[linspace] Number of samples, {num}, must be non-negative.")
    device = device_of(start, stop) if device is None else Device(device)
    intervals = num - 1 if endpoint else num
    parts = common_dtype(*operands((start, stop), "linspace"), 1.0)
    computed = np.dtype("float64") if is_number(start) and is_number(stop) else parts
    if parts.kind == "c":
        computed = np.result_type(parts, np.complex128 if computed.itemsize >= 8 else parts)
    wanted = parts if dtype is None else dtype_argument(dtype)
    first = _computed(start, computed, device)
    last = _computed(stop, computed, device)
    delta = call_ufunc("subtract", last, first)
    result_shape = delta.shape
    step = (
        call_ufunc("divide", delta, intervals)
        if intervals > 0
        else full(result_shape, math.nan, computed, device=delta.device)
    )
    real = np.empty(0, computed).real.dtype
    places = range_of(0, 1, num, real if real.itemsize > 2 else "float32", delta.device)
    places = cast(places, computed).reshape((num,) + (1,) * len(result_shape))
    if intervals > 0:
        small = call_ufunc("multiply", call_ufunc("divide", places, intervals), delta)
        grid = call_ufunc(
            "where", call_ufunc("equal", step, 0), small, call_ufunc("multiply", places, step)
        )
        values = call_ufunc("add", grid, first)
    else:
        values = call_ufunc("add", call_ufunc("multiply", places, delta), first)
    if endpoint and num > 1:
        at_end = int_range(num, delta.device).reshape(places.shape)
        values = call_ufunc("where", call_ufunc("equal", at_end, num - 1), last, values)
    if wanted.kind in "iu":
        values = call_ufunc("floor", values)
    values = cast(values, wanted)
    if axis != 0:
        from heald._manipulation import moveaxis

        values = moveaxis(values, 0, axis)
    return (values, step) if retstep else values


def _computed(x: Any, dtype: np.dtype, device: Any) -> Array:
    if isinstance(x, Array):
        return cast(x, dtype)
    return array_from_numpy(np.asarray(x, dtype=dtype), device)


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Device | str | None = None,
) -> Array:
    """base ** linspace(start, stop): numbers in geometric progression, from their logarithms."""
    powers = linspace(start, stop, num, endpoint=endpoint, axis=axis, device=device)
    return cast(call_ufunc("power", base, powers), dtype)


def geomspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Device | str | None = None,
) -> Array:
    """`num` real numbers in geometric progression from `start` to `stop`; ValueError if one is 0 or
    the signs differ."""
    first, last = (host_argument(x, "geomspace") for x in (start, stop))
    if np.any(first == 0) or np.any(last == 0):
        raise ValueError("[geomspace] Geometric sequence cannot include zero")
    device = device_of(start, stop) if device is None else device
    wanted = np.result_type(first, last, 1.0) if dtype is None else dtype_argument(dtype)
    values = np.geomspace(first, last, num, endpoint=endpoint, axis=axis)
    return array_from_numpy(np.asarray(values).astype(wanted), device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    k: int = 0,
    dtype: Any = "float64",
    *,
    device: Device | str | None = None,
) -> Array:
    """Ones on the diagonal `k` (above the main one if positive) of an otherwise zero matrix.

    >>> hd.eye(3).shape
    (3, 3)
    """
    n_cols = n_rows if n_cols is None else n_cols
    rows, columns = (int_range(_length(n, "eye"), device) for n in (n_rows, n_cols))
    on = call_ufunc("equal", _shifted(rows, k, columns), columns)
    return cast(on, "float64" if dtype is None else dtype)


def _shifted(rows: Array, k: Any, columns: Array) -> Array:
    """A column of row numbers moved by `k`, which may be far outside the matrix."""
    inside = max(-rows.size, min(columns.size, operator.index(k)))
    return call_ufunc("add", rows.reshape(-1, 1), inside)


def _length(n: Any, operation: str) -> int:
    length = n.__index__()
    if length < 0:
        raise ValueError(f"[{operation}] negative dimensions are not allowed: {length}")
    return length


def identity(n: int, dtype: Any = "float64", *, device: Device | str | None = None) -> Array:
    """The square matrix with ones on the main diagonal."""
    return eye(n, dtype=dtype, device=device)


def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = "float64",
    *,
    device: Device | str | None = None,
) -> Array:
    """Ones at and below the diagonal `k` of an otherwise zero matrix."""
    rows = int_range(_length(N, "tri"), device).reshape(-1, 1)
    columns = int_range(_length(N if M is None else M, "tri"), device)
    return cast(call_ufunc("greater_equal", _shifted(rows, k, columns), columns), dtype)


def _triangle(m: Any, k: int, operation: str, upper: bool) -> Array:
    m = array_argument(m, operation)
    if m.ndim < 2:
        raise ValueError(f"[{operation}] the array must be at least 2-dimensional, got {m.ndim}")
    rows = int_range(m.shape[-2], m.device).reshape(-1, 1)
    columns = int_range(m.shape[-1], m.device)
    name = "less_equal" if upper else "greater_equal"
    keep = call_ufunc(name, _shifted(rows, k, columns), columns)
    zero = asarray(np.zeros((), m.dtype), device=m.device)
    return call_ufunc("where", keep, m, zero)


def tril(m: Any, /, k: int = 0, **names: int) -> Array:
    """The last two axes with zeros above the diagonal `k`."""
    return _triangle(m, names.pop("k", k), "tril", False)


def triu(m: Any, /, k: int = 0, **names: int) -> Array:
    """The last two axes with zeros below the diagonal `k`."""
    return _triangle(m, names.pop("k", k), "triu", True)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Array:
    """Columns of powers of `x`, with one axis: the highest first unless `increasing`."""
    x = array_argument(x, "vander")
    if x.ndim != 1:
        raise ValueError("[vander] x must be a one-dimensional array or sequence.")
    count = x.size if N is None else int(N)
    powers = int_range(count, x.device)
    if not increasing:
        powers = powers[::-1]
    return call_ufunc("power", cast(x, np.result_type(x.dtype, np.int64)).reshape(-1, 1), powers)


def fromfunction(
    function: Callable[..., Any],
    shape: tuple[int, ...],
    *,
    dtype: Any = "float64",
    device: Device | str | None = None,
    **kwargs: Any,
) -> Any:
    """`function` of the coordinates of every element, one array per axis."""
    from heald._grids import indices

    return function(*indices(shape, dtype=dtype, device=device), **kwargs)


def fromiter(
    iterable: Any, dtype: Any, count: int = -1, *, device: Device | str | None = None
) -> Array:
    """The numbers of an iterable, gathered on the host."""
    host = np.fromiter(iterable, dtype=dtype_argument(dtype), count=count)
    return array_from_numpy(host, device)


def diag(v: Any, k: int = 0) -> Array:
    """A matrix with `v` on its diagonal `k`, or the diagonal of a matrix (a copy)."""
    v = array_argument(v, "diag")
    if v.ndim == 2:
        return diagonal(v, k).copy()
    if v.ndim != 1:
        raise ValueError("[diag] Input must be 1- or 2-d.")
    n = v.size + abs(k)
    result = zeros((n, n), v.dtype, device=v.device)
    diagonal(result, k)[...] = v
    return result


def diagflat(v: Any, k: int = 0) -> Array:
    """A matrix with the elements of `v`, in C order, on its diagonal `k`."""
    return diag(array_argument(v, "diagflat").ravel(), k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """A view of the diagonal of two axes, as the last axis: element i is a[i, i + offset]."""
    from heald._arguments import one_axis

    a = array_argument(a, "diagonal")
    if a.ndim < 2:
        raise ValueError("[diagonal] diag requires an array of at least two dimensions")
    first, second = one_axis(axis1, a.ndim), one_axis(axis2, a.ndim)
    if first == second:
        raise ValueError("[diagonal] axis1 and axis2 cannot be the same")
    rows, columns = a.shape[first], a.shape[second]
    length = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    row, column = (0, offset) if offset >= 0 else (-offset, 0)
    corner = [slice(None)] * a.ndim
    corner[first] = slice(row, row + length)
    corner[second] = slice(column, column + length)
    square = a[tuple(corner)]
    others = [axis for axis in range(a.ndim) if axis not in (first, second)]
    shape = (*[a.shape[axis] for axis in others], length)
    step = a.strides[first] + a.strides[second]
    strides = (*[a.strides[axis] for axis in others], step)
    return _heald.strided_view(square, shape, strides)


def fill_diagonal(a: Array, val: Any, wrap: bool = False) -> None:
    """Writes `val`, repeated, on the main diagonal of the last two axes of a matrix, or of an array
    with equal axes."""
    if a.ndim < 2:
        raise ValueError("[fill_diagonal] array must be at least 2-d")
    if a.ndim == 2:
        step = a.shape[1] + 1
        end = None if wrap else a.shape[1] * a.shape[1]
    else:
        if len(set(a.shape)) != 1:
            raise ValueError("[fill_diagonal] All dimensions of input must be of equal length")
        step = 1 + sum(math.prod(a.shape[:k]) for k in range(1, a.ndim))
        end = None
    places = np.arange(a.size)[:end:step]
    from heald._indexing import put

    if places.size:
        put(a, places, val)


def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> list[Array]:
    """For arrays with one axis, arrays of the coordinates of a grid: axis i of the result follows
    xi[i], with the first two exchanged for indexing='xy'. Views if not `copy`."""
    if indexing not in ("xy", "ij"):
        raise ValueError("[meshgrid] Valid values for `indexing` are 'xy' and 'ij'.")
    arrays = array_arguments(xi, "meshgrid")
    n = len(arrays)
    swap = indexing == "xy" and n > 1
    shaped = []
    for i, x in enumerate(arrays):
        axis = 1 - i if swap and i < 2 else i
        shaped.append(x.reshape((1,) * axis + (-1,) + (1,) * (n - axis - 1)))
    if not sparse and n > 0:
        shape = np.broadcast_shapes(*[x.shape for x in shaped])
        shaped = [_heald.broadcast_view(x, shape) for x in shaped]
    return [x.copy() for x in shaped] if copy else shaped


__all__ = [
    "arange",
    "diag",
    "diagflat",
    "diagonal",
    "eye",
    "fill_diagonal",
    "fromfunction",
    "fromiter",
    "geomspace",
    "identity",
    "linspace",
    "logspace",
    "meshgrid",
    "tri",
    "tril",
    "triu",
    "vander",
]
