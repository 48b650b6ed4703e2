"""hd.In, hd.Out, hd.InOut around NumPy arrays, and hd.Module."""

from __future__ import annotations

import numpy as np
import pytest

import heald as hd

SOURCE = """
__constant__ float factor = 2;
__global__ void scale(float* out, const float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * factor;
}
__global__ void add(float* x, float v) { x[threadIdx.x] += v; }
"""


@pytest.fixture
def module(device):
    return hd.Module(SOURCE, name="scale.cu")


def test_out_and_in(module, rng):
    x = rng.normal(size=1000).astype(np.float32)
    before = x.copy()
    out = np.full_like(x, np.nan)
    module.get_function("scale")(hd.Out(out), hd.In(x), np.int32(1000), grid=4, block=256)
    np.testing.assert_array_equal(out, 2 * x)  # there when the call returns
    np.testing.assert_array_equal(x, before)


def test_inout(module):
    x = np.arange(8, dtype=np.float32)
    module.get_function("add")(hd.InOut(x), 5, block=8)
    np.testing.assert_array_equal(x, np.arange(8) + 5)


def test_in_is_not_written_back(module):
    x = np.zeros(8, np.float32)
    module.get_function("add")(hd.In(x), 5, block=8)
    hd.Device().synchronize()
    assert not x.any()


def test_in_may_be_changed_at_once(module):
    scale = module.get_function("scale")
    for value in range(20):
        x = np.full(10_000, value, np.float32)
        out = hd.zeros(10_000, "float32")
        scale(out, hd.In(x), 10_000, grid=40, block=256)
        x[:] = -1
        assert (hd.asnumpy(out) == 2 * value).all()


def test_on_a_stream(module):
    x = np.ones(8, np.float32)
    module.get_function("add")(hd.InOut(x), 1, block=8, stream=hd.Stream())
    assert (x == 2).all()


def test_fortran_order_is_memory_too(module):
    x = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    module.get_function("add")(hd.InOut(x), 1, block=6)
    np.testing.assert_array_equal(x, np.arange(6).reshape(2, 3) + 1)


def test_empty(module):
    module.get_function("scale")(hd.Out(np.empty(0, "f4")), hd.In(np.empty(0, "f4")), 0, block=32)


def test_structured(device):
    f = hd.Module(
        "struct P { float x; int n; }; __global__ void f(P* p) { p[threadIdx.x].n += 1; }"
    ).get_function("f")
    points = np.zeros(4, [("x", "f4"), ("n", "i4")])
    f(hd.InOut(points), block=4)
    assert points["n"].tolist() == [1, 1, 1, 1]


def test_refused(module):
    add = module.get_function("add")
    frozen = np.zeros(8, "f4")
    frozen.flags.writeable = False
    for use, error, text in (
        (lambda: hd.In([1, 2]), TypeError, "NumPy array"),
        (lambda: hd.Out(frozen), ValueError, "read-only"),
        (lambda: hd.InOut(np.zeros(8, "f4")[::2]), ValueError, "contiguous"),
        (lambda: add(hd.InOut(np.zeros(8)), 1, block=8), TypeError, "NumPy array of float64"),
        (lambda: add(hd.InOut(np.zeros(8, "f4")), hd.In(np.zeros(1)), block=8), TypeError, "'v'"),
    ):
        with pytest.raises(error, match=text):
            use()


def test_module(module, device):
    assert module.get_function("add") is module.get_function("add")
    factor = module.get_global("factor")
    hd.memcpy_htod(factor, np.array([10], np.float32))
    x, out = hd.ones(4, "float32"), hd.zeros(4, "float32")
    module.get_function("scale")(out, x, 4, grid=1, block=4)
    assert out.tolist() == [10] * 4
    with pytest.raises(LookupError, match="scale"):
        module.get_function("scael")
    with module:
        pass
    with pytest.raises(hd.ClosedError):
        module.get_function("add")


def test_module_with_names_and_options(device):
    module = hd.Module(
        "template <class T> __global__ void f(T* x) { *x = N; }",
        names=["f<float>"],
        options={"defines": "N=3"},
    )
    x = np.zeros(1, np.float32)
    module.get_function("f<float>")(hd.Out(x), block=1)
    assert x == [3]


def test_the_pycuda_way(device):
    module = hd.Module(
        "__global__ void double_(float* a) { int i = threadIdx.x + threadIdx.y * 4; a[i] *= 2; }"
    )
    a = np.random.default_rng().normal(size=(4, 4)).astype(np.float32)
    a_gpu = hd.mem_alloc(a.nbytes)
    hd.memcpy_htod(a_gpu, a)
    module.get_function("double_")(a_gpu, block=(4, 4, 1))
    doubled = np.empty_like(a)
    hd.memcpy_dtoh(doubled, a_gpu)
    np.testing.assert_array_equal(doubled, 2 * a)
