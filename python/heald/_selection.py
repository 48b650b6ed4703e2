"""Choosing between values, limiting and rounding them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heald._arguments import (
    array_argument,
    array_arguments,
    cast,
    common_dtype,
    device_of,
    into,
    operand,
    operands,
)
from heald._arrays import zeros
from heald._heald import Array, call_ufunc
from heald._sorting import argsort, searchsorted


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """Elements of `x` where the condition is true, of `y` elsewhere; all broadcast. With the
    condition alone, the places where it is true, as nonzero(): that waits.

    >>> hd.where(hd.arange(3) > 1, 5, 0)
    """
    if x is None and y is None:
        from heald._index_key import nonzero_of

        return nonzero_of(cast(array_argument(condition, "where"), "bool"))
    if x is None or y is None:
        raise ValueError("[where] either both or neither of x and y should be given")
    device = device_of(condition, x, y)
    mask = cast(array_argument(condition, "where", device), "bool")
    return call_ufunc("where", mask, operand(x, "where", device), operand(y, "where", device))


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Array:
    """For every element the choice of the first condition that is true, else `default`."""
    if len(condlist) != len(choicelist):
        raise ValueError("[select] list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("[select] select with an empty condition list is not possible")
    conditions = array_arguments(condlist, "select")
    for i, condition in enumerate(conditions):
        if condition.dtype.kind != "b":
            raise TypeError(f"[select] invalid entry {i} in condlist: should be boolean ndarray")
    choices = operands([*choicelist, default], "select")
    dtype = common_dtype(*choices)
    device = device_of(*conditions)
    result = cast(array_argument(choices[-1], "select", device), dtype)
    for condition, choice in zip(conditions[::-1], choices[-2::-1], strict=True):
        value = cast(array_argument(choice, "select", device), dtype)
        result = call_ufunc("where", condition, value, result)
    return result


def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Array:
    """For every element the value of the last function (or number) whose condition holds, of one
    more function where none does, else 0. Every function is called on all elements, and the
    result has the dtype of `x`."""
    x = array_argument(x, "piecewise")
    if (isinstance(condlist, Array) and condlist.ndim == x.ndim) or not isinstance(
        condlist, (list, tuple, Array)
    ):
        condlist = [condlist]
    conditions = [cast(array_argument(c, "piecewise", x.device), "bool") for c in condlist]
    functions = list(funclist)
    if len(functions) not in (len(conditions), len(conditions) + 1):
        raise ValueError(
            f"[piecewise] with {len(conditions)} condition(s), either {len(conditions)} or "
            f"{len(conditions) + 1} functions are expected"
        )

    def value_of(function: Any) -> Any:
        value = function(x, *args, **kw) if callable(function) else function
        return cast(array_argument(value, "piecewise", x.device), x.dtype)

    result: Any = zeros(x.shape, x.dtype, device=x.device)
    if len(functions) > len(conditions):
        result = value_of(functions[-1])
    for condition, function in zip(conditions, functions, strict=False):
        result = call_ufunc("where", condition, value_of(function), result)
    return result


def clip(
    a: Any,
    /,
    min: Any = None,
    max: Any = None,
    out: Array | None = None,
    *,
    a_min: Any = None,
    a_max: Any = None,
) -> Array:
    """The elements, those below `min` replaced by it and those above `max`, by that; None: no
    limit. NaN stays."""
    x = array_argument(a, "clip")
    low = a_min if min is None else min
    high = a_max if max is None else max
    result = x
    if low is not None:
        result = call_ufunc("maximum", result, _limit(low, x, True))
    if high is not None:
        result = call_ufunc("minimum", result, _limit(high, x, False))
    return into(x.copy() if result is x else result, out, "clip")


def _limit(limit: Any, x: Array, low: bool) -> Any:
    """A Python int that the dtype of `x` cannot hold limits nothing, or all."""
    limit = operand(limit, "clip", x.device)
    if type(limit) is int and x.dtype.kind in "iu":
        info = np.iinfo(x.dtype)
        if limit < info.min:
            return int(info.min)
        if limit > info.max:
            return int(info.max)
    return limit


def round(a: Any, /, decimals: int = 0, out: Array | None = None) -> Array:
    """Rounded to that many decimals, halves to even; of negative `decimals`, to tens, hundreds, ….
    Integers stay as they are for 0 and more."""
    x = array_argument(a, "round")
    return into(_rounded(x, int(decimals)), out, "round")


def _rounded(x: Array, decimals: int) -> Array:
    if x.dtype.kind == "c":
        from heald._complex import joined

        return joined(_rounded(x.real, decimals), _rounded(x.imag, decimals))
    if x.dtype.kind == "b":
        return cast(x, "float16") if decimals == 0 else _scaled(cast(x, "float16"), decimals)
    if x.dtype.kind in "iu":
        if decimals >= 0:
            return x.copy()
        return cast(_scaled(cast(x, "float64"), decimals), x.dtype)
    return call_ufunc("rint", x) if decimals == 0 else _scaled(x, decimals)


def _scaled(x: Array, decimals: int) -> Array:
    power = 10.0 ** abs(decimals)
    first, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    return call_ufunc(back, call_ufunc("rint", call_ufunc(first, x, power)), power)


around = round


def fix(x: Any, out: Array | None = None) -> Array:
    """Rounded towards 0."""
    return into(call_ufunc("trunc", array_argument(x, "fix")), out, "fix")


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: float | None = None
) -> Any:
    """Straight lines through the points (xp, fp), xp ascending, at `x`: `left` (fp[0]) before the
    first and `right` (fp[-1]) after the last; with `period`, x and xp are taken modulo it.

    >>> float(hd.interp(2.5, hd.asarray([1.0, 2, 3]), hd.asarray([3.0, 2, 0])))
    1.0
    """
    from heald._joining import concatenate

    device = device_of(x, xp, fp)
    at = cast(array_argument(x, "interp", device), "float64")
    points = cast(array_argument(xp, "interp", device), "float64")
    values = array_argument(fp, "interp", device)
    values = cast(values, "complex128" if values.dtype.kind == "c" else "float64")
    if points.ndim != 1 or values.ndim != 1 or points.size != values.size:
        raise ValueError("[interp] fp and xp are not of the same length")
    if points.size == 0:
        raise ValueError("[interp] array of sample points is empty")
    if period is not None:
        period = abs(period)
        if period == 0:
            raise ValueError("[interp] period must be a non-zero value")
        at = call_ufunc("remainder", at, period)
        points = call_ufunc("remainder", points, period)
        order = argsort(points)
        points, values = points[order], values[order]
        points = concatenate((points[-1:] - period, points, points[:1] + period))
        values = concatenate((values[-1:], values, values[:1]))
        left = right = None
    below = values[0] if left is None else left
    above = values[-1] if right is None else right
    n = points.size
    if n == 1:
        result = call_ufunc("where", call_ufunc("less", at, points[0]), below, values[0])
        result = call_ufunc("where", call_ufunc("greater", at, points[0]), above, result)
        return call_ufunc("where", call_ufunc("isnan", at), at, result)
    place = searchsorted(points, at, side="right")
    segment = clip(place - 1, 0, n - 2)
    x0, f0 = points[segment], values[segment]
    slope = (values[segment + 1] - f0) / (points[segment + 1] - x0)
    result = slope * (at - x0) + f0
    result = call_ufunc("where", call_ufunc("equal", at, points[n - 1]), values[n - 1], result)
    result = call_ufunc("where", call_ufunc("equal", at, x0), f0, result)
    result = call_ufunc("where", call_ufunc("less", at, points[0]), below, result)
    result = call_ufunc("where", call_ufunc("greater", at, points[n - 1]), above, result)
    return call_ufunc("where", call_ufunc("isnan", at), at, result)


__all__ = [
    "around",
    "clip",
    "fix",
    "interp",
    "piecewise",
    "round",
    "select",
    "where",
]
