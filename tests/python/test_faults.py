"""Kernels that fail: the error says which kernel, where it was launched, and the device goes on."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

import heald as hd

FAULTS = """
#include <cassert>
__global__ void good(int* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void unmapped(int* x) { x[1ll << 44] = 1; }
__global__ void null_pointer(int* x) { *(volatile int*)nullptr = 1; }
__global__ void failed_assert(int* x) { assert(x[threadIdx.x] == 0); }
__global__ void trap(int* x) { if (threadIdx.x == 7) __trap(); }
__device__ int deep(int n, volatile int* x) {
    volatile int space[1000];
    space[n % 1000] = *x;
    return n == -1 ? 0 : deep(n + 1, x) + space[n % 1000];
}
__global__ void stack_overflow(int* x) { *x = deep(0, x); }
__global__ void endless(volatile int* x) { while (*x == 0) {} }
__global__ void endless_quietly(int* x) { for (;;) { x[0] += 1; } }
"""


@pytest.fixture
def code(cpu):
    return hd.Program(FAULTS, name="faults.cu").compile()


@pytest.fixture
def still_works(code):
    def check():
        x = hd.zeros(32, "int32")
        code.get_kernel("good").launch(1, 32, (x,))
        assert x.tolist() == list(range(32))

    return check


@pytest.mark.parametrize(
    "name", ["unmapped", "null_pointer", "failed_assert", "trap", "stack_overflow"]
)
def test_fault(code, cpu, still_works, name):
    x = hd.ones(32, "int32")
    kernel = code.get_kernel(name)
    with pytest.raises(hd.KernelFault) as error:
        line = inspect.currentframe().f_lineno + 1
        kernel.launch(2, 32, (x,))
        cpu.synchronize()
    text = str(error.value)
    assert name in text
    assert f"{__file__}:{line}" in text or re.search(rf"test_faults\.py.*{line}", text), text
    assert "block" in text
    if name == "failed_assert":
        assert "x[threadIdx.x] == 0" in text
        assert "faults.cu" in text
    still_works()


def test_error_is_raised_once(code, cpu, still_works):
    stream = hd.Stream()
    code.get_kernel("trap").launch(1, 32, (hd.ones(32, "int32"),), stream)
    with pytest.raises(hd.KernelFault):
        stream.synchronize()
    stream.synchronize()
    still_works()


def test_error_surfaces_at_a_copy(code, still_works):
    x = hd.ones(32, "int32")
    with pytest.raises(hd.KernelFault, match="trap"):
        code.get_kernel("trap").launch(1, 32, (x,))
        hd.asnumpy(x)
    still_works()


def test_error_surfaces_at_an_out_argument(code, still_works):
    with pytest.raises(hd.KernelFault, match="failed_assert"):
        code.get_kernel("failed_assert")(hd.InOut(np.ones(32, "i4")), block=32)
    still_works()


def test_first_error_wins_and_others_streams_go_on(code, cpu, still_works):
    bad, good = hd.Stream(), hd.Stream()
    x, y = hd.zeros(32, "int32"), hd.ones(32, "int32")
    code.get_kernel("trap").launch(1, 32, (y,), bad)
    code.get_kernel("good").launch(1, 32, (x,), good)
    good.synchronize()
    assert x.tolist() == list(range(32))
    with pytest.raises(hd.KernelFault, match="trap"):
        bad.synchronize()
    still_works()


@pytest.mark.parametrize("name", ["endless", "endless_quietly"])
def test_endless_kernel_can_be_cancelled(code, still_works, name):
    stream = hd.Stream()
    code.get_kernel(name).launch(1, 32, (hd.zeros(32, "int32"),), stream)
    assert not stream.done
    stream.cancel()
    with pytest.raises(hd.CancelledError):
        stream.synchronize()
    still_works()


@pytest.mark.parametrize("name", ["endless", "endless_quietly"])
@pytest.mark.parametrize("wait", ["stream.synchronize()", "hd.asnumpy(x)"])
def test_endless_kernel_ends_on_interrupt(run_python, name, wait):
    """As a user sees it: Ctrl-C gives KeyboardInterrupt, and the next call works."""
    script = f"""
import signal, threading, os, time
import heald as hd
device = hd.Device("cpu")
device.__enter__()
code = hd.Program('''{FAULTS}''').compile()
stream = hd.Stream()
x = hd.zeros(32, "int32", stream=stream)
with stream:
    code.get_kernel("{name}").launch(1, 32, (x,))
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.perf_counter()
    try:
        {wait}
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - started < 5)
    y = hd.zeros(4, "int32")
    code.get_kernel("good").launch(1, 4, (y,))
    print(y.tolist())
