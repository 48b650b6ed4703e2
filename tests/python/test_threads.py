"""Many Python threads at once."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import heald as hd


def run_in_threads(count, work):
    """Starts `work(i)` in all threads at the same moment; raises what they raised."""
    barrier = threading.Barrier(count)

    def body(i):
        barrier.wait()
        return work(i)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(body, range(count)))


def test_compile_and_launch_at_once(device):
    def work(i):
        with device:
            results = []
            for j in range(6):
                source = f"__global__ void f(int* x) {{ x[threadIdx.x] = {i} * 100 + {j}; }}"
                kernel = hd.Program(source).compile().get_kernel("f")
                x = hd.zeros(64, "int32")
                for _ in range(20):
                    kernel.launch(1, 64, (x,))
                results.append(set(hd.asnumpy(x).tolist()))
            return results

    for i, results in enumerate(run_in_threads(8, work)):
        assert results == [{i * 100 + j} for j in range(6)]


def test_one_kernel_from_many_threads(device):
    kernel = hd.Module("__global__ void f(int* x, int n) { x[threadIdx.x] += n; }").get_function(
        "f"
    )

    def work(i):
        with device, hd.Stream():
            x = hd.zeros(32, "int32")
            for _ in range(300):
                kernel.launch(1, 32, (x, i))
            return hd.asnumpy(x)

    for i, x in enumerate(run_in_threads(8, work)):
        assert (x == 300 * i).all()


def test_one_array_from_many_threads(device):
    kernel = hd.Module("__global__ void f(int* x) { atomicAdd(x, 1); }").get_function("f")
    x = hd.zeros(1, "int32")

    def work(_):
        with device, hd.Stream() as stream:
            for _ in range(200):
                kernel.launch(1, 32, (x,))
            stream.synchronize()

    run_in_threads(8, work)
    assert x.tolist() == [8 * 200 * 32]


def test_first_use_from_many_threads(run_python):
    script = """
import threading
import heald as hd
results, barrier = [], threading.Barrier(32)
def work():
    barrier.wait()
    with hd.Device("cpu"):
        x = hd.ones(3)
        k = hd.Module("__global__ void f(double* x) { x[threadIdx.x] *= 2; }").get_function("f")
        k(x, block=3)
        results.append(x.tolist() == [2, 2, 2])
threads = [threading.Thread(target=work) for _ in range(32)]
[t.start() for t in threads]; [t.join() for t in threads]
print(all(results), len(results))
"""
    result = run_python(script)
    assert result.stdout.split() == ["True", "32"], result.stderr


def test_other_threads_run_while_one_waits(device):
    """The GIL is free during waits, copies and launches on a full queue."""
    stream, go = hd.Stream(), threading.Event()
    stream.host_function(go.wait, 10)
    ticks = []

    def tick():
        while not go.is_set():
            ticks.append(1)
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    threading.Timer(0.1, go.set).start()
    stream.synchronize()
    ticker.join()
    assert len(ticks) > 10


@pytest.mark.parametrize("count", [5000])
def test_full_queue_behind_a_host_function(device, count):
    """Launches block, the host function needs the GIL: no deadlock."""
    kernel = hd.Module("__global__ void f(int* x) { x[0] += 1; }").get_function("f")
    stream, x = hd.Stream(), hd.zeros(1, "int32")
    threading.Timer(0.1, lambda: None).start()
    stream.host_function(time.sleep, 0.1)
    for _ in range(count):
        kernel.launch(1, 1, (x,), stream)
    assert hd.asnumpy(x, stream).tolist() == [count]


def test_closing_while_others_launch(device):
    """Ends in an error or in a launch, never in a crash."""
    kernel = hd.Module("__global__ void f(char* x) { x[0] = 1; }").get_function("f")
    for _ in range(50):
        buffer = hd.mem_alloc(4096)

        def work(i, buffer=buffer):
            with device:
                try:
                    for _ in range(20):
                        kernel.launch(1, 1, (buffer,))
                    if i == 0:
                        buffer.close()
                except hd.ClosedError:
                    pass

        run_in_threads(4, work)
    device.synchronize()


def test_arrays_in_many_threads(device, rng):
    data = [rng.normal(size=(50, 60)) for _ in range(8)]

    def work(i):
        with device:
            for _ in range(20):
                a = hd.array(data[i])
                b = a[::2, ::-1].copy()
                a[1:] = a[:-1]
            return hd.asnumpy(b), hd.asnumpy(a)

    for x, (b, a) in zip(data, run_in_threads(8, work), strict=True):
        np.testing.assert_array_equal(b, x[::2, ::-1])
        np.testing.assert_array_equal(a[1:], x[:-1])
