"""Import, exit, fork and several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import heald as hd

WORK = """
import heald as hd
hd.Device("cpu").__enter__()
f = hd.Module("__global__ void f(int* x) { x[threadIdx.x] += 1; }").get_function("f")
x = hd.zeros(4, "int32")
f(x, block=4)
assert x.tolist() == [1] * 4
"""


class TestImport:
    def test_maps_no_compiler_and_no_cuda(self, run_python):
        script = """
import heald as hd
hd.Device
names = {line.split("/")[-1].strip().lower() for line in open("/proc/self/maps") if "/" in line}
words = ("llvm", "clang", "cuda", "nvrtc", "nvjitlink", "cpu_compiler", "cublas")
print(sorted(n for n in names if any(w in n for w in words)))
"""
        result = run_python(script)
        assert result.stdout.strip() == "[]", result.stderr

    def test_using_the_cpu_without_kernels_maps_no_compiler(self, run_python):
        script = """
import heald as hd
hd.zeros(10, device="cpu")[::2].copy().tolist()
print([line for line in open("/proc/self/maps") if "LLVM" in line or "cpu_compiler" in line])
"""
        assert run_python(script).stdout.strip() == "[]"

    def test_host_memory_asks_no_driver(self, run_python):
        script = """
import numpy as np
import heald as hd
data = np.arange(4.0)
cpu = hd.Device("cpu")
hd.Buffer.wrap(data.ctypes.data, data.nbytes, data, cpu, "float64").fill(0)
with cpu:
    hd.from_dlpack(data)
print(data.tolist(), [line for line in open("/proc/self/maps") if "libcuda" in line])
"""
        result = run_python(script, env={"HEALD_DEVICE": ""})
        assert result.stdout.strip() == "[0.0, 0.0, 0.0, 0.0] []", result.stderr

    def test_imports_nothing_heavy(self, run_python):
        script = """
import sys, numpy
before = set(sys.modules)
import heald
print(sorted({m.split(".")[0] for m in set(sys.modules) - before}))
"""
        added = eval(run_python(script).stdout)
        assert set(added) <= {"heald", "atexit", "__future__"}, added

    def test_is_quick(self, run_python):
        script = """
import time, numpy
started = time.perf_counter()
import heald
print(time.perf_counter() - started)
"""
        best = min(float(run_python(script).stdout) for _ in range(5))
        assert best < 0.1

    def test_version(self):
        result = subprocess.run(
            [sys.executable, "-m", "heald", "--version"],
            capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(Path(hd.__file__).parent.parent)},
        )  # fmt: skip
        assert result.stdout.strip() == f"heald {hd.__version__}"
        assert result.returncode == 0

    def test_public_names_exist(self):
        assert [name for name in hd.__all__ if not hasattr(hd, name)] == []
        with pytest.raises(AttributeError):
            hd.no_such_name  # noqa: B018


class TestDoctor:
    def test_report(self):
        report = hd.doctor()
        assert report.heald_version == hd.__version__
        names = [device.name for device in report.devices]
        assert "cpu" in names
        assert sum(device.chosen for device in report.devices) == 1
        assert all(device.reason for device in report.devices)
        assert report.libraries
        text = str(report)
        for word in ("cpu", *names, report.cache_directory):
            assert word in text
        for library in report.libraries:
            assert library.found or library.tried

    @pytest.mark.parametrize("command", ["doctor", "settings"])
    def test_command_line(self, command):
        result = subprocess.run(
            [sys.executable, "-m", "heald", command],
            capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(Path(hd.__file__).parent.parent)},
        )  # fmt: skip
        assert result.returncode in (0, 1), result.stderr
        assert ("cpu" if command == "doctor" else "HEALD_DEVICE") in result.stdout

    def test_settings(self):
        assert {"HEALD_DEVICE", "HEALD_CACHE_DIR"} <= {row.name for row in hd.settings()}


class TestExit:
    @pytest.mark.parametrize(
        "before", ["import heald as hd; hd.Device()", WORK], ids=["open", "work"]
    )
    @pytest.mark.parametrize(
        ("end", "code"),
        [("", 0), ("import sys; sys.exit(3)", 3), ("raise ValueError", 1),
         ("import os; os._exit(4)", 4)],
    )  # fmt: skip
    def test_codes(self, run_python, before, end, code):
        result = run_python(before + "\n" + end)
        assert result.returncode == code, result.stderr

    def test_with_work_still_queued(self, run_python):
        script = (
            WORK
            + """
import time
s = hd.Stream()
s.host_function(time.sleep, 30)
for _ in range(1000):
    f(x, block=4, stream=s)
raise SystemExit(7)
"""
        )
        started = time.perf_counter()
        result = run_python(script)
        assert result.returncode == 7, result.stderr
        assert time.perf_counter() - started < 20

    def test_with_an_endless_kernel(self, run_python):
        script = (
            WORK
            + """
e = hd.Module("__global__ void e(volatile int* x) { while (!*x) {} }").get_function("e")
e(hd.zeros(1, "int32"), block=1, stream=hd.Stream())
raise SystemExit(5)
"""
        )
        started = time.perf_counter()
        result = run_python(script)
        assert result.returncode == 5, result.stderr
        assert time.perf_counter() - started < 20

    def test_with_a_thread_alive(self, run_python):
        script = (
            WORK
            + """
