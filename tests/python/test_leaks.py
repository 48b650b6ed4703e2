"""Memory stays flat over many launches, compilations and objects. HEALD_TEST_SCALE=100 runs a
million launches and ten thousand compilations."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest
from dlpack_producer import Producer
from process_memory import resident_bytes

import heald as hd


def grows(work, rounds, warm_up):
    """Resident bytes gained over `rounds` after `warm_up` rounds."""
    for i in range(warm_up):
        work(i)
    gc.collect()
    hd.Device().synchronize()
    before = resident_bytes()
    for i in range(rounds):
        work(warm_up + i)
    gc.collect()
    hd.Device().synchronize()
    return resident_bytes() - before


def test_launches(device, scaled, add_one):
    x, y = hd.zeros(64, "float32"), np.zeros(64, "f4")
    untyped = hd.Buffer.from_host(y)
    stream = hd.Stream()

    def work(i):
        add_one.launch(1, 64, (x, 64))
        add_one(x, 64, grid=1, block=64, stream=stream)
        add_one.launch(1, 64, (untyped, 64))
        if i % 100 == 0:
            add_one(hd.InOut(y), 64, block=64)
            stream.synchronize()

    count = scaled(5000)
    assert grows(work, count, 2000) < 4 << 20


def test_references_of_launches(device, add_one):
    x = hd.zeros(4, "float32")
    objects = (x, add_one, None, 64)
    arguments = (x, 4)
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(1000):
        add_one.launch(1, 4, arguments)
        add_one(x, 4, grid=1, block=4)
        for wrong in ((x, "a"), (x,), (np.zeros(3), 1), (x, 1 << 50)):
            with pytest.raises((TypeError, ValueError)):
                add_one.launch(1, 4, wrong)
    del wrong
    after = [sys.getrefcount(o) for o in objects]
    assert after[:2] == before[:2]
    assert abs(after[2] - before[2]) < 100


def test_compile_and_drop(device, scaled):
    def work(i):
        source = f"__global__ void f(float* x) {{ x[threadIdx.x] = {i}; }}"
        options = hd.ProgramOptions(use_cache=False)
        kernel = hd.Program(source, options=options).compile().get_kernel("f")
        x = hd.zeros(32, "float32")
        kernel.launch(1, 32, (x,))
        assert x[0].item() == i

    count = scaled(100)
    # Arenas of the compiler settle; what must not happen is growth per kernel.
    assert grows(work, count, 60) < (8 << 20) + count * 2000


def test_objects(device, scaled):
    def work(_):
        a = hd.array(np.arange(100.0))
        a[::2].copy().T.tolist()
        hd.Stream().record().synchronize()
        hd.Buffer(1000).fill(0)
        hd.from_dlpack(Producer(np.zeros(10)), copy=True)
        hd.pinned_zeros(100)
        memoryview(np.asarray(a))

    assert grows(work, scaled(1000), 500) < 4 << 20


def test_pool_returns_to_the_start(device):
    gc.collect()
    device.synchronize()
    start = device.memory.statistics.current_bytes
    for _ in range(200):
        a = hd.zeros(100_000)
        b = a[::2].copy()
        a[:50_000] = b
    del a, b
    device.synchronize()
    assert device.memory.statistics.current_bytes == start
