"""Indices that are arrays, lists and masks: reading and writing, as NumPy does both."""

from __future__ import annotations

import numpy as np
import pytest
from both import same_as_numpy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import heald as hd

CUBE = np.arange(3 * 4 * 5, dtype=np.float32).reshape(3, 4, 5)
MASK = CUBE % 3 == 1

KEYS = [
    [0, 2], [-1, 0, -1], (slice(None), [1, 3]), ([0, 1], [1, 2]), ([0, 1], [1, 2], [2, 3]),
    ([0, 1], slice(None), [2, 3]), (slice(None), [0, 1], [2, 3]), (..., [0, 4]), ([2], ...),
    ([0, 1], None, [1, 2]), (None, [0, 1]), ([0, 1], 1), (0, [1, 2]), (0, slice(None), [1, 2]),
    (slice(None), 1, [1, 2]), ([[0, 1], [2, 0]],), ([[0], [2]], [1, 3]), (slice(None, None, 2), [0, 0]),
    (slice(None, None, -1), slice(1, 3), [4, 0]), [], (slice(None), []), True, False, (True, [0, 1]),
    (slice(None), True), ([0, 1], ..., [1, 2]), np.array(1), (np.array(1), [0, 1]), (..., [0, 1], 2),
    [True, False, True], ([True, False, True], [1, 2]), ([True, False, True], slice(1, 3)),
    np.uint8([1, 2]), (np.int32([0, 2]), np.int64([1, 3])),
]  # fmt: skip


def key_for(xp, key, device=True):
    """Index arrays of NumPy as arrays of `xp`."""
    if xp is np or not device:
        return key
    if isinstance(key, tuple):
        return tuple(key_for(xp, item) for item in key)
    if isinstance(key, np.ndarray) and key.ndim:
        return xp.asarray(key)
    if isinstance(key, list):
        return xp.asarray(np.array(key, dtype=None if key else np.int64))
    return key


@pytest.mark.parametrize("on_device", [False, True], ids=["host", "device"])
@pytest.mark.parametrize("key", KEYS, ids=str)
def test_reading(device, key, on_device):
    @same_as_numpy()
    def body(xp):
        return xp.asarray(CUBE)[key_for(xp, key, on_device)]

    body()


@pytest.mark.parametrize("on_device", [False, True], ids=["host", "device"])
@pytest.mark.parametrize("key", KEYS, ids=str)
def test_writing(device, key, on_device):
    value = np.random.default_rng(1).normal(size=CUBE[key].shape).astype(np.float32)

    @same_as_numpy()
    def body(xp):
        a, b = xp.asarray(CUBE.copy()), xp.asarray(CUBE.copy())
        a[key_for(xp, key, on_device)] = xp.asarray(value)
        b[key_for(xp, key, on_device)] = 7
        return a, b

    body()


@pytest.mark.parametrize(
    "key",
    [
        [3], [-4], (slice(None), [4]), ([0, 1], [1, 2, 3]), ([0], [0], [0], [0]), 1.5, [0.5], "x",
        ([True, False],), (..., ..., [0]), np.zeros((3, 5), bool), ([0, 1], [0, 9]), {},
    ],
    ids=str,
)  # fmt: skip
def test_bad_keys(device, key):
    @same_as_numpy()
    def reading(xp):
        return xp.asarray(CUBE)[key]

    @same_as_numpy()
    def writing(xp):
        xp.asarray(CUBE.copy())[key] = 0
        return xp.zeros(1)

    reading()
    writing()


def test_bad_indices_on_the_device_write_nothing(device):
    a = hd.asarray(CUBE)
    # A GPU says so at the next synchronisation.
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 3"):
        a[hd.asarray([0, 9, 1])] = 1
        device.synchronize()
    with pytest.raises(IndexError, match="index -9 is out of bounds for axis 1 with size 4"):
        a[:1, hd.asarray([0, -9])]
        device.synchronize()
    expected = CUBE.copy()
    if device.kind == "cuda":
        expected[[0, 1]] = 1  # the other indices were right
    np.testing.assert_array_equal(hd.asnumpy(a), expected)


def test_where_nothing_may_wait_bad_indices_are_reported_later(device):
    a = hd.asarray(CUBE)
    good, bad, worse = hd.asarray([0, 1]), hd.asarray([0, 3]), hd.asarray([[7], [0]])
    with hd.allow_sync(False):
        right = a[good]
        wrong = a[bad]
        a[worse, good]
    for waits in (device.synchronize, hd.Stream.current().synchronize):
        with pytest.raises(IndexError, match="(index 3|index 7) is out of bounds for axis 0 with"):
            waits()
    device.synchronize()  # each is said once
    np.testing.assert_array_equal(hd.asnumpy(right), CUBE[[0, 1]])
    np.testing.assert_array_equal(hd.asnumpy(wrong)[0], CUBE[0])


