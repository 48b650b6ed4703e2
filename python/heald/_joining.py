"""Arrays put together and taken apart along an axis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from heald._arguments import (
    array_argument,
    array_arguments,
    common_dtype,
    dtype_argument,
    into,
    one_axis,
    ravel_if_none,
)
from heald._heald import Array
from heald._manipulation import atleast_1d, atleast_2d, atleast_3d, expand_dims


def concatenate(
    arrays: Any,
    /,
    axis: int | None = 0,
    out: Array | None = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Array:
    """The arrays one after another along an axis; all other lengths are equal. axis=None flattens
    them first. The dtype is the promoted one, or `dtype` if NumPy's rule `casting` allows it.

    >>> hd.concatenate([hd.zeros(2), hd.ones(3)]).shape
    (5,)
    """
    items = array_arguments(arrays, "concatenate")
    if not items:
        raise ValueError("[concatenate] need at least one array to concatenate")
    if axis is None:
        items, axis = [x.ravel() for x in items], 0
    first = items[0]
    if first.ndim == 0:
        raise ValueError("[concatenate] zero-dimensional arrays cannot be concatenated")
    at = one_axis(axis, first.ndim)
    for i, x in enumerate(items):
        _check_like(first, x, at, i)
    wanted = common_dtype(*items) if dtype is None else dtype_argument(dtype)
    if dtype is not None:
        for x in items:
            if not np.can_cast(x.dtype, wanted, casting):
                raise TypeError(f"[concatenate] cannot cast {x.dtype} to {wanted} ({casting})")
    total = sum(x.shape[at] for x in items)
    result = Array((*first.shape[:at], total, *first.shape[at + 1 :]), wanted, device=first.device)
    begin = 0
    for x in items:
        if x.size:
            result[(slice(None),) * at + (slice(begin, begin + x.shape[at]),)] = x
        begin += x.shape[at]
    return into(result, out, "concatenate")


def _check_like(first: Array, x: Array, axis: int, number: int) -> None:
    if x.ndim != first.ndim:
        raise ValueError(
            "[concatenate] all the input array dimensions except for the concatenation axis must "
            f"match exactly, but array 0 has {first.ndim} dimension(s) and array {number} {x.ndim}"
        )
    for k, (n, m) in enumerate(zip(first.shape, x.shape, strict=True)):
        if k != axis and n != m:
            raise ValueError(
                "[concatenate] all the input array dimensions except for the concatenation axis "
                f"must match exactly, but along dimension {k}, array 0 has size {n} and array "
                f"{number} {m}"
            )
    if x.device != first.device:
        raise ValueError(
            f"[concatenate] the arrays are on {first.device} and {x.device}: bring them together "
            "with x.to(device)"
        )


def concat(arrays: Any, /, *, axis: int | None = 0) -> Array:
    """concatenate, by the array API standard's name."""
    return concatenate(arrays, axis)


