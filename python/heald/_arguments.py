"""Arguments of NumPy's functions: arrays, axes, dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from heald._arrays import asarray
from heald._heald import Array, cast_array, dtype_from_name, dtype_name
from heald._sync import hidden_sync

_NUMBERS = (bool, int, float, complex, np.generic)


def array_argument(x: Any, operation: str, device: Any = None) -> Array:
    """`x` as an Array: a number, a list of numbers and a tensor of another library are converted, a
    NumPy array is a TypeError, because its transfer would be hidden."""
    if isinstance(x, Array):
        return x
    if isinstance(x, np.ndarray) and x.ndim > 0:
        raise TypeError(
            f"[{operation}] got a numpy.ndarray of shape {x.shape} where an hd.Array is expected: "
            "pass hd.asarray(x)"
        )
    return asarray(x, device=device)


def array_arguments(arrays: Any, operation: str) -> list[Array]:
    """A sequence of arrays, numbers among them on the device of the first Array."""
    items = list(arrays)
    device = device_of(*items)
    return [array_argument(item, operation, device) for item in items]


def device_of(*values: Any) -> Any:
    """The device of the first Array; None (the current one) if there is none."""
    for value in values:
        if isinstance(value, Array):
            return value.device
    return None


def is_number(x: Any) -> bool:
    return isinstance(x, _NUMBERS) or (isinstance(x, np.ndarray) and x.ndim == 0)


def operand(x: Any, operation: str, device: Any = None) -> Any:
    """An operand of a ufunc: numbers stay numbers, for their dtypes adapt to arrays'."""
    return x if is_number(x) else array_argument(x, operation, device)


def operands(values: Any, operation: str) -> list[Any]:
    device = device_of(*values)
    return [operand(value, operation, device) for value in values]


def host_argument(x: Any, operation: str, dtype: Any = None) -> np.ndarray:
    """A small argument whose values are needed now: an Array is fetched."""
    if isinstance(x, Array):
        hidden_sync(operation)
        from heald._arrays import asnumpy

        x = asnumpy(x)
    return np.asarray(x, dtype=dtype)


def one_axis(axis: Any, ndim: int) -> int:
    return int(normalize_axis_index(axis, ndim))


def axes_tuple(axis: Any, ndim: int) -> tuple[int, ...]:
    """Axes from 0; None means all."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(normalize_axis_tuple(axis, ndim))


def ravel_if_none(x: Array, axis: Any) -> tuple[Array, int]:
    if axis is None:
        return x.ravel(), 0
    return x, one_axis(axis, x.ndim)


def dtype_argument(dtype: Any) -> np.dtype:
    """NumPy's object for a dtype given in any of heald's ways."""
    return dtype_from_name(dtype_name(dtype))


def common_dtype(*values: Any) -> np.dtype:
    """NumPy's promotion of arrays, dtypes and numbers."""
    kinds = [value.dtype if isinstance(value, (Array, np.ndarray)) else value for value in values]
    return np.result_type(*kinds)


def inexact_dtype(dtype: np.dtype) -> np.dtype:
    """`dtype` if it is a floating-point one, else float64."""
    return np.dtype("float64") if dtype.kind in "biu" else dtype


def cast(x: Array, dtype: Any) -> Array:
    return x if dtype is None else cast_array(x, dtype)


def into(result: Array, out: Array | None, operation: str = "out") -> Array:
    """`result`, or `out` with its elements."""
    if out is None:
        return result
    if not isinstance(out, Array):
        raise TypeError(f"[{operation}] out must be an hd.Array, got {type(out).__name__}")
    if out.shape != result.shape:
        raise ValueError(
            f"[{operation}] out has shape {out.shape}, the result shape {result.shape}"
        )
    if not np.can_cast(result.dtype, out.dtype, "same_kind"):
        raise TypeError(f"[{operation}] cannot cast {result.dtype} to {out.dtype} (same_kind)")
    out[...] = result
    return out
