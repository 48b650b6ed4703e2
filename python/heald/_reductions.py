"""Sums, products, extremes and their kin over any axes.

All of them take `axis` (an int, a tuple, or None for all axes), `keepdims` (leave axes of length 1)
and `out`; where it says so, `dtype` (of the result and of the sum), `initial` (a first value) and
`where` (a mask of the elements that count). Results are arrays, without axes if all were folded.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heald import _heald
from heald._arguments import (
    array_argument,
    axes_tuple,
    cast,
    dtype_argument,
    into,
    one_axis,
    operand,
)
from heald._heald import Array, call_ufunc


def fold(
    name: str,
    a: Any,
    operation: str,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
    neutral: Any = None,
) -> Array:
    """A ufunc of two operands folded over axes. `neutral`: what masked elements count as."""
    x = array_argument(a, operation)
    if where is not True:
        value = neutral if initial is None or neutral is not None else initial
        if value is None:
            raise ValueError(
                f"[{operation}] has no identity: to use a where mask one has to specify 'initial'"
            )
        mask = array_argument(where, operation, x.device)
        x = call_ufunc("where", mask, x, value)
    axes = axes_tuple(axis, x.ndim)
    wanted = None if dtype is None else dtype_argument(dtype)
    if initial is not None and neutral is None and 0 in [x.shape[k] for k in axes]:
        shape = tuple(
            1 if k in axes else n for k, n in enumerate(x.shape) if keepdims or k not in axes
        )
        from heald._arrays import full

        result = full(shape, initial, x.dtype if wanted is None else wanted, device=x.device)
    else:
        result = _heald.reduce_array(name, x, axes, bool(keepdims), wanted)
        if initial is not None:
            result = call_ufunc(name, result, initial)
    return into(result, out, operation)


def sum(
    a: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Array:
    """The sum, in int64 or uint64 of smaller integers and bools. Takes dtype, initial, where.

    >>> hd.sum(hd.ones((2, 3)), axis=0).shape
    (3,)
    """
    return fold("add", a, "sum", axis, dtype, out, keepdims, initial, where, neutral=0)


def prod(
    a: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Array:
    """The product, in int64 or uint64 of smaller integers and bools. Takes dtype, initial,
    where."""
    return fold("multiply", a, "prod", axis, dtype, out, keepdims, initial, where, neutral=1)


def max(
    a: Any,
    /,
    axis: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Array:
    """The greatest element, NaN if one is NaN; ValueError for no elements. Takes initial, where."""
    return fold("maximum", a, "max", axis, None, out, keepdims, initial, where)


def min(
    a: Any,
    /,
    axis: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Array:
    """The least element, NaN if one is NaN; ValueError for no elements. Takes initial, where."""
    return fold("minimum", a, "min", axis, None, out, keepdims, initial, where)


amax = max
amin = min


def all(
    a: Any,
    /,
    axis: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Array:
    """Whether every element is true (not 0). Takes where."""
    x = cast(array_argument(a, "all"), "bool")
    return fold("logical_and", x, "all", axis, None, out, keepdims, None, where, neutral=True)


def any(
    a: Any,
    /,
    axis: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Array:
    """Whether an element is true (not 0). Takes where."""
    x = cast(array_argument(a, "any"), "bool")
    return fold("logical_or", x, "any", axis, None, out, keepdims, None, where, neutral=False)


def ptp(a: Any, axis: Any = None, out: Array | None = None, keepdims: bool = False) -> Array:
    """The greatest minus the least element."""
    result = call_ufunc(
        "subtract", max(a, axis=axis, keepdims=keepdims), min(a, axis=axis, keepdims=keepdims)
    )
    return into(result, out, "ptp")


def _place(name: str, a: Any, axis: Any, out: Any, keepdims: bool) -> Array:
    x = array_argument(a, name)
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        axes = (one_axis(axis, x.ndim),)
    if x.size == 0 and math.prod(x.shape[k] for k in axes) == 0:
        raise ValueError(f"[{name}] attempt to get {name} of an empty sequence")
    return into(_heald.reduce_array(name, x, axes, bool(keepdims), None), out, name)


def argmax(
    a: Any, /, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False
) -> Array:
    """The place of the first greatest element along an axis, in the flattened array for None; the
    first NaN if there is one."""
    return _place("argmax", a, axis, out, keepdims)


def argmin(
    a: Any, /, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False
) -> Array:
    """The place of the first least element along an axis, in the flattened array for None; the
    first NaN if there is one."""
    return _place("argmin", a, axis, out, keepdims)


def count_nonzero(a: Any, /, axis: Any = None, *, keepdims: bool = False) -> Array:
    """How many elements are not 0, as int64."""
    x = cast(array_argument(a, "count_nonzero"), "bool")
    return fold("add", x, "count_nonzero", axis, "int64", None, keepdims)


def elements_folded(
    x: Array, axes: tuple[int, ...], where: Any = True, keepdims: bool = False
) -> Any:
    """How many elements each result is made of: an int, or counts under a mask."""
    if where is True:
        return math.prod(x.shape[k] for k in axes)
    mask = cast(array_argument(where, "where", x.device), "bool")
    full_mask = _heald.broadcast_view(mask, x.shape)
    return _heald.reduce_array("add", full_mask, axes, keepdims, np.dtype("int64"))


def _mean_dtype(x: Array, dtype: Any) -> tuple[np.dtype, np.dtype]:
    """Of the sum and of the result."""
    if dtype is not None:
        wanted = dtype_argument(dtype)
        return wanted, wanted
    if x.dtype.kind in "biu":
        return np.dtype("float64"), np.dtype("float64")
    if x.dtype.itemsize == 2:
        return np.dtype("float32"), x.dtype
    return x.dtype, x.dtype


def mean(
    a: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Array:
    """The arithmetic mean, in float64 of integers; NaN of nothing. Takes dtype, where.

    >>> float(hd.mean(hd.arange(4)))
    1.5
    """
    x = array_argument(a, "mean")
    axes = axes_tuple(axis, x.ndim)
    inner, result = _mean_dtype(x, dtype)
    total = fold("add", x, "mean", axes, inner, None, keepdims, None, where, neutral=0)
    count = elements_folded(x, axes, where, keepdims)
    return into(cast(_divided(total, count), result), out, "mean")


def _divided(total: Array, count: Any) -> Array:
    if isinstance(count, Array):
        return call_ufunc("divide", total, cast(count, np.empty(0, total.dtype).real.dtype))
    return call_ufunc("divide", total, float(count))


def var(
    a: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
) -> Array:
    """The variance: the mean of the squared distance from the mean, with n - ddof in place of n.
    Two passes. `correction` is another name of ddof, `mean` a mean with keepdims=True. Takes dtype,
    where."""
    x = array_argument(a, "var")
    if correction is not None:
        if ddof != 0:
            raise ValueError("[var] ddof and correction can't be provided simultaneously.")
        ddof = correction
    axes = axes_tuple(axis, x.ndim)
    inner, result = _mean_dtype(x, dtype)
    count = elements_folded(x, axes, where, keepdims)
    x = cast(x, inner)
    if mean is None:
        total = fold("add", x, "var", axes, inner, None, True, None, where, neutral=0)
        centre = _divided(total, elements_folded(x, axes, where, True))
    else:
        centre = array_argument(mean, "var", x.device)
    distance = call_ufunc("subtract", x, centre)
    if inner.kind == "c":
        squares = call_ufunc(
            "add", call_ufunc("square", distance.real), call_ufunc("square", distance.imag)
        )
        inner = result = squares.dtype
    else:
        squares = call_ufunc("multiply", distance, distance)
    total = fold("add", squares, "var", axes, inner, None, keepdims, None, where, neutral=0)
    if isinstance(count, Array):
        degrees: Any = call_ufunc("maximum", call_ufunc("subtract", cast(count, inner), ddof), 0)
        divided = call_ufunc("divide", total, degrees)
    else:
        left = count - ddof
        divided = call_ufunc("divide", total, float(left if left > 0 else 0))
    return into(cast(divided, result), out, "var")


def std(
    a: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    out: Array | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
) -> Array:
    """The standard deviation: the square root of var(), whose arguments it takes."""
    squared = var(
        a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return into(call_ufunc("sqrt", squared), out, "std")


def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """The mean weighted by `weights`, of the shape of `a` or of its axes `axis`; with `returned`,
    also the sum of the weights. (ZeroDivisionError of NumPy for weights that sum to 0 would need a
    wait: the result is NaN or infinite.)"""
    x = array_argument(a, "average")
    axes = axes_tuple(axis, x.ndim)
    if weights is None:
        result = mean(x, axis=axes, keepdims=keepdims)
        total = full_of(result, float(elements_folded(x, axes)))
        return (result, total) if returned else result
    w = array_argument(weights, "average", x.device)
    if w.shape != x.shape:
        if axis is None:
            raise TypeError("[average] Axis must be specified when shapes of a and weights differ.")
        if w.shape != tuple(x.shape[k] for k in axes):
            raise ValueError(
                "[average] Shape of weights must be consistent with shape of a along specified "
                "axis."
            )
        order = sorted(range(len(axes)), key=lambda k: axes[k])
        w = w.transpose(order).reshape(tuple(n if k in axes else 1 for k, n in enumerate(x.shape)))
        w = _heald.broadcast_view(w, x.shape)
    dtype = np.result_type(x.dtype, w.dtype, np.float64 if x.dtype.kind in "biu" else x.dtype)
    total = sum(w, axis=axes, dtype=dtype, keepdims=keepdims)
    weighted = sum(call_ufunc("multiply", x, w), axis=axes, dtype=dtype, keepdims=keepdims)
    result = call_ufunc("divide", weighted, total)
    return (result, total) if returned else result


def full_of(x: Array, value: Any) -> Array:
    from heald._arrays import full_like

    return full_like(x, value)


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Array:
    """Whether shapes and elements are equal, as an array without axes."""
    a, b = array_argument(a1, "array_equal"), array_argument(a2, "array_equal")
    if a.shape != b.shape:
        from heald._arrays import asarray

        return asarray(False, device=a.device)
    same = call_ufunc("equal", a, b)
    if equal_nan and a.dtype.kind in "fc" and b.dtype.kind in "fc":
        both = call_ufunc("logical_and", call_ufunc("isnan", a), call_ufunc("isnan", b))
        same = call_ufunc("logical_or", same, both)
    return all(same)


def array_equiv(a1: Any, a2: Any) -> Array:
    """Whether the arrays broadcast together and are equal then."""
    a, b = array_argument(a1, "array_equiv"), array_argument(a2, "array_equiv")
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        from heald._arrays import asarray

        return asarray(False, device=a.device)
    return all(call_ufunc("equal", a, b))


def isclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Whether |a - b| <= atol + rtol * |b|, element by element; equal infinities are close."""
    device = a.device if isinstance(a, Array) else b.device if isinstance(b, Array) else None
    x = array_argument(a, "isclose", device)
    y = array_argument(b, "isclose", device)
    if y.dtype.kind in "biu":
        y = cast(y, np.result_type(y.dtype, 1.0))
    distance = call_ufunc("absolute", call_ufunc("subtract", x, y))
    size = call_ufunc("absolute", y)
    limit = call_ufunc("add", operand(atol, "isclose"), call_ufunc("multiply", rtol, size))
    near = call_ufunc(
        "logical_and", call_ufunc("less_equal", distance, limit), call_ufunc("less", size, math.inf)
    )
    near = call_ufunc("logical_or", near, call_ufunc("equal", x, y))
    if equal_nan:
        both = call_ufunc("logical_and", call_ufunc("isnan", x), call_ufunc("isnan", y))
        near = call_ufunc("logical_or", near, both)
    return near


def allclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Whether isclose() holds everywhere, as an array without axes."""
    return all(isclose(a, b, rtol, atol, equal_nan))


__all__ = [
    "all",
    "allclose",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "array_equal",
    "array_equiv",
    "average",
    "count_nonzero",
    "isclose",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]
