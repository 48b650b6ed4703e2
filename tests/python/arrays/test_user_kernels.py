"""hd.elementwise, hd.reduction, hd.fuse."""

from __future__ import annotations

import numpy as np
import pytest

import heald as hd

DTYPES = ["int8", "uint16", "int32", "uint64", "float16", "float32", "float64"]


@pytest.fixture
def numbers(device, rng):
    def make(*shape, dtype="float32"):
        values = rng.integers(1, 9, size=shape).astype(dtype)
        return hd.asarray(values), values

    return make


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_output(numbers, dtype):
    x, nx = numbers(3, 5, dtype=dtype)
    y, ny = numbers(5, dtype=dtype)
    function = hd.elementwise("T x, T y", "T z", "z = x * y + x", "madd")
    z = function(x, y)
    assert z.dtype == np.dtype(dtype) and z.shape == (3, 5)
    assert np.array_equal(hd.asnumpy(z), nx * ny + nx)
    assert np.array_equal(hd.asnumpy(function(x.T, y[:3])), nx.T * ny[:3] + nx.T)
    assert np.array_equal(hd.asnumpy(function(x[::-1, ::2], 2)), nx[::-1, ::2] * 3)


def test_half_is_rounded_once_for_each_call(device):
    x = hd.asarray(np.array([0.1, 3.3], "float16"))
    z = hd.elementwise("T x", "T z", "z = x * x * x")(x)
    nx = hd.asnumpy(x).astype("float32")
    assert np.array_equal(hd.asnumpy(z), (nx * nx * nx).astype("float16"))


def test_several_outputs_and_dtypes(numbers):
    x, nx = numbers(100)
    y, ny = numbers(100, dtype="int32")
    split = hd.elementwise(
        "float32 x, int32 y",
        "float64 sum, bool more, T z",
        "sum = x + y; more = x > y; z = y",
        "split",
    )
    with pytest.raises(TypeError, match="nothing says which dtype T"):
        split(x, y)
    split = hd.elementwise(
        "float32 x, T y", "float64 sum, bool more, T z", "sum = x + y; more = x > y; z = y"
    )
    total, more, z = split(x, y)
    assert (total.dtype, more.dtype, z.dtype) == ("float64", "bool", "int32")
    assert np.array_equal(hd.asnumpy(total), nx + ny.astype("f4"))
    assert np.array_equal(hd.asnumpy(more), nx > ny)
    assert np.array_equal(hd.asnumpy(z), ny)


def test_complex(device):
    x = hd.asarray(np.array([1 + 2j, 3 - 1j]))
    z = hd.elementwise("T x", "T z", "z = x; z.im = -x.im")(x)
    assert np.array_equal(hd.asnumpy(z), [1 - 2j, 3 + 1j])


def test_it_is_fused(numbers):
    x, nx = numbers(1000)
    square = hd.elementwise("T x", "T y", "y = x * x", "square")
    y = (square(x + 1) * 2).sum()
    kernels = hd.explain(y)
    assert len(kernels) == 1 and "square" in kernels[0].what
    assert float(y) == ((nx + 1) ** 2 * 2).sum()
    kernels = square.explain(x)
    assert len(kernels) == 1 and "y = x * x" in kernels[0].source


def test_fused_or_not_the_bits_are_the_same(numbers):
    x = hd.asarray(np.linspace(0.1, 9, 1001, dtype="float32"))
    function = hd.elementwise("T x", "T y", "y = x * 1.1f + x / 3.0f")
    alone = function(x)
    hd.eval(alone)
    assert np.array_equal(
        hd.asnumpy(function(x) * 3 + x), hd.asnumpy(alone) * np.float32(3) + hd.asnumpy(x)
    )


def test_number_count_and_coordinates(device):
    x = hd.zeros((4, 6), "float32")
    number = hd.elementwise("T x", "int64 z", "z = i * 100 + n")(x)
    assert np.array_equal(hd.asnumpy(number), np.arange(24).reshape(4, 6) * 100 + 24)
    # In C order whatever the order of memory.
    number = hd.elementwise("T x", "int64 z", "z = i")(x.T)
    assert np.array_equal(hd.asnumpy(number), np.arange(24).reshape(6, 4))
    place = hd.elementwise(
        "T x", "int64 z", "z = _ind.get()[0] * 10 + _ind.get()[1] + _ind.size() * 1000"
    )(x)
    rows, columns = np.indices((4, 6))
    assert np.array_equal(hd.asnumpy(place), rows * 10 + columns + 24000)


