"""Work on two devices: copies, events and waits across them, one program on both."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import heald as hd

SPIN = """
__global__ void spin(float* x, long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles) {}
    x[threadIdx.x] += 1;
}
"""


@pytest.fixture(params=["cpu and GPU", "GPU and cpu", "two GPUs"])
def pair(request):
    gpus = [device for device in hd.devices() if device.kind == "cuda"]
    if len(gpus) < (2 if request.param == "two GPUs" else 1):
        pytest.skip("not enough usable GPUs")
    return {
        "cpu and GPU": (hd.Device("cpu"), gpus[0]),
        "GPU and cpu": (gpus[0], hd.Device("cpu")),
        "two GPUs": tuple(gpus[:2]),
    }[request.param]


def test_copies(pair, rng):
    first, second = pair
    x = rng.normal(size=(200, 300))
    a = hd.array(x, device=first)
    b = a.to(second)
    assert b.device == second
    np.testing.assert_array_equal(hd.asnumpy(b), x)
    c = hd.zeros((200, 300), device=first)
    c[::2] = b[::-2]
    np.testing.assert_array_equal(hd.asnumpy(c)[::2], x[::-2])
    buffer = hd.Buffer(x.nbytes, device=first)
    buffer.copy_from(hd.Buffer.from_host(x, device=second))
    np.testing.assert_array_equal(buffer.copy_to_host(np.empty_like(x)), x)


def test_streams_wait_across_devices(pair):
    first, second = pair
    a, b, seen = hd.Stream(first), hd.Stream(second), []
    for by_event in (True, False):
        go = threading.Event()
        a.host_function(go.wait)
        a.host_function(seen.append, "first")
        b.wait(a.record() if by_event else a)
        b.host_function(seen.append, "second")
        time.sleep(0.02)
        assert not b.done
        go.set()
        b.synchronize()
    assert seen == ["first", "second"] * 2


def test_memory_is_ordered_across_devices(pair):
    first, second = pair
    for value in range(20):
        a = hd.full(100_000, value, "int32", device=first)
        b = a.to(second)
        a.fill(-1)
        assert (hd.asnumpy(b) == value).all()


def test_one_program_on_both(pair, rng):
    source = """__global__ void twice(const float* x, float* y, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = 2 * x[i];
    }"""
    x = rng.normal(size=10_000).astype(np.float32)
    for device in pair:
        with device:
            twice = hd.Module(source).get_function("twice")
            y = hd.empty(x.shape, "float32")
            twice(hd.array(x), y, x.size, grid=40, block=256)
            np.testing.assert_array_equal(hd.asnumpy(y), 2 * x)


def test_work_runs_on_both_at_once(two_gpus):
    streams, arrays, kernels = [], [], []
    for device in two_gpus:
        with device:
            kernels.append(hd.Module(SPIN).get_function("spin"))
            streams.append(hd.Stream())
            arrays.append(hd.zeros(32, "float32"))
    cycles = 50_000_000

    def seconds(which):
        started = time.perf_counter()
        for i in which:
            kernels[i](arrays[i], cycles, block=32, stream=streams[i])
        for i in which:
            streams[i].synchronize()
        return time.perf_counter() - started

    seconds([0, 1])
    assert seconds([0, 1]) < 0.8 * (seconds([0]) + seconds([1]))


def test_copy_overlaps_with_a_kernel(gpu):
    spin = hd.Module(SPIN).get_function("spin")
    x = hd.pinned_zeros(32 << 20, np.float32)
    buffer, flag = hd.mem_alloc(x.nbytes), hd.zeros(32, "float32")
    compute, copy = hd.Stream(), hd.Stream()

    def seconds(run_kernel, run_copy):
        gpu.synchronize()
        started = time.perf_counter()
        if run_kernel:
            spin(flag, 20_000_000, block=32, stream=compute)
        if run_copy:
            for _ in range(3):
                hd.memcpy_htod_async(buffer, x, copy)
        gpu.synchronize()
        return time.perf_counter() - started

    seconds(True, True)
    both = min(seconds(True, True) for _ in range(5))
    apart = min(seconds(True, False) for _ in range(5)) + min(
        seconds(False, True) for _ in range(5)
    )
    assert both < 0.85 * apart
