"""NumPy's methods of arrays: each is the function of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald import (
    _complex,
    _creation,
    _dtypes,
    _indexing,
    _manipulation,
    _products,
    _reductions,
    _scanning,
    _selection,
    _sorting,
)
from heald._heald import Array, Device, call_ufunc, matmul_arrays
from heald._namespace import array_namespace


def _method(function: Any) -> Any:
    """The function with the array as its first argument."""

    def method(self: Array, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__name__ = function.__name__
    method.__qualname__ = f"Array.{function.__name__}"
    method.__doc__ = function.__doc__
    return method


_FUNCTIONS: tuple[Any, ...] = (
    _reductions.all,
    _reductions.any,
    _reductions.argmax,
    _reductions.argmin,
    _reductions.max,
    _reductions.mean,
    _reductions.min,
    _reductions.prod,
    _reductions.std,
    _reductions.sum,
    _reductions.var,
    _indexing.choose,
    _indexing.put,
    _indexing.take,
    _manipulation.repeat,
    _manipulation.squeeze,
    _manipulation.swapaxes,
    _creation.diagonal,
    _products.dot,
    _products.trace,
    _selection.clip,
    _selection.round,
)


def astype(
    self: Array,
    dtype: Any,
    order: str = "K",
    casting: Any = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> Array:
    """The elements in another dtype, as C++ converts them; TypeError if NumPy's rule `casting` does
    not allow it. With copy=False, this array if nothing changes."""
    from heald._arguments import dtype_argument

    wanted = dtype_argument(dtype)
    if not np.can_cast(self.dtype, wanted, casting):
        raise TypeError(
            f"[Array.astype] cannot cast {self.dtype} to {wanted} according to the rule {casting!r}"
        )
    return _dtypes.astype(self, wanted, copy=copy)


def compress(
    self: Array, condition: Any, axis: int | None = None, out: Array | None = None
) -> Array:
    """The slices where the condition is true; see hd.compress."""
    return _indexing.compress(condition, self, axis, out)


def nonzero(self: Array) -> tuple[Array, ...]:
    """The places of elements that are not 0, one array per axis. Waits for the count."""
    return _sorting.nonzero(self)


def argsort(self: Array, axis: int | None = -1, kind: Any = None, *, stable: Any = None) -> Array:
    """Places in sorted order; see hd.argsort."""
    return _sorting.argsort(self, axis=axis)


def sort(self: Array, axis: int = -1, kind: Any = None, *, stable: Any = None) -> None:
    """Sorts the elements along an axis, in place; see hd.sort."""
    self[...] = _sorting.sort(self, axis=axis)


def searchsorted(self: Array, v: Any, side: str = "left", sorter: Any = None) -> Array:
    """Places where `v` would be inserted; see hd.searchsorted."""
    return _sorting.searchsorted(self, v, side=side, sorter=sorter)


def cumsum(
    self: Array, axis: int | None = None, dtype: Any = None, out: Array | None = None
) -> Array:
    """Running sums; see hd.cumsum."""
    return _scanning.cumsum(self, axis=axis, dtype=dtype, out=out)


def cumprod(
    self: Array, axis: int | None = None, dtype: Any = None, out: Array | None = None
) -> Array:
    """Running products; see hd.cumprod."""
    return _scanning.cumprod(self, axis=axis, dtype=dtype, out=out)


def flatten(self: Array, order: str = "C") -> Array:
    """A copy of the elements in C order (Fortran order for 'F'), one axis."""
    return _manipulation.reshape(self, (-1,), order, copy=True)


def ravel(self: Array, order: str = "C") -> Array:
    """The elements in C order (Fortran order for 'F'), one axis; a view if possible."""
    return _manipulation.ravel(self, order)


def conj(self: Array) -> Array:
    """The complex conjugate."""
    return call_ufunc("conjugate", self) if self.dtype.kind == "c" else self


def view(self: Array, dtype: Any = None) -> Array:
    """The same memory as elements of another dtype: the last axis grows or shrinks with the size,
    and must be contiguous then."""
    return self[...] if dtype is None else _complex.view(self, dtype)


def to_device(self: Array, device: Device | str, /, *, stream: Any = None) -> Array:
    """The elements on another device, or this array if it is there: the array API standard's name
    of to()."""
    return self.to(device, stream=stream)


def _index(self: Array) -> int:
    if self.ndim != 0 or self.dtype.kind not in "biu" or self.dtype.kind == "b":
        raise TypeError("[Array] only integer scalar arrays can be converted to a scalar index")
    return int(self)


def _contains(self: Array, value: Any) -> bool:
    return bool(_reductions.any(call_ufunc("equal", self, value)))


def _matmul(self: Array, other: Any) -> Any:
    if type(other) is Array and self.ndim > 1 < other.ndim and self.dtype.kind in "fcV":
        return matmul_arrays(self, other)
    if _foreign(other):
        return NotImplemented
    return _products.matmul(self, other)


def _rmatmul(self: Array, other: Any) -> Any:
    if _foreign(other):
        return NotImplemented
    return _products.matmul(other, self)


def _imatmul(self: Array, other: Any) -> Any:
    if _foreign(other):
        return NotImplemented
    self[...] = _products.matmul(self, other)
    return self


def _foreign(x: Any) -> bool:
    return (not isinstance(x, Array) and not hasattr(x, "__dlpack__")) or isinstance(
        x, (np.ndarray, np.generic)
    )


def _divmod(self: Array, other: Any) -> Any:
    return call_ufunc("floor_divide", self, other), call_ufunc("remainder", self, other)


def _rdivmod(self: Array, other: Any) -> Any:
    return call_ufunc("floor_divide", other, self), call_ufunc("remainder", other, self)


def _set_real(self: Array, value: Any) -> None:
    _complex.real(self)[...] = value


def _set_imag(self: Array, value: Any) -> None:
    if self.dtype.kind != "c":
        raise TypeError("[Array.imag] array does not have imaginary part to set")
    _complex.imag(self)[...] = value


def install(cls: Any) -> None:
    """Gives the compiled class these methods."""
    for function in _FUNCTIONS:
        setattr(cls, function.__name__, _method(function))
    for method in (
        argsort,
        astype,
        compress,
        conj,
        cumprod,
        cumsum,
        flatten,
        nonzero,
        ravel,
        searchsorted,
        sort,
        to_device,
        view,
    ):
        setattr(cls, method.__name__, method)
    cls.conjugate = conj
    cls.real = property(_complex.real, _set_real, doc="the real parts: a view")
    cls.imag = property(_complex.imag, _set_imag, doc="the imaginary parts: a view, or zeros")
    cls.mT = property(_manipulation.matrix_transpose, doc="the last two axes exchanged: a view")
    cls.__index__ = _index
    cls.__contains__ = _contains
    cls.__matmul__ = _matmul
    cls.__rmatmul__ = _rmatmul
    cls.__imatmul__ = _imatmul
    cls.__divmod__ = _divmod
    cls.__rdivmod__ = _rdivmod
    cls.__array_namespace__ = array_namespace
