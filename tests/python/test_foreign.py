"""PyTorch, CuPy and JAX: their tensors as arguments, and arrays given to them."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from dlpack_producer import Producer

import heald as hd

SOURCE = """
__global__ void add(float* x, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}
__global__ void copy(float* out, const float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i];
}
"""


@pytest.fixture
def add(device):
    return hd.Module(SOURCE).get_function("add")


@pytest.fixture
def copy(device):
    return hd.Module(SOURCE).get_function("copy")


class TestProducer:
    """Without any library: a tensor made with ctypes."""

    @pytest.mark.parametrize("versioned", [False, True])
    def test_argument(self, cpu, versioned):
        add = hd.Module(SOURCE).get_function("add")
        x = np.zeros(8, np.float32)
        producer = Producer(x, versioned=versioned)
        add(producer, 2, 8, block=8)
        cpu.synchronize()
        assert (x == 2).all()
        shifted = Producer(x, byte_offset=16, shape=(4,), versioned=versioned)
        add(shifted, 1, 4, block=8)
        cpu.synchronize()
        assert x.tolist() == [2] * 4 + [3] * 4

    def test_kept_until_the_kernel_is_done(self, cpu):
        import threading

        add = hd.Module(SOURCE).get_function("add")
        go, stream = threading.Event(), hd.Stream()
        producer = Producer(np.zeros(8, np.float32))
        stream.host_function(go.wait)
        add(producer, 2, 8, block=8, stream=stream)
        gc.collect()
        assert producer.deleted == 0
        go.set()
        stream.synchronize()
        assert (producer.array == 2).all()
        for _ in range(100):
            hd.zeros(1)
            cpu.synchronize()
            add(None, 0, 0, block=1)
            if producer.deleted:
                break
        assert producer.deleted == 1

    @pytest.mark.parametrize(
        ("make", "error", "text"),
        [
            (lambda: Producer(np.zeros(8)), TypeError, "float64.*convert"),
            (lambda: Producer(np.zeros(8, "f4")[::2]), ValueError, "non-contiguous"),
            (lambda: Producer(np.zeros(8, "f4"), versioned=True, flags=1), ValueError, "read-only"),
            (lambda: Producer(np.zeros(8, "f4"), device=(8, 0)), ValueError, "device type 8"),
        ],
    )
    def test_refused(self, cpu, make, error, text):
        add = hd.Module(SOURCE).get_function("add")
        with pytest.raises(error, match=text):
            add(make(), 1, 8, block=8)

    def test_read_only_for_const(self, cpu):
        copy = hd.Module(SOURCE).get_function("copy")
        out = hd.zeros(3, "float32")
        x = Producer(np.arange(3, dtype="f4"), versioned=True, flags=1)
        copy(out, x, 3, block=3)
        assert out.tolist() == [0, 1, 2]


class TestTorch:
    @pytest.fixture
    def torch(self, device):
        torch = pytest.importorskip("torch")
        if device.kind == "cuda" and not torch.cuda.is_available():
            pytest.skip("PyTorch has no GPU")
        return torch

    @pytest.fixture
    def where(self, device):
        return "cuda:0" if device.kind == "cuda" else "cpu"

    def test_argument(self, device, torch, where, add):
        x = torch.zeros(100, device=where)
        for _ in range(3):
            add(x, 2, 100, block=128)
        device.synchronize()
        assert (x == 6).all()

    def test_argument_on_a_stream(self, device, torch, where, add):
        for i in range(20):
            x = torch.full((100_000,), float(i), device=where)
            stream = hd.Stream()
            add(x, 1, 100_000, grid=400, block=256, stream=stream)
            stream.synchronize()
            assert (x == i + 1).all()

    def test_dropped_after_the_launch(self, device, torch, where, add, copy):
        out, stream = hd.zeros(100_000, "float32"), hd.Stream()
        for i in range(20):
            x = torch.full((100_000,), float(i), device=where)
            copy(out, x, 100_000, grid=400, block=256, stream=stream)
            del x
            torch.zeros(100_000, device=where)
            assert (hd.asnumpy(out, stream) == i).all()

    def test_refused(self, device, torch, where, add):
        for bad, error, text in (
            (torch.zeros(8, dtype=torch.float64, device=where), TypeError, "float64"),
            (torch.zeros(4, 4, device=where).T, ValueError, "non-contiguous"),
            (torch.zeros(8, device=where)[::2], ValueError, "non-contiguous"),
        ):
            with pytest.raises(error, match=text):
                add(bad, 1, 4, block=8)

    def test_offsets(self, device, torch, where, add):
        x = torch.zeros(10, device=where)
        add(x[4:], 1, 3, block=8)
        device.synchronize()
        assert x.tolist() == [0] * 4 + [1] * 3 + [0] * 3

    def test_both_ways(self, device, torch, where):
        x = torch.arange(6, device=where).reshape(2, 3)
        a = hd.from_dlpack(x)
        assert (a.shape, a.device) == ((2, 3), device)
        assert a.address == x.data_ptr()
        y = torch.from_dlpack(a.T)
        assert y.data_ptr() == x.data_ptr()
        assert y.shape == (3, 2)
        assert torch.equal(torch.from_dlpack(hd.array(x)), x)

    def test_bfloat16(self, device, torch, where):
        pytest.importorskip("ml_dtypes")
        x = torch.tensor([1, 2.5], dtype=torch.bfloat16, device=where)
        a = hd.from_dlpack(x)
        assert a.dtype == hd.bfloat16
        assert a.tolist() == [1, 2.5]
        assert torch.from_dlpack(a).dtype == torch.bfloat16

    def test_empty(self, device, torch, where, add):
        add(torch.zeros(0, device=where), 1, 0, block=8)
        assert hd.from_dlpack(torch.zeros(0, 3, device=where)).shape == (0, 3)


class TestTorchOnAGpu:
    @pytest.fixture
    def torch(self, gpu):
        torch = pytest.importorskip("torch")
        if not torch.cuda.is_available():
            pytest.skip("PyTorch has no GPU")
        return torch

    def test_other_device(self, gpu, torch):
        add = hd.Module(SOURCE).get_function("add")
        with pytest.raises(ValueError, match="cuda:0"):
            add(torch.zeros(8), 1, 8, block=8)

    def test_its_streams(self, gpu, torch):
        add = hd.Module(SOURCE).get_function("add")
        theirs = torch.cuda.Stream()
        x = torch.zeros(1000, device="cuda")
        torch.cuda.synchronize()
        with torch.cuda.stream(theirs):
            x += 1
            add(x, 1, 1000, grid=4, block=256, stream=theirs)
            x += 1
        theirs.synchronize()
        assert (x == 3).all()


class TestCuPy:
    @pytest.fixture
    def cupy(self, gpu):
        return pytest.importorskip("cupy")

    def test_argument(self, gpu, cupy):
        add = hd.Module(SOURCE).get_function("add")
        x = cupy.zeros(100, "f4")
        add(x, 2, 100, block=128)
        add(x, 2, 100, block=128, stream=hd.Stream())
        gpu.synchronize()
        assert (x == 4).all()

    def test_both_ways(self, gpu, cupy):
        x = cupy.arange(6, dtype="i4").reshape(2, 3)
        for a in (hd.from_dlpack(x), hd.asarray(x, copy=False)):
            assert a.address == x.data.ptr
            assert a.tolist() == [[0, 1, 2], [3, 4, 5]]
        a = hd.array(np.arange(3.0))
        assert cupy.asarray(a).data.ptr == a.address
        assert cupy.from_dlpack(a).data.ptr == a.address
        assert cupy.asnumpy(cupy.asarray(a)).tolist() == [0, 1, 2]

    def test_its_streams(self, gpu, cupy):
        with cupy.cuda.Stream(non_blocking=True) as theirs:
            x = hd.zeros(10, stream=theirs)
            assert hd.asnumpy(x, stream=theirs).tolist() == [0] * 10


class TestJax:
    @pytest.fixture
    def jax(self):
        return pytest.importorskip("jax")

    def test_argument(self, cpu, jax):
        copy = hd.Module(SOURCE).get_function("copy")
        x = jax.device_put(np.arange(8, dtype="f4"), jax.devices("cpu")[0])
        out = hd.zeros(8, "float32")
        copy(out, x, 8, block=8)
        assert out.tolist() == list(range(8))

    def test_both_ways(self, cpu, jax):
        x = jax.device_put(np.arange(6, dtype="f4").reshape(2, 3), jax.devices("cpu")[0])
        a = hd.from_dlpack(x)
        assert a.tolist() == [[0, 1, 2], [3, 4, 5]]
        back = jax.dlpack.from_dlpack(hd.array(np.arange(5, dtype="i4"), device="cpu"))
        assert back.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("order", ["heald first", "heald last"])
def test_with_other_compilers_in_one_process(run_python, order):
    """heald's LLVM next to JAX's and Numba's, in both import orders."""
    heald = """
import heald as hd
with hd.Device("cpu"):
    f = hd.Module("__global__ void f(float* x) { x[threadIdx.x] += 1; }").get_function("f")
    a = hd.zeros(4, "float32")
    f(a, block=4)
    assert a.tolist() == [1] * 4
"""
    others = """
try:
    import jax
    assert jax.jit(lambda v: v + 1)(1.0) == 2
except ImportError:
    pass
try:
    import numba
    assert numba.njit(lambda v: v + 1)(1) == 2
except ImportError:
    pass
try:
    import torch
    assert float((torch.ones(3) + 1).sum()) == 6
except ImportError:
    pass
"""
    parts = [heald, others] if order == "heald first" else [others, heald]
    result = run_python("\n".join([*parts, *parts, "print('fine')"]), timeout=300)
    assert result.stdout.strip().endswith("fine"), result.stderr[-2000:]
