"""Values of every ufunc are NumPy's: to the bit where IEEE 754 or the integers decide, else within
the bounds of docs/numerics.md."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both import (
    BFLOAT16,
    BOOL,
    COMPLEX,
    DTYPES,
    INTEGERS,
    REALS,
    assert_same,
    pairs,
    part_of,
    same_as_numpy,
    samples,
    to_host,
    ulp_error,
)

import heald as hd

EXACT_UNARY = """absolute bitwise_count ceil conjugate fabs floor invert isfinite isinf isnan
logical_not negative positive reciprocal rint sign signbit spacing sqrt square trunc frexp modf
deg2rad rad2deg degrees radians""".split()
EXACT_BINARY = """add bitwise_and bitwise_or bitwise_xor copysign divide equal floor_divide fmax fmin
fmod gcd greater greater_equal heaviside lcm left_shift less less_equal logical_and logical_or
logical_xor maximum minimum multiply nextafter not_equal remainder right_shift subtract
divmod""".split()


def loops_of(name: str) -> list[np.dtype[Any]]:
    function = getattr(hd, name)
    x = [hd.ones(1, dtype) for dtype in DTYPES]
    found = []
    for one in x:
        try:
            function(*[one] * function.nin)
        except TypeError:
            continue
        found.append(one.dtype)
    return found


def numpys(name: str, dtype: np.dtype[Any], *operands: np.ndarray) -> Any:
    """NumPy's result; of bfloat16 computed in float32 and rounded, as ml_dtypes does."""
    function = getattr(np, name)
    with np.errstate(all="ignore"):
        if dtype != BFLOAT16:
            return function(*operands)
        if name in ("spacing", "nextafter"):
            return function(*operands)
        result = function(*[x.astype("f4") for x in operands])
    narrow = lambda x: x.astype(BFLOAT16) if x.dtype == np.float32 else x  # noqa: E731
    return tuple(map(narrow, result)) if isinstance(result, tuple) else narrow(result)


def assert_all_same(got: Any, want: Any, ulp: float, inputs: list[np.ndarray]) -> None:
    if isinstance(want, tuple):
        for x, y in zip(got, want, strict=True):
            assert_same(x, y, ulp, inputs)
    else:
        assert_same(got, want, ulp, inputs)


@pytest.mark.parametrize("name", EXACT_UNARY)
def test_one_operand_to_the_bit(device: hd.Device, rng: np.random.Generator, name: str):
    for dtype in loops_of(name):
        x = samples(dtype, rng)
        if name == "spacing" and dtype == BFLOAT16:
            x = x[~((x == 0) & np.signbit(x))]  # ml_dtypes: -0 has a negative spacing
        if name == "reciprocal" and dtype.kind in "iu":
            x = x[x != 0]  # NumPy gives what the conversion of infinity happens to be
        ulp = 0.0
        if dtype.kind == "c":
            # Squares are sums of products, of which NumPy's vector code fuses some.
            ulp = {"square": np.inf, "sqrt": 3, "absolute": 3, "sign": 3, "reciprocal": 3}.get(
                name, 0
            )
        if name == "modf" and dtype == BFLOAT16:
            got = to_host(hd.modf(hd.asarray(x)))
            want = tuple(part.astype(BFLOAT16) for part in np.modf(x.astype("f4")))
        else:
            got, want = to_host(getattr(hd, name)(hd.asarray(x))), numpys(name, dtype, x)
        assert_all_same(got, want, ulp, [x])


@pytest.mark.parametrize("name", EXACT_BINARY)
def test_two_operands_to_the_bit(device: hd.Device, rng: np.random.Generator, name: str):
    for dtype in loops_of(name):
        x, y = pairs(dtype, rng)
        # Sums of products: NumPy's vector code fuses some.
        ulp = 0 if dtype.kind != "c" or name not in ("multiply", "divide") else np.inf
        want = numpys(name, dtype, x, y)
        got = to_host(getattr(hd, name)(hd.asarray(x), hd.asarray(y)))
        if name in ("maximum", "minimum", "fmax", "fmin", "nextafter") and dtype.kind in "fV":
            # Which of zeros of both signs it is differs between NumPy's loops.
            zero = (x == 0) & (y == 0)
            got, want = np.where(zero, 0, got).astype(dtype), np.where(zero, 0, want).astype(dtype)
        assert_all_same(got, want, ulp, [x, y])


@pytest.mark.parametrize("dtype", COMPLEX, ids=str)
@pytest.mark.parametrize("name", ["multiply", "divide", "square"])
def test_complex_products(device: hd.Device, rng: np.random.Generator, dtype: Any, name: str):
    x, y = (samples(dtype, rng, 1000)[81:] for _ in range(2))
    operands = (x, y)[: getattr(hd, name).nin]
    exact = getattr(np, name)(*[one.astype("c32") for one in operands])
    got = hd.asnumpy(getattr(hd, name)(*map(hd.asarray, operands)))
    error = np.abs(got.astype("c32") - exact) / np.abs(exact)
    assert error.max() < 4 * np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_power(device: hd.Device, rng: np.random.Generator, dtype: Any):
    @same_as_numpy()
    def body(xp: Any, x: np.ndarray, y: np.ndarray) -> Any:
        return xp.power(xp.asarray(x), xp.asarray(y))

    x, _ = pairs(dtype, rng)
    body(x, rng.integers(0, 70, x.size).astype(dtype))


