"""Errors of elementwise functions in ulp, against NumPy's long double. Run, it prints the table of
docs/numerics.md for the current device."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from both import part_of, ulp_error

import heald as hd

Ranges = list[tuple[float, float]]

UNIT: Ranges = [(-1, 1)]
SMALL: Ranges = [(-3, 3), (-40, 40)]
WIDE: Ranges = [(-3, 3), (-80, 80), (-1e5, 1e5)]
POSITIVE: Ranges = [(0, 2), (0.9, 1.1), (0, 1e30)]
ONE: dict[str, Ranges] = {
    "sqrt": POSITIVE,
    "cbrt": WIDE,
    "exp": SMALL,
    "exp2": SMALL,
    "expm1": SMALL,
    "log": POSITIVE,
    "log2": POSITIVE,
    "log10": POSITIVE,
    "log1p": [(-0.9, 2), (0, 1e20)],
    "sin": WIDE,
    "cos": WIDE,
    "tan": WIDE,
    "arcsin": UNIT,
    "arccos": UNIT,
    "arctan": WIDE,
    "sinh": SMALL,
    "cosh": SMALL,
    "tanh": SMALL,
    "arcsinh": WIDE,
    "arccosh": [(1, 3), (1, 1e20)],
    "arctanh": UNIT,
}
TWO: dict[str, tuple[Ranges, Ranges]] = {
    "arctan2": (WIDE, WIDE),
    "hypot": (WIDE, WIDE),
    "power": ([(0, 3), (0.5, 20), (0.9, 1.1)], [(-5, 5), (-20, 20), (-100, 100)]),
    "logaddexp": (SMALL, SMALL),
    "logaddexp2": (SMALL, SMALL),
}
SUMS = ("logaddexp", "logaddexp2")
COMPLEX = [name for name in ONE if name != "cbrt"]
COUNT = 4000


def drawn(ranges: Ranges, dtype: np.dtype[Any], rng: np.random.Generator) -> np.ndarray:
    return np.concatenate([rng.uniform(low, high, COUNT) for low, high in ranges]).astype(dtype)


def error_of(name: str, dtype: Any, rng: np.random.Generator) -> float:
    """The largest error found. Of a complex result: of the whole number, in ulp of its size."""
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return complex_error(name, dtype, rng)
    operands = [drawn(r, dtype, rng) for r in (TWO[name] if name in TWO else (ONE[name],))]
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(*[x.astype(np.longdouble) for x in operands])
    got = hd.asnumpy(getattr(hd, name)(*map(hd.asarray, operands))).astype(np.longdouble)
    if name in SUMS:
        # A result near 0 is a difference of numbers of the size of the operands.
        size = np.maximum(np.abs(operands[0]), np.abs(operands[1])).astype(np.longdouble)
        size = np.maximum(size, np.abs(exact))
        return float(ulp_error(size + (got - exact), size, dtype).max())
    return float(ulp_error(got, exact, dtype).max())


def complex_error(name: str, dtype: np.dtype[Any], rng: np.random.Generator) -> float:
    x = np.empty(3 * COUNT, dtype)
    for part in (x.real, x.imag):
        part[:] = drawn([(-2, 2), (-20, 20), (-1e-3, 1e-3)], part_of(dtype), rng)
    x[:COUNT] /= np.abs(x[:COUNT])  # around the circle, where a logarithm is small
    with np.errstate(all="ignore"):
        exact = complex_reference(name)(x.astype(np.clongdouble))
    got = hd.asnumpy(getattr(hd, name)(hd.asarray(x))).astype(np.clongdouble)
    size = np.abs(exact)
    unit = np.ldexp(np.longdouble(1), np.floor(np.log2(size)).astype(int) - np.finfo(dtype).nmant)
    return float((np.abs(got - exact) / unit).max())


def complex_reference(name: str) -> Callable[[np.ndarray], np.ndarray]:
    """NumPy's own forms of these lose digits, so they are made of others."""
    made: dict[str, Any] = {
        "log1p": lambda z: 2 * np.arctanh(z / (2 + z)),
        "expm1": lambda z: 2 * np.sinh(z / 2) * np.exp(z / 2),
        "exp2": lambda z: np.exp(z * np.log(np.longdouble(2))),
        "log2": lambda z: np.log(z) / np.log(np.longdouble(2)),
        "log10": lambda z: np.log(z) / np.log(np.longdouble(10)),
    }
    return made[name] if name in made else getattr(np, name)


def documented() -> dict[str, float]:
    """The bounds in docs/numerics.md."""
    text = (Path(__file__).parents[2] / "docs" / "numerics.md").read_text()
    section = text.split("## Functions of arrays")[1]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    return {row[1].strip(" `"): float(row[2]) for row in rows}


def table(rng: np.random.Generator) -> str:
    lines = []
    for name in [*ONE, *TWO]:
        cells = [error_of(name, dtype, rng) for dtype in ("f4", "f8")]
        cells += [error_of(name, dtype, rng) for dtype in ("c8", "c16")] if name in COMPLEX else []
        texts = [f"{error:.2f}" for error in cells] + ["–"] * (4 - len(cells))
        lines.append(f"| `{name}` | {np.ceil(max(cells)) + 1:g} | {' | '.join(texts)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(np.random.default_rng()))