def test_raw_parameters(numbers):
    x, nx = numbers(50)
    smooth = hd.elementwise(
        "raw T x, T scale",
        "T y",
        "T left = i > 0 ? x[i - 1] : T(0); T right = i < n - 1 ? x[i + 1] : T(0); y = (left + right) * scale",
        "neighbours",
    )
    expected = (np.concatenate([[0], nx[:-1]]) + np.concatenate([nx[1:], [0]])) * 0.5
    y = smooth(x, np.float32(0.5), size=50)
    assert np.array_equal(hd.asnumpy(y), expected.astype("f4"))
    wide = hd.asarray(np.repeat(nx, 2).reshape(50, 2))
    assert np.array_equal(
        hd.asnumpy(smooth(wide[:, 1], np.float32(0.5), size=50)), expected.astype("f4")
    )
    table = hd.asarray(np.arange(12.0).reshape(3, 4)).T
    look = hd.elementwise(
        "raw T table, int64 at", "T y", "y = table[at] + table.shape()[0] * 100 + table.ndim * 1000"
    )
    at = hd.asarray([0, 5, 11])
    assert hd.asnumpy(look(table, at)).tolist() == [2400.0, 2400.0 + 9.0, 2400.0 + 11.0]


def test_raw_output(numbers):
    x, nx = numbers(1000, dtype="int32")
    counts = hd.zeros(10, "int32")
    count = hd.elementwise("int32 x", "raw int32 counts", "atomicAdd(&counts[x], 1)", "count")
    before = counts + 0
    assert count(x, counts) is not None
    assert np.array_equal(hd.asnumpy(counts), np.bincount(nx, minlength=10))
    assert not hd.asnumpy(before).any()
    with pytest.raises(ValueError, match="has no shape of its own"):
        count(x)


def test_given_outputs(numbers):
    x, nx = numbers(2, 3)
    function = hd.elementwise("T x", "S y", "y = x * 2")
    out = hd.zeros((2, 3), "float64")
    old = out + 1
    assert function(x, out) is not out  # another handle of the same elements
    assert np.array_equal(hd.asnumpy(out), nx * 2.0)
    assert np.array_equal(hd.asnumpy(old), np.ones((2, 3)))
    with pytest.raises(ValueError, match="shape"):
        function(x, hd.zeros(3, "float64"))


def test_preamble(numbers):
    x, nx = numbers(10)
    y, ny = numbers(10)
    first = hd.elementwise(
        "T x", "T y", "y = twice(x)", preamble="__device__ float twice(float x) { return 2 * x; }"
    )
    second = hd.elementwise(
        "T x",
        "T y",
        "y = twice(x)",
        preamble="__device__ float twice(float x) { return x + x + 1; }",
    )
    assert np.array_equal(hd.asnumpy(first(x) + second(y)), nx * 2 + ny * 2 + 1)


def test_numbers_only(device):
    function = hd.elementwise("T x, T y", "T z", "z = x + y")
    assert function(1, 2).dtype == "int64" and int(function(1, 2)) == 3
    assert function(1, 2.5).dtype == "float64" and float(function(1, 2.5)) == 3.5


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda x: hd.elementwise("T", "T y", "y = 1"), ValueError, "write 'float32 x'"),
        (lambda x: hd.elementwise("flot x", "T y", "y = 1"), ValueError, "no dtype 'flot'"),
        (lambda x: hd.elementwise("T x", "T x", ""), ValueError, "two parameters"),
        (lambda x: hd.elementwise("T i", "T y", ""), ValueError, "cannot be called 'i'"),
        (lambda x: hd.elementwise("T x", "", ""), ValueError, "no output"),
        (lambda x: hd.elementwise("float64 x", "T y", "y = x")(x), TypeError, "expected float64"),
        (
            lambda x: hd.elementwise("T x, T y", "T z", "z = x")(x, x.astype("int32")),
            TypeError,
            "but T is float32",
        ),
        (lambda x: hd.elementwise("T x, T y", "T z", "z = x")(x), TypeError, "takes 2 inputs"),
        (
            lambda x: hd.elementwise("T x, T y", "T z", "z = x")(x, hd.zeros(7, "float32")),
            ValueError,
            "broadcast",
        ),
        (
            lambda x: hd.reduction("T x", "T y", "x", "a + b", "y = a", None),
            ValueError,
            "no elements",
        ),
        (lambda x: hd.reduction("T a", "T y", "a", "a + b", "y = a", 0), ValueError, "otherwise"),
        (
            lambda x: hd.reduction("T x", "T y", "x", "a + b", "y = a", 0)(x, axis=1),
            ValueError,
            "axis",
        ),
        (lambda x: hd.fuse(3), TypeError, "function"),
    ],
)
def test_bad_arguments(device, make, error, words):
    with pytest.raises(error, match=words):
        make(hd.zeros(5, "float32"))


