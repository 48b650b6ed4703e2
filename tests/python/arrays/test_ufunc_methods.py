"""out=, where=, casting=, operators in place, and the methods of ufuncs."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from both import same_as_numpy

import heald as hd


@pytest.fixture
def host(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(-9, 9, (4, 5)).astype("f4")


def test_out(device: hd.Device, host: np.ndarray):
    @same_as_numpy()
    def body(xp: Any) -> Any:
        x = xp.asarray(host)
        out = xp.zeros((4, 5), "f8")
        assert xp.add(x, 1, out=out) is out
        wide = xp.zeros((3, 4, 5), "f4")
        xp.multiply(x, x, wide)
        q, r = xp.zeros((4, 5), "f4"), xp.zeros((4, 5), "f4")
        results = xp.divmod(x, 4, out=(q, r))
        assert results[0] is q and results[1] is r
        fraction, whole = xp.modf(x, out=(None, q))
        assert whole is q
        return [out, wide, r, fraction, whole]

    body()


@pytest.mark.parametrize(
    ("dtype", "shape", "error"),
    [("i4", (4, 5), TypeError), ("f4", (4, 1), ValueError), ("f4", (5,), ValueError)],
)
def test_out_that_does_not_fit(
    device: hd.Device, host: np.ndarray, dtype: str, shape: Any, error: Any
):
    with pytest.raises(error, match="add"):
        hd.add(hd.asarray(host), 1, out=hd.zeros(shape, dtype))


def test_out_of_casting_unsafe(device: hd.Device, host: np.ndarray):
    @same_as_numpy()
    def body(xp: Any) -> Any:
        out = xp.zeros((4, 5), "i4")
        return xp.divide(xp.asarray(host), 2, out=out, casting="unsafe")

    body()


def test_casting_of_operands(device: hd.Device, host: np.ndarray):
    x = hd.asarray(host)
    assert hd.add(x, x, dtype="f8").dtype == np.float64
    with pytest.raises(TypeError, match="input 0 from float32 to int32 with casting rule"):
        hd.add(x, x, dtype="i4")
    with pytest.raises(TypeError, match="casting rule 'no'"):
        hd.add(x, hd.ones((4, 5), "f8"), casting="no")


def test_where(device: hd.Device, host: np.ndarray):
    @same_as_numpy()
    def body(xp: Any) -> Any:
        x = xp.asarray(host)
        out = xp.full((4, 5), -1, "f4")
        xp.reciprocal(x, out=out, where=x != 0)
        narrow = xp.full((4, 5), -1, "f4")
        xp.add(x, x, out=narrow, where=xp.asarray(np.array([True, False, True, True, False])))
        return [out, narrow]

    body()
    masked = hd.add(hd.asarray(host), 1, where=hd.asarray(host > 0))
    assert np.array_equal(hd.asnumpy(masked), np.where(host > 0, host + 1, 0))
    with pytest.raises(TypeError, match="'where' must be of bool"):
        hd.add(hd.asarray(host), 1, where=hd.asarray(host))


IN_PLACE = {
    "+=": lambda x, y: x.__iadd__(y),
    "-=": lambda x, y: x.__isub__(y),
    "*=": lambda x, y: x.__imul__(y),
    "/=": lambda x, y: x.__itruediv__(y),
    "//=": lambda x, y: x.__ifloordiv__(y),
    "%=": lambda x, y: x.__imod__(y),
    "**=": lambda x, y: x.__ipow__(y),
    "&=": lambda x, y: x.__iand__(y),
    "|=": lambda x, y: x.__ior__(y),
    "^=": lambda x, y: x.__ixor__(y),
    "<<=": lambda x, y: x.__ilshift__(y),
    ">>=": lambda x, y: x.__irshift__(y),
}


@pytest.mark.parametrize("operator", IN_PLACE)
@pytest.mark.parametrize("dtype", ["i4", "f4"])
def test_operators_in_place(device: hd.Device, host: np.ndarray, operator: str, dtype: str):
    @same_as_numpy()
    def body(xp: Any) -> Any:
        x = xp.asarray(np.abs(host).astype(dtype) + 1)
        view, before = x[1:3], x * 2
        result = IN_PLACE[operator](view, 2)
        assert result is view
        IN_PLACE[operator](x, xp.asarray(np.full(5, 3, dtype)))
        return [x, before]

    body()


def test_operators_in_place_read_pending_operands_before(device: hd.Device):
    a = hd.ones(1000)
    b = a + 1
    a += b
    a *= a
    assert (b.tolist(), a.tolist()) == ([2.0] * 1000, [9.0] * 1000)


def test_operators_in_place_that_do_not_fit(device: hd.Device):
    x = hd.ones(3, "i4")
    with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output from float64 to int32"):
        x += 1.5
    with pytest.raises(TypeError, match="Cannot cast ufunc 'divide' output from float64 to int32"):
        x /= 2
    with pytest.raises(ValueError, match="non-broadcastable output operand with shape"):
        x += hd.ones((2, 3), "i4")
    with pytest.raises(OverflowError):
        x += 2**40
    assert x.tolist() == [1, 1, 1]


REDUCIBLE = """add multiply maximum minimum fmax fmin logical_and logical_or logical_xor subtract
divide hypot logaddexp logaddexp2 heaviside""".split()


@pytest.mark.parametrize("name", REDUCIBLE)
@pytest.mark.parametrize("axis", [0, -1, 1])
def test_reduce(device: hd.Device, host: np.ndarray, name: str, axis: int):
    @same_as_numpy(ulp=16)
    def body(xp: Any) -> Any:
        x = xp.asarray((np.abs(host) + 1) / 8)
        f = getattr(xp, name)
        return [f.reduce(x, axis), f.reduce(x, axis=axis, keepdims=True)]

    body()


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm", "add"])
@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "u8"])
def test_reduce_integers(device: hd.Device, host: np.ndarray, name: str, dtype: str):
    @same_as_numpy()
    def body(xp: Any) -> Any:
        x = xp.asarray(host.astype("i8").astype(dtype))
        return [getattr(xp, name).reduce(x, axis) for axis in (0, 1)]

    body()


def test_options_of_reduce(device: hd.Device, host: np.ndarray):
    @same_as_numpy(ulp=4)
    def body(xp: Any) -> Any:
        x = xp.asarray(host)
        mask = xp.asarray(host > 0)
        out = xp.zeros(5, "f8")
        xp.add.reduce(x, 0, None, out)
        return [
            out,
            xp.add.reduce(x, axis=None),
            xp.add.reduce(x, axis=(0, 1), keepdims=True),
            xp.add.reduce(x, axis=(0,), initial=10),
            xp.add.reduce(x, where=mask),
            xp.multiply.reduce(x, axis=1, where=mask, dtype="f8"),
            xp.maximum.reduce(x, axis=1, where=mask, initial=-3),
            xp.maximum.reduce(x, axis=1, initial=2),
            xp.add.reduce(xp.asarray(host.astype("i1"))),
            xp.add.reduce(xp.asarray(host > 0), axis=1),
            xp.logical_and.reduce(x, axis=None),
            xp.add.reduce(xp.zeros((0, 3)), axis=0),
            xp.multiply.reduce(xp.zeros((2, 0)), axis=1),
            xp.maximum.reduce(xp.zeros((0, 2)), axis=0, initial=4),
            xp.add.reduce(x, axis=()),
        ]

    body()


@pytest.mark.parametrize(
    "call",
    [
        lambda xp: xp.maximum.reduce(xp.zeros((0, 2)), axis=0),
        lambda xp: xp.maximum.reduce(xp.ones(3), where=xp.asarray(np.array([True, True, False]))),
        lambda xp: xp.subtract.reduce(xp.ones((2, 2)), axis=(0, 1)),
        lambda xp: xp.add.reduce(xp.ones((2, 2)), axis=2),
        lambda xp: xp.add.reduce(xp.ones((2, 2)), axis=(0, 0)),
        lambda xp: xp.sin.reduce(xp.ones(3)),
        lambda xp: xp.divmod.reduce(xp.ones(3)),
        lambda xp: xp.bitwise_and.reduce(xp.ones(3)),
        lambda xp: xp.add.accumulate(xp.ones(())),
        lambda xp: xp.add.reduceat(xp.ones(3), [0, 3]),
    ],
)
def test_reductions_that_are_refused(device: hd.Device, call: Any):
    same_as_numpy()(call)()


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "subtract", "hypot"])
def test_accumulate(device: hd.Device, host: np.ndarray, name: str):
    @same_as_numpy(ulp=16)
    def body(xp: Any) -> Any:
        x = xp.asarray((np.abs(host) + 1) / 8)
        f = getattr(xp, name)
        return [f.accumulate(x), f.accumulate(x, axis=1), f.accumulate(x[:, 2])]

    body()


def test_reduceat(device: hd.Device, host: np.ndarray):
    @same_as_numpy(ulp=4)
    def body(xp: Any) -> Any:
        x = xp.asarray(host)
        return [
            xp.add.reduceat(x, [0, 2, 1]),
            xp.maximum.reduceat(x, [0, 3, 2, 4], axis=1),
            xp.add.reduceat(x.astype("i1"), [1], axis=1),
        ]

    body()


def test_outer(device: hd.Device, host: np.ndarray):
    @same_as_numpy()
    def body(xp: Any) -> Any:
        x, y = xp.asarray(host), xp.asarray(host[0])
        return [
            xp.multiply.outer(x, y),
            xp.less.outer(y, x),
            xp.add.outer(2, y),
            xp.add.outer(y, 2),
            *xp.divmod.outer(y, y),
        ]

    body()


def test_at(device: hd.Device, host: np.ndarray):
    @same_as_numpy()
    def body(xp: Any) -> Any:
        x, y, z, w = (xp.asarray(host).copy() for _ in range(4))
        xp.add.at(x, [0, 0, 3], 1)
        xp.negative.at(y, (slice(None), [1, 1, 2]))
        xp.maximum.at(z, ([0, 1, 0], [2, 2, 2]), xp.asarray(np.array([3, 4, 5], "f4")))
        xp.divide.at(w[::2, ::-1], xp.asarray(host[::2] > 0), 2)
        narrow = xp.asarray(np.arange(5, dtype="f2"))
        xp.multiply.at(narrow, [1, 1, 1, -1], xp.asarray(np.array([0.1, 3, 7, 2], "f2")))
        xp.add.at(x, [], 1)
        whole = xp.asarray(np.arange(5, dtype="i4"))
        xp.add.at(whole, [1, 1, 3], 1.5)
        return [x, y, z, w, narrow, whole]

    body()


def test_at_takes_repeated_indices_in_order(device: hd.Device, rng: np.random.Generator):
    indices = rng.integers(0, 10, 1000)
    values = rng.uniform(-2, 2, 1000).astype("f4")

    @same_as_numpy()
    def body(xp: Any) -> Any:
        x = xp.ones(10, "f4")
        before = x + 1
        xp.subtract.at(x, xp.asarray(indices), xp.asarray(values))
        xp.copysign.at(x, xp.asarray(indices), xp.asarray(values))
        return [before, x]

    body()


@pytest.mark.parametrize(
    "call",
    [
        lambda xp: xp.add.at(xp.ones(3), [3], 1),
        lambda xp: xp.add.at(xp.ones(3), [0]),
        lambda xp: xp.sin.at(xp.ones(3), [0], 1),
        lambda xp: xp.add.at(xp.ones(3), [0, 1], xp.ones(3)),
        lambda xp: xp.invert.at(xp.ones(3), [0]),
    ],
)
def test_at_that_is_refused(device: hd.Device, call: Any):
    same_as_numpy()(call)()


def test_ufuncs_are_objects(device: hd.Device):
    assert copy.copy(hd.add) is hd.add
    assert pickle.loads(pickle.dumps(hd.sin)) is hd.sin
    assert repr(hd.arctan2) == "<heald.ufunc 'arctan2'>"
    assert hd.abs is hd.absolute and hd.pow is hd.power and hd.conj is hd.conjugate
    assert "a * pi / 180" in hd.deg2rad.__doc__
    assert "TypeError" in hd.deg2rad.__doc__
    assert "ufunc" in type(hd.add).__name__
