"""Arrays of numbers in order and of patterns, beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from both import same_as_numpy
from hypothesis import given, settings
from hypothesis import strategies as st

import heald as hd

ARANGES = [
    (5,), (0,), (-3,), (2, 9), (2, 9, 3), (9, 2, -2), (9, 2), (0.0, 1.0, 0.1), (5.5,), (1, 2, 0.25),
    (0, -1, -0.25), (np.int8(3),), (np.float32(0), np.float32(2), np.float32(0.5)), (2**40, 2**40 + 5),
]  # fmt: skip


@pytest.mark.parametrize("args", ARANGES, ids=str)
def test_arange(device, args):
    @same_as_numpy(ulp=1)
    def body(xp):
        return xp.arange(*args)

    body()


@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int64", "float16", "float32", "float64", "complex64"]
)
def test_arange_dtypes(device, dtype):
    @same_as_numpy()
    def body(xp):
        return xp.arange(3, 40, 4, dtype=dtype), xp.arange(7, dtype=dtype)

    body()


def test_arange_without_steps(device):
    @same_as_numpy()
    def body(xp):
        return xp.arange(0, 3, 0)

    with pytest.raises(ZeroDivisionError):
        body()


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.integers(0, 50), st.booleans(),
    st.sampled_from([None, "float32", "int32"]),
)  # fmt: skip
def test_linspace(start, stop, num, endpoint, dtype):
    with hd.Device("cpu"):
        got = hd.asnumpy(hd.linspace(start, stop, num, endpoint, dtype=dtype))
    want = np.linspace(start, stop, num, endpoint, dtype=dtype)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if dtype == "int32":
        assert np.abs(got.astype(float) - want).max(initial=0) <= 1
    else:
        eps = np.finfo(want.dtype).eps
        bound = 4 * eps * max(abs(start), abs(stop))
        assert np.abs(got.astype(float) - want).max(initial=0) <= bound
    if endpoint and num > 1 and dtype is None:
        assert got[0] == start
        assert got[-1] == stop


def test_linspace_of_arrays(device):
    @same_as_numpy(ulp=2)
    def body(xp):
        a, b = xp.asarray([0.0, 1.0]), xp.asarray([[4.0], [5.0]])
        values, step = xp.linspace(a, b, 4, retstep=True, axis=-1)
        return values, step, xp.linspace(0, 1j, 3), xp.linspace(1, 1, 3), xp.linspace(0, 1, 1)

    body()


def test_linspace_of_a_negative_count(device):
    @same_as_numpy()
    def body(xp):
        return xp.linspace(0, 1, -1)

    body()


def test_geometric(device):
    @same_as_numpy(ulp=8)
    def body(xp):
        return xp.logspace(0, 3, 7), xp.logspace(1, 4, 4, base=2), xp.geomspace(1, 1000, 4)

    body()


@pytest.mark.parametrize(
    "args", [(3,), (3, 5), (5, 3), (3, 3, 1), (3, 4, -2), (0,), (2, 2, 9)], ids=str
)
@pytest.mark.parametrize("dtype", ["bool", "int32", "float64", "complex64"])
def test_eye(device, args, dtype):
    @same_as_numpy()
    def body(xp):
        n, m, k = (*args, *[None, 0][len(args) - 1 :])
        return xp.eye(n, m, k=k, dtype=dtype), xp.tri(n, m, k, dtype), xp.identity(n, dtype)

    body()


def test_triangles_and_diagonals(device, rng):
    host = rng.normal(size=(3, 4, 5))

    @same_as_numpy()
    def body(xp):
        a = xp.asarray(host)
        b = xp.asarray(host[0].copy())
        xp.fill_diagonal(b, 9)
        return (
            xp.tril(a), xp.triu(a, 1), xp.tril(a, -1), xp.diag(a[0, 0]), xp.diag(a[0], 1),
            xp.diag(a[0, 0], -2), xp.diagonal(a), xp.diagonal(a, -1, 0, 2), xp.diagonal(a, 1, 2, 1),
            xp.diagflat(a[0, :2]), b, xp.trace(a), a.diagonal(1, 1, 2),
        )  # fmt: skip

    body()


def test_diagonal_is_a_view(device):
    a = hd.zeros((3, 3))
    hd.diagonal(a)[...] = 2
    np.testing.assert_array_equal(hd.asnumpy(a), 2 * np.eye(3))


def test_filled(device):
    @same_as_numpy()
    def body(xp):
        a = xp.full((2, 3), 7, dtype="int16")
        return (
            a, xp.full(2, True), xp.full((), 1.5), xp.full((2, 2), xp.asarray([1, 2])),
            xp.ones_like(a), xp.zeros_like(a, dtype="float32"), xp.full_like(a, 3),
            xp.ones((2, 0)), xp.zeros(3, dtype=bool), xp.empty((0, 2)),
        )  # fmt: skip

    body()


def test_patterns(device):
    @same_as_numpy()
    def body(xp):
        x, y, z = xp.arange(3), xp.arange(4.0), xp.arange(2)
        return (
            *xp.meshgrid(x, y, z), *xp.meshgrid(x, y, indexing="ij"), *xp.meshgrid(x, y, sparse=True),
            xp.vander(xp.asarray([1, 2, 3])), xp.vander(xp.asarray([1.0, 2]), 4, increasing=True),
            xp.fromfunction(lambda i, j: i * 10 + j, (2, 3)),
        )  # fmt: skip

    body()


@pytest.mark.parametrize("count", [0, 1, 2, 7, 50])
def test_windows(device, count):
    for name in ("hanning", "hamming", "blackman", "bartlett"):
        got, want = hd.asnumpy(getattr(hd, name)(count)), getattr(np, name)(count)
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15)
        assert got.dtype == want.dtype


def test_dtype_questions():
    @same_as_numpy()
    def body(xp):
        a = xp.zeros(2, dtype="float32")
        return [
            np.zeros(1, xp.result_type(a, 1.5)), np.zeros(1, xp.result_type("int8", "uint8")),
            xp.can_cast("int8", "int16"), xp.can_cast(a.dtype, "float64"), xp.can_cast("float64", "int8"),
            xp.isdtype(a.dtype, "real floating"), xp.isdtype(np.dtype("int8"), ("bool", "integral")),
            xp.iinfo("int16").max, float(xp.finfo("float32").eps), np.zeros(1, xp.promote_types("u1", "i1")),
        ]  # fmt: skip

    body()


def test_device_follows_the_arguments(device):
    assert hd.linspace(hd.zeros(2), 1, 3).device == device
    assert hd.tril(hd.ones((2, 2))).device == device
    assert hd.arange(3, device="cpu").device == hd.Device("cpu")
