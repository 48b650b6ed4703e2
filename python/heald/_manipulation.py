"""Other shapes of the same elements. Views wherever NumPy gives views."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heald import _heald
from heald._arguments import array_argument, array_arguments, axes_tuple, one_axis
from heald._heald import Array

from numpy import broadcast_shapes as broadcast_shapes  # isort: skip


def shape(a: Any) -> tuple[int, ...]:
    """The lengths of the axes."""
    return array_argument(a, "shape").shape


def ndim(a: Any) -> int:
    """The number of axes."""
    return array_argument(a, "ndim").ndim


def size(a: Any, axis: int | None = None) -> int:
    """The number of elements, or the length of an axis."""
    a = array_argument(a, "size")
    return a.size if axis is None else a.shape[one_axis(axis, a.ndim)]


def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Array:
    """The elements in C order (Fortran order for 'F') with another shape; one length may be -1. A
    view if possible, else a copy; copy=False raises ValueError instead, copy=True always copies.

    >>> hd.reshape(hd.arange(6), (2, -1)).shape
    (2, 3)
    """
    a = array_argument(a, "reshape")
    if order == "F":
        return reshape(a.T, tuple(_sequence(shape))[::-1], copy=copy).T
    if order not in ("C", "A", "K"):
        raise ValueError(f"[reshape] order must be 'C' or 'F', got {order!r}")
    result = a.reshape(tuple(_sequence(shape)))
    # A new block means that the elements were copied.
    copied = a.size > 0 and result.buffer.address != a.buffer.address if copy is not None else False
    if copy is False and copied:
        raise ValueError("[reshape] Unable to avoid creating a copy while reshaping.")
    return result.copy() if copy and not copied else result


def _sequence(shape: Any) -> Any:
    return shape if isinstance(shape, (tuple, list)) else (shape,)


def ravel(a: Any, order: str = "C") -> Array:
    """The elements in C order (Fortran order for 'F'), one axis; a view if possible."""
    return reshape(array_argument(a, "ravel"), (-1,), order)


def squeeze(a: Any, /, axis: Any = None) -> Array:
    """A view without the axes of length 1, or without those named; ValueError if one is longer."""
    a = array_argument(a, "squeeze")
    if axis is None:
        drop = tuple(k for k, n in enumerate(a.shape) if n == 1)
    else:
        drop = axes_tuple(axis, a.ndim)
        if any(a.shape[k] != 1 for k in drop):
            raise ValueError(
                "[squeeze] cannot select an axis to squeeze out which has size not equal to one: "
                f"shape {a.shape}, axis {axis}"
            )
    return a[tuple(0 if k in drop else slice(None) for k in range(a.ndim))]


def expand_dims(a: Any, /, axis: Any = 0) -> Array:
    """A view with new axes of length 1 at these places of the result."""
    a = array_argument(a, "expand_dims")
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    new = axes_tuple(tuple(axes), a.ndim + len(axes))
    return a[tuple(None if k in new else slice(None) for k in range(a.ndim + len(new)))]


def transpose(a: Any, axes: Any = None) -> Array:
    """A view with the axes in that order, reversed for None."""
    a = array_argument(a, "transpose")
    if axes is None:
        return a.transpose()
    order = tuple(one_axis(axis, a.ndim) for axis in axes)
    if len(order) != a.ndim:
        raise ValueError(f"[transpose] axes don't match array: {axes} for shape {a.shape}")
    if len(set(order)) != len(order):
        raise ValueError("[transpose] repeated axis in transpose")
    return a.transpose(order)


def permute_dims(a: Any, /, axes: Any) -> Array:
    """A view with the axes in that order."""
    return transpose(a, axes)


def matrix_transpose(x: Any, /) -> Array:
    """A view with the last two axes exchanged."""
    x = array_argument(x, "matrix_transpose")
    if x.ndim < 2:
        raise ValueError(
            f"[matrix_transpose] Input array must be at least 2-dimensional, but it is {x.ndim}"
        )
    return swapaxes(x, -1, -2)


def swapaxes(a: Any, axis1: int, axis2: int) -> Array:
    """A view with two axes exchanged."""
    a = array_argument(a, "swapaxes")
    first, second = one_axis(axis1, a.ndim), one_axis(axis2, a.ndim)
    order = list(range(a.ndim))
    order[first], order[second] = second, first
    return a.transpose(order) if order else a


def moveaxis(a: Any, source: Any, destination: Any, /) -> Array:
    """A view with axes moved to other places; the others stay in order."""
    a = array_argument(a, "moveaxis")
    sources, targets = axes_tuple(source, a.ndim), axes_tuple(destination, a.ndim)
    if len(sources) != len(targets):
        raise ValueError(
            "[moveaxis] `source` and `destination` arguments must have the same number of elements"
        )
    order = [axis for axis in range(a.ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    return a.transpose(order) if order else a


def rollaxis(a: Any, axis: int, start: int = 0) -> Array:
    """A view with one axis moved before the place `start`; see moveaxis."""
    a = array_argument(a, "rollaxis")
    at = one_axis(axis, a.ndim)
    to = one_axis(start, a.ndim + 1)
    return moveaxis(a, at, to - 1 if at < to else to)


def broadcast_to(x: Any, /, shape: Any) -> Array:
    """A view with that shape, by NumPy's rules; elements are repeated without being copied.

    >>> hd.broadcast_to(hd.arange(3), (2, 3)).shape
    (2, 3)
    """
    return _heald.broadcast_view(array_argument(x, "broadcast_to"), shape)


def broadcast_arrays(*arrays: Any) -> list[Array]:
    """Views of the arrays with the shape that all broadcast to."""
    items = array_arguments(arrays, "broadcast_arrays")
    together = broadcast_shapes(*[x.shape for x in items])
    return [_heald.broadcast_view(x, together) for x in items]


def _at_least(arrays: Any, operation: str, form: Any) -> Any:
    result = [form(array_argument(x, operation)) for x in arrays]
    return result[0] if len(result) == 1 else tuple(result)


def atleast_1d(*arys: Any) -> Any:
    """The arrays with one axis at least."""
    return _at_least(arys, "atleast_1d", lambda x: x.reshape(1) if x.ndim == 0 else x)


def _two(x: Array) -> Array:
    return x.reshape((1, 1)) if x.ndim == 0 else x[None] if x.ndim == 1 else x


def atleast_2d(*arys: Any) -> Any:
    """The arrays with two axes at least; new ones come first."""
    return _at_least(arys, "atleast_2d", _two)


def _three(x: Array) -> Array:
    if x.ndim == 1:
        return x[None, :, None]
    return x.reshape((1, 1, 1)) if x.ndim == 0 else x[..., None] if x.ndim == 2 else x


def atleast_3d(*arys: Any) -> Any:
    """The arrays with three axes at least: (n,) becomes (1, n, 1), (m, n) becomes (m, n, 1)."""
    return _at_least(arys, "atleast_3d", _three)


def flip(m: Any, /, axis: Any = None) -> Array:
    """A view with the order of elements reversed along the axes, all for None."""
    m = array_argument(m, "flip")
    axes = axes_tuple(axis, m.ndim)
    return m[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(m.ndim))]


def fliplr(m: Any) -> Array:
    """flip along axis 1."""
    m = array_argument(m, "fliplr")
    if m.ndim < 2:
        raise ValueError("[fliplr] Input must be >= 2-d.")
    return flip(m, 1)


def flipud(m: Any) -> Array:
    """flip along axis 0."""
    m = array_argument(m, "flipud")
    if m.ndim < 1:
        raise ValueError("[flipud] Input must be >= 1-d.")
    return flip(m, 0)


def rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """A view turned by k times 90 degrees, from the first of the axes to the second."""
    m = array_argument(m, "rot90")
    if len(axes) != 2:
        raise ValueError("[rot90] len(axes) must be 2.")
    first, second = (one_axis(axis, m.ndim) for axis in axes)
    if first == second:
        raise ValueError("[rot90] Axes must be different.")
    k %= 4
    if k == 0:
        return m[...]
    if k == 2:
        return flip(m, (first, second))
    return (
        swapaxes(flip(m, second), first, second)
        if k == 1
        else flip(swapaxes(m, first, second), second)
    )


def roll(a: Any, /, shift: Any, axis: Any = None) -> Array:
    """The elements moved by `shift` places along an axis, around the end; several shifts and axes
    broadcast. Of the flattened array for axis None."""
    a = array_argument(a, "roll")
    if axis is None:
        return roll(a.reshape(-1), shift, 0).reshape(a.shape)
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    pairs = np.broadcast(np.asarray(shift), np.asarray(axes))
    if pairs.ndim > 1:
        raise ValueError("[roll] 'shift' and 'axis' should be scalars or 1D sequences")
    shifts = dict.fromkeys((one_axis(k, a.ndim) for k in axes), 0)
    for amount, k in pairs:
        shifts[one_axis(int(k), a.ndim)] += int(amount)
    result = Array(a.shape, a.dtype, device=a.device)
    pieces: list[tuple[list[slice], list[slice]]] = [([], [])]
    for k, n in enumerate(a.shape):
        by = shifts.get(k, 0) % n if n else 0
        cuts = [(slice(by, None), slice(0, n - by))]
        if by:
            cuts.append((slice(0, by), slice(n - by, None)))
        pieces = [([*to, t], [*source, s]) for to, source in pieces for t, s in cuts]
    for to, source in pieces:
        result[tuple(to)] = a[tuple(source)]
    return result


def tile(A: Any, reps: Any, /) -> Array:
    """The array repeated as a whole along its axes; missing axes of either are 1.

    >>> hd.tile(hd.arange(2), (2, 2)).shape
    (2, 4)
    """
    a = array_argument(A, "tile")
    times = tuple(int(n) for n in _sequence(reps))
    ndim = max(a.ndim, len(times))
    lengths = (1,) * (ndim - a.ndim) + a.shape
    times = (1,) * (ndim - len(times)) + times
    twice = [n for pair in zip([1] * ndim, lengths, strict=True) for n in pair]
    spread = [n for pair in zip(times, lengths, strict=True) for n in pair]
    total = tuple(n * m for n, m in zip(times, lengths, strict=True))
    result = _heald.broadcast_view(a.reshape(tuple(twice)), tuple(spread)).copy()
    return result.reshape(total)


def repeat(a: Any, repeats: Any, /, axis: int | None = None) -> Array:
    """Every element repeated along an axis (of the flattened array for None): the same number of
    times, or for every element its own. An Array of numbers is fetched: a hidden wait."""
    from heald._arguments import host_argument, ravel_if_none

    a = array_argument(a, "repeat")
    a, at = ravel_if_none(a, axis)
    times = host_argument(repeats, "repeat")
    if times.size and times.dtype.kind not in "biu":
        raise TypeError(f"[repeat] the numbers must be integers, got {times.dtype}")
    if (times < 0).any():
        raise ValueError("[repeat] repeats may not contain negative values.")
    n = a.shape[at] if a.ndim else 1
    if times.ndim == 0 or times.size == 1:
        count = int(times.reshape(-1)[0])
        before, after = a.shape[:at], a.shape[at + 1 :]
        spread = _heald.broadcast_view(
            a.reshape((*before, n, 1, *after)), (*before, n, count, *after)
        )
        return spread.copy().reshape((*before, n * count, *after))
    if times.shape != (n,):
        raise ValueError(
            f"[repeat] operands could not be broadcast together with shape ({n},) {times.shape}"
        )
    return a[(slice(None),) * at + (np.repeat(np.arange(n), times),)]


def resize(a: Any, new_shape: Any) -> Array:
    """The elements in C order, from the start again if there are too few, in another shape."""
    a = array_argument(a, "resize")
    wanted = tuple(int(n) for n in _sequence(new_shape))
    if any(n < 0 for n in wanted):
        raise ValueError("[resize] all elements of `new_shape` must be non-negative")
    count = math.prod(wanted)
    if a.size == 0 or count == 0:
        from heald._arrays import zeros

        return zeros(wanted, a.dtype, device=a.device)
    flat = a.reshape(-1)
    if count > a.size:
        flat = tile(flat, -(-count // a.size))
    return flat[:count].copy().reshape(wanted)


def copy(a: Any, order: str = "K") -> Array:
    """A new array with the elements, C order (Fortran order for 'F')."""
    a = array_argument(a, "copy")
    return asfortranarray(a) if order == "F" else a.copy()


def ascontiguousarray(a: Any, dtype: Any = None) -> Array:
    """The array in C order with one axis at least: itself if it is so already, else a copy."""
    a = array_argument(a, "ascontiguousarray")
    a = a if dtype is None else a.astype(dtype, copy=False)
    a = a.reshape(1) if a.ndim == 0 else a
    return a if a.is_c_contiguous else a.copy()


def asfortranarray(a: Any, dtype: Any = None) -> Array:
    """The array in Fortran order: itself if it is so already, else a copy."""
    a = array_argument(a, "asfortranarray")
    a = a if dtype is None else a.astype(dtype, copy=False)
    return a if a.is_f_contiguous else a.T.copy().T


def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Whether the bytes that the elements span overlap."""
    x, y = array_argument(a, "may_share_memory"), array_argument(b, "may_share_memory")
    if x.size == 0 or y.size == 0 or x.device != y.device:
        return False

    def span(z: Array) -> tuple[int, int]:
        reach = [(n - 1) * step for n, step in zip(z.shape, z.strides, strict=True)]
        low = z.address + sum(step for step in reach if step < 0)
        return low, z.address + sum(step for step in reach if step > 0) + z.itemsize

    (low, high), (first, last) = span(x), span(y)
    return low < last and first < high


def trim_zeros(filt: Any, trim: str = "fb") -> Array:
    """An array with one axis without its zeros at the front ('f') and back ('b'). Waits."""
    from heald._index_key import nonzero_of

    x = array_argument(filt, "trim_zeros")
    places = nonzero_of(x.astype("bool"))[0]
    if places.size == 0:
        return x[:0]
    start = int(places[0]) if "f" in trim.lower() else 0
    stop = int(places[-1]) + 1 if "b" in trim.lower() else x.size
    return x[start:stop]


__all__ = [
    "ascontiguousarray",
    "asfortranarray",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "copy",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "matrix_transpose",
    "may_share_memory",
    "moveaxis",
    "ndim",
    "permute_dims",
    "ravel",
    "repeat",
    "reshape",
    "resize",
    "roll",
    "rollaxis",
    "rot90",
    "shape",
    "size",
    "squeeze",
    "swapaxes",
    "tile",
    "transpose",
    "trim_zeros",
]
