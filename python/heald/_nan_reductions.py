"""Reductions that leave NaN out. Arguments are those of the functions without "nan"."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heald import _heald
from heald import _reductions as plain
from heald._arguments import array_argument, axes_tuple, cast, into
from heald._heald import Array, call_ufunc
from heald._scanning import cumprod, cumsum


def _replaced(a: Any, operation: str, value: Any) -> tuple[Array, Array | None]:
    """The elements with NaN replaced, and a mask of what is not NaN (None: nothing can be)."""
    x = array_argument(a, operation)
    if x.dtype.kind not in "fc":
        return x, None
    nan = call_ufunc("isnan", x)
    return call_ufunc("where", nan, value, x), call_ufunc("logical_not", nan)


def _nothing(x: Array, valid: Array | None, axis: Any, keepdims: bool) -> Array | None:
    """Where every folded element is NaN."""
    if valid is None:
        return None
    none = plain.any(valid, axis=axis, keepdims=keepdims)
    return call_ufunc("logical_not", none)


def nansum(
    a: Any, axis: Any = None, dtype: Any = None, out: Array | None = None, keepdims: bool = False
) -> Array:
    """The sum of what is not NaN; 0 of nothing."""
    return plain.sum(_replaced(a, "nansum", 0)[0], axis, dtype, out, keepdims)


def nanprod(
    a: Any, axis: Any = None, dtype: Any = None, out: Array | None = None, keepdims: bool = False
) -> Array:
    """The product of what is not NaN; 1 of nothing."""
    return plain.prod(_replaced(a, "nanprod", 1)[0], axis, dtype, out, keepdims)


def _extreme(
    name: str, fold: Any, far: float, a: Any, axis: Any, out: Any, keepdims: bool
) -> Array:
    x, valid = _replaced(a, name, far)
    result = fold(x, axis=axis, keepdims=keepdims)
    nothing = _nothing(x, valid, axis, keepdims)
    if nothing is not None:
        result = call_ufunc("where", nothing, math.nan, result)
    return into(result, out, name)


def nanmax(a: Any, axis: Any = None, out: Array | None = None, keepdims: bool = False) -> Array:
    """The greatest element that is not NaN; NaN where all are."""
    return _extreme("nanmax", plain.max, -math.inf, a, axis, out, keepdims)


def nanmin(a: Any, axis: Any = None, out: Array | None = None, keepdims: bool = False) -> Array:
    """The least element that is not NaN; NaN where all are."""
    return _extreme("nanmin", plain.min, math.inf, a, axis, out, keepdims)


def _nan_place(
    name: str, place: Any, far: float, a: Any, axis: Any, out: Any, keepdims: bool
) -> Array:
    from heald._sync import hidden_sync

    x, valid = _replaced(a, name, far)
    nothing = _nothing(x, valid, axis, keepdims)
    if nothing is not None:
        hidden_sync(name)
        if bool(plain.any(nothing)):
            raise ValueError(f"[{name}] All-NaN slice encountered")
    return into(place(x, axis=axis, keepdims=keepdims), out, name)


def nanargmax(
    a: Any, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False
) -> Array:
    """The place of the greatest element that is not NaN; ValueError where all are, for which it
    waits."""
    return _nan_place("nanargmax", plain.argmax, -math.inf, a, axis, out, keepdims)


def nanargmin(
    a: Any, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False
) -> Array:
    """The place of the least element that is not NaN; ValueError where all are, for which it
    waits."""
    return _nan_place("nanargmin", plain.argmin, math.inf, a, axis, out, keepdims)


def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Array | None = None, keepdims: bool = False
) -> Array:
    """The mean of what is not NaN; NaN of nothing."""
    x, valid = _replaced(a, "nanmean", 0)
    return plain.mean(x, axis, dtype, out, keepdims, where=True if valid is None else valid)


def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Array:
    """The variance of what is not NaN; NaN where n - ddof is not positive."""
    x, valid = _replaced(a, "nanvar", 0)
    if valid is None:
        return plain.var(x, axis, dtype, out, ddof, keepdims)
    result = plain.var(x, axis, dtype, None, ddof, keepdims, where=valid)
    axes = axes_tuple(axis, x.ndim)
    count = _heald.reduce_array("add", valid, axes, keepdims, np.dtype("int64"))
    few = call_ufunc("less_equal", cast(count, "float64"), float(ddof))
    return into(call_ufunc("where", few, math.nan, result), out, "nanvar")


def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Array:
    """The standard deviation of what is not NaN."""
    return into(call_ufunc("sqrt", nanvar(a, axis, dtype, None, ddof, keepdims)), out, "nanstd")


def nancumsum(
    a: Any, axis: int | None = None, dtype: Any = None, out: Array | None = None
) -> Array:
    """Running sums in which NaN counts as 0."""

    return into(cumsum(_replaced(a, "nancumsum", 0)[0], axis, dtype), out, "nancumsum")


def nancumprod(
    a: Any, axis: int | None = None, dtype: Any = None, out: Array | None = None
) -> Array:
    """Running products in which NaN counts as 1."""

    return into(cumprod(_replaced(a, "nancumprod", 1)[0], axis, dtype), out, "nancumprod")


def nan_to_num(
    x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None
) -> Array:
    """NaN replaced by `nan`, infinities by the greatest and the least number of the dtype or by
    what is given. With copy=False, in place."""
    original = array_argument(x, "nan_to_num")
    values = original
    if values.dtype.kind == "c":
        from heald._complex import joined

        values = joined(
            nan_to_num(values.real, True, nan, posinf, neginf),
            nan_to_num(values.imag, True, nan, posinf, neginf),
        )
    elif values.dtype.kind == "f":
        limits = np.finfo(values.dtype)
        high = float(limits.max) if posinf is None else posinf
        low = float(limits.min) if neginf is None else neginf
        values = call_ufunc("where", call_ufunc("isnan", original), nan, values)
        values = call_ufunc("where", call_ufunc("equal", original, math.inf), high, values)
        values = call_ufunc("where", call_ufunc("equal", original, -math.inf), low, values)
    elif copy:
        return original.copy()
    if not copy:
        original[...] = values
        return original
    return values


__all__ = [
    "nan_to_num",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]
