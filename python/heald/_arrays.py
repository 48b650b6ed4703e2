"""Making arrays and taking them apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald._heald import (
    Array,
    Device,
    InvalidValueError,
    Stream,
    TypeMismatchError,
    array_from_numpy,
    array_share_numpy,
    array_to_numpy,
    cast_array,
    dtype_from_name,
    dtype_name,
    from_cuda_array_interface,
    from_dlpack_no_copy,
)


def empty(
    shape: Any,
    dtype: Any = "float64",
    *,
    device: Device | str | None = None,
    stream: Stream | None = None,
) -> Array:
    """An uninitialised array in C order.

    `shape` is an int or a sequence of ints, `dtype` a NumPy dtype or its name; `device` and
    `stream` default to the current ones. Raises OutOfMemoryError if it does not fit.

    >>> hd.empty((2, 3), "float32").shape
    (2, 3)
    """
    return Array(shape, "float64" if dtype is None else dtype, device=device, stream=stream)


def full(
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    *,
    device: Device | str | None = None,
    stream: Stream | None = None,
) -> Array:
    """An array with every element `fill_value`, or `fill_value` broadcast; the default dtype is
    that of NumPy for the value.

    >>> hd.full(3, 7, "int32")
    """
    value = fill_value
    if isinstance(value, Array) or np.ndim(value) > 0:
        if not isinstance(value, Array):
            value = asarray(value, dtype, device=device)
        result = Array(
            shape, value.dtype if dtype is None else dtype, device=device or value.device
        )
        result[...] = value
        return result
    if dtype is None:
        dtype = np.asarray(value).dtype
    result = Array(shape, dtype, device=device, stream=stream)
    result.fill(value, stream)
    return result


def zeros(
    shape: Any,
    dtype: Any = "float64",
    *,
    device: Device | str | None = None,
    stream: Stream | None = None,
) -> Array:
    """An array of zeros; see empty()."""
    return full(shape, 0, "float64" if dtype is None else dtype, device=device, stream=stream)


def ones(
    shape: Any,
    dtype: Any = "float64",
    *,
    device: Device | str | None = None,
    stream: Stream | None = None,
) -> Array:
    """An array of ones; see empty()."""
    return full(shape, 1, "float64" if dtype is None else dtype, device=device, stream=stream)


def empty_like(x: Any, dtype: Any = None, *, device: Device | str | None = None) -> Array:
    """An uninitialised array with the shape and dtype of `x`, on its device if it has one."""
    if device is None and isinstance(x, Array):
        device = x.device
    return empty(x.shape, x.dtype if dtype is None else dtype, device=device)


def full_like(
    x: Any, /, fill_value: Any, dtype: Any = None, *, device: Device | str | None = None
) -> Array:
    """An array of `fill_value` with the shape and dtype of `x`, on its device if it has one."""
    result = empty_like(x, dtype, device=device)
    if isinstance(fill_value, Array) or np.ndim(fill_value) > 0:
        result[...] = fill_value
    else:
        result.fill(fill_value)
    return result


def zeros_like(x: Any, dtype: Any = None, *, device: Device | str | None = None) -> Array:
    """An array of zeros with the shape and dtype of `x`, on its device if it has one."""
    return full_like(x, 0, dtype, device=device)


def ones_like(x: Any, dtype: Any = None, *, device: Device | str | None = None) -> Array:
    """An array of ones with the shape and dtype of `x`, on its device if it has one."""
    return full_like(x, 1, dtype, device=device)


def array(
    x: Any,
    dtype: Any = None,
    *,
    device: Device | str | None = None,
    stream: Stream | None = None,
) -> Array:
    """A new array with the elements of `x`: anything that NumPy takes, an Array, or a tensor of
    another library. What was given may be changed as soon as this returns.

    >>> hd.array([[1, 2], [3, 4]], "float32")
    """
    if isinstance(x, Array):
        return _convert(x, dtype, device, stream)
    if _is_foreign(x):
        return _convert(_shared(x), dtype, device, stream)
    host = np.asarray(x, dtype=_host_dtype(dtype))
    return array_from_numpy(host, device, stream)


def asarray(
    x: Any,
    dtype: Any = None,
    *,
    device: Device | str | None = None,
    copy: bool | None = None,
    stream: Stream | None = None,
) -> Array:
    """`x` itself if it is an Array of that dtype and device, else a new array as from array().

    With copy=False the memory of `x` is shared: of an array or tensor of another library on the
    same device, and of a NumPy array on device cpu; ValueError where that cannot be.

    >>> hd.asarray(numpy.arange(3), device="cpu", copy=False)
    """
    if copy:
        return array(x, dtype, device=device, stream=stream)
    wanted = None if dtype is None else dtype_name(dtype)
    target = None if device is None else Device(device)
    if isinstance(x, Array):
        if (wanted is None or dtype_name(x.dtype) == wanted) and target in (None, x.device):
            return x
        if copy is None:
            return array(x, dtype, device=device, stream=stream)
        raise InvalidValueError(
            "[asarray] copy=False: the array has another dtype or is on another device"
        )
    if copy is None:
        return array(x, dtype, device=device, stream=stream)
    if _is_foreign(x):
        shared = _shared(x)
    elif isinstance(x, np.ndarray):
        shared = array_share_numpy(x, target or Device())
    else:
        raise TypeMismatchError(
            f"[asarray] copy=False: {type(x).__name__} has no memory that can be shared"
        )
    return asarray(shared, dtype, device=target, copy=False)


def asnumpy(x: Any, stream: Stream | None = None) -> np.ndarray:
    """A NumPy array with the elements of an Array, C order; waits for them. Anything else goes to
    numpy.asarray.

    >>> hd.asnumpy(hd.zeros(3))
    array([0., 0., 0.])
    """
    if isinstance(x, Array):
        return array_to_numpy(x, stream)
    if _is_foreign(x):
        return array_to_numpy(_shared(x), stream)
    return np.asarray(x)


def from_dlpack(
    x: Any, /, *, device: Device | str | None = None, copy: bool | None = None
) -> Array:
    """An Array over the memory of an object with `__dlpack__` (PyTorch, CuPy, JAX, NumPy, …).

    The memory is shared, unless `device` names another one or copy=True. Raises TypeError for an
    object without the protocol, ValueError for a device or dtype that heald does not have.

    >>> hd.from_dlpack(torch.zeros(3))
    """
    shared = from_dlpack_no_copy(x)
    target = shared.device if device is None else Device(device)
    if target == shared.device and not copy:
        return shared
    if copy is False:
        raise InvalidValueError(
            f"[from_dlpack] copy=False: the memory is on {shared.device}, not on {target}"
        )
    return array(shared, device=target)


def _is_foreign(x: Any) -> bool:
    if isinstance(x, (np.ndarray, np.generic)):
        return False
    return hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")


def _shared(x: Any) -> Array:
    if hasattr(x, "__cuda_array_interface__"):
        return from_cuda_array_interface(x)
    return from_dlpack_no_copy(x)


def _host_dtype(dtype: Any) -> Any:
    """NumPy's own object for a dtype given in any of heald's ways."""
    return None if dtype is None else dtype_from_name(dtype_name(dtype))


def _convert(x: Array, dtype: Any, device: Any, stream: Any) -> Array:
    target = x.device if device is None else Device(device)
    if dtype is not None and dtype_name(dtype) != dtype_name(x.dtype):
        return cast_array(x, dtype).to(target, stream)
    return x.copy(stream) if target == x.device else x.to(target, stream)


__all__ = [
    "array",
    "asarray",
    "asnumpy",
    "empty",
    "empty_like",
    "from_dlpack",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]
