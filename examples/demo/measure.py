"""Runs a step of the demo, times it and compares it with NumPy."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import heald as hd


@dataclass
class Row:
    device: str
    kernel: str
    launches: int
    milliseconds: float
    gigabytes_per_second: float
    numpy_milliseconds: float
    difference: float
    scale: float  # the largest magnitude in the result


def timed(run: Callable[[], None], stream: hd.Stream, repeat: int) -> float:
    """The best time of `repeat` runs on `stream`, in milliseconds, after one to warm up."""
    run()
    best = float("inf")
    for _ in range(repeat):
        start = stream.record(timing=True)
        run()
        end = stream.record(timing=True)
        end.synchronize()
        best = min(best, end.elapsed_since(start))
    return best


def measure(
    kernel: str,
    run: Callable[[], None],
    result: hd.Array,
    reference: Callable[[], np.ndarray],
    *,
    stream: hd.Stream,
    traffic: int,
    launches: int = 1,
    repeat: int = 5,
) -> Row:
    """`traffic`: bytes that the step has to read and write."""
    milliseconds = timed(run, stream, repeat)
    value = hd.asnumpy(result).astype(np.float64)
    started = time.perf_counter()
    expected = reference()
    numpy_milliseconds = 1e3 * (time.perf_counter() - started)
    return Row(
        device=stream.device.name,
        kernel=kernel,
        launches=launches,
        milliseconds=milliseconds,
        gigabytes_per_second=traffic / milliseconds / 1e6,
        numpy_milliseconds=numpy_milliseconds,
        difference=float(np.abs(value - expected).max()),
        scale=float(np.abs(expected).max()),
    )
