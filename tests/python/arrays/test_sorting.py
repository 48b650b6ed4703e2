"""sort, argsort, searchsorted, unique, nonzero, partitions: against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both import BFLOAT16, COMPLEX, DTYPES, NUMPY_DTYPES, randoms, samples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import heald as hd
from heald import _heald

# On the CPU, the code for CPUs and the kernels that GPUs run.
ENGINES = [pytest.param(False, id="own"), pytest.param(True, id="kernels")]
SHAPES = [
    ((0,), 0),
    ((1,), 0),
    ((17,), 0),
    ((1000,), 0),
    ((3, 40), 1),
    ((40, 3), 0),
    ((1, 5, 1), 1),
    ((2, 1, 2, 1, 3, 1, 2, 2), 4),
    ((0, 3), 1),
    ((3, 0), 1),
    ((5, 2100), 1),
]


def host(x: Any) -> np.ndarray:
    return hd.asnumpy(x)


def elements(dtype: np.dtype[Any], rng: np.random.Generator, shape: Any) -> np.ndarray:
    """Special values, ties and random numbers, in random places."""
    size = int(np.prod(shape))
    pool = np.concatenate([samples(dtype, rng), samples(dtype, rng, 3)])
    some = rng.choice(pool, size)
    return np.where(rng.integers(0, 2, size) == 0, some, randoms(dtype, rng, size)).reshape(shape)


def bits(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}" if x.dtype.itemsize <= 8 else "u8")


def assert_sorted_as(got: np.ndarray, want: np.ndarray) -> None:
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype == BFLOAT16:
        got, want = got.astype("f4"), want.astype("f4")
    np.testing.assert_array_equal(got, want)


def numpy_sort(x: np.ndarray, axis: int) -> np.ndarray:
    if x.dtype != BFLOAT16:
        return np.sort(x, axis, kind="stable")
    return np.sort(x.astype("f4"), axis, kind="stable").astype(BFLOAT16)


def numpy_argsort(x: np.ndarray, axis: int) -> np.ndarray:
    return np.argsort(x.astype("f4") if x.dtype == BFLOAT16 else x, axis, kind="stable")


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_sort_and_argsort(
    device: hd.Device, dtype: Any, shape: Any, axis: int, use_kernels: bool, rng: Any
) -> None:
    x = elements(dtype, rng, shape)
    on_device = hd.array(x)
    result = host(_heald.sort_array(on_device, axis, use_kernels=use_kernels))
    assert_sorted_as(result, numpy_sort(x, axis))
    # No bits are made up: also those of zeros and NaNs are what was given.
    if x.dtype.kind != "c":
        np.testing.assert_array_equal(np.sort(bits(result), axis=None), np.sort(bits(x), axis=None))
    places = host(_heald.argsort_array(on_device, axis, use_kernels=use_kernels))
    np.testing.assert_array_equal(places, numpy_argsort(x, axis))
    np.testing.assert_array_equal(host(on_device).tobytes(), x.tobytes())


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_descending_is_stable_with_nans_last(
    device: hd.Device, dtype: Any, use_kernels: bool, rng: Any
) -> None:
    x = elements(dtype, rng, (3, 2500))
    x[:, ::3] = x[:, :1]  # ties
    places = host(_heald.argsort_array(hd.array(x), 1, True, use_kernels=use_kernels))
    values = np.take_along_axis(x, places, 1)
    assert_sorted_as(host(_heald.sort_array(hd.array(x), 1, True, use_kernels=use_kernels)), values)
    number = ~(np.isnan(values.astype("c16")))
    for row, is_number, order in zip(values, number, places, strict=True):
        assert not (np.diff(is_number.astype(int)) > 0).any()
        kept, where = row[is_number], order[is_number]
        if dtype.kind == "c":
            key = list(zip(kept.real.tolist(), kept.imag.tolist(), strict=True))
        else:
            key = kept.tolist()
        for i in range(len(key) - 1):
            assert key[i] > key[i + 1] or (key[i] == key[i + 1] and where[i] < where[i + 1])


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.itemsize <= 8], ids=str)
@pytest.mark.parametrize("size", [200_003, 1_500_000])
def test_long_rows(device: hd.Device, dtype: Any, size: int, rng: Any) -> None:
    """All threads of a CPU, CUB on a GPU: skewed, few distinct and already sorted values too."""
    many = randoms(dtype, rng, size)
    few = rng.choice(randoms(dtype, rng, 5), size)
    for x in (many, few, numpy_sort(many, 0), elements(dtype, rng, size)):
        assert_sorted_as(host(hd.sort(hd.array(x))), numpy_sort(x, 0))
    np.testing.assert_array_equal(host(hd.argsort(hd.array(few))), numpy_argsort(few, 0))


def test_outliers_and_constant_parts(device: hd.Device, rng: Any) -> None:
    x = rng.integers(0, 100, 400_000)
    x[::1000] = rng.integers(-(2**63), 2**63 - 1, 400)
    x[5], x[7] = 2**63 - 1, -(2**63)
    np.testing.assert_array_equal(host(hd.sort(hd.array(x))), np.sort(x))
    np.testing.assert_array_equal(host(hd.argsort(hd.array(x))), np.argsort(x, kind="stable"))
    y = rng.random(400_000).astype("f4")
    y[1000:] = y[1000]
    np.testing.assert_array_equal(host(hd.sort(hd.array(y))), np.sort(y))


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::-1],
        lambda x: x[1::2],
        lambda x: x.T,
        lambda x: x[:, ::-2],
        lambda x: x.transpose((1, 2, 0)),
        lambda x: x[..., 0],
    ],
)
def test_views(device: hd.Device, view: Any, rng: Any) -> None:
    x = rng.integers(0, 50, (6, 7, 8))
    on_device = hd.array(x)
    for axis in range(-view(x).ndim, view(x).ndim):
        np.testing.assert_array_equal(host(hd.sort(view(on_device), axis)), np.sort(view(x), axis))
        np.testing.assert_array_equal(
            host(hd.argsort(view(on_device), axis)), np.argsort(view(x), axis, kind="stable")
        )


def test_negative_nans_come_last(device: hd.Device) -> None:
    for name, unsigned in (("f2", "u2"), ("f4", "u4"), ("f8", "u8")):
        for size in (20, 5000, 300_000):
            x = np.linspace(-5, 5, size).astype(name)
            x[::7] = -np.nan
            x.view(unsigned)[::7] |= np.array(1, unsigned) << np.array(8 * x.itemsize - 1, unsigned)
            x[3], x[4] = np.inf, -np.inf
            assert np.signbit(x[0]) and np.isnan(x[0])
            got = host(hd.sort(hd.array(x)))
            np.testing.assert_array_equal(got, np.sort(x))
            assert np.isnan(got[-1]) and not np.isnan(got[0])
            np.testing.assert_array_equal(
                host(hd.argsort(hd.array(x))), np.argsort(x, kind="stable")
            )


def test_axis_none_and_errors(device: hd.Device) -> None:
    x = hd.array([[3, 1], [2, 0]])
    assert hd.sort(x, axis=None).tolist() == [0, 1, 2, 3]
    assert hd.argsort(x, axis=None).tolist() == [3, 1, 2, 0]
    assert hd.sort(hd.array(5), axis=None).tolist() == [5]
    with pytest.raises(ValueError, match="axis"):
        hd.sort(x, 2)
    with pytest.raises(ValueError, match="axis"):
        hd.sort(hd.array(5))
    with pytest.raises(ValueError, match="kind"):
        hd.sort(x, kind="bubble")
    with pytest.raises(TypeError, match=r"hd\.asarray"):
        hd.sort(np.arange(3))


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES, ids=str)
def test_searchsorted(device: hd.Device, dtype: Any, use_kernels: bool, rng: Any) -> None:
    x = np.sort(elements(dtype, rng, 300))
    v = elements(dtype, rng, (7, 30))
    for right in (False, True):
        got = _heald.searchsorted_array(hd.array(x), hd.array(v), right, use_kernels=use_kernels)
        np.testing.assert_array_equal(
            host(got), np.searchsorted(x, v, "right" if right else "left")
        )


def test_searchsorted_arguments(device: hd.Device, rng: Any) -> None:
    x, v = rng.random(50), rng.random((2, 3)).astype("f4")
    order = np.argsort(x)
    got = hd.searchsorted(hd.array(x), hd.array(v), sorter=hd.array(order))
    np.testing.assert_array_equal(host(got), np.searchsorted(x, v, sorter=order))
    sorted_ints = hd.array([1, 2, 2, 5])
    assert hd.searchsorted(sorted_ints, 2).tolist() == 1
    assert hd.searchsorted(sorted_ints, 2, side="right").tolist() == 3
    assert hd.searchsorted(sorted_ints, [0.5, 2.5]).tolist() == [0, 3]
    assert hd.searchsorted(hd.zeros(0), hd.array([1.0])).tolist() == [0]
    np.testing.assert_array_equal(  # in order, and many
        host(hd.searchsorted(hd.array(np.sort(x)), hd.array(np.linspace(-1, 2, 20000)))),
        np.searchsorted(np.sort(x), np.linspace(-1, 2, 20000)),
    )
    with pytest.raises(ValueError, match="side"):
        hd.searchsorted(sorted_ints, 2, side="middle")
    with pytest.raises(ValueError, match="depth"):
        hd.searchsorted(hd.zeros((2, 2)), 1.0)


@pytest.mark.parametrize("use_kernels", ENGINES)
@pytest.mark.parametrize("shape", [(0,), (1,), (100,), (5000,), (3, 4), (7, 1, 900), (2,) * 8])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_nonzero_and_masks(
    device: hd.Device, dtype: Any, shape: Any, use_kernels: bool, rng: Any
) -> None:
    x = elements(dtype, rng, shape)
    x = np.where(rng.random(shape) < rng.random(), x, np.zeros_like(x))
    on_device = hd.array(x)
    places = host(_heald.nonzero_array(on_device, use_kernels=use_kernels))
    np.testing.assert_array_equal(places, np.array(np.nonzero(x)))
    assert _heald.count_nonzero(on_device, use_kernels=use_kernels) == np.count_nonzero(x)
    for axes in range(1, min(x.ndim, 2) + 1):
        mask = rng.random(shape[:axes]) < 0.5
        got = host(_heald.compress_array(on_device, hd.array(mask), use_kernels=use_kernels))
        assert got.dtype == x.dtype and got.shape == x[mask].shape
        assert got.tobytes() == x[mask].tobytes()


def test_masks_of_views(device: hd.Device, rng: Any) -> None:
    x = rng.random((60, 70))
    on_device = hd.array(x)
    mask = x < 0.5
    got = _heald.compress_array(on_device.T, hd.array(mask).T)
    np.testing.assert_array_equal(host(got), x.T[mask.T])
    got = _heald.compress_array(on_device[::-2], hd.array(mask)[::-2])
    np.testing.assert_array_equal(host(got), x[::-2][mask[::-2]])
    np.testing.assert_array_equal(
        host(hd.argwhere(on_device[::2] < 0.1)), np.argwhere(x[::2] < 0.1)
    )
    np.testing.assert_array_equal(
        host(hd.flatnonzero(on_device.T < 0.1)), np.flatnonzero(x.T < 0.1)
    )
    assert hd.argwhere(hd.array(3)).shape == (1, 0)
    with pytest.raises(ValueError, match="0d"):
        hd.nonzero(hd.array(3))
    with pytest.raises(IndexError, match="size of axis is 60"):
        _heald.compress_array(on_device, hd.ones(59, "bool"))
    with pytest.raises(TypeError, match="bool"):
        _heald.compress_array(on_device, hd.ones(60, "int8"))


@pytest.mark.parametrize("dtype", NUMPY_DTYPES, ids=str)
def test_unique(device: hd.Device, dtype: Any, rng: Any) -> None:
    pool = samples(dtype, rng, 5)
    for shape in ((0,), (1,), (500,), (20, 30)):
        x = rng.choice(pool, shape)
        want = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
        got = hd.unique(hd.array(x), return_index=True, return_inverse=True, return_counts=True)
        for g, w in zip(got, want, strict=True):
            np.testing.assert_array_equal(host(g), w)
        np.testing.assert_array_equal(host(hd.unique(hd.array(x))), np.unique(x))


def test_unique_of_slices_and_the_standard(device: hd.Device, rng: Any) -> None:
    x = rng.integers(0, 3, (40, 3))
    for axis in (0, 1, -1):
        options = {"return_index": True, "return_inverse": True, "return_counts": True}
        got = hd.unique(hd.array(x), axis=axis, **options)
        want = np.unique(x, axis=axis, **options)
        for g, w in zip(got, want, strict=True):
            np.testing.assert_array_equal(host(g), w.reshape(host(g).shape))
    y = np.array([3.0, np.nan, 1.0, np.nan, 3.0])
    values, counts = hd.unique_counts(hd.array(y))
    np.testing.assert_array_equal(host(values), [1, 3, np.nan, np.nan])
    assert counts.tolist() == [1, 2, 1, 1]
    assert hd.unique_values(hd.array(y)).shape == (4,)
    everything = hd.unique_all(hd.array(x))
    assert (everything.values[everything.inverse_indices] == hd.array(x)).all()


def test_lexsort_partition_and_topk(device: hd.Device, rng: Any) -> None:
    keys = rng.integers(0, 4, (3, 5, 60))
    np.testing.assert_array_equal(host(hd.lexsort(hd.array(keys))), np.lexsort(keys))
    np.testing.assert_array_equal(
        host(hd.lexsort([hd.array(k) for k in keys], axis=0)), np.lexsort(keys, axis=0)
    )
    x = rng.random((4, 50))
    kth = 20
    part = host(hd.partition(hd.array(x), kth))
    assert (part[:, :kth] <= part[:, kth : kth + 1]).all()
    np.testing.assert_array_equal(part[:, kth], np.partition(x, kth)[:, kth])
    places = host(hd.argpartition(hd.array(x), kth))
    np.testing.assert_array_equal(np.take_along_axis(x, places, 1)[:, kth], part[:, kth])
    with pytest.raises(ValueError, match="out of bounds"):
        hd.partition(hd.array(x), 50)
    values, indices = hd.topk(hd.array(x), 5)
    np.testing.assert_array_equal(host(values), -np.sort(-x)[:, :5])
    np.testing.assert_array_equal(np.take_along_axis(x, host(indices), 1), host(values))
    np.testing.assert_array_equal(
        host(hd.topk(hd.array(x), 2, axis=0, largest=False).values), np.sort(x, 0)[:2]
    )


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(
        st.sampled_from([d for d in NUMPY_DTYPES if d not in COMPLEX]),
        hnp.array_shapes(max_dims=4, max_side=12),
    ),
    st.data(),
)
def test_laws(x: np.ndarray, data: Any) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    with hd.Device("cpu"):
        on_device = hd.array(x)
        result = hd.sort(on_device, axis)
        np.testing.assert_array_equal(host(result), np.sort(x, axis))
        np.testing.assert_array_equal(host(hd.sort(result, axis)), host(result))
        places = hd.argsort(on_device, axis)
        np.testing.assert_array_equal(host(places), np.argsort(x, axis, kind="stable"))
        np.testing.assert_array_equal(
            host(hd.take_along_axis(on_device, places, axis)), host(result)
        )
        np.testing.assert_array_equal(host(hd.unique(on_device)), np.unique(x))


def test_results_do_not_depend_on_threads(cpu: hd.Device, run_python: Any) -> None:
    script = """