def test_many_checks_of_indices(device):
    a = hd.arange(100)
    index = hd.asarray([5, -3])
    with hd.allow_sync(False):
        results = [a[index + k] for k in range(90)]
        for _ in range(1500):
            a[index]
    assert [int(r[0]) for r in results] == list(range(5, 95))


def test_values_that_do_not_fit(device):
    @same_as_numpy()
    def body(xp):
        a = xp.asarray(CUBE.copy())
        a[[0, 1], [1, 2]] = xp.zeros((3, 5))
        return a

    body()


class TestMasks:
    @pytest.mark.parametrize("on_device", [False, True], ids=["host", "device"])
    def test_reading(self, device, on_device):
        @same_as_numpy()
        def body(xp):
            a = xp.asarray(CUBE)
            full = xp.asarray(MASK) if on_device else MASK
            rows = xp.asarray(MASK[:, 0, 0]) if on_device else MASK[:, 0, 0]
            plane = xp.asarray(MASK[:, :, 0]) if on_device else MASK[:, :, 0]
            line = xp.asarray(MASK[0, 0]) if on_device else MASK[0, 0]
            return (
                a[full],
                a[rows],
                a[plane],
                a[..., line],
                a[rows, ..., line & line],
                a[full & False],
            )

        body()

    def test_writing(self, device):
        values = np.random.default_rng(2).normal(size=int(MASK.sum())).astype(np.float32)

        @same_as_numpy()
        def body(xp):
            a, b, c, d = (xp.asarray(CUBE.copy()) for _ in range(4))
            mask, plane = xp.asarray(MASK), xp.asarray(MASK[:, :, 0])
            a[mask] = 5
            b[mask] = xp.asarray(values)
            c[plane] = xp.asarray(CUBE[0, 0])
            d[a > 3] += 1
            return a, b, c, d

        body()

    @pytest.mark.parametrize(
        "shapes",
        [((3,), (0,)), ((0, 1), (0, 0)), ((2, 3), (0,)), ((0, 3), (0, 2)), ((2, 0), (2, 0))],
    )
    def test_masks_without_elements(self, device, shapes):
        @same_as_numpy()
        def body(xp):
            return xp.zeros(shapes[0])[xp.zeros(shapes[1], dtype=bool)]

        body()

    def test_a_count_that_does_not_fit(self, device):
        @same_as_numpy()
        def body(xp):
            a = xp.asarray(CUBE.copy())
            a[xp.asarray(MASK)] = xp.zeros(3)
            return a

        body()


def test_the_last_value_stays(device):
    """For many repetitions of few indices, whatever runs first."""
    rng = np.random.default_rng()
    index = rng.integers(0, 50, 100_000)
    value = rng.normal(size=index.size)
    a, expected = hd.zeros(50), np.zeros(50)
    a[hd.asarray(index)] = hd.asarray(value)
    expected[index] = value
    np.testing.assert_array_equal(hd.asnumpy(a), expected)
    pairs = rng.integers(0, 7, (2, 20_000))
    b, expected = hd.zeros((7, 3, 7)), np.zeros((7, 3, 7))
    values = rng.normal(size=(20_000, 3))
    b[hd.asarray(pairs[0]), :, hd.asarray(pairs[1])] = hd.asarray(values)
    expected[pairs[0], :, pairs[1]] = values
    np.testing.assert_array_equal(hd.asnumpy(b), expected)


def test_the_last_value_stays_in_a_large_array(device):
    """Few indices: their repetitions are found without a table of all elements."""
    rng = np.random.default_rng()
    index = rng.permutation(np.repeat(rng.integers(-3_000_000, 3_000_000, 700), 9))
    value = rng.normal(size=(index.size, 2))
    a, expected = hd.zeros((3_000_000, 2)), np.zeros((3_000_000, 2))
    a[hd.asarray(index)] = hd.asarray(value)
    expected[index] = value
    np.testing.assert_array_equal(hd.asnumpy(a), expected)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float32", "float64", "complex128"])
def test_element_sizes(device, dtype):
    host = (np.arange(24) % 5).astype(dtype).reshape(4, 6)

    @same_as_numpy()
    def body(xp):
        a = xp.asarray(host.copy())
        got = a[[3, 0, 0], ::-1]
        a[[1, 1], 2:4] = a[[2, 3], 2:4]
        return got, a

    body()


def test_overlap(device):
    @same_as_numpy()
    def body(xp):
        a = xp.arange(10)
        a[[1, 2, 3]] = a[2:5]
        a[a[:4]] = a[4:8]
        return a

    body()


def test_strided_targets(device):
    @same_as_numpy()
    def body(xp):
        a = xp.asarray(CUBE.copy())
        a.T[[0, 1], ::-1][:, 1]
        view = a[::2, ::-1]
        view[[1, 0], [0, 3]] = xp.asarray(CUBE[:2, 0])
        return a, view[[0, 1, 1], :, ::-2]

    body()


