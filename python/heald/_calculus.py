"""Differences, gradients and integrals of sampled functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heald._arguments import array_argument, cast, inexact_dtype, one_axis
from heald._heald import Array, call_ufunc
from heald._joining import concatenate
from heald._reductions import sum as _sum
from heald._scanning import cumsum


def _cut(x: Array, axis: int, start: int | None, stop: int | None) -> Array:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def diff(a: Any, /, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Array:
    """The n-th difference of neighbours along an axis; of bools, whether they differ. `prepend` and
    `append` are values before and after."""
    x = array_argument(a, "diff")
    if n < 0:
        raise ValueError(f"[diff] order must be non-negative but got {n}")
    if x.ndim == 0:
        raise ValueError("[diff] requires input that is at least one dimensional")
    at = one_axis(axis, x.ndim)
    if n == 0:
        return x
    parts = []
    for more, before in ((prepend, True), (append, False)):
        if more is None:
            continue
        value = array_argument(more, "diff", x.device)
        if value.ndim == 0:
            from heald._manipulation import broadcast_to

            value = broadcast_to(value, tuple(1 if k == at else m for k, m in enumerate(x.shape)))
        parts.append((value, before))
    if parts:
        x = concatenate(
            [value for value, before in parts if before]
            + [x]
            + [value for value, before in parts if not before],
            at,
        )
    name = "not_equal" if x.dtype.kind == "b" else "subtract"
    for _ in range(n):
        x = call_ufunc(name, _cut(x, at, 1, None), _cut(x, at, None, -1))
    return x


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Array:
    """Differences of neighbours of the flattened array, with values before and after."""
    x = array_argument(ary, "ediff1d").ravel()
    parts = [diff(x)] if x.size else [x]
    for more, at in ((to_begin, 0), (to_end, len(parts) + 1)):
        if more is None:
            continue
        value = array_argument(more, "ediff1d", x.device).ravel()
        if not np.can_cast(value.dtype, x.dtype, "same_kind"):
            raise TypeError(
                f"[ediff1d] cannot cast {value.dtype} to {x.dtype} under the rule 'same_kind'"
            )
        parts.insert(at, cast(value, x.dtype))
    return concatenate(parts)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Central differences inside, one-sided ones of order `edge_order` (1 or 2) at the ends, along
    the axes (a tuple of arrays for several). Spacing: one number, one per axis, or coordinates."""
    f = array_argument(f, "gradient")
    axes = (
        tuple(range(f.ndim))
        if axis is None
        else (tuple(one_axis(k, f.ndim) for k in (axis if isinstance(axis, tuple) else (axis,))))
    )
    if edge_order not in (1, 2):
        raise ValueError("[gradient] 'edge_order' greater than 2 not supported")
    if len(varargs) == 0:
        spacings: list[Any] = [1.0] * len(axes)
    elif len(varargs) == 1 and _ndim(varargs[0]) == 0:
        spacings = [varargs[0]] * len(axes)
    elif len(varargs) == len(axes):
        spacings = list(varargs)
    else:
        raise TypeError("[gradient] invalid number of arguments")
    x = cast(f, inexact_dtype(f.dtype))
    results = tuple(
        _gradient_along(x, k, spacing, edge_order)
        for k, spacing in zip(axes, spacings, strict=True)
    )
    return results[0] if len(results) == 1 else results


def _ndim(x: Any) -> int:
    return x.ndim if isinstance(x, (Array, np.ndarray)) else np.ndim(x)


