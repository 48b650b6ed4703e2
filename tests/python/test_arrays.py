"""Arrays as containers: making them, moving them, printing, pickling."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import heald as hd

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_trip_of_every_dtype(device, rng, dtype):
    x = (rng.normal(size=(3, 5)) * 50).astype(dtype)
    a = hd.array(x)
    assert a.dtype == x.dtype
    assert (a.shape, a.strides, a.size, a.nbytes, a.ndim) == (
        x.shape, x.strides, x.size, x.nbytes, x.ndim,
    )  # fmt: skip
    assert a.itemsize == x.itemsize
    np.testing.assert_array_equal(hd.asnumpy(a), x)


def test_bfloat16(device):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.arange(6).astype(ml_dtypes.bfloat16).reshape(2, 3)
    a = hd.array(x)
    assert a.dtype == x.dtype
    np.testing.assert_array_equal(hd.asnumpy(a), x)
    np.testing.assert_array_equal(hd.asnumpy(a.T), x.T)
    assert hd.zeros(2, "bfloat16").dtype == hd.bfloat16
    assert hd.full(2, 1.5, hd.bfloat16).tolist() == [1.5, 1.5]
    assert "bfloat16" in repr(a)


def test_bfloat16_without_ml_dtypes(run_python):
    result = run_python(
        "import sys; sys.modules['ml_dtypes'] = None\n"
        "import heald as hd\n"
        "a = hd.Array(3, 'bfloat16', device='cpu')\n"
        "try: a.dtype\n"
        "except hd.UnavailableError as e: print(e)\n"
    )
    assert "pip install ml_dtypes" in result.stdout, result.stderr


def test_makers(device):
    assert hd.zeros((2, 3)).tolist() == [[0, 0, 0]] * 2
    assert hd.ones(3, "int32").tolist() == [1, 1, 1]
    full = hd.full((2,), 2.5)
    assert full.dtype == np.float64
    assert full.tolist() == [2.5, 2.5]
    assert hd.full(2, 3).dtype == np.int64
    assert hd.full(2, 1 + 2j, "complex128").tolist() == [1 + 2j, 1 + 2j]
    empty = hd.empty((4, 5), "uint8")
    assert (empty.shape, empty.dtype, empty.device) == ((4, 5), np.uint8, device)
    assert hd.empty_like(empty).shape == (4, 5)
    assert hd.zeros_like(np.ones(3, "f4")).tolist() == [0, 0, 0]
    assert hd.ones_like(empty, dtype="int16").dtype == np.int16
    assert hd.full_like(empty, 9)[0, 0].item() == 9


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0, 2), (1, 1), (2, 1, 3)])
def test_shapes(device, shape):
    x = np.arange(int(np.prod(shape)), dtype="f4").reshape(shape)
    a = hd.array(x)
    assert a.shape == shape
    np.testing.assert_array_equal(hd.asnumpy(a), x)
    np.testing.assert_array_equal(hd.asnumpy(a.copy()), x)
    np.testing.assert_array_equal(hd.asnumpy(a.T), x.T)
    a.fill(3)
    assert (hd.asnumpy(a) == 3).all()
    assert a.address == 0 or a.size


def test_array_takes_what_numpy_takes(device):
    assert hd.array([[1, 2], [3, 4]]).dtype == np.int64
    assert hd.array([1, 2], "float32").tolist() == [1, 2]
    assert hd.array(range(3)).tolist() == [0, 1, 2]
    assert hd.array(5).shape == ()
    assert hd.array(np.arange(10)[::-3]).tolist() == [9, 6, 3, 0]
    assert hd.array(np.asfortranarray(np.eye(2))).tolist() == [[1, 0], [0, 1]]
    assert hd.array(hd.ones(2), "int8").dtype == np.int8


def test_array_copies(device):
    x = np.arange(1000)
    a = hd.array(x)
    x[:] = -1
    assert a[5].item() == 5
    b = hd.array(a)
    b.fill(0)
    assert a[5].item() == 5
    host = hd.asnumpy(a)
    host[:] = 0
    assert a[5].item() == 5


def test_asarray(device):
    a = hd.zeros(3)
    assert hd.asarray(a) is a
    assert hd.asarray(a, "float32").dtype == np.float32
    assert hd.asarray(a, copy=True) is not a
    assert hd.asarray([1, 2]).tolist() == [1, 2]
    with pytest.raises(ValueError, match="copy=False"):
        hd.asarray(a, "int8", copy=False)
    with pytest.raises(TypeError, match="no memory that can be shared"):
        hd.asarray([1], copy=False)


def test_sharing_numpy_memory(cpu):
    x = np.arange(12.0).reshape(3, 4)[:, ::-1]
    a = hd.asarray(x, copy=False)
    assert a.strides == x.strides
    a.fill(2)
    cpu.synchronize()
    assert (x == 2).all()
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    assert hd.asarray(frozen, copy=False).read_only
    with pytest.raises(ValueError, match="read-only"):
        hd.asarray(frozen, copy=False)[0] = 1


def test_sharing_numpy_memory_with_a_gpu(gpu):
    with pytest.raises(ValueError, match="copy=False"):
        hd.asarray(np.zeros(3), copy=False)


def test_between_devices(device, rng):
    x = rng.normal(size=(5, 7))
    a = hd.array(x, device="cpu")
    b = a.to(device)
    assert b.device == device
    np.testing.assert_array_equal(hd.asnumpy(b), x)
    np.testing.assert_array_equal(hd.asnumpy(b.to("cpu")), x)
    np.testing.assert_array_equal(hd.asnumpy(a[::2, ::-1].to(device)), x[::2, ::-1])
    assert b.to(device) is b or b.to(device).address == b.address
    b[1:3] = a[2:4]
    x[1:3] = x[2:4]
    np.testing.assert_array_equal(hd.asnumpy(b), x)


def test_numbers(device):
    a = hd.array([[1.5, 2]])
    assert a.item(0, 1) == 2
    assert a[0, 0].item() == 1.5
    assert (float(a[0, 0]), int(a[0, 1]), bool(a[0, 0])) == (1.5, 2, True)
    assert complex(a[0, 0]) == 1.5
    with pytest.raises(TypeError, match="one element"):
        float(a)
    with pytest.raises(ValueError, match="2 elements"):
        a.item()


def test_iteration_and_len(device):
    a = hd.array([[1, 2], [3, 4]])
    assert len(a) == 2
    assert [row.tolist() for row in a] == [[1, 2], [3, 4]]
    with pytest.raises(TypeError):
        len(hd.array(1))
    with pytest.raises(TypeError):
        iter(hd.array(1))


def test_numpy_protocol(device):
    a = hd.array([1, 2, 3])
    np.testing.assert_array_equal(np.asarray(a), [1, 2, 3])
    assert np.array(a, dtype=np.float32).dtype == np.float32
    assert np.array_equal(a.__array__(), [1, 2, 3])
    with pytest.raises(ValueError, match="copy"):
        a.__array__(copy=False)


def test_printing(device):
    assert str(hd.array([[1, 2], [3, 4]])) == str(np.array([[1, 2], [3, 4]]))
    text = repr(hd.array([1.5, 2], "float32"))
    assert text == f"Array([1.5, 2. ], dtype=float32, device='{device.name}')"
    assert repr(hd.zeros((0, 3))).startswith("Array([], shape=(0, 3), dtype=float64")
    big = np.arange(4000 * 50).reshape(4000, 50)
    assert str(hd.array(big)) == np.array2string(big, threshold=1000)
    cube = np.arange(20 * 5 * 30).reshape(20, 5, 30)
    assert str(hd.array(cube)) == np.array2string(cube, threshold=1000)


def test_pickling(device):
    a = hd.array(np.arange(6, dtype="i2").reshape(2, 3))[:, ::-1]
    b = pickle.loads(pickle.dumps(a))
    assert (b.device, b.dtype, b.tolist()) == (device, a.dtype, a.tolist())
    for c in (copy.copy(a), copy.deepcopy(a)):
        c.fill(0)
    assert a.tolist() == [[2, 1, 0], [5, 4, 3]]


def test_array_over_a_buffer(device):
    buffer = hd.Buffer.from_host(np.arange(10, dtype=np.int32))
    a = hd.Array((2, 2), "int32", buffer=buffer, strides=(16, 8), offset=4)
    assert a.tolist() == [[1, 3], [5, 7]]
    assert a.buffer.address == buffer.address
    assert a.offset == 4
    with pytest.raises(ValueError, match="span"):
        hd.Array((2, 2), "int32", buffer=buffer, strides=(32, 8), offset=4)
    with pytest.raises(ValueError, match="span"):
        hd.Array((2,), "int32", buffer=buffer, strides=(-4,))


def test_contiguity_is_by_value(device):
    """Strides of axes of length 1 do not matter, and an empty array is contiguous."""
    buffer = hd.Buffer(64)
    odd = hd.Array((1, 4, 1), "float32", buffer=buffer, strides=(999, 4, -8))
    assert odd.is_c_contiguous
    assert odd.is_f_contiguous
    assert hd.zeros((0, 3)).is_c_contiguous
    a = hd.zeros((2, 3))
    assert a.is_c_contiguous
    assert not a.T.is_c_contiguous
    assert a.T.is_f_contiguous
    assert not a[:, ::2].is_c_contiguous


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (lambda: hd.zeros(-1), ValueError, "negative"),
        (lambda: hd.zeros((2, -3)), ValueError, "negative"),
        (lambda: hd.zeros(2.5), TypeError, "shape"),
        (lambda: hd.zeros("ab"), TypeError, "shape"),
        (lambda: hd.zeros(3, "float99"), TypeError, "dtype"),
        (lambda: hd.zeros(3, ">f4"), TypeError, "native"),
        (lambda: hd.array(["a"]), TypeError, "dtype"),
        (lambda: hd.array(np.zeros(2, "M8[s]")), TypeError, "dtype"),
        (lambda: hd.array(np.zeros(2, [("a", "i4")])), TypeError, "Buffer.from_host"),
        (lambda: hd.zeros(3).reshape(2), ValueError, "reshape"),
        (lambda: hd.zeros(4).reshape(-1, 3), ValueError, "reshape"),
        (lambda: hd.zeros(4).reshape(-1, -1), ValueError, "reshape"),
        (lambda: hd.zeros((2, 2)).transpose(0, 0), ValueError, "transpose"),
        (lambda: hd.zeros((2, 2)).transpose(0), ValueError, "transpose"),
        (lambda: hd.zeros((2, 2)).transpose(0, 5), ValueError, "transpose"),
        (lambda: hd.zeros(2).fill([1, 2]), ValueError, "one number"),
        (lambda: hd.zeros(3, device=7), TypeError, "device"),
        (lambda: hd.zeros((1 << 40, 1 << 40)), ValueError, "2\\^63"),
    ],
)
def test_bad_input(device, use, error, text):
    with pytest.raises(error, match=text):
        use()
    assert hd.zeros(2).tolist() == [0, 0]


shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), shape=shapes)
def test_reshape_as_numpy(data, shape):
    with hd.Device("cpu"):
        x = np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape)
        axes = data.draw(st.permutations(range(len(shape))))
        x, a = x.transpose(axes), hd.array(x).transpose(axes)
        sides = [n for n in x.shape if n > 1] or [x.size]
        target = tuple(data.draw(st.permutations(sides)))
        if np.prod(target, dtype=int) != x.size:
            target = (x.size,)
        np.testing.assert_array_equal(hd.asnumpy(a.reshape(target)), x.reshape(target))
        np.testing.assert_array_equal(hd.asnumpy(a.ravel()), x.ravel())
        if x.size:
            view = a.reshape(target)
            shares = view.buffer.address == a.buffer.address
            assert shares == np.shares_memory(x, x.reshape(target))


@settings(max_examples=100, deadline=None)
@given(
    x=hnp.arrays(
        st.sampled_from([np.int8, np.uint16, np.float32, np.int64, np.complex128]),
        hnp.array_shapes(min_dims=1, max_dims=3, max_side=5),
    )
)
def test_round_trip_of_anything(x):
    with hd.Device("cpu"):
        for view in (x, x.T, x[::-1], np.asfortranarray(x)):
            assert hd.asnumpy(hd.array(view)).tobytes() == np.ascontiguousarray(view).tobytes()