@pytest.mark.parametrize("exponent", [-1, -2, np.int64(-1), np.int8(-3)])
def test_negative_powers_of_integers_are_refused(device: hd.Device, exponent: Any):
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        hd.asarray([1, 2]) ** exponent
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        hd.power(hd.asarray([1, 2]), hd.asarray([1, -1]))


@pytest.mark.parametrize("dtype", REALS, ids=str)
def test_ldexp(device: hd.Device, rng: np.random.Generator, dtype: Any):
    x = samples(dtype, rng)
    for integer in ("int8", "int32", "int64"):
        n = rng.integers(-120, 120, x.size).astype(integer)
        if integer == "int64":
            n[:40] *= 10**15
        want = np.ldexp(x.astype("f8"), np.clip(n, -3000, 3000).astype("i4")).astype(dtype)
        assert_same(hd.asnumpy(hd.ldexp(hd.asarray(x), hd.asarray(n))), want, 0, [x, n])


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_shifts_past_the_width(device: hd.Device, dtype: Any):
    bits = 8 * dtype.itemsize
    counts = [0, 1, bits - 1, bits, bits + 1, 100]
    counts += [-1, -bits] if dtype.kind == "i" else []

    @same_as_numpy()
    def body(xp: Any) -> Any:
        x = xp.asarray(np.repeat(np.array([1, 3, 100], dtype), len(counts)))
        n = xp.asarray(np.tile(np.array(counts, dtype), 3))
        return [x << n, x >> n]

    body()


@pytest.mark.parametrize("dtype", [*BOOL, *INTEGERS, *REALS, *COMPLEX], ids=str)
def test_where_and_casts(device: hd.Device, rng: np.random.Generator, dtype: Any):
    x = samples(dtype, rng)
    mask = rng.integers(0, 2, x.size).astype(bool)
    got = hd.where(hd.asarray(mask), hd.asarray(x), hd.asarray(x[::-1].copy()))
    assert_same(hd.asnumpy(got), np.where(mask, x, x[::-1]))
    finite = x[np.isfinite(x)] if dtype.kind in "fcV" else x
    for target in DTYPES:
        if dtype.kind == "c" and target.kind != "c":
            continue
        values = finite
        if target.kind in "iu" and dtype.kind in "fV":
            ends = np.iinfo(target)  # beyond is undefined in C and in NumPy
            values = finite[(finite.astype("f8") > ends.min) & (finite.astype("f8") < ends.max)]
        with np.errstate(all="ignore"):
            want = values.astype(target)
        assert_same(hd.asnumpy(hd.asarray(values).astype(target)), want, 0, [values])


@pytest.mark.parametrize("dtype", REALS, ids=str)
def test_functions_of_the_numpy_namespace(device: hd.Device, rng: np.random.Generator, dtype: Any):
    x = samples(dtype, rng)
    wide = x.astype("f8")
    with np.errstate(all="ignore"):
        for name, reference in (("i0", np.i0), ("sinc", np.sinc), ("angle", np.angle)):
            values = x[np.abs(wide) < 10] if name != "angle" else x
            want = reference(values.astype("f8"))
            got = hd.asnumpy(getattr(hd, name)(hd.asarray(values)))
            assert got.dtype == dtype
            near = np.abs(got.astype("f8") - want) <= 8 * float(part_eps(dtype)) * (
                1 + np.abs(want)
            )
            assert (near | (got == want) | (np.isnan(want) & np.isnan(got))).all(), name


def part_eps(dtype: np.dtype[Any]) -> float:
    return float(hd.finfo(dtype).eps) if hasattr(hd, "finfo") else 2.0**-7


@pytest.mark.parametrize("dtype", [*INTEGERS, np.dtype("f4"), np.dtype("f8")], ids=str)
def test_operators(device: hd.Device, rng: np.random.Generator, dtype: Any):
    @same_as_numpy()
    def body(xp: Any, x: np.ndarray, y: np.ndarray) -> Any:
        a, b = xp.asarray(x), xp.asarray(y)
        results = [a + b, a - b, a * b, a / b, a // b, a % b, -a, +a, abs(a), a + 3, 3 - a, 2 * a]
        results += [
            a < b,
            a <= b,
            a == b,
            a != b,
            a > b,
            a >= b,
            *divmod(a, b),
            a**2,
            5 // b,
            5 % b,
        ]
        if dtype.kind in "iu":
            results += [a & b, a | b, a ^ b, ~a, a << 2, a >> 2, 1 << (b & 7)]
        return results

    body(*pairs(dtype, rng))


@pytest.mark.parametrize("dtype", REALS, ids=str)
def test_16_bit_results_are_rounded_once(device: hd.Device, rng: np.random.Generator, dtype: Any):
    if dtype.itemsize != 2:
        pytest.skip("wider")
    x, y = pairs(dtype, rng)
    chain = hd.asarray(x) * hd.asarray(y) + hd.asarray(x) - hd.asarray(y)
    with np.errstate(all="ignore"):
        product = (x.astype("f4") * y.astype("f4")).astype(dtype).astype("f4")
        total = (product + x.astype("f4")).astype(dtype).astype("f4")
        want = (total - y.astype("f4")).astype(dtype)
    assert_same(hd.asnumpy(chain), want, 0, [x, y])
    assert ulp_error(want[:1], want[:1], part_of(dtype)).max() == 0
