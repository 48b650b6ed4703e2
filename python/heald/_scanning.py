"""Running sums, products and extremes. The order of the operations depends on the shape alone, so
that the same elements always give the same bits on a device."""

from __future__ import annotations

from typing import Any

from heald import _heald
from heald._arguments import array_argument, into, one_axis, ravel_if_none
from heald._arrays import empty
from heald._heald import Array


def cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Array | None = None) -> Array:
    """Running sums along `axis`, of the flattened array for None. Integers are summed in 64 bits,
    float16 and bfloat16 in float32, rounded once, unless `dtype` says otherwise.

    >>> hd.cumsum(hd.array([1, 2, 3])).tolist()
    [1, 3, 6]
    """
    return _accumulated("add", "cumsum", a, axis, dtype, out)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Array | None = None) -> Array:
    """Running products along `axis`, of the flattened array for None; see cumsum().

    >>> hd.cumprod(hd.array([1, 2, 3])).tolist()
    [1, 2, 6]
    """
    return _accumulated("multiply", "cumprod", a, axis, dtype, out)


def cummax(a: Any, axis: int | None = None, out: Array | None = None) -> Array:
    """The largest element so far along `axis`, of the flattened array for None; NaN after a NaN.

    >>> hd.cummax(hd.array([1, 3, 2])).tolist()
    [1, 3, 3]
    """
    return _accumulated("maximum", "cummax", a, axis, None, out)


def cummin(a: Any, axis: int | None = None, out: Array | None = None) -> Array:
    """The smallest element so far along `axis`, of the flattened array for None; NaN stays."""
    return _accumulated("minimum", "cummin", a, axis, None, out)


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Array | None = None,
    include_initial: bool = False,
) -> Array:
    """Running sums along `axis`, which may be left out for one axis only; with include_initial a 0
    before them."""
    return _cumulative("add", "cumulative_sum", x, axis, dtype, out, include_initial)


def cumulative_prod(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Array | None = None,
    include_initial: bool = False,
) -> Array:
    """Running products along `axis`, which may be left out for one axis only; with include_initial
    a 1 before them."""
    return _cumulative("multiply", "cumulative_prod", x, axis, dtype, out, include_initial)


def _accumulated(
    ufunc: str, operation: str, a: Any, axis: int | None, dtype: Any, out: Array | None
) -> Array:
    x = array_argument(a, operation)
    if x.ndim == 0:
        if axis not in (None, 0, -1):
            one_axis(axis, 1)
        x, axis = x.reshape(1), 0
    x, at = ravel_if_none(x, axis)
    return into(_heald.accumulate_array(ufunc, x, at, dtype), out, operation)


def _cumulative(
    ufunc: str,
    operation: str,
    x: Any,
    axis: int | None,
    dtype: Any,
    out: Array | None,
    include_initial: bool,
) -> Array:
    x = array_argument(x, operation)
    if x.ndim == 0:
        raise ValueError(f"[{operation}] For arrays of 0 dimensions use hd.cumsum or hd.cumprod")
    if axis is None:
        if x.ndim > 1:
            raise ValueError(
                f"[{operation}] For arrays which have more than one dimension "
                "``axis`` argument is required."
            )
        axis = 0
    at = one_axis(axis, x.ndim)
    result = _heald.accumulate_array(ufunc, x, at, dtype)
    if include_initial:
        shape = list(result.shape)
        shape[at] += 1
        whole = empty(tuple(shape), result.dtype, device=x.device)
        before = (slice(None),) * at
        whole[(*before, slice(0, 1))] = 1 if ufunc == "multiply" else 0
        whole[(*before, slice(1, None))] = result
        result = whole
    return into(result, out, operation)


__all__ = ["cummax", "cummin", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum"]
