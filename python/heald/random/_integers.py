"""Integers of a range, each equally often."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from heald._arguments import cast, dtype_argument, is_number
from heald._heald import Array, call_ufunc
from heald._sync import hidden_sync
from heald.random._parameters import Parameters

_WORD, _PAIR = 2**32, 2**64


class Integers:
    """Methods of Generator."""

    def _draw(self, name: str, size: Any, dtype: Any, device: Any, *parameters: Any) -> Array:
        raise NotImplementedError

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = "int64",
        endpoint: bool = False,
        *,
        device: Any = None,
    ) -> Array:
        """From `low` to below `high` (`endpoint=True`: `high` included); integers(high) is from 0.
        Exactly equally often (Lemire's method): ranges up to 2^32 take 32 random bits, larger ones
        and bounds in arrays 64.

        >>> rng.integers(1, 7, size=10)
        """
        wanted = dtype_argument(dtype)
        if wanted.kind not in "biu":
            raise TypeError(f"[random.integers] unsupported dtype {wanted}")
        if high is None:
            low, high = 0, low
        if is_number(low) and is_number(high):
            return self._between(low, high, size, wanted, endpoint, device)
        given = Parameters("integers", size, device, low=low, high=high)
        low, high = (_int64(given[key], key) for key in ("low", "high"))
        last = high if endpoint else high - 1
        hidden_sync("random.integers")
        limits = _limits(wanted)
        if bool((last < low).any()):
            raise ValueError(
                "[random.integers] low >= high" if not endpoint else "[random.integers] low > high"
            )
        if wanted.name != "uint64" and bool(
            call_ufunc("logical_or", low < limits[0], last > limits[1]).any()
        ):
            raise ValueError(f"[random.integers] the range is out of bounds for {wanted}")
        span, start = cast(last - low, "uint64"), cast(low, "uint64")
        return self._draw("long_integers", given.size, wanted, given.device, span, start)

    def _between(
        self, low: Any, high: Any, size: Any, dtype: np.dtype, endpoint: bool, device: Any
    ) -> Array:
        first, last = _whole(low, "low"), _whole(high, "high") - (not endpoint)
        limits = _limits(dtype)
        if last < first:
            raise ValueError(
                f"[random.integers] low >= high: {low}, {high}"
                if not endpoint
                else f"[random.integers] low > high: {low}, {high}"
            )
        if first < limits[0]:
            raise ValueError(f"[random.integers] low is out of bounds for {dtype}: {low}")
        if last > limits[1]:
            raise ValueError(f"[random.integers] high is out of bounds for {dtype}: {high}")
        span = last - first
        start = np.uint64(first % _PAIR)
        at = () if size is None else size
        if span < _WORD:
            return self._draw("integers", at, dtype, device, np.uint32(span), start)
        return self._draw("long_integers", at, dtype, device, np.uint64(span), start)


def _limits(dtype: np.dtype) -> tuple[int, int]:
    if dtype.kind == "b":
        return 0, 1
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def _whole(x: Any, name: str) -> int:
    try:
        return operator.index(x)
    except TypeError:
        value = float(x)
    if value != int(value):
        raise ValueError(f"[random.integers] {name} must be a whole number, got {x}")
    return int(value)


def _int64(x: Any, name: str) -> Any:
    if isinstance(x, Array):
        if x.dtype.kind not in "iub" or x.dtype.name == "uint64":
            raise TypeError(
                f"[random.integers] {name} must be of integers that int64 holds, got {x.dtype}"
            )
        return cast(x, "int64")
    return _whole(x, name)
