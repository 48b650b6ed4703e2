"""DLPack in and out."""

from __future__ import annotations

import ctypes
import gc

import numpy as np
import pytest
from dlpack_producer import DLManagedTensorVersioned, Producer, read_capsule

import heald as hd


@pytest.fixture(params=[False, True], ids=["legacy", "versioned"])
def versioned(request):
    return request.param


class TestImport:
    def test_shares_memory(self, cpu, versioned):
        x = np.arange(6, dtype=np.int32).reshape(2, 3)
        a = hd.from_dlpack(Producer(x, versioned=versioned))
        assert (a.shape, a.dtype, a.device) == ((2, 3), np.int32, cpu)
        a.fill(5)
        cpu.synchronize()
        assert (x == 5).all()

    def test_byte_offset(self, cpu, versioned):
        x = np.arange(32, dtype=np.int64)
        a = hd.from_dlpack(Producer(x, byte_offset=64, shape=(24,), versioned=versioned))
        assert a[0].item() == 8
        again = hd.from_dlpack(a)
        assert again[0].item() == 8
        assert again.tolist() == list(range(8, 32))

    @pytest.mark.parametrize("strides", [None, (3, 1), (1, 2)])
    def test_strides(self, cpu, strides):
        x = np.arange(6, dtype=np.float32)
        a = hd.from_dlpack(Producer(x, shape=(2, 3), strides=strides))
        in_elements = strides or (3, 1)
        expected = np.lib.stride_tricks.as_strided(x, (2, 3), [4 * s for s in in_elements])
        np.testing.assert_array_equal(hd.asnumpy(a), expected)

    def test_negative_strides(self, cpu):
        x = np.arange(5, dtype=np.int16)
        a = hd.from_dlpack(Producer(x[::-1]))
        assert a.tolist() == [4, 3, 2, 1, 0]

    @pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0, 2)])
    def test_zero_size(self, cpu, versioned, shape):
        a = hd.from_dlpack(
            Producer(np.empty(0, "f4"), shape=shape, strides=None, data=None, versioned=versioned)
        )
        assert (a.shape, a.size) == (shape, 0)
        a.copy()
        a.fill(1)
        assert hd.asnumpy(a).shape == shape

    def test_no_axes(self, cpu):
        assert hd.from_dlpack(Producer(np.array(7))).item() == 7

    def test_size_one_axes_with_odd_strides(self, cpu):
        a = hd.from_dlpack(Producer(np.arange(3.0), shape=(1, 3), strides=(12345, 1)))
        assert a.is_c_contiguous
        assert a.tolist() == [[0, 1, 2]]

    def test_read_only_flag(self, cpu):
        a = hd.from_dlpack(Producer(np.zeros(3), versioned=True, flags=1))
        assert a.read_only
        with pytest.raises(ValueError, match="read-only"):
            a[0] = 1

    def test_bfloat16(self, cpu):
        bits = np.array([0x3F80, 0x4000], np.uint16)  # 1, 2
        a = hd.from_dlpack(Producer(bits, dtype=(4, 16, 1)))
        pytest.importorskip("ml_dtypes")
        assert a.tolist() == [1, 2]
        assert a.dtype == hd.bfloat16

    @pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "c8", "c16"])
    def test_dtypes(self, cpu, dtype):
        x = np.array([0, 1]).astype(dtype)
        a = hd.from_dlpack(Producer(x))
        assert a.dtype == x.dtype
        np.testing.assert_array_equal(hd.asnumpy(a), x)

    def test_deleter_is_called_once(self, cpu, versioned):
        producer = Producer(np.arange(4), versioned=versioned)
        a = hd.from_dlpack(producer)
        b = a[1:]
        del a
        gc.collect()
        assert producer.deleted == 0
        assert b.tolist() == [1, 2, 3]
        del b
        gc.collect()
        for _ in range(100):
            cpu.synchronize()
            hd.zeros(1)
            hd.from_dlpack(np.zeros(1))
            if producer.deleted:
                break
        assert producer.deleted == 1

    def test_stream_is_not_passed_for_host_memory(self, cpu):
        producer = Producer(np.ones(50), versioned=True)
        for stream in (hd.Stream(), None):
            with stream or hd.Stream.current():
                assert hd.from_dlpack(producer).tolist() == [1] * 50
        assert all(call.get("stream") is None for call in producer.calls)

    def test_copy_and_device(self, device):
        x = np.arange(3)
        a = hd.from_dlpack(x, device=device)
        assert a.device == device
        b = hd.from_dlpack(x, device="cpu", copy=True)
        b.fill(0)
        hd.Device("cpu").synchronize()
        assert x.tolist() == [0, 1, 2]
        if device.kind == "cuda":
            with pytest.raises(ValueError, match="copy=False"):
                hd.from_dlpack(x, device=device, copy=False)

    @pytest.mark.parametrize(
        ("make", "error", "text"),
        [
            (lambda: [1, 2], TypeError, "__dlpack__"),
            (lambda: Producer(np.zeros(2), device=(8, 0)), ValueError, "device type 8"),
            (lambda: Producer(np.zeros(2), device=(2, 99)), RuntimeError, "cuda:99"),
            (lambda: Producer(np.zeros(2), dtype=(2, 8, 1)), TypeError, "8 bits"),
            (lambda: Producer(np.zeros(2), dtype=(2, 32, 4)), TypeError, "4 lanes"),
            (
                lambda: Producer(np.zeros(2), versioned=True, version=(2, 0)),
                ValueError,
                "version is 2",
            ),
        ],
    )
    def test_bad_producers(self, cpu, make, error, text):
        with pytest.raises(error, match=text):
            hd.from_dlpack(make())

    def test_used_capsule(self, cpu):
        class Twice:
            def __init__(self):
                self.producer = Producer(np.zeros(2))
                self.capsule = self.producer.capsule()

            def __dlpack_device__(self):
                return (1, 0)

            def __dlpack__(self, **_):
                return self.capsule

        twice = Twice()
        hd.from_dlpack(twice)
        with pytest.raises(ValueError, match="unused"):
            hd.from_dlpack(twice)

    def test_errors_of_the_producer_pass_through(self, cpu):
        class Failing(Producer):
            def __dlpack__(self, **_):
                raise BufferError("not now")

        with pytest.raises(BufferError, match="not now"):
            hd.from_dlpack(Failing(np.zeros(2)))


