"""Reading and writing elements that arrays of integers and masks select."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald import _heald
from heald._arguments import (
    array_argument,
    array_arguments,
    cast,
    common_dtype,
    into,
    one_axis,
    ravel_if_none,
)
from heald._arrays import asarray
from heald._heald import Array, array_from_numpy, call_ufunc
from heald._index_key import (
    _checked,
    full_range_indices,
    indexed_view,
    is_mask_of,
    nonzero_of,
    normal_key,
    result_shape,
    selected,
)


def get_item(x: Array, key: Any) -> Array:
    """x[key] for a key with an array, list or mask in it."""
    items = normal_key(key)
    if not any(isinstance(item, (np.ndarray, Array)) for item in items):
        return x[tuple(items)]
    if len(items) == 1 and is_mask_of(items[0], x):
        return selected(x, items[0])
    indexed = indexed_view(x, items)
    return _heald.gather(indexed.view, indexed.axes, indexed.indices, indexed.position)


def set_item(x: Array, key: Any, value: Any) -> None:
    """x[key] = value for a key with an array, list or mask in it."""
    items = normal_key(key)
    if not any(isinstance(item, (np.ndarray, Array)) for item in items):
        x[tuple(items)] = value
        return
    if x.read_only:
        raise ValueError("[Array.__setitem__] assignment destination is read-only")
    if not isinstance(value, Array):
        value = array_from_numpy(np.asarray(value, dtype=x.dtype), x.device)
    elif value.device != x.device:
        raise ValueError(
            f"[Array.__setitem__] the array is on {x.device}, the value on {value.device}: bring "
            "them together with x.to(device)"
        )
    if _assign_where(x, items, value):
        return
    indexed = indexed_view(x, items)
    shape = result_shape(indexed)
    extra = value.ndim - len(shape)
    if extra > 0 and all(n == 1 for n in value.shape[:extra]):
        value = value.reshape(value.shape[extra:])
    if not _fits(value.shape, shape):
        raise ValueError(
            f"[Array.__setitem__] shape mismatch: value array of shape {value.shape} could not be "
            f"broadcast to indexing result of shape {shape}"
        )
    _heald.scatter(
        indexed.view, indexed.axes, indexed.indices, indexed.position, value, indexed.distinct
    )


def _assign_where(x: Array, items: list[Any], value: Array) -> bool:
    """One value for all that a mask of the whole array selects: no count is needed."""
    items = [item for item in items if item is not Ellipsis]
    if len(items) != 1 or value.size != 1 or value.ndim > 1:
        return False
    mask = items[0]
    if not isinstance(mask, Array) or mask.dtype.kind != "b" or mask.ndim == 0:
        return False
    if mask.shape != x.shape[: mask.ndim] or mask.device != x.device:
        return False
    mask = mask.reshape(mask.shape + (1,) * (x.ndim - mask.ndim))
    x[...] = call_ufunc("where", mask, cast(value.reshape(()), x.dtype), x)
    return True


def _fits(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    if len(shape) > len(wanted):
        return False
    return all(n in (1, m) for n, m in zip(shape[::-1], wanted[::-1], strict=False))


def _index_argument(indices: Any, operation: str) -> Any:
    """An Array, or an ndarray of what the host has; both are fine as indices."""
    if isinstance(indices, Array):
        found: Any = indices
    else:
        found = np.asarray(indices)
        if found.size == 0 and not isinstance(indices, np.ndarray):
            found = found.astype(np.int64)
    if found.dtype.kind == "b":
        return found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(
            f"[{operation}] indices must be integers, got {found.dtype}: convert them with "
            "x.astype('int64')"
        )
    return found


def _in_range(indices: Any, length: int, mode: str, operation: str) -> Any:
    if mode == "raise":
        return indices
    if mode not in ("wrap", "clip"):
        raise ValueError(f"[{operation}] mode must be 'raise', 'wrap' or 'clip', got {mode!r}")
    if length == 0:
        raise IndexError(f"[{operation}] cannot take from an axis without elements")
    if isinstance(indices, np.ndarray):
        return indices % length if mode == "wrap" else np.clip(indices, 0, length - 1)
    if mode == "wrap":
        return call_ufunc("remainder", indices, length)
    return call_ufunc("minimum", call_ufunc("maximum", indices, 0), length - 1)


def take(
    a: Any, indices: Any, /, axis: int | None = None, out: Array | None = None, mode: str = "raise"
) -> Array:
    """The elements at `indices` along an axis (of the flattened array for None).

    The result has the axes of `indices` in the place of `axis`. Indices out of range are an
    IndexError with mode 'raise', counted around with 'wrap', moved to the ends with 'clip'.

    >>> hd.take(hd.asarray([4, 5, 6]), [2, 0])
    """
    a = array_argument(a, "take")
    found = _index_argument(indices, "take")
    a, at = ravel_if_none(a, axis)
    found = _in_range(found, a.shape[at], mode, "take")
    if found.ndim == 0 and isinstance(found, np.ndarray):
        found = int(found)
    return into(a[(slice(None),) * at + (found,)], out, "take")


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Array:
    """For every position of `indices`, the element that it names along `axis`; the other axes go
    together and broadcast. Undoes argsort: take_along_axis(x, argsort(x)) is sort(x)."""
    x, index, at = _along_axis(arr, indices, axis, "take_along_axis")
    return _heald.gather(x, list(range(x.ndim)), full_range_indices(x, at, index), 0)


def put_along_axis(arr: Array, indices: Any, values: Any, axis: int | None = -1) -> None:
    """Writes `values` where take_along_axis() reads."""
    x, index, at = _along_axis(arr, indices, axis, "put_along_axis")
    value = array_argument(values, "put_along_axis", x.device)
    _heald.scatter(x, list(range(x.ndim)), full_range_indices(x, at, index), 0, value)


def _along_axis(
    arr: Any, indices: Any, axis: int | None, operation: str
) -> tuple[Array, Array, int]:
    x = array_argument(arr, operation)
    index = indices if isinstance(indices, Array) else asarray(indices, device=x.device)
    if index.dtype.kind not in "iu":
        raise IndexError(f"[{operation}] indices must be integers, got {index.dtype}")
    if axis is None:
        if index.ndim != 1:
            raise ValueError(f"[{operation}] with axis=None the indices must have one axis")
        x, at = x.reshape(-1), 0
    else:
        at = one_axis(axis, x.ndim)
    if index.ndim != x.ndim:
        raise ValueError(
            f"[{operation}] `indices` and `arr` must have the same number of dimensions, got "
            f"{index.ndim} and {x.ndim}"
        )
    for k in range(x.ndim):
        if k != at and index.shape[k] != x.shape[k] and 1 not in (index.shape[k], x.shape[k]):
            raise IndexError(
                f"[{operation}] shape mismatch: indexing arrays could not be broadcast together "
                f"with shapes {index.shape} {x.shape}"
            )
    index = _checked(index, x.shape[at], at, x.device)
    others = [
        x.shape[k] if index.shape[k] == 1 and k != at else n for k, n in enumerate(index.shape)
    ]
    return x, _heald.broadcast_view(index, tuple(others)), at


def put(a: Array, ind: Any, v: Any, mode: str = "raise") -> None:
    """a.flat[ind] = v, with the values repeated if there are too few."""
    index = _index_argument(ind, "put")
    index = _in_range(index.reshape(-1), a.size, mode, "put")
    values = array_argument(v, "put", a.device).reshape(-1)
    if index.size == 0 or values.size == 0:
        return
    if values.size < index.size:
        values = values[np.arange(index.size) % values.size]
    _write_flat(a, index, values[: index.size])


def _write_flat(a: Array, index: Any, values: Array) -> None:
    if a.is_c_contiguous:
        a.reshape(-1)[index] = values
        return
    flat = a.reshape(-1)
    flat[index] = values
    a[...] = flat.reshape(a.shape)


def choose(a: Any, choices: Any, out: Array | None = None, mode: str = "raise") -> Array:
    """Element by element, the choice whose number is in `a`; all broadcast together."""
    index = array_argument(a, "choose")
    options = array_arguments([*choices], "choose")
    count = len(options)
    if index.dtype.kind not in "biu":
        raise TypeError(f"[choose] the numbers of choices must be integers, got {index.dtype}")
    if mode == "raise":
        place = _first_outside(index, count)
        if place is not None:
            raise ValueError("[choose] invalid entry in choice array")
    index = _in_range(index, count, mode, "choose")
    dtype = common_dtype(*options)
    result = cast(options[-1], dtype)
    for number in range(count - 2, -1, -1):
        result = call_ufunc(
            "where", call_ufunc("equal", index, number), cast(options[number], dtype), result
        )
    shape = np.broadcast_shapes(index.shape, *[option.shape for option in options])
    if result.shape != shape:
        result = _heald.broadcast_view(result, shape).copy()
    return into(result, out, "choose")


def _first_outside(index: Array, count: int) -> int | None:
    from heald._sync import hidden_sync

    hidden_sync("choose(mode='raise')")
    signed = cast(index, "int64")
    return _heald.first_bad_index(
        call_ufunc("where", call_ufunc("less", signed, 0), count, signed), count
    )


def compress(condition: Any, a: Any, axis: int | None = None, out: Array | None = None) -> Array:
    """The slices along `axis` (elements of the flattened array for None) where the condition, with
    one axis, is true. Waits for the count."""
    a = array_argument(a, "compress")
    a, at = ravel_if_none(a, axis)
    mask = condition if isinstance(condition, Array) else np.asarray(condition)
    if mask.ndim != 1:
        raise ValueError(f"[compress] condition must be a 1-d array, got {mask.ndim} axes")
    index = _true_places(mask)
    return into(a[(slice(None),) * at + (index,)], out, "compress")


def _true_places(mask: Any) -> Any:
    if isinstance(mask, np.ndarray):
        return np.nonzero(mask)[0]
    return nonzero_of(cast(mask, "bool"))[0]


def extract(condition: Any, arr: Any) -> Array:
    """The elements of `arr` where `condition`, of the same size, is true, in C order. Waits for the
    count."""
    arr = array_argument(arr, "extract")
    mask = condition if isinstance(condition, Array) else np.asarray(condition)
    return arr.reshape(-1)[_true_places(mask.reshape(-1))]


def place(arr: Array, mask: Any, vals: Any) -> None:
    """Writes the values one after another, repeated if there are too few, where the mask is
    true."""
    mask = mask if isinstance(mask, Array) else np.asarray(mask)
    if mask.size != arr.size:
        raise ValueError(
            f"[place] mask and data must be the same size, got {mask.size} and {arr.size}"
        )
    index = _true_places(mask.reshape(-1))
    values = array_argument(vals, "place", arr.device).reshape(-1)
    if index.size == 0:
        return
    if values.size == 0:
        raise ValueError("[place] Cannot insert from an empty array!")
    if values.size != index.size:
        values = values[np.arange(index.size) % values.size]
    _write_flat(arr, index, values)


def putmask(a: Array, mask: Any, values: Any) -> None:
    """a.flat[n] = values[n] where the mask is true, with the values repeated to the size of `a`."""
    mask = array_argument(asarray(mask, device=a.device), "putmask")
    if mask.size != a.size:
        raise ValueError("[putmask] mask and data must be the same size")
    value = array_argument(values, "putmask", a.device).reshape(-1)
    if value.size == 0 or a.size == 0:
        return
    if value.size == 1:
        value = _heald.broadcast_view(value.reshape(()), a.shape)
    elif value.size != a.size:
        value = value[np.arange(a.size) % value.size].reshape(a.shape)
    else:
        value = value.reshape(a.shape)
    mask = cast(mask, "bool").reshape(a.shape)
    a[...] = call_ufunc("where", mask, cast(value, a.dtype), a)


def copyto(dst: Array, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Writes `src`, broadcast, into `dst` where `where` is true. TypeError if the cast is not
    allowed by NumPy's rule `casting`."""
    if not isinstance(src, Array):
        src = asarray(src, device=dst.device)
        if src.ndim == 0 and src.dtype.kind in "biufc":
            src = asarray(np.asarray(src.item()).astype(dst.dtype), device=dst.device)
    if not np.can_cast(src.dtype, dst.dtype, casting):
        raise TypeError(f"[copyto] cannot cast {src.dtype} to {dst.dtype} (rule {casting!r})")
    if where is True:
        dst[...] = src
        return
    mask = asarray(where, device=dst.device)
    if not np.can_cast(mask.dtype, np.bool_, "safe"):
        raise TypeError(f"[copyto] where must be boolean, got {mask.dtype}")
    dst[...] = call_ufunc("where", mask, cast(src, dst.dtype), dst)


__all__ = [
    "choose",
    "compress",
    "copyto",
    "extract",
    "place",
    "put",
    "put_along_axis",
    "putmask",
    "take",
    "take_along_axis",
]
