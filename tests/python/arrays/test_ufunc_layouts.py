"""Ufuncs of arrays of every layout, broadcast, and with numbers of Python and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both import same_as_numpy

import heald as hd

SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (1, 5), (5, 1), (2, 3, 4), (2, 1, 3, 1, 2, 1, 1, 2)]


@pytest.fixture(params=SHAPES, ids=str)
def shape(request: pytest.FixtureRequest) -> tuple[int, ...]:
    return request.param


def numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return rng.standard_normal(shape).astype("f4")


@same_as_numpy()
def arithmetic(xp: Any, *hosts: np.ndarray) -> Any:
    x, y = (xp.asarray(host) for host in hosts)
    return [x + y, xp.subtract(y, x), x < y, *xp.divmod(x, y), xp.negative(x), xp.isnan(y)]


def test_shapes(device: hd.Device, rng: np.random.Generator, shape: tuple[int, ...]):
    arithmetic(numbers(rng, shape), numbers(rng, shape))


def test_broadcasting(device: hd.Device, rng: np.random.Generator, shape: tuple[int, ...]):
    ones = tuple(1 if i % 2 else n for i, n in enumerate(shape))
    arithmetic(numbers(rng, shape), numbers(rng, ones))
    arithmetic(numbers(rng, shape[1:]), numbers(rng, shape))
    arithmetic(numbers(rng, ()), numbers(rng, shape))


VIEWS = {
    "every second": lambda x: x[::2],
    "from behind": lambda x: x[::-1, ::-1],
    "rows from behind": lambda x: x[::-3],
    "transposed": lambda x: x.T,
    "axes exchanged": lambda x: x.transpose(1, 2, 0),
    "columns": lambda x: x[:, 1:5:2, 2:],
    "one column": lambda x: x[:, :, 3],
    "new axes": lambda x: x[:, None, :, 2, None],
    "offset": lambda x: x[1:, 1:, 1:],
}


@pytest.mark.parametrize("view", VIEWS)
def test_views(device: hd.Device, rng: np.random.Generator, view: str):
    host, other = numbers(rng, (6, 8, 10)), numbers(rng, (6, 8, 10))
    cut = VIEWS[view]

    @same_as_numpy()
    def body(xp: Any) -> Any:
        x, y = cut(xp.asarray(host)), cut(xp.asarray(other))
        return [x + y, x * 2, xp.maximum(x, y) - x, -x, xp.floor(x)]

    body()


def test_views_of_one_array_that_overlap(device: hd.Device, rng: np.random.Generator):
    host = numbers(rng, (40,))

    @same_as_numpy()
    def body(xp: Any) -> Any:
        x = xp.asarray(host).copy()
        results = [x[1:] - x[:-1], x + x[::-1]]
        x[1:] += x[:-1]
        x[::-1] -= x
        return [*results, x]

    body()


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((2, 3), (2,)), ((4, 1, 2), (3, 3))])
def test_shapes_that_do_not_broadcast(device: hd.Device, shapes: Any):
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes"):
        hd.ones(shapes[0]) + hd.ones(shapes[1])


NUMBERS = [
    True,
    2,
    -3,
    0.1,
    np.float32(0.1),
    np.float64(0.1),
    np.int8(3),
    np.uint16(7),
    np.bool_(True),
    np.array(2.5),
]


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
@pytest.mark.parametrize("dtype", ["int8", "uint32", "float16", "float32", "float64"])
def test_numbers(device: hd.Device, dtype: str, number: Any):
    host = np.array([1, 2, 5, 100]).astype(dtype)

    @same_as_numpy()
    def body(xp: Any, reverse: bool) -> Any:
        x = xp.asarray(host)
        return xp.add(number, x) if reverse else xp.multiply(x, number)

    body(False)
    body(True)


def test_operands_of_other_kinds_are_refused(device: hd.Device):
    for other in ("1", None, object(), np.ones(3)):
        with pytest.raises(TypeError, match=r"\[add\] an operand must be an hd.Array"):
            hd.add(hd.ones(3), other)
    with pytest.raises(TypeError, match="positional arguments"):
        hd.add(hd.ones(3))


def test_lists_are_arrays(device: hd.Device):
    assert hd.add([1, 2], (3, 4)).tolist() == [4, 6]
