"""Page-locked host memory as NumPy arrays: copies from and to it overlap with kernels."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from heald._heald import Device, PinnedMemory, dtype_from_name, dtype_name


def pinned_empty(
    shape: Any, dtype: Any = "float64", *, device: Device | str | None = None
) -> np.ndarray:
    """An uninitialised NumPy array in memory that `device` copies by DMA. On a CPU it is ordinary
    memory. Freed with the last array that shows it, after the copies that use it.

    >>> x = hd.pinned_empty((2, 3), "float32")
    """
    lengths = (
        tuple(operator.index(n) for n in shape) if _is_sequence(shape) else (operator.index(shape),)
    )
    element = dtype_from_name(dtype_name(dtype))
    memory = PinnedMemory(math.prod(lengths) * element.itemsize, device)
    return np.frombuffer(memoryview(memory), np.uint8).view(element).reshape(lengths)


def pinned_zeros(
    shape: Any, dtype: Any = "float64", *, device: Device | str | None = None
) -> np.ndarray:
    """pinned_empty() filled with zeros."""
    result = pinned_empty(shape, dtype, device=device)
    result[...] = 0
    return result


def pinned_array(x: Any, dtype: Any = None, *, device: Device | str | None = None) -> np.ndarray:
    """A copy of what NumPy takes, in memory as of pinned_empty()."""
    host = np.asarray(x, dtype=dtype)
    result = pinned_empty(host.shape, host.dtype, device=device)
    result[...] = host
    return result


def _is_sequence(shape: Any) -> bool:
    return isinstance(shape, (tuple, list))
