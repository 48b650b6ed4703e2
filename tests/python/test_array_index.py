"""Slices and assignment, as NumPy does them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import heald as hd

CUBE = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)

KEYS = [
    0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(5, 0, -2), slice(3, 1),
    (0, 1), (0, 1, 2), (slice(None), 1), (..., 0), (0, ...), (..., slice(None, None, -2)),
    None, (None, 0), (0, None, ..., None), (slice(0, 1), None, slice(None), slice(-3, -1)), ...,
    np.int64(1), (np.uint8(1), slice(None)), (),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_keys(device, key):
    a = hd.array(CUBE)
    view = a[key]
    assert view.shape == CUBE[key].shape
    np.testing.assert_array_equal(hd.asnumpy(view), CUBE[key])
    # The same memory: what is written through the view is seen in the array.
    expected = CUBE.copy()
    expected[key] = -1
    view.fill(-1)
    np.testing.assert_array_equal(hd.asnumpy(a), expected)


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_assigning(device, key, rng):
    a, expected = hd.array(CUBE), CUBE.copy()
    value = rng.normal(size=CUBE[key].shape).astype(np.float32)
    a[key], expected[key] = value, value
    np.testing.assert_array_equal(hd.asnumpy(a), expected)
    a[key], expected[key] = 3, 3
    np.testing.assert_array_equal(hd.asnumpy(a), expected)
    a[key] = hd.array(value)
    expected[key] = value
    np.testing.assert_array_equal(hd.asnumpy(a), expected)


def test_assignment_broadcasts_and_converts(device):
    a = hd.zeros((2, 3), "int32")
    a[:] = [1, 2, 3]
    assert a.tolist() == [[1, 2, 3]] * 2
    a[:, 1:] = np.array([[7], [8]])
    assert a.tolist() == [[1, 7, 7], [1, 8, 8]]
    a[0] = hd.array([9], "int32")
    assert a.tolist() == [[9, 9, 9], [1, 8, 8]]
    a[...] = hd.array(np.arange(3, dtype="i4").reshape(1, 1, 3))
    assert a.tolist() == [[0, 1, 2]] * 2


def test_assignment_from_itself(device):
    x = np.arange(10, dtype=np.int32)
    a = hd.array(x)
    a[1:] = a[:-1]
    x[1:] = x[:-1].copy()
    np.testing.assert_array_equal(hd.asnumpy(a), x)
    a[:] = a[::-1]
    np.testing.assert_array_equal(hd.asnumpy(a), x[::-1])


def test_assigning_from_host_and_to_host_with_any_strides(device, rng):
    x = rng.normal(size=(6, 5, 7))
    for source in (x[::2, 1:-1, ::-1], np.asfortranarray(x), x.transpose(2, 0, 1)):
        a = hd.array(source)
        np.testing.assert_array_equal(hd.asnumpy(a), source)
        b = hd.zeros((*source.shape, 2))
        b[..., 1] = source
        np.testing.assert_array_equal(hd.asnumpy(b)[..., 1], source)
        np.testing.assert_array_equal(hd.asnumpy(b[..., 0]), 0)
        np.testing.assert_array_equal(hd.asnumpy(b[::-1, ..., 1]), source[::-1])


@pytest.mark.parametrize(
    ("key", "error", "text"),
    [
        (2, IndexError, "out of bounds"),
        (-3, IndexError, "out of bounds"),
        ((0, 0, 0, 0), IndexError, "too many"),
        ((..., ...), IndexError, "ellipsis"),
        ("a", IndexError, "valid indices"),
        (1.5, IndexError, "valid indices"),
        (slice(0, 1, 0), ValueError, "zero"),
    ],
)
def test_bad_keys(device, key, error, text):
    a = hd.array(CUBE)
    with pytest.raises(error, match=text):
        a[key]
    with pytest.raises(error, match=text):
        a[key] = 0
    np.testing.assert_array_equal(hd.asnumpy(a), CUBE)


def test_bad_assignments(device):
    a = hd.zeros((2, 3), "float32")
    with pytest.raises(ValueError, match="broadcast"):
        a[:] = np.zeros(4)
    with pytest.raises(ValueError, match="broadcast"):
        a[:] = hd.zeros(2, "float32")
    a[:] = hd.full(3, 0.1)  # converted, as in NumPy
    np.testing.assert_array_equal(hd.asnumpy(a), np.full((2, 3), 0.1, "float32"))
    with pytest.raises((TypeError, ValueError)):
        a[:] = "text"


def slices(length: int) -> st.SearchStrategy[slice]:
    bound = st.none() | st.integers(-length - 2, length + 2)
    return st.builds(slice, bound, bound, st.none() | st.integers(-3, 3).filter(bool))


@st.composite
def arrays_and_keys(draw):
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=5))
    parts = []
    for length in shape[: draw(st.integers(0, len(shape)))]:
        options = [slices(length)]
        if length:
            options.append(st.integers(-length, length - 1))
        parts.append(draw(st.one_of(options)))
    if draw(st.booleans()):
        parts.insert(draw(st.integers(0, len(parts))), ...)
    for _ in range(draw(st.integers(0, 2))):
        parts.insert(draw(st.integers(0, len(parts))), None)
    return shape, tuple(parts)


@settings(max_examples=400, deadline=None)
@given(case=arrays_and_keys())
def test_any_slice_of_a_slice(case):
    shape, key = case
    x = np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape)
    with hd.Device("cpu"):
        a = hd.array(x)
        try:
            x[key]
        except IndexError:
            with pytest.raises(IndexError):
                a[key]
            return
        np.testing.assert_array_equal(hd.asnumpy(a[key]), x[key])
        # NumPy gives scalars where heald gives arrays without axes.
        expected = np.asarray(x[key])
        np.testing.assert_array_equal(hd.asnumpy(a[key].T), expected.T)
        np.testing.assert_array_equal(hd.asnumpy(a[key].copy()), expected)
        a[key] = 7
        x[key] = 7
        np.testing.assert_array_equal(hd.asnumpy(a), x)
