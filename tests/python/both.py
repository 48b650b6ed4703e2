"""The same body on heald and on NumPy, and how their results are compared."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

import heald as hd

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
BOOL = [np.dtype(bool)]
SIGNED = [np.dtype(name) for name in ("int8", "int16", "int32", "int64")]
UNSIGNED = [np.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64")]
INTEGERS = SIGNED + UNSIGNED
REALS = [np.dtype("float16"), BFLOAT16, np.dtype("float32"), np.dtype("float64")]
COMPLEX = [np.dtype("complex64"), np.dtype("complex128")]
DTYPES = BOOL + INTEGERS + REALS + COMPLEX
NUMPY_DTYPES = [dtype for dtype in DTYPES if dtype != BFLOAT16]


def part_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def finfo(dtype: np.dtype[Any]) -> Any:
    return ml_dtypes.finfo(dtype)


def specials(dtype: np.dtype[Any]) -> np.ndarray:
    """Zeros of both signs, extremes, subnormals, infinities, NaN."""
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        numbers = [0, 1, 2, 3, 7, ends.max, ends.max - 1, ends.min, ends.min + 1]
        return np.array(numbers + ([-1, -2, -7] if dtype.kind == "i" else [8]), dtype)
    if dtype.kind == "c":
        parts = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, np.inf, -np.inf, np.nan])
        result = np.empty((len(parts), len(parts)), dtype)
        result.real, result.imag = parts[:, None], parts
        return result.ravel()
    info = finfo(dtype)
    largest, tiny, least = float(info.max), float(info.tiny), float(info.smallest_subnormal)
    positive = [0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 7.0, largest, tiny, least, 3 * least, np.inf]
    return np.array([*positive, *(-x for x in positive), np.nan]).astype(dtype)


def randoms(dtype: np.dtype[Any], rng: np.random.Generator, count: int) -> np.ndarray:
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(bool)
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        small = rng.integers(max(ends.min, -20), 20, count)
        wide = rng.integers(ends.min, ends.max, count, dtype, endpoint=True)
        return np.where(rng.integers(0, 2, count) == 0, small.astype(dtype), wide)
    if dtype.kind == "c":
        result = np.empty(count, dtype)
        result.real = randoms(part_of(dtype), rng, count)
        result.imag = randoms(part_of(dtype), rng, count)
        return result
    scale = np.exp(rng.uniform(-6, 4, count))
    return (rng.standard_normal(count) * scale).astype(dtype)


def samples(dtype: np.dtype[Any], rng: np.random.Generator, count: int = 200) -> np.ndarray:
    return np.concatenate([specials(dtype), randoms(dtype, rng, count)])


def pairs(dtype: np.dtype[Any], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of special values, and random ones."""
    few = specials(dtype)
    first, second = np.repeat(few, len(few)), np.tile(few, len(few))
    return (
        np.concatenate([first, randoms(dtype, rng, 300)]),
        np.concatenate([second, randoms(dtype, rng, 300)]),
    )


def ulp_error(value: np.ndarray, exact: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    """|value - exact| in units of the last place of `dtype` at `exact`; infinite where only one of
    them is finite or they differ as infinities and NaN."""
    info = finfo(part_of(dtype))
    value, exact = np.asarray(value, np.longdouble), np.asarray(exact, np.longdouble)
    with np.errstate(all="ignore"):
        largest = np.longdouble(float(info.max))
        # A result beyond the largest number is infinite, or the largest number, once rounded.
        size = np.minimum(np.abs(exact), largest)
        exponent = np.floor(np.log2(np.maximum(size, np.longdouble(float(info.tiny)))))
        unit = np.ldexp(np.longdouble(1), (exponent - info.nmant).astype(int))
        over = np.isinf(value) & (np.abs(exact) > largest - unit) & (value * exact > 0)
        error = np.where(over, 0, np.abs(value - exact) / unit)
        same = (value == exact) | (np.isnan(value) & np.isnan(exact))
    return np.where(same, 0, np.where(np.isnan(error), np.inf, error)).astype(float)


def assert_same(
    got: np.ndarray, want: np.ndarray, ulp: float = 0, inputs: Sequence[np.ndarray] = ()
) -> None:
    """Same dtype, shape and values: bits of zeros and infinities, NaN for NaN, numbers within
    `ulp`."""
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind in "biu":
        bad = got != want
    else:
        parts = [(got.real, want.real), (got.imag, want.imag)]
        if want.dtype.kind != "c":
            parts = [(got, want)]
        bad = np.zeros(want.shape, bool)
        for x, y in parts:
            zero = (x == 0) & (y == 0)
            if ulp == 0:
                bad |= zero & (np.signbit(x.astype("f8")) != np.signbit(y.astype("f8")))
            bad |= ulp_error(x, y, want.dtype) > ulp
    if bad.any():
        place = np.argwhere(bad)[:5]
        lines = [
            f"{[x[tuple(i)] if x.shape == bad.shape else x for x in inputs]}: "
            f"got {got[tuple(i)]!r}, NumPy {want[tuple(i)]!r}"
            for i in place
        ]
        raise AssertionError(f"{bad.sum()} of {bad.size} differ\n" + "\n".join(lines))


def to_host(result: Any) -> Any:
    if isinstance(result, (tuple, list)):
        return [to_host(item) for item in result]
    return hd.asnumpy(result) if isinstance(result, hd.Array) else np.asarray(result)


def same_as_numpy(ulp: float = 0) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """The body gets `xp`, heald or NumPy, and returns an array or several. An exception must be of
    the same kind."""

    def decorate(body: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(body)
        def run(*args: Any, **options: Any) -> None:
            outcomes = []
            for xp in (hd, np):
                try:
                    with warnings.catch_warnings(), np.errstate(all="ignore"):
                        warnings.simplefilter("ignore")
                        outcomes.append(to_host(body(xp, *args, **options)))
                except (TypeError, ValueError, OverflowError, IndexError) as error:
                    outcomes.append(error)
            compare(*outcomes, ulp)

        # pytest must not take `xp` for a fixture.
        run.__signature__ = _without_first(body)  # type: ignore[attr-defined]
        return run

    return decorate


def _without_first(body: Callable[..., Any]) -> Any:
    import inspect

    signature = inspect.signature(body)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def compare(got: Any, want: Any, ulp: float) -> None:
    if isinstance(want, Exception) or isinstance(got, Exception):
        kinds = [
            kind
            for kind in (TypeError, ValueError, OverflowError, IndexError)
            if isinstance(want, kind)
        ]
        matches = [isinstance(got, kind) for kind in kinds]
        assert matches and any(matches), f"heald: {got!r}, NumPy: {want!r}"
        return
    if isinstance(want, list):
        assert len(got) == len(want)
        for x, y in zip(got, want, strict=True):
            assert_same(x, y, ulp)
        return
    assert_same(got, want, ulp)