"""
    result = run_python(script)
    assert result.stdout.splitlines() == ["interrupted True", "[0, 1, 2, 3]"], result.stderr


def test_under_faulthandler(run_python):
    script = f"""
import faulthandler
import heald as hd
device = hd.Device("cpu")
device.__enter__()
code = hd.Program('''{FAULTS}''').compile()
for enable in (False, True, False, True):
    (faulthandler.enable if enable else faulthandler.disable)()
    x = hd.ones(32, "int32")
    for name in ("unmapped", "trap", "stack_overflow"):
        try:
            code.get_kernel(name).launch(1, 32, (x,))
            device.synchronize()
        except hd.KernelFault as error:
            print(name in str(error))
code.get_kernel("good").launch(1, 4, (x,))
print(x[:4].tolist())
import ctypes
ctypes.string_at(8)
"""
    result = run_python(script)
    assert result.stdout.splitlines() == ["True"] * 12 + ["[0, 1, 2, 3]"], result.stderr
    # A fault that is not a kernel's is still Python's to report.
    assert result.returncode == -11
    assert "Segmentation fault" in result.stderr


def test_blocking_launches_name_the_culprit_at_the_launch(run_python):
    script = f"""
import heald as hd
hd.Device("cpu").__enter__()
code = hd.Program('''{FAULTS}''').compile()
try:
    code.get_kernel("trap").launch(1, 32, (hd.ones(32, "int32"),))
except hd.KernelFault as error:
    print("at the launch", "trap" in str(error))
"""
    result = run_python(script, env={"HEALD_LAUNCH_BLOCKING": "1"})
    assert result.stdout.strip() == "at the launch True", result.stderr


@pytest.mark.parametrize("blocking", ["0", "1"])
def test_gpu_fault(gpu, run_python, blocking):
    """It poisons the driver's context: said so, with the launch, and the process ends well."""
    script = f"""
import heald as hd
hd.Device("cuda:0").__enter__()
code = hd.Program('''{FAULTS}''').compile()
x = hd.zeros(32, "int32")
code.get_kernel("good").launch(1, 32, (x,))
hd.Device().synchronize()
for attempt in range(2):
    try:
        code.get_kernel("null_pointer").launch(1, 32, (x,))
        hd.Device().synchronize()
    except hd.HealdError as error:
        print(attempt, type(error).__name__, "null_pointer" in str(error) or attempt, flush=True)
with hd.Device("cpu"):
    print(hd.ones(2).tolist())
"""
    result = run_python(script, env={"HEALD_LAUNCH_BLOCKING": blocking})
    lines = result.stdout.splitlines()
    assert len(lines) == 3, result.stderr
    assert lines[0].startswith("0 ")
    assert lines[0].endswith("True")
    assert lines[2] == "[1.0, 1.0]"
    assert result.returncode == 0, result.stderr


def test_printf(cpu, capfd):
    kernel = hd.Module(
        '__global__ void f(int n) { printf("thread %d of %s: %.2f %lld\\n", threadIdx.x, "f",'
        " n / 4.0, 1ll << 40); }"
    ).get_function("f")
    kernel(3, block=2)
    cpu.synchronize()
    lines = sorted(capfd.readouterr().out.splitlines())
    assert lines == [f"thread {i} of f: 0.75 {1 << 40}" for i in range(2)]


def test_out_of_memory(device):
    free, _ = device.memory_info
    with pytest.raises(MemoryError) as error:
        hd.Buffer(1 << 46)
    assert isinstance(error.value, hd.OutOfMemoryError)
    for word in ("asked", "use", "cached"):
        assert word in str(error.value)
    assert hd.zeros(3).tolist() == [0, 0, 0]
