"""Every body of scalar_bodies.py in a kernel, against the same function run by Python on NumPy's
scalars: values, and the dtype of the result."""

from __future__ import annotations

import numpy as np
import pytest

import heald as hd
from jit import scalar_bodies as bodies

COUNT = 37
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]


def values(rng, dtype):
    """Small numbers, and the ends of the type."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        x = rng.integers(max(ends.min, -20), 20, COUNT).astype(dtype)
        x[:4] = [ends.min, ends.max, ends.max // 2, 0]
        return x
    if dtype.kind == "c":
        part = "float32" if dtype == "complex64" else "float64"
        return (values(rng, part) + 1j * values(rng, part)).astype(dtype)
    x = (rng.standard_normal(COUNT) * 3).astype(dtype)
    x[:3] = [0.0, 1.0, -2.5]
    return x


def run_both(function, x, y):
    @hd.jit
    def kernel(x, y, out):
        i = hd.cuda.grid(1)
        if i < out.size:
            out[i] = function(x[i], y[i])

    with np.errstate(all="ignore"):
        expected = [function(a, b) for a, b in zip(x, y)]
    kinds = {np.asarray(value).dtype for value in expected}
    out_dtype = np.result_type(*kinds)
    if out_dtype.kind == "O":
        pytest.skip("Python's ints went past 64 bits")
    out = hd.full(len(x), 99, dtype=out_dtype)
    kernel[2, 32](hd.array(x), hd.array(y), out)
    return hd.asnumpy(out), np.array(expected, out_dtype)


def check(got, expected, inputs):
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(got, expected)
        return
    lowest = min(
        (np.dtype(d) for d in inputs), key=lambda d: np.finfo(d).eps if d.kind in "fc" else 0
    )
    eps = max(
        np.finfo(expected.dtype).eps,
        np.finfo(lowest).eps if lowest.kind in "fc" else 0,
    )
    np.testing.assert_allclose(got, expected, rtol=64 * eps, atol=16 * eps)


def both_types(first, second=None):
    return pytest.mark.parametrize("types", [(t, second or t) for t in first], ids="-".join)


def case(rng, function, types):
    x, y = values(rng, types[0]), values(rng, types[1])
    if function.__name__ in DIVIDES:
        y[y == 0] = 1
    got, expected = run_both(function, x, y)
    check(got, expected, types)


# Python's own ints divide by zero with an exception; NumPy's give 0.
DIVIDES = {"both_divisions", "f_divmod", "f_floor_divide"}


def named(function):
    return function.__name__


@both_types(["int32", "uint8", "int64"])
@pytest.mark.parametrize("function", bodies.INTEGERS, ids=named)
def test_integers(device, rng, function, types):
    with np.errstate(all="ignore"):
        case(rng, function, types)


@both_types(["float32", "float64"])
@pytest.mark.parametrize("function", bodies.REALS, ids=named)
def test_reals(device, rng, function, types):
    case(rng, function, types)


@both_types(["complex64", "complex128"])
@pytest.mark.parametrize("function", bodies.COMPLEX, ids=named)
def test_complex(device, rng, function, types):
    case(rng, function, types)


@pytest.mark.parametrize("types", [("int32", "float32"), ("int16", "float64")], ids="-".join)
@pytest.mark.parametrize("function", bodies.MIXED, ids=named)
def test_mixed(device, rng, function, types):
    case(rng, function, types)


@pytest.mark.parametrize("function", bodies.INTEGERS, ids=named)
def test_integers_of_any_two_types(device, rng, function):
    """The second operand may have another type: promotion."""
    if function.__name__ in ("zipped", "enumerated", "tuple_loop"):
        pytest.skip("one local takes both: it has the type of both from the start")
    first, second = rng.choice(SIGNED + UNSIGNED, 2)
    print(f"types {first} and {second}")
    if {first, second} >= {"int64", "uint64"} or ("uint64" in (first, second) and first != second):
        second = first  # they meet in float64, which has no integer operators
    try:
        case(rng, function, (str(first), str(second)))
    except OverflowError:
        pytest.skip("NumPy refuses an int that the dtype cannot hold")
    except hd.JitError as refused:
        assert "does not fit" in str(refused)
