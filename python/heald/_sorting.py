"""Sorting and searching: NumPy's functions, NaNs always last."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heald import _heald
from heald._arguments import (
    array_argument,
    array_arguments,
    cast,
    common_dtype,
    one_axis,
    ravel_if_none,
)
from heald._arrays import empty
from heald._heald import Array, call_ufunc
from heald._index_key import full_range_indices, nonzero_of
from heald._sync import hidden_sync


def sort(
    a: Any,
    /,
    axis: int | None = -1,
    kind: str | None = None,
    *,
    descending: bool = False,
    stable: bool | None = None,
) -> Array:
    """The elements in order along `axis`, in a new array; of the flattened array for None.

    NaNs come last, in descending order too; complex numbers are ordered by their real part, then by
    the imaginary one. Every sort is stable, whatever `kind` and `stable` say. Raises ValueError for
    an axis that is not there.

    >>> hd.sort(hd.array([3, 1, 2])).tolist()
    [1, 2, 3]
    """
    _check_kind(kind, "sort")
    x, at = ravel_if_none(array_argument(a, "sort"), axis)
    return _heald.sort_array(x, at, descending)


def argsort(
    a: Any,
    /,
    axis: int | None = -1,
    kind: str | None = None,
    *,
    descending: bool = False,
    stable: bool | None = None,
) -> Array:
    """The int64 places that put the elements in order along `axis`; see sort(). Equal elements stay
    in their order.

    >>> hd.argsort(hd.array([3, 1, 2])).tolist()
    [1, 2, 0]
    """
    _check_kind(kind, "argsort")
    x, at = ravel_if_none(array_argument(a, "argsort"), axis)
    return _heald.argsort_array(x, at, descending)


def sort_complex(a: Any) -> Array:
    """The elements in order along the last axis, as complex numbers."""
    x = sort(a)
    if x.dtype.kind == "c":
        return x
    small = x.dtype.itemsize <= 2 and x.dtype.kind in "iu"
    return cast(x, "complex64" if small or x.dtype.name in ("float16", "float32") else "complex128")


def lexsort(keys: Any, axis: int = -1) -> Array:
    """The int64 places that sort by several keys, the last of them first: a sequence of arrays of
    one shape, or an array whose first axis counts the keys.

    >>> hd.lexsort((hd.array([1, 0, 0]), hd.array([2, 2, 1]))).tolist()
    [2, 1, 0]
    """
    arrays = list(keys) if isinstance(keys, Array) else array_arguments(keys, "lexsort")
    if not arrays:
        raise TypeError("[lexsort] need sequence of keys with len > 0 in lexsort")
    first = arrays[0]
    if any(key.shape != first.shape for key in arrays):
        raise ValueError("[lexsort] all keys need to be the same shape")
    if first.ndim == 0:
        return call_ufunc("multiply", cast(first.astype("bool"), "int64"), 0)
    at = one_axis(axis, first.ndim)
    order = _heald.argsort_array(first, at)
    for key in arrays[1:]:
        order = _along(order, _heald.argsort_array(_along(key, order, at), at), at)
    return order


def partition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect") -> Array:
    """The elements with those of places `kth` where sorting puts them, smaller ones before and
    others after: here, all of them sorted."""
    x, at = ravel_if_none(array_argument(a, "partition"), axis)
    _check_kth(kth, x.shape[at], "partition")
    return _heald.sort_array(x, at)


def argpartition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect") -> Array:
    """The int64 places of partition()'s elements."""
    x, at = ravel_if_none(array_argument(a, "argpartition"), axis)
    _check_kth(kth, x.shape[at], "argpartition")
    return _heald.argsort_array(x, at)


class TopK(NamedTuple):
    """What topk() returns."""

    values: Array
    indices: Array


