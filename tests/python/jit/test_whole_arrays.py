"""hd.vectorize, hd.guvectorize, hd.reduce and hd.scan."""

from __future__ import annotations

import math

import numpy as np
import pytest

import heald as hd


@hd.vectorize
def smooth(x, y):
    return x * y / (1 + abs(x)) if x > 0 else y - x


@hd.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
def typed(x, y):
    return math.sqrt(x * x + y * y)


@pytest.mark.parametrize(
    "shapes",
    [
        ((7,), (7,)),
        ((3, 4), (4,)),
        ((2, 1, 5), (4, 1)),
        ((), (3,)),
        ((2, 3, 4, 5), (5,)),
        ((0, 3), (3,)),
    ],
)
def test_vectorize_broadcasts(device, rng, shapes):
    a, b = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
    expected = np.where(a > 0, a * b / (1 + np.abs(a)), b - a).astype(np.float32)
    got = smooth(hd.array(a), hd.array(b))
    assert got.shape == expected.shape and got.dtype == np.float32
    np.testing.assert_allclose(hd.asnumpy(got), expected, rtol=1e-6, atol=1e-6)


def test_vectorize_takes_views_and_numbers(device, rng):
    a = rng.standard_normal((6, 8))
    got = smooth(hd.array(a).T[::2], 2.0)
    b = a.T[::2]
    np.testing.assert_allclose(hd.asnumpy(got), np.where(b > 0, b * 2 / (1 + np.abs(b)), 2 - b))
    assert smooth(3.0, 2.0) == 1.5


def test_vectorize_signatures(device):
    x = hd.array(np.array([3, 5], np.float32))
    assert typed(x, x).dtype == np.float32
    i = hd.array(np.array([3, 5], np.int32))
    got = typed(i, 4)
    assert got.dtype == np.float64
    np.testing.assert_allclose(hd.asnumpy(got), [5, math.sqrt(41)])
    with pytest.raises(TypeError, match="no signature"):
        typed(x.astype("complex64"), x)


def test_vectorize_out(device):
    x = hd.ones(5, dtype=np.float32)
    out = hd.zeros(5, dtype=np.float32)
    assert smooth(x, x, out=out) is out
    np.testing.assert_array_equal(hd.asnumpy(out), np.full(5, 0.5, np.float32))
    with pytest.raises(ValueError, match="out must have"):
        smooth(x, x, out=hd.zeros(4, dtype=np.float32))


def test_kernels_call_vectorized_functions(device):
    @hd.jit
    def kernel(x):
        i = hd.cuda.grid(1)
        if i < x.size:
            x[i] = smooth(x[i], 2)

    x = hd.array(np.array([1, -1], np.float32))
    kernel[1, 32](x)
    np.testing.assert_array_equal(hd.asnumpy(x), [1, 3])


def test_guvectorize(device, rng):
    @hd.guvectorize("(n),(n)->()")
    def dot(a, b, out):
        s = 0.0
        for p, q in zip(a, b):
            s += p * q
        out[0] = s

    a, b = rng.standard_normal((3, 4, 10)), rng.standard_normal((4, 10))
    np.testing.assert_allclose(hd.asnumpy(dot(hd.array(a), hd.array(b))), (a * b).sum(-1))

    @hd.guvectorize(["void(float64[:], float64, float64[:], float64[:])"], "(n),()->(n),()")
    def centre(x, scale, out, mean):
        total = 0.0
        for v in x:
            total += v
        mean[0] = total / len(x)
        for k in range(len(x)):
            out[k] = (x[k] - mean[0]) * scale

    out, mean = centre(hd.array(a), hd.array(np.array(2.0)))
    np.testing.assert_allclose(hd.asnumpy(mean), a.mean(-1))
    np.testing.assert_allclose(hd.asnumpy(out), 2 * (a - a.mean(-1, keepdims=True)), atol=1e-12)
    with pytest.raises(ValueError, match="axis n"):
        dot(hd.array(a), hd.array(b[:, :3]))


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 70_000])
def test_reduce_and_scan(device, rng, size):
    largest = hd.reduce(lambda a, b: max(a, b))
    add = hd.reduce(lambda a, b: a + b)
    x = rng.integers(-1000, 1000, size)
    assert int(largest(hd.array(x))) == x.max()
    assert int(add(hd.array(x))) == x.sum()
    assert int(add(hd.array(x), 100)) == x.sum() + 100
    running = hd.scan(lambda a, b: a + b)
    np.testing.assert_array_equal(hd.asnumpy(running(hd.array(x))), np.cumsum(x))


def test_scan_of_an_order(device, rng):
    """The last element that is not zero: associative, not commutative."""
    last = hd.scan(lambda a, b: b if b != 0 else a)
    x = rng.integers(0, 3, 1000) * rng.integers(0, 2, 1000)
    expected = x.copy()
    for k in range(1, len(x)):
        if expected[k] == 0:
            expected[k] = expected[k - 1]
    np.testing.assert_array_equal(hd.asnumpy(last(hd.array(x))), expected)


def test_reduce_of_nothing(device):
    add = hd.reduce(lambda a, b: a + b)
    empty = hd.zeros(0, dtype=np.int32)
    assert int(add(empty, 5)) == 5
    with pytest.raises(ValueError, match="empty"):
        add(empty)