@st.composite
def indexed(draw):
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4))
    key = draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    items = list(key) if isinstance(key, tuple) else [key]
    arrays = draw(
        hnp.mutually_broadcastable_shapes(num_shapes=max(1, len(items)), max_dims=2, max_side=3)
    )
    axis = 0
    used = sum(item is not None and item is not Ellipsis for item in items)
    for i, item in enumerate(items):
        if item is Ellipsis:
            axis += len(shape) - used
            continue
        if item is None:
            continue
        if draw(st.booleans()):
            n = shape[axis]
            items[i] = draw(
                hnp.arrays(np.int64, arrays.input_shapes[i], elements=st.integers(-n, n - 1))
            )
        axis += 1
    return shape, tuple(items)


@settings(max_examples=150, deadline=None)
@given(indexed(), st.booleans())
def test_any_key(case, on_device):
    shape, key = case
    host = np.arange(np.prod(shape)).reshape(shape)
    with hd.Device("cpu"):

        @same_as_numpy()
        def body(xp):
            a = xp.asarray(host.copy())
            found = a[key_for(xp, key, on_device)] * 1  # NumPy gives a number, heald a view
            a[key_for(xp, key, on_device)] = found * 0 + 100
            return found, a

        body()


class TestFunctions:
    @pytest.mark.parametrize("axis", [None, 0, 1, -1])
    @pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
    def test_take(self, device, axis, mode):
        @same_as_numpy()
        def body(xp):
            a = xp.asarray(CUBE)
            far = [0, 2, -1] if mode == "raise" else [0, 7, -9]
            return (
                xp.take(a, xp.asarray(far), axis, mode=mode),
                xp.take(a, 1, axis),
                a.take([[0, 1]], axis),
            )

        body()

    def test_take_out_of_range(self, device):
        @same_as_numpy()
        def body(xp):
            return xp.take(xp.asarray(CUBE), [5], axis=1)

        body()

    @pytest.mark.parametrize("axis", [0, 1, -1, None])
    def test_along_axis(self, device, axis):
        @same_as_numpy()
        def body(xp):
            a = xp.asarray(CUBE[::-1].copy())
            order = xp.argsort(a, axis=axis)
            sorted_ = xp.take_along_axis(a, order, axis)
            b = xp.asarray(CUBE.copy())
            if axis is not None:
                places = xp.argmax(b, axis=axis, keepdims=True)
                xp.put_along_axis(b, places, -1, axis)
            return sorted_, b

        body()

    def test_put_and_place(self, device):
        @same_as_numpy()
        def body(xp):
            a, b, c, d = (xp.asarray(CUBE.copy()) for _ in range(4))
            xp.put(a, [0, -1, 7], [1, 2])
            xp.put(b, [0, 99], [5, 6], mode="clip")
            xp.place(c, xp.asarray(MASK), xp.asarray(CUBE[0, 0]))
            xp.putmask(d, xp.asarray(MASK), xp.asarray(CUBE * 2))
            return a, b, c, d

        body()

    def test_choose_compress_extract(self, device):
        index = np.array([[0, 1], [2, 0]])

        @same_as_numpy()
        def body(xp):
            a = xp.asarray(CUBE)
            options = [xp.asarray(index * k + k) for k in range(3)]
            return (
                xp.choose(xp.asarray(index), options),
                xp.choose(xp.asarray(index * 2), options, mode="clip"),
                xp.compress([True, False, True], a, axis=0),
                xp.extract(xp.asarray(MASK), a),
                a.compress([0, 1, 1], axis=1),
            )

        body()

    def test_choose_out_of_range(self, device):
        @same_as_numpy()
        def body(xp):
            return xp.choose(xp.asarray([0, 3]), [xp.zeros(2), xp.ones(2)])

        body()

    def test_grids(self, device):
        @same_as_numpy()
        def body(xp):
            a = xp.asarray(CUBE)
            return (
                a[xp.ix_([0, 2], [1, 3], [0, 0])],
                xp.mgrid[0:3, 1:2:4j],
                xp.ogrid[0:3, 1:9:2][1],
                xp.mgrid[2:5],
                xp.indices((2, 3)),
                *xp.unravel_index(xp.asarray([5, 17]), (3, 4, 5)),
                xp.ravel_multi_index((xp.asarray([1, 2]), xp.asarray([3, 0])), (3, 4)),
                a[0][xp.tril_indices(4, 0, 5)],
            )

        body()


def test_indices_beyond_32_bits(cpu):
    """2^31 and more elements; int8 keeps the memory small."""
    n = 2**31 + 16
    a = hd.zeros(n, "int8")
    a[[0, n - 1, 2**31]] = hd.asarray(np.array([1, 2, 3], np.int8))
    assert hd.asnumpy(a[hd.asarray([n - 1, 2**31, 0, -2])]).tolist() == [2, 3, 1, 0]
