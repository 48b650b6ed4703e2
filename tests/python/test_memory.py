"""Buffers, the pool, PyCUDA's copies, pinned memory."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import heald as hd


def test_round_trip(device, rng):
    x = rng.normal(size=1000)
    buffer = hd.Buffer.from_host(x)
    assert (buffer.size, buffer.nbytes, len(buffer)) == (8000,) * 3
    assert buffer.dtype == np.float64
    assert buffer.device == device
    back = np.full_like(x, np.nan)
    assert buffer.copy_to_host(back) is back
    np.testing.assert_array_equal(back, x)


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview])
def test_any_buffer_protocol(device, make):
    data = make(b"some bytes")
    buffer = hd.Buffer.from_host(data)
    assert buffer.dtype is None
    back = bytearray(10)
    buffer.copy_to_host(back)
    assert back == b"some bytes"


def test_structured_arrays(device):
    points = np.zeros(5, dtype=[("x", "f4"), ("id", "i4")])
    points["id"] = np.arange(5)
    buffer = hd.Buffer.from_host(points)
    assert buffer.dtype is None
    np.testing.assert_array_equal(buffer.copy_to_host(np.zeros_like(points)), points)


def test_host_memory_may_be_changed_at_once(device):
    stream = hd.Stream()
    for value in range(50):
        x = np.full(100_000, value, np.int32)
        buffer = hd.Buffer.from_host(x, stream=stream)
        x[:] = -1
        back = np.empty_like(x)
        buffer.copy_to_host(back, stream)
        assert (back == value).all()


def test_copies_between(device, rng):
    x = rng.integers(0, 100, 64)
    a, b = hd.Buffer.from_host(x), hd.Buffer(x.nbytes)
    b.copy_from(a)
    np.testing.assert_array_equal(b.copy_to_host(np.empty_like(x)), x)
    b.copy_from(x[::-1].copy())
    np.testing.assert_array_equal(b.copy_to_host(np.empty_like(x)), x[::-1])
    b.copy_from(hd.array(x))
    np.testing.assert_array_equal(b.copy_to_host(np.empty_like(x)), x)


def test_slices_share_memory(device):
    buffer = hd.Buffer.from_host(np.zeros(10, np.uint8))
    buffer[2:5].fill(7)
    np.testing.assert_array_equal(
        buffer.copy_to_host(np.empty(10, np.uint8)), [0, 0, 7, 7, 7, 0, 0, 0, 0, 0]
    )
    assert buffer[3:].address == buffer.address + 3
    with pytest.raises(ValueError, match="step 1"):
        buffer[::2]


@pytest.mark.parametrize("bytes_", [1, 2, 4, 8])
def test_fill_patterns(device, bytes_):
    pattern = 0x1122334455667788 % 256**bytes_
    buffer = hd.Buffer(64)
    buffer.fill(pattern, bytes_)
    back = buffer.copy_to_host(np.empty(64 // bytes_, f"u{bytes_}"))
    assert (back == pattern).all()


def test_sizes_must_agree(device):
    buffer = hd.Buffer(16)
    for use in (
        lambda: buffer.copy_to_host(np.empty(3)),
        lambda: buffer.copy_from(np.empty(3)),
        lambda: buffer.copy_from(hd.Buffer(8)),
        lambda: buffer.fill(0, 3),
    ):
        with pytest.raises(ValueError):
            use()


def test_host_memory_that_cannot_be_used(device):
    buffer = hd.Buffer(40)
    frozen = np.zeros(5)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        buffer.copy_to_host(frozen)
    with pytest.raises(ValueError, match="not contiguous"):
        buffer.copy_to_host(np.zeros(10)[::2])
    with pytest.raises(TypeError, match="buffer protocol"):
        buffer.copy_from([1, 2, 3])


def test_empty_buffer(device):
    buffer = hd.Buffer(0)
    assert buffer.size == 0
    assert buffer.address == 0
    buffer.copy_from(np.empty(0))
    buffer.copy_to_host(np.empty(0))
    buffer.fill(1)


def test_closing(device):
    with hd.Buffer(100) as buffer:
        assert not buffer.closed
    assert buffer.closed
    for use in (
        lambda: buffer.fill(0),
        lambda: buffer.copy_to_host(np.empty(100, np.uint8)),
        lambda: hd.memcpy_htod(buffer, np.zeros(3)),
        lambda: buffer.address,
    ):
        with pytest.raises(hd.ClosedError, match="closed"):
            use()
    assert "closed" in repr(buffer)
    buffer.close()  # twice is fine


def test_negative_and_huge_sizes(device):
    with pytest.raises(ValueError, match="negative"):
        hd.Buffer(-1)
    with pytest.raises((hd.OutOfMemoryError, OverflowError)):
        hd.Buffer(1 << 62)
    assert hd.zeros(3).tolist() == [0, 0, 0]


def test_wrap_someone_elses_memory(cpu):
    x = np.arange(10, dtype=np.int32)
    buffer = hd.Buffer.wrap(x.ctypes.data, x.nbytes, owner=x, dtype=x.dtype)
    buffer[:20].fill(0)
    cpu.synchronize()
    np.testing.assert_array_equal(x, [0, 0, 0, 0, 0, 5, 6, 7, 8, 9])


def test_wrapped_memory_keeps_its_owner_until_work_is_done(cpu):
    import threading
    import weakref

    class Owner:
        pass

    owner, x, go = Owner(), np.zeros(100, np.uint8), threading.Event()
    alive = weakref.ref(owner)
    stream = hd.Stream()
    buffer = hd.Buffer.wrap(x.ctypes.data, x.nbytes, owner=owner)
    stream.host_function(go.wait)
    buffer.fill(3, stream=stream)
    del owner, buffer
    gc.collect()
    assert alive() is not None
    go.set()
    stream.synchronize()
    hd.Buffer(1)
    for _ in range(100):
        cpu.synchronize()
        hd.zeros(1)
        if alive() is None:
            break
    assert alive() is None
    assert (x == 3).all()


def test_past_4_gib(device):
    """Offsets past 32 bits; the pages in between are never touched."""
    size = (1 << 32) + 4096
    if device.memory_info[0] < 2 * size:
        pytest.skip("not enough memory")
    buffer = hd.Buffer(size)
    tail = buffer[size - 8 :]
    head = buffer[:8]
    head.fill(1, 1)
    tail.fill(2, 1)
    assert (tail.copy_to_host(np.empty(8, np.uint8)) == 2).all()
    assert (head.copy_to_host(np.empty(8, np.uint8)) == 1).all()


class TestPool:
    def test_statistics(self, device):
        pool = device.memory
        before = pool.statistics
        pool.reset_peak()
        buffers = [hd.Buffer(1 << 20) for _ in range(4)]
        during = pool.statistics
        assert during.current_bytes >= before.current_bytes + (4 << 20)
        assert during.live_count == before.live_count + 4
        assert during.total_count == before.total_count + 4
        assert during.peak_bytes >= during.current_bytes
        del buffers
        device.synchronize()
        assert pool.statistics.current_bytes == before.current_bytes
        pool.trim()
        assert pool.statistics.cached_bytes <= before.cached_bytes + (4 << 20)

    def test_limit(self, device):
        pool = device.memory
        pool.trim()
        used = pool.statistics.current_bytes
        pool.limit = used + (1 << 20)
        try:
            assert pool.limit == used + (1 << 20)
            with pytest.raises(MemoryError) as error:
                hd.Buffer(2 << 20)
            assert isinstance(error.value, hd.OutOfMemoryError)
            text = str(error.value)
            assert "limit" in text
            hd.Buffer(1 << 19)
        finally:
            pool.limit = None
        assert pool.limit is None
        hd.Buffer(2 << 20)

    def test_cached_memory_does_not_count(self, device):
        """A pool with a limit frees cached blocks before it refuses."""
        pool = device.memory
        pool.limit = pool.statistics.current_bytes + (64 << 20)
        try:
            hd.Buffer(32 << 20).close()
            hd.Buffer(48 << 20).close()
        finally:
            pool.limit = None


class TestPyCuda:
    def test_copies(self, device, rng):
        x = rng.normal(size=100).astype(np.float32)
        a = hd.mem_alloc(x.nbytes)
        assert a.dtype is None
        hd.memcpy_htod(a, x)
        b = hd.mem_alloc(x.nbytes)
        hd.memcpy_dtod(b, a, x.nbytes)
        back = np.empty_like(x)
        hd.memcpy_dtoh(back, b)
        np.testing.assert_array_equal(back, x)
        a.free()

    def test_async_copies(self, device, rng):
        x = rng.normal(size=10_000)
        stream, a, b = hd.Stream(), hd.mem_alloc(x.nbytes), hd.mem_alloc(x.nbytes)
        back = np.zeros_like(x)
        hd.memcpy_htod_async(a, x, stream)
        hd.memcpy_dtod_async(b, a, x.nbytes, stream)
        hd.memcpy_dtoh_async(back, b, stream)
        stream.synchronize()
        np.testing.assert_array_equal(back, x)

    def test_async_copy_keeps_the_host_array(self, device):
        stream, a = hd.Stream(), hd.mem_alloc(80_000)
        for value in range(20):
            hd.memcpy_htod_async(a, np.full(10_000, float(value)), stream)
            back = np.empty(10_000)
            hd.memcpy_dtoh_async(back, a, stream)
            stream.synchronize()
            assert (back == value).all()

    def test_part_of_an_allocation(self, device):
        a = hd.mem_alloc(100)
        hd.memcpy_htod(a, np.arange(10, dtype=np.uint8))
        back = np.empty(5, np.uint8)
        hd.memcpy_dtoh(back, a)
        assert back.tolist() == [0, 1, 2, 3, 4]
        with pytest.raises(ValueError, match="do not fit"):
            hd.memcpy_htod(a, np.zeros(101, np.uint8))

    def test_arrays_are_memory_too(self, device):
        x = hd.zeros(4, "float32")
        hd.memcpy_htod(x, np.arange(4, dtype=np.float32))
        assert x.tolist() == [0, 1, 2, 3]
        with pytest.raises(ValueError, match="non-contiguous"):
            hd.memcpy_htod(x[::2], np.zeros(2, np.float32))

    def test_wrong_operands(self, device):
        with pytest.raises(TypeError, match="destination must be"):
            hd.memcpy_htod(np.zeros(3), np.zeros(3))
        with pytest.raises(TypeError, match="source must be"):
            hd.memcpy_dtoh(np.zeros(3), 12345)

    def test_bytearray_cannot_move_during_a_copy(self, device):
        data, a, stream = bytearray(100), hd.mem_alloc(100), hd.Stream()
        stream.host_function(__import__("time").sleep, 0.05)
        hd.memcpy_htod_async(a, data, stream)
        with pytest.raises(BufferError):
            data.extend(bytes(100_000))
        stream.synchronize()


class TestPinned:
    def test_is_a_numpy_array(self, device, rng):
        x = hd.pinned_empty((3, 4), "float32")
        assert isinstance(x, np.ndarray)
        assert (x.shape, x.dtype) == ((3, 4), np.float32)
        x[...] = rng.normal(size=(3, 4))
        np.testing.assert_array_equal(hd.asnumpy(hd.array(x)), x)

    def test_zeros_and_copies(self, device):
        assert (hd.pinned_zeros(5, np.int16) == 0).all()
        np.testing.assert_array_equal(hd.pinned_array([1, 2, 3]), [1, 2, 3])
        assert hd.pinned_empty(0).shape == (0,)

    def test_views_keep_the_memory(self, device):
        view = hd.pinned_array(np.arange(100_000))[1::2]
        gc.collect()
        others = [hd.pinned_zeros(100_000, np.int64) for _ in range(3)]
        np.testing.assert_array_equal(view, np.arange(1, 100_000, 2))
        del others

    def test_async_round_trip(self, device):
        x, y = hd.pinned_array(np.arange(50_000)), hd.pinned_zeros(50_000, np.int64)
        stream, a = hd.Stream(), hd.mem_alloc(x.nbytes)
        hd.memcpy_htod_async(a, x, stream)
        hd.memcpy_dtoh_async(y, a, stream)
        stream.synchronize()
        np.testing.assert_array_equal(x, y)

    def test_kinds_of_buffers(self, device):
        assert hd.Buffer(10, kind="pinned").kind == "pinned"
        assert hd.Buffer(10).kind == "device"
        with pytest.raises(ValueError, match="kind"):
            hd.Buffer(10, kind="fast")
