"""Arrays with more elements around them."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald import _reductions as reductions
from heald._arguments import array_argument, host_argument
from heald._heald import Array, array_from_numpy

_BY_PLACE = ("edge", "reflect", "symmetric", "wrap")
_BY_VALUE = {"maximum": "max", "minimum": "min", "mean": "mean"}


def _pairs(value: Any, ndim: int, name: str) -> list[tuple[Any, Any]]:
    """One number, a pair, or a pair per axis."""
    host = host_argument(value, "pad")
    try:
        both = np.broadcast_to(
            host.reshape(-1, 1) if host.ndim == 2 and host.shape[1] == 1 else host, (ndim, 2)
        )
    except ValueError:
        raise ValueError(
            f"[pad] {name} must be a number, a pair, or a pair for each of {ndim} axes, got "
            f"{value!r}"
        ) from None
    return [(low, high) for low, high in both.tolist()]


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Array:
    """The array with `pad_width` more elements around it: a number, a pair (before, after), a pair
    per axis, or a dict of axes. Modes: constant (constant_values), edge, reflect, symmetric
    (reflect_type='even'), wrap, linear_ramp (end_values), maximum, minimum, mean (stat_length),
    empty.

    >>> hd.pad(hd.ones(2), 1).shape
    (4,)
    """
    x = array_argument(array, "pad")
    if isinstance(pad_width, dict):
        full = [(0, 0)] * x.ndim
        for axis, width in pad_width.items():
            full[axis] = (width, width) if isinstance(width, int) else width
        pad_width = full
    if host_argument(pad_width, "pad").dtype.kind not in "iu":
        raise TypeError("[pad] `pad_width` must be of integral type.")
    widths = _pairs(pad_width, x.ndim, "pad_width") if x.ndim else []
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError("[pad] index can't contain negative values")
    if mode in _BY_PLACE:
        return _pad_by_place(x, widths, mode, **kwargs)
    shape = tuple(n + low + high for n, (low, high) in zip(x.shape, widths, strict=True))
    result = Array(shape, x.dtype, device=x.device)
    inside = [slice(low, low + n) for n, (low, _) in zip(x.shape, widths, strict=True)]
    result[tuple(inside)] = x
    if mode == "empty":
        return result
    for axis, width in enumerate(widths):
        _fill_axis(result, inside, axis, width, mode, x, kwargs)
    return result


def _pad_by_place(x: Array, widths: Any, mode: str, reflect_type: str = "even") -> Array:
    if reflect_type != "even":
        raise ValueError("[pad] reflect_type must be 'even'")
    for axis, (low, high) in enumerate(widths):
        if low or high:
            if x.shape[axis] == 0:
                raise ValueError(
                    f"[pad] can't extend empty axis {axis} using modes other than 'constant' or "
                    "'empty'"
                )
            places = np.pad(np.arange(x.shape[axis]), (low, high), mode=mode)  # type: ignore[call-overload]
            x = x[(slice(None),) * axis + (places,)]
    return x if any(n for pair in widths for n in pair) else x.copy()


def _fill_axis(
    result: Array, inside: list[slice], axis: int, width: Any, mode: str, x: Array, options: Any
) -> None:
    """The two ends of an axis, over what is filled so far: all of the axes before it."""
    low, high = width
    region = [slice(None)] * axis + [slice(None)] + inside[axis + 1 :]

    def end(part: slice) -> tuple[slice, ...]:
        return (*region[:axis], part, *region[axis + 1 :])

    before, after = slice(0, low), slice(result.shape[axis] - high, None)
    if mode == "constant":
        values = _pairs(options.get("constant_values", 0), x.ndim, "constant_values")[axis]
        result[(*[slice(None)] * axis, before)] = values[0]
        result[(*[slice(None)] * axis, after)] = values[1]
        return
    core = result[end(inside[axis])]
    n = core.shape[axis]
    if n == 0 and (low or high):
        raise ValueError(f"[pad] can't extend empty axis {axis} using modes other than 'constant'")
    if mode in _BY_VALUE:
        lengths = options.get("stat_length")
        first, last = (n, n) if lengths is None else _pairs(lengths, x.ndim, "stat_length")[axis]
        fold = getattr(reductions, _BY_VALUE[mode])
        whole = (slice(None),) * axis
        for place, part in (
            (before, core[(*whole, slice(0, min(first, n)))]),
            (after, core[(*whole, slice(n - min(last, n), None))]),
        ):
            value = fold(part, axis=axis, keepdims=True)
            if mode == "mean" and x.dtype.kind in "iu":
                from heald._selection import round as rounded

                value = rounded(value)
            result[end(place)] = value
        return
    if mode == "linear_ramp":
        values = _pairs(options.get("end_values", 0), x.ndim, "end_values")[axis]
        whole = (slice(None),) * axis
        for place, count, value, edge, turn in (
            (before, low, values[0], core[(*whole, slice(0, 1))], False),
            (after, high, values[1], core[(*whole, slice(n - 1, n))], True),
        ):
            if not count:
                continue
            steps = np.arange(count)[:: -1 if turn else 1] / count
            shape = (1,) * axis + (-1,) + (1,) * (x.ndim - axis - 1)
            share = array_from_numpy(steps.reshape(shape), x.device)
            result[end(place)] = value + (edge - value) * share
        return
    raise ValueError(f"[pad] mode {mode!r} is not supported")


__all__ = ["pad"]
