"""What is pending reads shared memory before the other side writes it."""

from __future__ import annotations

import numpy as np
import pytest

import heald as hd


def test_memory_taken_from_numpy(cpu: hd.Device) -> None:
    host = np.arange(6.0)
    x = hd.asarray(host, copy=False)
    y = x * 2
    hd.Device("cpu").synchronize()
    host[:] = 0
    np.testing.assert_array_equal(hd.asnumpy(y), np.arange(6.0) * 2)
    np.testing.assert_array_equal(hd.asnumpy(x + 1), np.ones(6))


@pytest.mark.parametrize("share", [memoryview, np.from_dlpack])
def test_memory_given_to_numpy(cpu: hd.Device, share: object) -> None:
    x = hd.arange(6.0)
    before = x + 1
    host = np.asarray(share(x))  # type: ignore[operator]
    if not host.flags.writeable:
        pytest.skip("this NumPy imports DLPack memory read-only")
    after = x * 2
    hd.Device("cpu").synchronize()
    host[:] = -1
    np.testing.assert_array_equal(hd.asnumpy(before), np.arange(6.0) + 1)
    np.testing.assert_array_equal(hd.asnumpy(after), np.arange(6.0) * 2)
    np.testing.assert_array_equal(hd.asnumpy(x), np.full(6, -1.0))


def test_torch_writes_after_what_was_recorded(device: hd.Device) -> None:
    torch = pytest.importorskip("torch")
    if device.kind == "cuda" and not torch.cuda.is_available():
        pytest.skip("PyTorch has no GPU")
    t = torch.arange(8, dtype=torch.float32, device="cuda" if device.kind == "cuda" else "cpu")
    x = hd.from_dlpack(t)
    y = x * 2
    if device.kind == "cpu":
        device.synchronize()
    t.zero_()
    np.testing.assert_array_equal(hd.asnumpy(y), np.arange(8) * 2)


def test_a_kernel_that_writes(device: hd.Device) -> None:
    source = """
    extern "C" __global__ void clear(float* x, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] = 0;
    }
    """
    clear = hd.Program(source).compile().get_kernel("clear")
    x = hd.arange(1000, dtype="float32")
    hd.eval(x)
    y = x + 1
    z = hd.sqrt(y) + x[::-1]
    clear.launch(4, 256, (x, 1000))
    expected = np.arange(1000, dtype="float32")
    np.testing.assert_array_equal(hd.asnumpy(y), expected + 1)
    np.testing.assert_allclose(hd.asnumpy(z), np.sqrt(expected + 1) + expected[::-1], rtol=1e-6)
    assert not hd.asnumpy(x).any()
    clear.launch(4, 256, (x + 5, 1000))  # a pending array as an argument


def test_one_memory_under_two_names(device: hd.Device) -> None:
    x = hd.arange(6.0)
    y = hd.from_dlpack(x)
    for z in (x, hd.arange(6.0)):
        assert hd.asnumpy(x + z).tolist() == [0, 2, 4, 6, 8, 10]
        assert hd.asnumpy(y == z).all()
        assert hd.asnumpy(hd.where(y == z, y * z, x - y)).tolist() == [0, 1, 4, 9, 16, 25]
