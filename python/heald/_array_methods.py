"""Methods of Array that are easiest said in Python: conversions, printing, pickling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from heald._heald import (
    Array,
    InvalidValueError,
    array_from_numpy,
    array_to_numpy,
    dtype_from_name,
    dtype_name,
)
from heald._sync import hidden_sync

_EDGE_ITEMS = 3
_SUMMARY_THRESHOLD = 1000


def item(self: Array, *index: int) -> Any:
    """The only element, or the one at `index`, as a Python number. Waits for it."""
    element = self[index if len(index) != 1 else index[0]] if index else self
    if element.size != 1:
        raise InvalidValueError(f"[Array.item] the array has {element.size} elements, not one")
    hidden_sync("Array.item")
    return array_to_numpy(element).item()


def tolist(self: Array) -> Any:
    """Nested lists of Python numbers, as numpy.ndarray.tolist."""
    hidden_sync("Array.tolist")
    return array_to_numpy(self).tolist()


def _array(self: Array, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
    if copy is False:
        raise ValueError(
            "[Array] a NumPy array of an hd.Array is a copy: on device cpu, numpy.asarray("
            "memoryview(x)) and numpy.from_dlpack(x) share its memory"
        )
    hidden_sync("Array.__array__")
    host = array_to_numpy(self)
    return host if dtype is None else host.astype(dtype, copy=False)


def _iterate(self: Array) -> Iterator[Array]:
    if self.ndim == 0:
        raise TypeError("[Array] an array without axes cannot be iterated")
    return (self[i] for i in range(len(self)))


def _number(kind: type) -> Any:
    def convert(self: Array) -> Any:
        if self.size != 1:
            raise TypeError(
                f"[Array] only an array of one element becomes a {kind.__name__}, this has "
                f"{self.size}"
            )
        hidden_sync(f"Array.__{kind.__name__}__")
        return kind(array_to_numpy(self).item())

    return convert


def _few_elements(x: Array) -> np.ndarray:
    """The elements that a summary shows, with one more where it shows dots."""
    parts = [x]
    for axis, length in enumerate(x.shape):
        if length > 2 * _EDGE_ITEMS + 1:
            before = (slice(None),) * axis
            parts = [
                part[(*before, cut)]
                for part in parts
                for cut in (slice(None, _EDGE_ITEMS + 1), slice(-_EDGE_ITEMS, None))
            ]
    pieces = [array_to_numpy(part) for part in parts]
    for axis in reversed(range(x.ndim)):
        if x.shape[axis] > 2 * _EDGE_ITEMS + 1:
            pieces = [
                np.concatenate(pieces[i : i + 2], axis=axis) for i in range(0, len(pieces), 2)
            ]
    return pieces[0]


def _text(self: Array, prefix: str = "", separator: str = " ") -> str:
    hidden_sync("printing an Array")
    if self.size <= _SUMMARY_THRESHOLD:
        host, threshold = array_to_numpy(self), _SUMMARY_THRESHOLD
    else:
        host, threshold = _few_elements(self), 0
    return np.array2string(
        host, prefix=prefix, separator=separator, threshold=threshold, edgeitems=_EDGE_ITEMS
    )


def _str(self: Array) -> str:
    return _text(self)


def _repr(self: Array) -> str:
    head = "Array("
    try:
        text = _text(self, prefix=head, separator=", ")
    except Exception as error:  # a repr must not raise: a device may have failed
        text = f"<{type(error).__name__}>"
    if self.size == 0:
        text = f"[], shape={self.shape}"
    return f"{head}{text}, dtype={dtype_name(self.dtype)}, device='{self.device.name}')"


def _rebuild(data: bytes, shape: tuple[int, ...], dtype: str, device: str) -> Array:
    host = np.frombuffer(data, dtype_from_name(dtype)).reshape(shape)
    return array_from_numpy(host, device)


def _reduce(self: Array) -> tuple[Any, ...]:
    hidden_sync("pickling an Array")
    data = array_to_numpy(self).tobytes()
    return _rebuild, (data, self.shape, dtype_name(self.dtype), self.device.name)


def _copy(self: Array, memo: Any = None) -> Array:
    return self.copy()


def install(cls: Any) -> None:
    """Gives the compiled class these methods."""
    cls.item = item
    cls.tolist = tolist
    cls.__array__ = _array
    cls.__iter__ = _iterate
    cls.__float__ = _number(float)
    cls.__int__ = _number(int)
    cls.__bool__ = _number(bool)
    cls.__complex__ = _number(complex)
    cls.__str__ = _str
    cls.__repr__ = _repr
    cls.__reduce__ = _reduce
    cls.__copy__ = _copy
    cls.__deepcopy__ = _copy
    cls.__array_priority__ = 1000  # NumPy's operators leave it to us
