"""Runs one program with NumPy and with heald on every device, and prints the times side by side."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

import heald as hd

# A program takes the module that it computes with and arrays of it, and returns arrays of it.
Program = Callable[..., "tuple[Any, ...]"]


@dataclass
class Row:
    where: str
    seconds: float
    ratio: float  # NumPy's time to this one
    difference: float  # the largest from NumPy's results
    scale: float  # the largest magnitude in them


def timed(run: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """The best time of `repeat` runs, and the result of the last."""
    best = float("inf")
    for _ in range(repeat):
        begin = time.perf_counter()
        result = run()
        best = min(best, time.perf_counter() - begin)
    return best, result


def run_with(
    xp: ModuleType, program: Program, inputs: tuple[np.ndarray, ...], repeat: int
) -> tuple[float, tuple[np.ndarray, ...]]:
    """With heald on the current device. Data is moved there before the clock starts."""
    arrays = [xp.asarray(values) for values in inputs]

    def run() -> tuple[Any, ...]:
        results = program(xp, *arrays)
        if xp is hd:
            hd.eval(*results)
            hd.Device().synchronize()
        return results

    if xp is hd:
        run()  # compiles what no run before has
    seconds, results = timed(run, repeat)
    return seconds, tuple(np.asarray(result) for result in results)


def compare(
    program: Program, inputs: tuple[np.ndarray, ...], repeat: int = 3
) -> tuple[list[Row], tuple[np.ndarray, ...]]:
    """The table's rows, NumPy's first, and the results of the last."""
    numpy_seconds, expected = run_with(np, program, inputs, repeat)
    scale = max(float(np.abs(values).max()) for values in expected)
    rows = [Row("NumPy", numpy_seconds, 1.0, 0.0, scale)]
    results = expected
    for device in hd.devices():
        with device:
            seconds, results = run_with(hd, program, inputs, repeat)
        difference = max(
            float(np.abs(mine.astype(np.float64) - theirs).max())
            for mine, theirs in zip(results, expected, strict=True)
        )
        where = f"heald on {device.name}"
        rows.append(Row(where, seconds, numpy_seconds / seconds, difference, scale))
    return rows, results


def print_table(rows: list[Row]) -> None:
    print(f"{'':<18}{'ms':>10}{'× NumPy':>10}  largest difference")
    for row in rows:
        difference = f"{row.difference:.1e} of {row.scale:.3g}"
        print(f"{row.where:<18}{1e3 * row.seconds:>10.2f}{row.ratio:>10.2f}  {difference}")
