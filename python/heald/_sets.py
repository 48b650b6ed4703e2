"""Arrays as sets: which elements are in both, in one, in either. Results are sorted, with one axis;
all of these wait for the count, isin() does not."""

from __future__ import annotations

from typing import Any

from heald._arguments import array_argument, cast, common_dtype, device_of
from heald._heald import Array, call_ufunc
from heald._joining import concatenate
from heald._reductions import any as _any
from heald._sorting import searchsorted, sort, unique_values


def _pair(a: Any, b: Any, operation: str) -> tuple[Array, Array]:
    device = device_of(a, b)
    x = array_argument(a, operation, device)
    y = array_argument(b, operation, device)
    dtype = common_dtype(x, y)
    return cast(x, dtype).ravel(), cast(y, dtype).ravel()


def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, **_: Any
) -> Array:
    """Whether each element is one of `test_elements` (is none of them with `invert`); the shape is
    that of `element`.

    >>> hd.isin(hd.arange(4), [1, 3]).tolist()
    [False, True, False, True]
    """
    shape = array_argument(element, "isin", device_of(element, test_elements)).shape
    x, y = _pair(element, test_elements, "isin")
    if y.size == 0:
        found = call_ufunc("not_equal", x, x) if x.dtype.kind in "biu" else x.astype("bool") & False
    elif x.dtype.kind == "c" or y.size <= 8:
        found = _any(call_ufunc("equal", x.reshape((-1, 1)), y.reshape((1, -1))), axis=1)
    else:
        ordered = sort(y)
        place = call_ufunc("minimum", searchsorted(ordered, x), y.size - 1)
        found = call_ufunc("equal", ordered[place], x)
    found = found.reshape(shape)
    return call_ufunc("logical_not", found) if invert else found


def union1d(ar1: Any, ar2: Any) -> Array:
    """The elements of either, each once."""
    return unique_values(concatenate(_pair(ar1, ar2, "union1d")))


def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Array:
    """The elements of both, each once."""
    x, y = _pair(ar1, ar2, "intersect1d")
    first = unique_values(x)
    return first[isin(first, y)]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Array:
    """The elements of `ar1` that `ar2` does not have, each once (in their order, as often as they
    occur, with assume_unique)."""
    x, y = _pair(ar1, ar2, "setdiff1d")
    first = x if assume_unique else unique_values(x)
    return first[isin(first, y, invert=True)]


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Array:
    """The elements of one of both only, each once."""
    x, y = _pair(ar1, ar2, "setxor1d")
    x, y = unique_values(x), unique_values(y)
    both = concatenate([x[isin(x, y, invert=True)], y[isin(y, x, invert=True)]])
    return sort(both)


__all__ = ["intersect1d", "isin", "setdiff1d", "setxor1d", "union1d"]