def _gradient_along(f: Array, axis: int, spacing: Any, edge_order: int) -> Array:
    n = f.shape[axis]
    if n < edge_order + 1:
        raise ValueError(
            "[gradient] Shape of array too small to calculate a numerical gradient, at least "
            "(edge_order + 1) elements are required."
        )
    part = lambda start, stop: _cut(f, axis, start, stop)  # noqa: E731
    if _ndim(spacing) == 0:
        h = spacing
        inside = (part(2, None) - part(None, -2)) / (2.0 * h)
        if edge_order == 1:
            first = (part(1, 2) - part(0, 1)) / h
            last = (part(n - 1, n) - part(n - 2, n - 1)) / h
        else:
            first = (-1.5 * part(0, 1) + 2.0 * part(1, 2) - 0.5 * part(2, 3)) / h
            last = (0.5 * part(n - 3, n - 2) - 2.0 * part(n - 2, n - 1) + 1.5 * part(n - 1, n)) / h
        return cast(concatenate([first, inside, last], axis), f.dtype)
    points = array_argument(spacing, "gradient", f.device)
    if points.ndim != 1 or points.size != n:
        raise ValueError(
            "[gradient] when 1d, distances must match the length of the corresponding dimension"
        )
    steps = diff(cast(points, inexact_dtype(points.dtype)))
    shape = (1,) * axis + (-1,) + (1,) * (f.ndim - axis - 1)
    before, after = steps[:-1].reshape(shape), steps[1:].reshape(shape)
    a = -after / (before * (before + after))
    b = (after - before) / (before * after)
    c = before / (after * (before + after))
    inside = a * part(None, -2) + b * part(1, -1) + c * part(2, None)
    if edge_order == 1:
        first = (part(1, 2) - part(0, 1)) / steps[0]
        last = (part(n - 1, n) - part(n - 2, n - 1)) / steps[n - 2]
    else:
        d1, d2 = steps[0], steps[1]
        first = (
            -(2.0 * d1 + d2) / (d1 * (d1 + d2)) * part(0, 1)
            + (d1 + d2) / (d1 * d2) * part(1, 2)
            - d1 / (d2 * (d1 + d2)) * part(2, 3)
        )
        d1, d2 = steps[n - 3], steps[n - 2]
        last = (
            d2 / (d1 * (d1 + d2)) * part(n - 3, n - 2)
            - (d2 + d1) / (d1 * d2) * part(n - 2, n - 1)
            + (2.0 * d2 + d1) / (d2 * (d1 + d2)) * part(n - 1, n)
        )
    return cast(concatenate([first, inside, last], axis), f.dtype)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Array:
    """The integral along an axis by the trapezoidal rule, at the coordinates `x` or `dx` apart."""
    y = array_argument(y, "trapezoid")
    at = one_axis(axis, y.ndim)
    if x is None:
        distance: Any = dx
    else:
        points = array_argument(x, "trapezoid", y.device)
        if points.ndim == 1:
            distance = diff(points).reshape((1,) * at + (-1,) + (1,) * (y.ndim - at - 1))
        else:
            distance = diff(points, axis=axis)
    heights = _cut(y, at, 1, None) + _cut(y, at, None, -1)
    return _sum(distance * heights / 2.0, axis=at)


def unwrap(
    p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi
) -> Array:
    """Numbers from which whole periods are taken away, so that neighbours differ by no more than
    half a period (or by `discont`)."""
    p = array_argument(p, "unwrap")
    at = one_axis(axis, p.ndim)
    steps = diff(p, axis=at)
    limit = period / 2 if discont is None else discont
    whole = np.result_type(steps.dtype, period).kind in "iu"
    high = period // 2 if whole else period / 2
    low = -high
    if whole:
        at_boundary = period % 2 == 0
    else:
        at_boundary = True
    wrapped = call_ufunc(
        "add", call_ufunc("remainder", call_ufunc("subtract", steps, low), period), low
    )
    if at_boundary:
        edge = call_ufunc(
            "logical_and", call_ufunc("equal", wrapped, low), call_ufunc("greater", steps, 0)
        )
        wrapped = call_ufunc("where", edge, high, wrapped)
    correction = call_ufunc("subtract", wrapped, steps)
    small = call_ufunc("less", call_ufunc("absolute", steps), limit)
    correction = call_ufunc("where", small, 0, correction)
    first = _cut(p, at, 0, 1)
    rest = call_ufunc("add", _cut(p, at, 1, None), cumsum(correction, axis=at))
    return concatenate([cast(first, rest.dtype), rest], at)


__all__ = ["diff", "ediff1d", "gradient", "trapezoid", "unwrap"]