class TestExport:
    def test_to_numpy(self, cpu):
        a = hd.array(np.arange(6.0).reshape(2, 3))
        for view in (a, a.T, a[:, ::2], a[1], a[::-1]):
            x = np.from_dlpack(view)
            np.testing.assert_array_equal(x, hd.asnumpy(view))
        shared = np.from_dlpack(a)
        a.fill(7)
        cpu.synchronize()
        assert (shared == 7).all()

    def test_pending_work_is_waited_for(self, cpu):
        stream = hd.Stream()
        a = hd.zeros(10, "int32")
        stream.host_function(__import__("time").sleep, 0.05)
        a.fill(3, stream=stream)
        assert (np.from_dlpack(a) == 3).all()

    def test_device(self, device):
        kind = 2 if device.kind == "cuda" else 1
        assert tuple(hd.zeros(2).__dlpack_device__()) == (kind, 0)

    def test_versions(self, device):
        a = hd.zeros(4)
        assert not isinstance(read_capsule(a.__dlpack__()), DLManagedTensorVersioned)
        capsule = a.__dlpack__(max_version=(1, 1))
        managed = read_capsule(capsule)
        assert isinstance(managed, DLManagedTensorVersioned)
        assert (managed.major, managed.flags) == (1, 0)
        assert not isinstance(
            read_capsule(a.__dlpack__(max_version=(0, 8))), DLManagedTensorVersioned
        )

    def test_fields(self, device):
        a = hd.zeros((4, 6), "int16")[1:, ::-2]
        capsule = a.__dlpack__()
        tensor = read_capsule(capsule).tensor
        assert tensor.data == a.address
        assert tensor.ndim == 2
        assert [tensor.shape[i] for i in range(2)] == [3, 3]
        assert [tensor.strides[i] for i in range(2)] == [6, -2]
        assert (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes) == (0, 16, 1)

    def test_read_only(self, cpu):
        frozen = np.zeros(3)
        frozen.flags.writeable = False
        a = hd.asarray(frozen, copy=False)
        capsule = a.__dlpack__(max_version=(1, 0))
        assert read_capsule(capsule).flags & 1
        with pytest.raises(BufferError, match="read-only"):
            a.__dlpack__()

    def test_copies(self, device):
        a = hd.array([1, 2, 3])
        capsule = a.__dlpack__(max_version=(1, 0), copy=True)
        managed = read_capsule(capsule)
        assert managed.flags & 2
        assert managed.tensor.data != a.address

    def test_to_another_device(self, gpu):
        a = hd.array(np.arange(3.0))
        capsule = a.__dlpack__(max_version=(1, 0), dl_device=(1, 0))
        tensor = read_capsule(capsule).tensor
        assert tensor.device.device_type == 1
        host = (ctypes.c_double * 3).from_address(tensor.data)
        assert list(host) == [0, 1, 2]
        with pytest.raises(BufferError, match="copy=False"):
            a.__dlpack__(dl_device=(1, 0), copy=False)

    def test_streams(self, gpu):
        a = hd.zeros(3)
        own = hd.Stream()
        for stream in (None, -1, 1, 2, own.handle):
            a.__dlpack__(stream=stream)
        messages = set()
        for stream in (0, -5, "1", 1.5):
            with pytest.raises((ValueError, TypeError), match="stream") as error:
                a.__dlpack__(stream=stream)
            messages.add(str(error.value))
        assert len(messages) >= 3

    def test_host_memory_ignores_streams(self, cpu):
        a = hd.ones(3)
        for stream in (None, -1, 0, 1, 12345):
            a.__dlpack__(stream=stream)

    def test_strides_that_are_no_whole_elements(self, device):
        buffer = hd.Buffer(64)
        a = hd.Array((3,), "float32", buffer=buffer, strides=(6,))
        with pytest.raises(BufferError, match="copy"):
            a.__dlpack__()

    def test_unused_capsule_frees_the_array(self, device):
        gc.collect()
        device.synchronize()
        start = device.memory.statistics.live_count
        capsule = hd.zeros(1000).__dlpack__()
        assert device.memory.statistics.live_count == start + 1
        del capsule
        gc.collect()
        device.synchronize()
        assert device.memory.statistics.live_count == start

    def test_consumer_keeps_the_memory(self, cpu):
        gc.collect()
        cpu.synchronize()
        start = cpu.memory.statistics.live_count
        x = np.from_dlpack(hd.full(1000, 3))
        gc.collect()
        assert cpu.memory.statistics.live_count == start + 1
        assert (x == 3).all()
        del x
        gc.collect()
        cpu.synchronize()
        assert cpu.memory.statistics.live_count == start
