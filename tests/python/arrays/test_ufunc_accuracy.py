"""Functions are within the bounds of docs/numerics.md; complex ones have C's special values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both import REALS, assert_same, samples, specials, ulp_error
from ufunc_accuracy import COMPLEX, ONE, TWO, documented, error_of

import heald as hd


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_errors_are_documented(device: hd.Device, rng: np.random.Generator, name: str, dtype: str):
    assert error_of(name, dtype, rng) <= documented()[name]


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("name", COMPLEX)
def test_errors_of_complex_functions(
    device: hd.Device, rng: np.random.Generator, name: str, dtype: str
):
    assert error_of(name, dtype, rng) <= documented()[name]


@pytest.mark.parametrize("name", ONE)
def test_special_values(device: hd.Device, name: str):
    for dtype in (np.dtype("f4"), np.dtype("f8")):
        x = specials(dtype)
        with np.errstate(all="ignore"):
            want = getattr(np, name)(x.astype(np.longdouble)).astype(dtype)
        assert_same(hd.asnumpy(getattr(hd, name)(hd.asarray(x))), want, documented()[name], [x])


@pytest.mark.parametrize("name", TWO)
def test_special_pairs(device: hd.Device, name: str):
    few = specials(np.dtype("f8"))
    x, y = np.repeat(few, len(few)), np.tile(few, len(few))
    with np.errstate(all="ignore"):
        want = getattr(np, name)(x.astype(np.longdouble), y.astype(np.longdouble)).astype("f8")
    got = hd.asnumpy(getattr(hd, name)(hd.asarray(x), hd.asarray(y)))
    # Results that are not normal numbers may be off by one of the smallest.
    assert_same(got, want, documented()[name] + 1, [x, y])


@pytest.mark.parametrize("name", ["exp", "log", "sin", "tanh", "sqrt", "arctan", "exp2"])
@pytest.mark.parametrize("dtype", [d for d in REALS if d.itemsize == 2], ids=str)
def test_16_bit_functions_are_rounded_once(
    device: hd.Device, rng: np.random.Generator, name: str, dtype: Any
):
    x = samples(dtype, rng)
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype("f8"))
    got = hd.asnumpy(getattr(hd, name)(hd.asarray(x)))
    assert got.dtype == dtype
    assert ulp_error(got.astype("f8"), exact, dtype).max() <= 0.51


@pytest.mark.parametrize("name", [n for n in COMPLEX if n not in ("expm1", "exp2", "log1p")])
def test_special_values_of_complex_functions(device: hd.Device, name: str):
    parts = [0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan]
    x = np.array([complex(a, b) for a in parts for b in parts])
    with np.errstate(all="ignore"):
        want = getattr(np, name)(x)
    got = hd.asnumpy(getattr(hd, name)(hd.asarray(x)))
    for one, a, b in zip(x, got, want, strict=True):
        if np.isinf(b) and np.isnan(b.real + b.imag):  # the sign is open
            a, b = (complex(abs(c.real), abs(c.imag)) for c in (a, b))
        for p, q in ((a.real, b.real), (a.imag, b.imag)):
            same = np.isnan(p) and np.isnan(q)
            same |= bool(np.isclose(p, q, rtol=1e-14, atol=1e-300))
            assert same, (one, a, b)
            # The sign of zero tells the side of a branch cut; beside infinity or NaN it is open.
            if p == q == 0 and np.isfinite(one):
                assert np.signbit(p) == np.signbit(q), (one, a, b)
