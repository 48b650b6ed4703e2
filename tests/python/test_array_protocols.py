"""The buffer protocol and the CUDA array interface."""

from __future__ import annotations

import io
import time

import numpy as np
import pytest

import heald as hd


class TestBufferProtocol:
    @pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
    def test_shares_memory(self, cpu, dtype):
        a = hd.array(np.array([[1, 0], [1, 1]], dtype))
        x = np.asarray(memoryview(a)) if dtype[0] != "c" else np.asarray(a)
        assert x.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(x, [[1, 0], [1, 1]])
        a.fill(0)
        cpu.synchronize()
        assert not x.any()

    def test_strided(self, cpu):
        x = np.arange(12, dtype=np.int32).reshape(3, 4)
        a = hd.array(x)[::-1, 1::2]
        view = memoryview(a)
        assert (view.shape, view.strides, view.itemsize) == (a.shape, a.strides, 4)
        assert view.tolist() == x[::-1, 1::2].tolist()

    def test_pending_work_is_waited_for(self, cpu):
        stream, a = hd.Stream(), hd.zeros(10, "int32")
        stream.host_function(time.sleep, 0.05)
        a.fill(3, stream=stream)
        assert bytes(memoryview(a)) == np.full(10, 3, np.int32).tobytes()

    def test_writing(self, cpu):
        a = hd.zeros(4, "uint8")
        assert io.BytesIO(b"abcd").readinto(a) == 4
        assert a.tolist() == [97, 98, 99, 100]

    def test_keeps_the_array_alive(self, cpu):
        view = memoryview(hd.full(1000, 5, "int64"))
        hd.zeros(1000, "int64")
        assert set(view.tolist()) == {5}

    def test_empty(self, cpu):
        assert memoryview(hd.zeros((0, 3))).nbytes == 0

    def test_refusals(self, cpu):
        frozen = np.zeros(3, np.uint8)
        frozen.flags.writeable = False
        with pytest.raises((BufferError, TypeError)):
            io.BytesIO(b"abc").readinto(hd.asarray(frozen, copy=False))
        with pytest.raises(BufferError, match="bfloat16"):
            memoryview(hd.Array(3, "bfloat16"))

    def test_not_on_a_gpu(self, gpu):
        with pytest.raises(BufferError, match="asnumpy"):
            memoryview(hd.zeros(3))


class CudaArray:
    """An object with the interface of another library, over an Array's memory."""

    def __init__(self, array: hd.Array, **fields):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (array.address, False),
            "strides": None if array.is_c_contiguous else array.strides,
            "stream": 1,
            "version": 3,
            **fields,
        }


class TestCudaArrayInterface:
    def test_absent_on_the_cpu(self, cpu):
        assert not hasattr(hd.zeros(3), "__cuda_array_interface__")

    def test_export(self, gpu):
        a = hd.zeros((2, 3), "float32")
        interface = a.__cuda_array_interface__
        assert interface["shape"] == (2, 3)
        assert interface["typestr"] == "<f4"
        assert interface["data"] == (a.address, False)
        assert interface["strides"] is None
        assert interface["version"] == 3
        assert interface["stream"] != 0
        assert a.T.__cuda_array_interface__["strides"] == a.T.strides
        with hd.Stream() as stream:
            assert a.__cuda_array_interface__["stream"] == stream.handle

    def test_import(self, gpu):
        a = hd.array(np.arange(6, dtype="i4").reshape(2, 3))
        for view in (a, a.T, a[:, ::-1]):
            b = hd.asarray(CudaArray(view), copy=False)
            assert b.address == view.address
            np.testing.assert_array_equal(hd.asnumpy(b), hd.asnumpy(view))

    @pytest.mark.parametrize("stream", [None, 1, 2])
    def test_import_streams(self, gpu, stream):
        assert hd.array(CudaArray(hd.ones(3), stream=stream)).tolist() == [1, 1, 1]

    @pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0, 2)])
    def test_zero_size(self, gpu, shape):
        b = hd.asarray(CudaArray(hd.zeros(shape), data=(0, False)), copy=False)
        assert (b.shape, b.size) == (shape, 0)

    def test_read_only(self, gpu):
        a = hd.zeros(3)
        assert hd.asarray(CudaArray(a, data=(a.address, True)), copy=False).read_only

    def test_mask_is_refused(self, gpu):
        with pytest.raises(TypeError, match="mask"):
            hd.array(CudaArray(hd.zeros(3), mask=1))