def stack(arrays: Any, /, axis: int = 0, out: Array | None = None, *, dtype: Any = None) -> Array:
    """Arrays of one shape one after another along a new axis."""
    items = array_arguments(arrays, "stack")
    if not items:
        raise ValueError("[stack] need at least one array to stack")
    if any(x.shape != items[0].shape for x in items):
        raise ValueError("[stack] all input arrays must have the same shape")
    at = one_axis(axis, items[0].ndim + 1)
    return concatenate([expand_dims(x, at) for x in items], at, out, dtype=dtype)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Views of the slices along an axis."""
    x = array_argument(x, "unstack")
    if x.ndim == 0:
        raise ValueError("[unstack] Input array must be at least 1-d.")
    at = one_axis(axis, x.ndim)
    return tuple(x[(slice(None),) * at + (i,)] for i in range(x.shape[at]))


def _as_list(result: Any) -> list[Array]:
    return list(result) if isinstance(result, tuple) else [result]


def vstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Array:
    """The arrays one below the other: axis 0, rows of those with one axis."""
    items = _as_list(atleast_2d(*array_arguments(tup, "vstack")))
    return concatenate(items, 0, dtype=dtype, casting=casting)


def hstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Array:
    """The arrays side by side: axis 1, axis 0 of those with one axis."""
    items = _as_list(atleast_1d(*array_arguments(tup, "hstack")))
    axis = 0 if items and items[0].ndim == 1 else 1
    return concatenate(items, axis, dtype=dtype, casting=casting)


def dstack(tup: Any) -> Array:
    """The arrays along axis 2."""
    return concatenate(_as_list(atleast_3d(*array_arguments(tup, "dstack"))), 2)


def column_stack(tup: Any) -> Array:
    """Arrays with one axis as columns, others as they are, side by side."""
    items = array_arguments(tup, "column_stack")
    return concatenate([x.reshape((-1, 1)) if x.ndim < 2 else x for x in items], 1)


def block(arrays: Any) -> Array:
    """Nested lists of arrays put together: the innermost lists along the last axis, those around
    them along the axis before it, and so on."""
    depth = _depth(arrays)
    ndim = max([depth, *[x.ndim for x in _leaves(arrays)]])
    return _block(arrays, depth, ndim)


def _depth(arrays: Any) -> int:
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError("[block] List at arrays cannot be empty")
    depths = {_depth(x) for x in arrays}
    if len(depths) != 1:
        raise ValueError("[block] List depths are mismatched.")
    return 1 + depths.pop()


def _leaves(arrays: Any) -> list[Array]:
    if not isinstance(arrays, list):
        return [array_argument(arrays, "block")]
    return [leaf for x in arrays for leaf in _leaves(x)]


def _block(arrays: Any, depth: int, ndim: int) -> Array:
    if depth == 0:
        leaf = array_argument(arrays, "block")
        return leaf.reshape((1,) * (ndim - leaf.ndim) + leaf.shape)
    return concatenate([_block(x, depth - 1, ndim) for x in arrays], ndim - depth)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """Views of parts along an axis: that many of nearly equal length, the longer ones first, or
    divided at these places."""
    ary = array_argument(ary, "array_split")
    at = one_axis(axis, ary.ndim)
    n = ary.shape[at]
    if isinstance(indices_or_sections, (int, np.integer)):
        count = int(indices_or_sections)
        if count <= 0:
            raise ValueError("[array_split] number sections must be larger than 0.")
        each, extra = divmod(n, count)
        ends = np.cumsum([0] + [each + 1] * extra + [each] * (count - extra)).tolist()
    else:
        ends = [0, *[int(i) for i in indices_or_sections], n]
    before = (slice(None),) * at
    return [ary[(*before, slice(begin, end))] for begin, end in itertools.pairwise(ends)]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """array_split, but ValueError if parts of equal length do not come out."""
    ary = array_argument(ary, "split")
    if isinstance(indices_or_sections, (int, np.integer)):
        n = ary.shape[one_axis(axis, ary.ndim)]
        if indices_or_sections <= 0 or n % indices_or_sections:
            raise ValueError("[split] array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary: Any, indices_or_sections: Any) -> list[Array]:
    """split along axis 1, or 0 if there is one axis."""
    ary = array_argument(ary, "hsplit")
    if ary.ndim == 0:
        raise ValueError("[hsplit] only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary: Any, indices_or_sections: Any) -> list[Array]:
    """split along axis 0 of two axes or more."""
    ary = array_argument(ary, "vsplit")
    if ary.ndim < 2:
        raise ValueError("[vsplit] only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Array]:
    """split along axis 2 of three axes or more."""
    ary = array_argument(ary, "dsplit")
    if ary.ndim < 3:
        raise ValueError("[dsplit] only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def append(arr: Any, values: Any, axis: int | None = None) -> Array:
    """A new array with `values` after `arr`; both flattened for axis None."""
    arr = array_argument(arr, "append")
    values = array_argument(values, "append", arr.device)
    if axis is None:
        return concatenate((arr.ravel(), values.ravel()), 0)
    return concatenate((arr, values), axis)


def _places(obj: Any, n: int, operation: str) -> np.ndarray:
    """Places along an axis of that length, from an int, a slice, or a sequence."""
    from heald._arguments import host_argument

    if isinstance(obj, slice):
        return np.arange(n)[obj]
    places = host_argument(obj, operation)
    if places.dtype.kind == "b":
        if places.shape != (n,):
            raise ValueError(f"[{operation}] a boolean array must have {n} elements")
        return np.nonzero(places)[0]
    if places.size == 0:
        return places.astype(np.int64)
    if places.dtype.kind not in "iu":
        raise IndexError(f"[{operation}] arrays used as indices must be of integer type")
    return places


def delete(arr: Any, obj: Any, axis: int | None = None) -> Array:
    """A new array without the elements at these places of an axis (of the flattened array for
    None). IndexError for a place that is not there."""
    arr = array_argument(arr, "delete")
    arr, at = ravel_if_none(arr, axis)
    n = arr.shape[at]
    places = _places(obj, n, "delete")
    if ((places < -n) | (places >= n)).any():
        raise IndexError(f"[delete] an index is out of bounds for axis {at} with size {n}")
    keep = np.ones(n, bool)
    keep[places] = False
    return arr[(slice(None),) * at + (np.nonzero(keep)[0],)]


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Array:
    """A new array with `values` before these places of an axis (of the flattened array for
    None)."""
    arr = array_argument(arr, "insert")
    arr, at = ravel_if_none(arr, axis)
    n = arr.shape[at]
    places = _places(obj, n, "insert")
    single = places.ndim == 0 or (places.size == 1 and places.ndim == 1)
    values = array_argument(values, "insert", arr.device).astype(arr.dtype)
    if ((places < -n) | (places > n)).any():
        raise IndexError(f"[insert] an index is out of bounds for axis {at} with size {n}")
    where = np.where(places < 0, places + n, places)
    before = (slice(None),) * at
    if single:
        index = int(where.reshape(-1)[0])
        if values.ndim < arr.ndim:
            values = values.reshape((1,) * (arr.ndim - values.ndim) + values.shape)
        if places.ndim == 0:
            from heald._manipulation import moveaxis

            values = moveaxis(values, 0, at)
        count = values.shape[at]
        new = np.arange(index, index + count)
    else:
        order = np.argsort(where, kind="stable")
        new = np.empty(len(where), np.int64)
        new[order] = where[order] + np.arange(len(where))
        count = len(where)
    old = np.ones(n + count, bool)
    old[new] = False
    result = Array((*arr.shape[:at], n + count, *arr.shape[at + 1 :]), arr.dtype, device=arr.device)
    result[(*before, np.nonzero(old)[0])] = arr
    result[(*before, new)] = values
    return result


__all__ = [
    "append",
    "array_split",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "delete",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "insert",
    "split",
    "stack",
    "unstack",
    "vsplit",
    "vstack",
]