import threading, time
def work():
    with hd.Device("cpu"):
        while True:
            f(x, block=4)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
raise SystemExit(6)
"""
        )
        result = run_python(script)
        assert result.returncode == 6, result.stderr

    def test_host_functions_at_exit(self, run_python):
        script = (
            WORK
            + """
s = hd.Stream()
for _ in range(2000):
    s.host_function(len, "abc")
"""
        )
        for _ in range(5):
            assert run_python(script).returncode == 0

    def test_objects_in_globals_and_cycles(self, run_python):
        script = (
            WORK
            + """
class Node: pass
n = Node(); n.self = n; n.array = hd.zeros(5); n.stream = hd.Stream(); n.kernel = f
import builtins; builtins.kept = (n, hd.Buffer(10), hd.Event(), f.bind(1, 4, (x,)))
"""
        )
        result = run_python(script)
        assert (result.returncode, result.stderr) == (0, "")


class TestFork:
    def test_child_goes_on_with_the_cpu(self, run_python):
        script = (
            WORK
            + """
import os
for _ in range(5):
    pid = os.fork()
    if pid == 0:
        y = hd.zeros(100_000, "int32")
        g = hd.Module("__global__ void g(int* x, int n) {"
                      " int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = i; }")
        g.get_function("g")(y, 100_000, grid=400, block=256)
        f(x, block=4)
        assert y[-1].item() == 99_999 and x.tolist() == [2] * 4
        s, seen = hd.Stream(), []
        s.host_function(seen.append, 1)
        s.synchronize()
        assert seen == [1]
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
f(x, block=4)
assert x.tolist() == [2] * 4
print("done")
"""
        )
        result = run_python(script, timeout=60)
        assert result.stdout.strip() == "done", result.stderr

    def test_fork_with_work_in_flight(self, run_python):
        script = (
            WORK
            + """
import os, time
slow = hd.Module("__global__ void s(int* x, int n) { for (int i = 0; i < n; ++i) x[0] += i & 1; }")
slow = slow.get_function("s")
for _ in range(10):
    slow(x, 50_000_000, block=1, stream=hd.Stream())
    pid = os.fork()
    if pid == 0:
        y = hd.ones(4, "int32")
        f(y, block=4)
        os._exit(0 if y.tolist() == [2] * 4 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
print("done")
"""
        )
        result = run_python(script, timeout=110)
        assert result.stdout.strip() == "done", result.stderr

    def test_multiprocessing(self, run_python):
        script = (
            WORK
            + """
import multiprocessing as mp
def child(n):
    with hd.Device("cpu"):
        y = hd.full(4, n, "int32")
        f(y, block=4)
        return y.tolist()
if __name__ == "__main__":
    with mp.get_context("fork").Pool(3) as pool:
        print(pool.map(child, range(6)) == [[n + 1] * 4 for n in range(6)])
"""
        )
        result = run_python(script, timeout=60)
        assert result.stdout.strip() == "True", result.stderr

    def test_gpu_in_a_child_is_a_clear_error(self, gpu, run_python):
        script = """
import os
import heald as hd
hd.Device("cuda:0").synchronize()
hd.zeros(3, device="cuda:0")
if os.fork() == 0:
    try:
        hd.zeros(3, device="cuda:0")
    except hd.HealdError as error:
        print(error, flush=True)
    print(hd.zeros(2, device="cpu").tolist(), flush=True)
    os._exit(0)
os.wait()
"""
        result = run_python(script)
        assert "fork" in result.stdout
        assert "spawn" in result.stdout
        assert "[0.0, 0.0]" in result.stdout


class TestSharedCache:
    SCRIPT = """
import sys
import heald as hd
hd.Device("cpu").__enter__()
total = 0
for i in range(12):
    f = hd.Module(f"__global__ void f(int* x) {{ *x += {i}; }}").get_function("f")
    x = hd.zeros(1, "int32")
    f(x, block=1)
    total += x.item()
print(total)
"""

    def start(self, folder):
        env = {
            **os.environ,
            "HEALD_CACHE_DIR": str(folder),
            "PYTHONPATH": str(Path(hd.__file__).parent.parent),
        }
        return subprocess.Popen(
            [sys.executable, "-c", self.SCRIPT], env=env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def test_four_processes_one_killed(self, tmp_path):
        processes = [self.start(tmp_path) for _ in range(4)]
        time.sleep(0.4)
        processes[0].send_signal(signal.SIGKILL)
        processes[0].communicate()
        for process in processes[1:]:
            out, error = process.communicate(timeout=120)
            assert out.strip() == str(sum(range(12))), error
        out, error = self.start(tmp_path).communicate(timeout=120)
        assert out.strip() == str(sum(range(12))), error

    def test_owner_only(self, tmp_path):
        folder = tmp_path / "cache"
        self.start(folder).communicate(timeout=120)
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert files
        assert all(path.stat().st_mode & 0o077 == 0 for path in files)