import os, sys
os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:int(sys.argv[1] if len(sys.argv) > 1 else THREADS)]))
import hashlib, numpy as np, heald as hd
rng = np.random.default_rng(5)
x = rng.standard_normal(1 << 20).astype("f4")
with hd.Device("cpu"):
    X = hd.array(x)
    parts = [hd.sort(X), hd.argsort(X), hd.cumsum(X), hd.cumprod(1 + X * 1e-4), hd.nonzero(X > 0)[0]]
    print(hashlib.sha256(b"".join(hd.asnumpy(p).tobytes() for p in parts)).hexdigest())
"""
    texts = set()
    for threads in (1, 2, 2):
        outcome = run_python(script.replace("THREADS", str(threads)))
        assert outcome.returncode == 0, outcome.stderr
        texts.add(outcome.stdout)
    assert len(texts) == 1


@pytest.mark.slow
def test_past_two_to_the_31(device: hd.Device) -> None:
    n = 2**31 + 5
    if device.memory_info[0] < 6 * n:
        pytest.skip("needs 13 GB of free memory")
    x = hd.full(n, 3, "int8")
    x[-1], x[0], x[2**31] = -7, 9, 100
    result = hd.sort(x)
    assert [int(result[i]) for i in (0, 1, n // 2, n - 3, n - 2, n - 1)] == [-7, 3, 3, 3, 9, 100]
    del result
    mask = x > 5
    assert int(_heald.count_nonzero(mask)) == 2
    assert hd.nonzero(mask)[0].tolist() == [0, 2**31]