def test_the_users_line_is_shown(device):
    x = hd.zeros(5, "float32")
    wrong = hd.elementwise("T x", "T y", "y = x;\ny = x + oops;", "wrong")
    with pytest.raises(hd.CompileError) as caught:
        wrong(x)
    assert "wrong" in str(caught.value) and "oops" in str(caught.value)
    assert any(found.line == 2 for found in caught.value.diagnostics)
    wrong = hd.reduction("T x", "T y", "x", "a + oops", "y = a", 0, "wrong_fold")
    with pytest.raises(hd.CompileError, match="oops"):
        wrong(x)
    with pytest.raises(hd.CompileError, match="oops"):
        hd.elementwise("raw T x", "T y", "y = oops[i]", "wrong")(x, size=3)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), ()])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reduction(numbers, axis, keepdims):
    x, nx = numbers(4, 70, 5)
    norm = hd.reduction("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    y = norm(x, axis=axis, keepdims=keepdims)
    expected = np.sqrt((nx * nx).sum(axis=axis, keepdims=keepdims))
    assert y.shape == expected.shape and y.dtype == "float32"
    np.testing.assert_allclose(hd.asnumpy(y), expected, rtol=3e-7)


def test_reductions_of_several_inputs(numbers):
    x, nx = numbers(30, 40)
    y, ny = numbers(40)
    dot = hd.reduction("T x, T y", "float64 z", "(double)x * y", "a + b", "z = a", 0, "dot")
    assert np.array_equal(hd.asnumpy(dot(x, y, axis=1)), nx.astype("f8") @ ny)
    assert float(dot(x[:, :0], y[:0])) == 0
    largest = hd.reduction("T x", "T y", "x", "a > b ? a : b", "y = a", "-1e30f", "largest")
    assert np.array_equal(hd.asnumpy(largest(x - 20, axis=0)), (nx - 20).max(axis=0))
    assert largest(x[:0], axis=0).shape == (40,)
    # Other identities of one text.
    for identity in (0, -5):
        above = hd.reduction("T x", "T y", "x", "a > b ? a : b", "", identity, "above")
        assert float(above(x[:0, 0])) == identity
        assert float(above(x - 100)) == max(identity, nx.max() - 100)
    halves = hd.reduction("T x", "T y", "x", "a + b", "y = a", 0, reduce_type="float64")
    h = hd.asarray(np.full(3000, 0.1, "float16"))
    assert hd.asnumpy(halves(h)) == np.float16(hd.asnumpy(h).astype("f8").sum())


def test_reductions_are_fused(numbers):
    x, nx = numbers(64, 100)
    total = hd.reduction("T x", "T y", "x", "a + b", "y = a", 0, "total")
    y = total(x * 2 + 1, axis=1)
    assert len(hd.explain(y)) <= 2  # the fold, and what comes after
    assert np.array_equal(hd.asnumpy(y), (nx * 2 + 1).sum(axis=1))
    out = hd.zeros(64, "float32")
    total(x, axis=1, out=out)
    assert np.array_equal(hd.asnumpy(out), nx.sum(axis=1))


def test_fuse(numbers):
    x, nx = numbers(200)

    @hd.fuse
    def smooth(x, y):
        """Two results."""
        return hd.exp(-x) * y, x + y

    first, second = smooth(x, 2.0)
    np.testing.assert_allclose(hd.asnumpy(first), np.exp(-nx) * 2, rtol=1e-6)
    assert np.array_equal(hd.asnumpy(second), nx + 2)
    assert smooth.__name__ == "smooth" and smooth.__doc__ == "Two results."
    assert len(smooth.explain(x * 3, 2.0)) == 1
    assert "__global__" in smooth.source(x, 1.0)
    named = hd.fuse(kernel_name="other")(lambda x: x + 1)
    assert named.name == "other" and int(named(2)) == 3
    assert len(named.explain(x)) == 1 and len(named.explain(x.reshape(10, 20))) == 1
