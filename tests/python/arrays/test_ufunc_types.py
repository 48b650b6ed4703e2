"""Which loops there are: dtypes of results and exceptions are NumPy's, for every pair of dtypes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from both import BFLOAT16, COMPLEX, DTYPES, INTEGERS, NUMPY_DTYPES, REALS, same_as_numpy

import heald as hd

UFUNCS = sorted({name for name in hd.__all__ if isinstance(getattr(hd, name), hd.ufunc)})
UNARY = [name for name in UFUNCS if getattr(hd, name).nin == 1]
BINARY = [name for name in UFUNCS if getattr(hd, name).nin == 2]


def outcome(function: Any, *operands: Any) -> Any:
    """Dtypes of the results, or the kind of the exception."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = function(*operands)
    except (TypeError, ValueError, OverflowError) as error:
        kinds = (TypeError, ValueError, OverflowError)
        return next(kind.__name__ for kind in kinds if isinstance(error, kind))
    results = result if isinstance(result, tuple) else (result,)
    return [np.dtype(one.dtype) for one in results]


def one_element(dtype: np.dtype[Any]) -> np.ndarray:
    return np.ones(1, dtype)


def test_every_ufunc_of_numpy_is_here():
    # isnat is of dates; the others are products of matrices.
    other = {"isnat", "matmul", "matvec", "vecdot", "vecmat"}
    names = {name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)}
    assert names - other <= set(UFUNCS)
    for name in names - other:
        ours, numpys = getattr(hd, name), getattr(np, name)
        assert ours.__name__ == numpys.__name__
        assert (ours.nin, ours.nout, ours.nargs) == (numpys.nin, numpys.nout, numpys.nargs)
        assert ours.identity == numpys.identity
        assert type(ours.identity) is type(numpys.identity)


@pytest.mark.parametrize("name", UNARY)
def test_results_of_one_operand_have_numpys_dtypes(cpu: hd.Device, name: str):
    ours, numpys = getattr(hd, name), getattr(np, name)
    for dtype in NUMPY_DTYPES:
        x = one_element(dtype)
        assert outcome(ours, hd.asarray(x)) == outcome(numpys, x), dtype
    for number in (True, 1, 1.0, 1j):
        assert outcome(ours, number) == outcome(numpys, number), number


@pytest.mark.parametrize("name", BINARY)
def test_results_of_two_operands_have_numpys_dtypes(cpu: hd.Device, name: str):
    ours, numpys = getattr(hd, name), getattr(np, name)
    arrays = {dtype: hd.asarray(one_element(dtype)) for dtype in NUMPY_DTYPES}
    numbers = [True, 1, 1.0, 1j]
    for first, x in arrays.items():
        a = one_element(first)
        for second, y in arrays.items():
            want = outcome(numpys, a, one_element(second))
            assert outcome(ours, x, y) == want, (first, second)
        for number in numbers + [dtype.type(1) for dtype in NUMPY_DTYPES]:
            assert outcome(ours, x, number) == outcome(numpys, a, number), (first, repr(number))
            assert outcome(ours, number, x) == outcome(numpys, number, a), (repr(number), first)
    for number in numbers:
        for other in numbers:
            assert outcome(ours, number, other) == outcome(numpys, number, other)


@pytest.mark.parametrize("name", UNARY)
def test_bfloat16_has_the_loops_of_float16(cpu: hd.Device, name: str):
    narrow, half = hd.asarray(one_element(BFLOAT16)), hd.asarray(one_element(np.dtype("f2")))
    want = outcome(getattr(hd, name), half)
    if isinstance(want, list):
        want = [BFLOAT16 if dtype == np.float16 else dtype for dtype in want]
    assert outcome(getattr(hd, name), narrow) == want


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize(
    "number", [-1, 200, 300, -(2**40), 2**40, 2**63, 2**64, -(10**30), 10**400]
)
def test_ints_that_do_not_fit(cpu: hd.Device, dtype: np.dtype[Any], number: int):
    @same_as_numpy()
    def arithmetic(xp: Any) -> Any:
        return xp.asarray(one_element(dtype)) + number

    @same_as_numpy()
    def comparisons(xp: Any) -> Any:
        x = xp.asarray(one_element(dtype))
        return [
            x < number,
            x <= number,
            x == number,
            x != number,
            x >= number,
            x > number,
            number < x,
            number == x,
            xp.less(number, x),
            xp.greater_equal(number, x),
        ]

    arithmetic()
    comparisons()


@pytest.mark.parametrize("dtype", [*REALS, *COMPLEX], ids=str)
def test_large_ints_with_floating_point(cpu: hd.Device, dtype: np.dtype[Any]):
    if dtype == BFLOAT16:
        pytest.skip("NumPy gives this to ml_dtypes")

    @same_as_numpy()
    def body(xp: Any, number: int) -> Any:
        return xp.asarray(one_element(dtype)) * number

    for number in (2**63, 10**30, 10**400, -(10**400)):
        body(number)


def test_signed_and_unsigned_compare_as_numbers(cpu: hd.Device):
    signed = np.array([-1, 0, 5, 2**63 - 1, 2**53 + 1])
    unsigned = np.array([2**64 - 1, 0, 5, 2**63 - 1, 2**53], np.uint64)

    @same_as_numpy()
    def body(xp: Any, narrow: str) -> Any:
        x, y = xp.asarray(signed), xp.asarray(unsigned)
        x = x.astype(narrow) if narrow != "int64" else x
        names = ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal")
        return [getattr(xp, f)(a, b) for f in names for a, b in ((x, y), (y, x))]

    body("int64")
    body("int8")


# ldexp: NumPy wants a loop that takes both operands as they are.
@pytest.mark.parametrize("name", [name for name in BINARY if name != "ldexp"])
def test_dtype_argument(cpu: hd.Device, name: str):
    ours, numpys = getattr(hd, name), getattr(np, name)
    x = one_element(np.dtype("i4"))
    for dtype in ("bool", "int16", "int64", "float32", "complex128"):
        want = outcome(lambda *a, f=numpys, d=dtype: f(*a, dtype=d), x, x)
        got = outcome(lambda *a, f=ours, d=dtype: f(*a, dtype=d), hd.asarray(x), hd.asarray(x))
        assert got == want, dtype


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_types_name_the_loops(cpu: hd.Device, dtype: np.dtype[Any]):
    if dtype == BFLOAT16:
        assert "EE->E" in hd.add.types
        return
    character = {"l": "q", "L": "Q"}.get(dtype.char, dtype.char)
    for name in ("add", "sin", "absolute", "equal", "bitwise_count", "divmod"):
        loops = {
            loop for loop in getattr(np, name).types if loop[0] == character and loop.isascii()
        }
        if name in ("add", "equal"):
            loops = {loop for loop in loops if loop[1] == character}
        assert {loop for loop in getattr(hd, name).types if loop[0] == character} == loops
