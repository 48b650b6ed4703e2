"""What x[key] and x[key] = value mean when key has arrays in it: NumPy's rules."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heald import _heald
from heald._heald import Array, array_from_numpy
from heald._ranges import int_range
from heald._sync import hidden_sync, sync_allowed

_EXPECTED = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)


class IndexedView(NamedTuple):
    """`view` with arrays of integers for some of its axes; see gather() of the engine."""

    view: Array
    axes: list[int]
    indices: list[Array]
    position: int
    distinct: bool


def normal_item(item: Any) -> Any:
    """One part of a key as an int, a slice, None, Ellipsis, an ndarray or an Array."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, (bool, np.bool_)):
        return np.asarray(item)
    if isinstance(item, (list, tuple)):
        item = np.asarray(item) if len(item) else np.zeros(0, np.int64)
    elif not isinstance(item, (np.ndarray, Array)):
        if hasattr(item, "__index__"):
            return item.__index__()
        if not hasattr(item, "__dlpack__"):
            raise IndexError(f"[Array] {_EXPECTED}, got {type(item).__name__}")
        item = _heald.from_dlpack_no_copy(item)
    if item.dtype.kind not in "biu":
        raise IndexError(
            f"[Array] arrays used as indices must be of integer (or boolean) type, got {item.dtype}"
        )
    if isinstance(item, np.ndarray) and item.ndim == 0 and item.dtype.kind != "b":
        return int(item)
    return item


def _is_mask(item: Any) -> bool:
    return isinstance(item, (np.ndarray, Array)) and item.dtype.kind == "b"


def _is_array(item: Any) -> bool:
    return isinstance(item, (np.ndarray, Array))


def normal_key(key: Any) -> list[Any]:
    return [normal_item(item) for item in (key if isinstance(key, tuple) else (key,))]


def _axes_of(item: Any) -> int:
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if _is_mask(item) else 1


def nonzero_of(mask: Array) -> tuple[Array, ...]:
    hidden_sync("Array[mask]")
    return tuple(_heald.nonzero_array(mask))


def is_mask_of(item: Any, x: Array) -> bool:
    """A mask on a device, of x's first axes, one or more."""
    return (
        isinstance(item, Array)
        and _is_mask(item)
        and 0 < item.ndim <= x.ndim
        and item.shape == x.shape[: item.ndim]
    )


def selected(x: Array, mask: Array) -> Array:
    """The elements of x for which a mask of its first axes is true."""
    hidden_sync("Array[mask]")
    _check_device(mask, x.device)
    return _heald.compress_array(x, mask)


def _check_device(index: Array, device: Any) -> None:
    if index.device != device:
        raise ValueError(
            f"[Array] the array is on {device}, its index on {index.device}: bring them together "
            "with x.to(device)"
        )


def _expand_mask(mask: Any, x: Array, axis: int) -> list[Any]:
    for k, length in enumerate(mask.shape):
        if length not in (0, x.shape[axis + k]):  # NumPy asks nothing of masks without elements
            raise IndexError(
                f"[Array] boolean index did not match indexed array along axis {axis + k}; size of "
                f"axis is {x.shape[axis + k]} but size of corresponding boolean axis is {length}"
            )
    if isinstance(mask, np.ndarray):
        return list(np.nonzero(mask))
    return list(nonzero_of(mask))


def _checked(index: Any, length: int, axis: int, device: Any) -> Array:
    """An index array on `device`, every index inside an axis of that length."""
    if isinstance(index, np.ndarray):
        bad = (index < -length) | (index >= length)
        if bad.any():
            _refuse(int(index[bad].flat[0]), axis, length)
        return array_from_numpy(index.astype(np.int64, copy=False), device)
    _check_device(index, device)
    if device.kind == "cuda" or not sync_allowed():
        _heald.check_indices_later(index, length, axis)
        return index
    place = _heald.first_bad_index(index, length)
    if place is not None:
        _refuse(int(index.reshape(-1)[place]), axis, length)
    return index


def _refuse(index: int, axis: int, length: int) -> None:
    raise IndexError(f"[Array] index {index} is out of bounds for axis {axis} with size {length}")


def indexed_view(x: Array, items: list[Any]) -> IndexedView:
    """The parts of a normal key that has at least one array."""
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("[Array] an index can only have a single ellipsis ('...')")
    consumed = sum(_axes_of(item) for item in items)
    if consumed > x.ndim:
        raise IndexError(
            f"[Array] too many indices for array: array is {x.ndim}-dimensional, but {consumed} "
            "were indexed"
        )
    if not any(item is Ellipsis for item in items):
        items = [*items, Ellipsis]

    basic: list[Any] = []  # of x
    axes: list[int] = []  # of the view, that are indexed
    indices: list[Any] = []
    axis = at = kept = 0  # of x, of the view, of the view without indexed axes
    position: int | None = None
    apart = False  # something lies between the arrays
    closed = False
    for item in items:
        if _is_array(item) or isinstance(item, int):
            if position is None:
                position = kept
            apart |= closed
            if _is_mask(item) and item.ndim == 0:
                truth = bool(item)
                basic.append(None)
                arrays: list[Any] = [np.zeros(int(truth), np.int64)]
            elif _is_mask(item):
                arrays = _expand_mask(item, x, axis)
                basic += [slice(None)] * item.ndim
                axis += item.ndim
            else:
                arrays = [np.asarray(item) if isinstance(item, int) else item]
                basic.append(slice(None))
                axis += 1
            axes += range(at, at + len(arrays))
            at += len(arrays)
            indices += arrays
            continue
        closed |= position is not None
        basic.append(item)
        if item is Ellipsis:
            count = x.ndim - consumed
            axis += count
            at += count
            kept += count
        else:
            axis += item is not None
            at += 1
            kept += 1
    view = x[tuple(basic)]
    distinct = all(_is_mask(item) for item in items if _is_array(item)) and not any(
        isinstance(item, int) for item in items
    )
    checked = []
    from_mask = {id(index) for index in indices} if distinct else set()
    for k, index in enumerate(indices):
        if isinstance(index, Array) and id(index) in from_mask:
            checked.append(index)
        else:
            checked.append(_checked(index, view.shape[axes[k]], axes[k], x.device))
    _check_together(checked)
    # Several masks broadcast together, which may select an element twice.
    distinct = distinct and sum(_is_mask(item) for item in items) == 1
    return IndexedView(view, axes, checked, 0 if apart or position is None else position, distinct)


def _check_together(indices: list[Array]) -> None:
    try:
        np.broadcast_shapes(*[index.shape for index in indices])
    except ValueError:
        shapes = " ".join(str(index.shape) for index in indices)
        raise IndexError(
            "[Array] shape mismatch: indexing arrays could not be broadcast together with shapes "
            + shapes
        ) from None


def result_shape(indexed: IndexedView) -> tuple[int, ...]:
    together = np.broadcast_shapes(*[index.shape for index in indexed.indices])
    kept = [n for axis, n in enumerate(indexed.view.shape) if axis not in indexed.axes]
    return (*kept[: indexed.position], *together, *kept[indexed.position :])


def full_range_indices(x: Array, axis: int, index: Array) -> list[Array]:
    """Indices for every axis: `index` for one, all of each other axis."""
    return [
        index
        if k == axis
        else int_range(index.shape[k] if x.shape[k] != 1 else 1, x.device).reshape(
            (1,) * k + (-1,) + (1,) * (x.ndim - k - 1)
        )
        for k in range(x.ndim)
    ]
