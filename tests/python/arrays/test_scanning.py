"""cumsum, cumprod, running extremes and ufunc.accumulate: against NumPy in higher precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both import BFLOAT16, COMPLEX, DTYPES, NUMPY_DTYPES, finfo, part_of, randoms, samples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import heald as hd
from heald import _heald

ENGINES = [pytest.param(False, id="own"), pytest.param(True, id="kernels")]
SHAPES = [
    ((1,), 0),
    ((100,), 0),
    ((8192,), 0),
    ((3, 700), 1),
    ((700, 3), 0),
    ((30, 40), 0),
    ((2, 5, 33), 1),
    ((1, 9, 1), 1),
    ((2, 1, 2, 1, 3, 1, 2, 2), 4),
]
INEXACT = [d for d in DTYPES if d.kind in "fcV"]


def host(x: Any) -> np.ndarray:
    return hd.asnumpy(x)


def accumulated(name: str, x: np.ndarray, axis: int, use_kernels: bool, dtype: Any = None) -> Any:
    on_device = hd.array(x)
    first = host(_heald.accumulate_array(name, on_device, axis, dtype, use_kernels=use_kernels))
    again = host(_heald.accumulate_array(name, on_device, axis, dtype, use_kernels=use_kernels))
    assert first.tobytes() == again.tobytes()  # the order is fixed
    return first


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", [d for d in NUMPY_DTYPES if d.kind in "biu"], ids=str)
@pytest.mark.parametrize("name", ["add", "multiply"])
def test_integers(
    device: hd.Device, name: str, dtype: Any, shape: Any, axis: int, use_kernels: bool, rng: Any
) -> None:
    x = randoms(dtype, rng, int(np.prod(shape))).reshape(shape)
    want = getattr(np, name).accumulate(x, axis)
    if want.dtype == bool:  # add.accumulate of bool, where cumsum counts
        want = (np.cumsum if name == "add" else np.cumprod)(x, axis)
    got = accumulated(name, x, axis, use_kernels)
    np.testing.assert_array_equal(got, want.astype(got.dtype))
    assert got.dtype == (np.cumsum(x, axis)).dtype
    narrow = accumulated(name, x, axis, use_kernels, dtype)
    np.testing.assert_array_equal(narrow, getattr(np, name).accumulate(x, axis, dtype))
    assert narrow.dtype == dtype


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", INEXACT, ids=str)
def test_sums(
    device: hd.Device, dtype: Any, shape: Any, axis: int, use_kernels: bool, rng: Any
) -> None:
    size = int(np.prod(shape))
    real = rng.standard_normal(size) + (1j * rng.standard_normal(size) if dtype.kind == "c" else 0)
    x = real.astype(dtype).reshape(shape)
    wide = "c16" if dtype.kind == "c" else "f8"
    want = np.cumsum(x.astype(wide), axis)
    got = accumulated("add", x, axis, use_kernels)
    assert got.dtype == dtype
    # Each result is rounded at most once per level and once for each element of a strand (1024);
    # 16-bit types are kept in float32 and rounded at the end.
    kept = np.dtype("f4") if dtype.itemsize == 2 else part_of(dtype)
    size_sum = np.cumsum(np.abs(x.astype(wide)), axis)
    bound = min(shape[axis], 1200) * float(finfo(kept).eps) * size_sum
    if dtype.itemsize == 2:
        bound += float(finfo(dtype).eps) * np.abs(want)
    assert (np.abs(got.astype(wide) - want) <= bound).all()


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize("dtype", INEXACT, ids=str)
def test_products(device: hd.Device, dtype: Any, use_kernels: bool, rng: Any) -> None:
    x = np.exp(rng.uniform(-0.01, 0.01, (3, 2000)))
    if dtype.kind == "c":
        x = x * np.exp(1j * rng.uniform(-1, 1, x.shape))
    x = x.astype(dtype)
    wide = "c16" if dtype.kind == "c" else "f8"
    want = np.cumprod(x.astype(wide), 1)
    kept = np.dtype("f4") if dtype.itemsize == 2 else part_of(dtype)
    bound = 2 * 2000 * float(finfo(kept).eps) * np.abs(want)
    if dtype.itemsize == 2:
        bound += float(finfo(dtype).eps) * np.abs(want)
    got = accumulated("multiply", x, 1, use_kernels)
    assert (np.abs(got.astype(wide) - want) <= bound).all()


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d not in COMPLEX], ids=str)
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_extremes(
    device: hd.Device, name: str, dtype: Any, shape: Any, axis: int, use_kernels: bool, rng: Any
) -> None:
    size = int(np.prod(shape))
    x = np.resize(rng.permutation(samples(dtype, rng)), size).reshape(shape)
    x = rng.permuted(x, axis=axis) if dtype != BFLOAT16 else x
    got = accumulated(name, x, axis, use_kernels)
    if dtype == BFLOAT16:
        want = getattr(np, name).accumulate(x.astype("f4"), axis)
        np.testing.assert_array_equal(got.astype("f4"), want)
    else:
        np.testing.assert_array_equal(got, getattr(np, name).accumulate(x, axis))
    assert got.dtype == dtype


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES, ids=str)
@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_logic(device: hd.Device, name: str, dtype: Any, use_kernels: bool, rng: Any) -> None:
    x = rng.choice(np.array([0, 0, 0, 1, 2, 3]).astype(dtype), (4, 600))
    x[1], x[2, 300:] = 1, 0
    for axis in (0, 1):
        np.testing.assert_array_equal(
            accumulated(name, x, axis, use_kernels), getattr(np, name).accumulate(x, axis)
        )


@pytest.mark.parametrize("name", ["subtract", "divide", "power", "bitwise_xor", "hypot"])
def test_any_binary_ufunc(device: hd.Device, name: str, rng: Any) -> None:
    x = rng.integers(1, 3, (3, 40)) if "bit" in name else rng.uniform(0.9, 1.1, (3, 40))
    for axis in (0, 1):
        np.testing.assert_allclose(
            host(_heald.accumulate_array(name, hd.array(x), axis)),
            getattr(np, name).accumulate(x, axis),
            rtol=1e-12,
        )
    with pytest.raises(TypeError, match=r"less\.accumulate"):
        _heald.accumulate_array("less", hd.array(x), 0)


@pytest.mark.parametrize("dtype", ["float32", "int64", "float64", "complex128", "int8"])
@pytest.mark.parametrize("shape", [(1_300_007,), (2, 900_000), (300_000, 3)])
def test_long(device: hd.Device, dtype: str, shape: Any, rng: Any) -> None:
    x = rng.integers(-8, 8, shape).astype(dtype)  # exact in every dtype here
    for axis in range(len(shape)):
        np.testing.assert_array_equal(
            host(hd.cumsum(hd.array(x), axis)),
            np.cumsum(x.astype("c16"), axis).astype(np.cumsum(x[:1], axis).dtype)
            if dtype != "int64"
            else np.cumsum(x, axis),
        )
    if dtype != "complex128":
        np.testing.assert_array_equal(host(hd.cummax(hd.array(x), 0)), np.maximum.accumulate(x, 0))


def test_accuracy_of_long_sums(device: hd.Device, rng: Any) -> None:
    """Pairwise in effect: far better than one addition after the other."""
    x = rng.random(4_000_000).astype("f4")
    want = np.cumsum(x.astype("f8"))
    assert (np.abs(host(hd.cumsum(hd.array(x))) - want) <= 3e-6 * want).all()


def test_views(device: hd.Device, rng: Any) -> None:
    x = rng.integers(-9, 9, (12, 14, 16))
    on_device = hd.array(x)
    for view in (
        lambda a: a[::-1],
        lambda a: a[:, 1::3],
        lambda a: a.T,
        lambda a: a.transpose((1, 2, 0))[..., ::-2],
    ):
        for axis in range(-3, 3):
            np.testing.assert_array_equal(
                host(hd.cumsum(view(on_device), axis)), np.cumsum(view(x), axis)
            )


def test_arguments(device: hd.Device) -> None:
    x = hd.array([[1, 2], [3, 4]])
    assert hd.cumsum(x).tolist() == [1, 3, 6, 10]
    assert hd.cumprod(x, axis=0).tolist() == [[1, 2], [3, 8]]
    assert hd.cumsum(hd.array(5)).tolist() == [5]
    assert hd.cumsum(x, dtype="float32").dtype == np.float32
    assert hd.cumsum(hd.zeros((0, 3)), axis=0).shape == (0, 3)
    assert hd.cummax(hd.array([1, 3, 2])).tolist() == [1, 3, 3]
    assert hd.cummin(hd.array([3.0, float("nan"), 1.0])).tolist()[0] == 3
    out = hd.zeros(4, "int64")
    assert hd.cumsum(x, out=out) is out and out.tolist() == [1, 3, 6, 10]
    initial = hd.cumulative_sum(x, axis=1, include_initial=True)
    assert initial.tolist() == [[0, 1, 3], [0, 3, 7]]
    assert hd.cumulative_prod(hd.array([2, 3]), include_initial=True).tolist() == [1, 2, 6]
    with pytest.raises(ValueError, match="axis"):
        hd.cumulative_sum(x)
    with pytest.raises(ValueError, match="axis"):
        hd.cumsum(x, axis=2)


def test_pending_operands(device: hd.Device) -> None:
    x = hd.ones(1000, "float32")
    y = hd.cumsum(x + 1)
    x[:] = 5
    assert float(y[-1]) == 2000
    assert float(hd.cumsum(x * 2)[-1]) == 10000


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(
        st.sampled_from([d for d in NUMPY_DTYPES if d.kind in "iu"]),
        hnp.array_shapes(max_dims=4, max_side=9),
    ),
    st.data(),
)
def test_laws(x: np.ndarray, data: Any) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    with hd.Device("cpu"):
        np.testing.assert_array_equal(host(hd.cumsum(hd.array(x), axis)), np.cumsum(x, axis))
        np.testing.assert_array_equal(host(hd.cumprod(hd.array(x), axis)), np.cumprod(x, axis))


@pytest.mark.slow
def test_past_two_to_the_31(device: hd.Device) -> None:
    n = 2**31 + 5
    if device.memory_info[0] < 6 * n:
        pytest.skip("needs 13 GB of free memory")
    x = hd.zeros(n, "int8")
    x[0], x[2**31 - 1], x[2**31 + 2] = 3, 4, 5
    y = hd.cumsum(x, dtype="int8")
    assert [int(y[i]) for i in (0, 2**31 - 2, 2**31 - 1, 2**31 + 1, n - 1)] == [3, 3, 7, 7, 12]