def topk(x: Any, k: int, /, *, axis: int | None = -1, largest: bool = True) -> TopK:
    """The `k` largest (or smallest) elements along `axis`, best first, and their int64 places. NaNs
    count as the last, whichever are asked for.

    >>> hd.topk(hd.array([3, 1, 2]), 2).values.tolist()
    [3, 2]
    """
    x, at = ravel_if_none(array_argument(x, "topk"), axis)
    if not 0 <= k <= x.shape[at]:
        raise ValueError(f"[topk] k is {k}, axis {at} has {x.shape[at]} elements")
    order = _heald.argsort_array(x, at, largest)[(slice(None),) * at + (slice(0, k),)]
    return TopK(_along(x, order, at), order)


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Array:
    """For each element of `v` the int64 place in `a` (sorted, one axis) where it can be inserted:
    before elements equal to it for side 'left', after them for 'right'. `sorter`: places that sort
    `a`.

    >>> hd.searchsorted(hd.array([1, 2, 2, 3]), hd.array([2, 4])).tolist()
    [1, 4]
    """
    if side not in ("left", "right"):
        raise ValueError(f"[searchsorted] side must be 'left' or 'right', got {side!r}")
    a = array_argument(a, "searchsorted")
    v = array_argument(v, "searchsorted", a.device)
    if a.ndim != 1:
        raise ValueError("[searchsorted] object of too small depth for desired array")
    if sorter is not None:
        sorter = array_argument(sorter, "searchsorted", a.device)
        if sorter.dtype.kind not in "iu":
            raise TypeError("[searchsorted] sorter must only contain integers")
        if sorter.shape != a.shape:
            raise ValueError("[searchsorted] sorter.size must equal a.size")
        a = a[sorter]
    dtype = common_dtype(a, v)
    return _heald.searchsorted_array(cast(a, dtype), cast(v, dtype), side == "right")


def nonzero(a: Any) -> tuple[Array, ...]:
    """The places of the elements that are not 0: an int64 array for each axis, in C order. Waits
    until their number is known.

    >>> [place.tolist() for place in hd.nonzero(hd.array([[0, 1], [2, 0]]))]
    [[0, 1], [1, 0]]
    """
    x = array_argument(a, "nonzero")
    if x.ndim == 0:
        raise ValueError(
            "[nonzero] Calling nonzero on 0d arrays is not allowed. Use hd.atleast_1d(scalar)."
            "nonzero() instead."
        )
    hidden_sync("nonzero")
    places = _heald.nonzero_array(x)
    return tuple(places[k] for k in range(x.ndim))


def argwhere(a: Any) -> Array:
    """The places of the elements that are not 0: int64 (count, ndim), in C order. Waits until their
    number is known."""
    x = array_argument(a, "argwhere")
    hidden_sync("argwhere")
    if x.ndim == 0:
        return empty((_heald.count_nonzero(x), 0), "int64", device=x.device)
    return _heald.nonzero_array(x).T


def flatnonzero(a: Any) -> Array:
    """The places in the flattened array of the elements that are not 0. Waits until their number is
    known."""
    return nonzero(array_argument(a, "flatnonzero").reshape(-1))[0]


class UniqueAllResult(NamedTuple):
    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    values: Array
    inverse_indices: Array


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """The distinct elements in order (slices along `axis`, if given), then, as asked: the place of
    the first of each, for every element the place of its value among them, how often each occurs.
    Waits until their number is known.

    >>> values, counts = hd.unique(hd.array([2, 1, 2]), return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([1, 2], [1, 2])
    """
    x = array_argument(ar, "unique")
    hidden_sync("unique")
    wants_order = return_index or return_inverse
    if axis is None:
        found = _distinct_elements(x.reshape(-1), wants_order, equal_nan)
    else:
        at = one_axis(axis, x.ndim)
        found = _distinct_slices(x, at)
    result = [found.values]
    if return_index:
        result.append(_heald.compress_array(found.order, found.is_first))
    if return_inverse:
        inverse = _inverse(found)
        result.append(inverse.reshape(x.shape) if axis is None else inverse)
    if return_counts:
        result.append(_counts(found))
    return result[0] if len(result) == 1 else tuple(result)


def unique_all(x: Any, /) -> UniqueAllResult:
    """The distinct elements, where each is first, the inverse and how often each occurs; every NaN
    counts as distinct."""
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


def unique_counts(x: Any, /) -> UniqueCountsResult:
    """The distinct elements and how often each occurs; every NaN counts as distinct."""
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: Any, /) -> UniqueInverseResult:
    """The distinct elements and for each element its place among them; every NaN counts as
    distinct."""
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x: Any, /) -> Array:
    """The distinct elements in order; every NaN counts as distinct."""
    return unique(x, equal_nan=False)


