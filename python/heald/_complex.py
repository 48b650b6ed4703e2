"""Parts of complex arrays, as views."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald import _heald
from heald._arguments import array_argument
from heald._arrays import zeros
from heald._heald import Array


def real(val: Any, /) -> Array:
    """The real parts: a view of a complex array, the array itself if it is not complex."""
    return _part(array_argument(val, "real"), 0)


def imag(val: Any, /) -> Array:
    """The imaginary parts: a view of a complex array, zeros if it is not complex."""
    x = array_argument(val, "imag")
    if x.dtype.kind != "c":
        return zeros(x.shape, x.dtype, device=x.device)
    return _part(x, 1)


def _part(x: Array, number: int) -> Array:
    if x.dtype.kind != "c":
        return x
    part = np.empty(0, x.dtype).real.dtype
    return _heald.view_as(x, part, number * part.itemsize)


def joined(re: Array, im: Array) -> Array:
    """The complex array with these parts."""
    result = Array(re.shape, np.result_type(re.dtype, np.complex64), device=re.device)
    _part(result, 0)[...] = re
    _part(result, 1)[...] = im
    return result


def view(x: Array, dtype: Any) -> Array:
    """The same memory as elements of another dtype. Of one of another size, the last axis becomes
    shorter or longer: it must be contiguous then, and divide."""
    from heald._arguments import dtype_argument

    wanted = dtype_argument(dtype)
    have, want = x.dtype.itemsize, wanted.itemsize
    if have == want:
        return _heald.view_as(x, wanted, 0)
    if x.ndim == 0:
        raise ValueError(
            "[Array.view] Changing the dtype of a 0d array is only supported if the itemsize is "
            "unchanged"
        )
    if x.strides[-1] != have and x.shape[-1] != 1:
        raise ValueError(
            "[Array.view] To change to a dtype of a different size, the last axis must be "
            "contiguous"
        )
    total = x.shape[-1] * have
    if total % want:
        raise ValueError(
            "[Array.view] the size in bytes of the last axis must be divisible by the new itemsize"
        )
    shape = (*x.shape[:-1], total // want)
    return Array(shape, wanted, buffer=x.buffer, strides=(*x.strides[:-1], want), offset=x.offset)


__all__ = ["imag", "real"]
