"""Sizes and parameters of random arrays."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from heald._arguments import device_of, dtype_argument, is_number, operand
from heald._heald import Array

_FLOATS = ("float16", "bfloat16", "float32", "float64")


class Parameters:
    """The parameters of one call: numbers stay numbers, the others become arrays; with the shape of
    the result and its device. Numbers are checked; elements of arrays are not looked at."""

    def __init__(self, name: str, size: Any, device: Any, **values: Any) -> None:
        self.name = name
        if device is None:
            device = device_of(*values.values())
        self.device = device
        self.values = {key: operand(value, name, device) for key, value in values.items()}
        shapes = [value.shape for value in self.values.values() if isinstance(value, Array)]
        common = np.broadcast_shapes(*shapes)
        self.size = common if size is None else shape_of(size)
        if shapes and size is not None and np.broadcast_shapes(common, self.size) != self.size:
            raise ValueError(
                f"[random.{name}] parameters of shape {common} do not broadcast to size {self.size}"
            )

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def _expect(self, keys: tuple[str, ...], holds: Any, words: str) -> Parameters:
        for key in keys:
            value = self.values[key]
            if is_number(value) and not holds(value):
                raise ValueError(f"[random.{self.name}] {key} must be {words}, got {value}")
        return self

    def positive(self, *keys: str) -> Parameters:
        return self._expect(keys, lambda x: x > 0, "above 0")

    def not_negative(self, *keys: str) -> Parameters:
        return self._expect(keys, lambda x: x >= 0, "0 or above")

    def finite(self, *keys: str) -> Parameters:
        return self._expect(keys, np.isfinite, "finite")

    def chances(self, *keys: str, above_zero: bool = False, below_one: bool = False) -> Parameters:
        def holds(p: Any) -> bool:
            return (p > 0 if above_zero else p >= 0) and (p < 1 if below_one else p <= 1)

        return self._expect(keys, holds, "a probability")


def shape_of(size: Any) -> tuple[int, ...]:
    try:
        shape: tuple[int, ...] = (operator.index(size),)
    except TypeError:
        shape = tuple(operator.index(extent) for extent in size)
    if any(extent < 0 for extent in shape):
        raise ValueError(f"[random] negative dimensions are not allowed: size {size}")
    return shape


def float_dtype(dtype: Any, name: str, allowed: tuple[str, ...] = _FLOATS) -> np.dtype:
    result = dtype_argument(dtype)
    if result.name not in allowed:
        raise TypeError(f"[random.{name}] dtype must be one of {', '.join(allowed)}, got {result}")
    return result