class _Distinct(NamedTuple):
    values: Array
    is_first: Array  # of the sorted elements, of its value
    order: Array  # places of the sorted elements


def _distinct_elements(x: Array, wants_order: bool, equal_nan: bool) -> _Distinct:
    order = x
    if wants_order:
        order = _heald.argsort_array(x, 0)
        ordered = _heald.gather(x, [0], [order], 0)
    else:
        ordered = _heald.sort_array(x, 0)
    before, after = ordered[:-1], ordered[1:]
    differs = call_ufunc("not_equal", after, before)
    if equal_nan and x.dtype.kind not in "biu":
        number = call_ufunc(
            "logical_or", call_ufunc("equal", before, before), call_ufunc("equal", after, after)
        )
        differs = call_ufunc("logical_and", differs, number)
    is_first = _first_marks(differs, x.shape[0], x.device)
    return _Distinct(_heald.compress_array(ordered, is_first), is_first, order)


def _distinct_slices(x: Array, axis: int) -> _Distinct:
    moved = x.transpose((axis, *(k for k in range(x.ndim) if k != axis)))
    rows = moved.reshape((moved.shape[0], -1)) if x.size else moved
    count = rows.shape[0]
    if x.size == 0:
        if count == 0:
            order = empty(0, "int64", device=x.device)
            return _Distinct(x.copy(), _first_marks(order, 0, x.device), order)
        rows = _heald.call_ufunc("multiply", empty((count, 1), "int64", device=x.device), 0)
    columns = rows.shape[1]
    order = lexsort([rows[:, k] for k in reversed(range(columns))])
    ordered = _heald.gather(rows, [0], [order], 0)
    equal = call_ufunc("equal", ordered[1:], ordered[:-1])
    if count > 1:
        differs = call_ufunc("logical_not", _all_along_last(equal))
    else:
        differs = empty(0, "bool", device=x.device)
    is_first = _first_marks(differs, count, x.device)
    places = _heald.compress_array(order, is_first)
    values = _heald.gather(x, [axis], [places], axis)
    return _Distinct(values, is_first, order)


def _all_along_last(x: Array) -> Array:
    return _heald.accumulate_array("logical_and", x, 1)[:, -1]


def _first_marks(differs: Array, count: int, device: Any) -> Array:
    is_first = empty(count, "bool", device=device)
    if count:
        is_first[:1] = True
    if count > 1:
        is_first[1:] = differs
    return is_first


def _inverse(found: _Distinct) -> Array:
    if found.order.size == 0:
        return found.order
    numbers = call_ufunc("subtract", _heald.accumulate_array("add", found.is_first, 0), 1)
    inverse = empty(found.order.shape, "int64", device=numbers.device)
    _heald.scatter(inverse, [0], [found.order], 0, numbers, True)
    return inverse


def _counts(found: _Distinct) -> Array:
    starts = nonzero_of(found.is_first)[0]
    counts = empty(starts.shape, "int64", device=starts.device)
    if starts.size:
        counts[:-1] = call_ufunc("subtract", starts[1:], starts[:-1])
        counts[-1:] = call_ufunc("subtract", found.is_first.shape[0], starts[-1:])
    return counts


def _along(x: Array, places: Array, axis: int) -> Array:
    """Elements at places along an axis, known to be in range."""
    if places.size == 0:
        return empty(places.shape, x.dtype, device=x.device)
    return _heald.gather(x, list(range(x.ndim)), full_range_indices(x, axis, places), 0)


def _check_kind(kind: str | None, operation: str) -> None:
    if kind is not None and kind[:1].lower() not in ("q", "m", "h", "s"):
        raise ValueError(
            f"[{operation}] sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})"
        )


def _check_kth(kth: Any, length: int, operation: str) -> None:
    for k in np.atleast_1d(np.asarray(kth)).ravel().tolist():
        if not isinstance(k, int):
            raise TypeError(f"[{operation}] Partition index must be integer")
        if not -length <= k < length and length:
            raise ValueError(f"[{operation}] kth(={k}) out of bounds ({length})")


__all__ = [
    "argpartition",
    "argsort",
    "argwhere",
    "flatnonzero",
    "lexsort",
    "nonzero",
    "partition",
    "searchsorted",
    "sort",
    "sort_complex",
    "topk",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]
