"""Kernels in Python against the same kernels in CUDA C++, in one run.

python benchmarks/jit/measure.py [--device cpu] [--scale 1]

Beside Numba, in an environment that has it: benchmarks/jit/numba_peer.py.
"""

from __future__ import annotations

import argparse
import linecache
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import kernels
import numpy as np

import heald as hd


def best_of(functions: list[Callable[[], None]], rounds: int) -> list[float]:
    """Seconds of each, taken in turn; the lowest of many."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for k, function in enumerate(functions):
            started = time.perf_counter()
            function()
            best[k] = min(best[k], time.perf_counter() - started)
    return best


def run_times(device: hd.Device, scale: int) -> None:
    code = hd.Program(kernels.BY_HAND, name="by_hand.cu").compile()
    print(f"{'kernel':12} {'CUDA C++ ms':>12} {'Python ms':>10} {'ratio':>6}")
    ratios = []
    for name, (kernel, grid, block, mine, theirs, _) in kernels.cases(scale).items():
        by_hand = code.get_kernel(kernel.__name__)

        def one(
            launch: Callable[..., None] = by_hand.launch, grid=grid, block=block, theirs=theirs
        ) -> None:
            launch(grid, block, theirs)
            device.default_stream.synchronize()

        def other(kernel=kernel, grid=grid, block=block, mine=mine) -> None:
            kernel[grid, block](*mine)
            device.default_stream.synchronize()

        one(), other()
        a, b = best_of([one, other], 40)
        ratios.append(b / a)
        print(f"{name:12} {a * 1e3:12.3f} {b * 1e3:10.3f} {b / a:6.3f}")
    print(f"{'mean':12} {'':12} {'':10} {statistics.geometric_mean(ratios):6.3f}")


@hd.jit
def three(a, x, out):
    pass


def launches(device: hd.Device, count: int = 20_000) -> None:
    """Microseconds of a launch with three arguments; the kernels are empty."""
    raw = hd.Program(kernels.BY_HAND, name="by_hand.cu").compile().get_kernel("three")
    x, out = hd.zeros(1, dtype=np.float32), hd.zeros(1, dtype=np.float32)

    def by_hand() -> None:
        for _ in range(count):
            raw.launch(1, 32, (2.0, x, out))
        device.default_stream.synchronize()

    def python() -> None:
        for _ in range(count):
            three[1, 32](2.0, x, out)
        device.default_stream.synchronize()

    by_hand(), python()
    a, b = (seconds / count * 1e6 for seconds in best_of([by_hand, python], 10))
    print(f"launch with three arguments: raw {a:.3f} us, Python {b:.3f} us, {b - a:+.3f} us")


FIRST_CALL = """
import sys, time
sys.path.insert(0, {folder!r})
import numpy as np, heald as hd, kernels
with hd.Device({device!r}) as device:
    x = hd.zeros(1000, dtype=np.float32)
    device.default_stream.synchronize()
    started = time.perf_counter()
    kernels.saxpy[4, 256](2.0, x, x, x)
    device.default_stream.synchronize()
    print((time.perf_counter() - started) * 1e3)
"""

AGAIN = """
def again(a, x, y, out):
    i = hd.cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + {0} * y[i]
"""


def first_calls(device: hd.Device) -> None:
    """Milliseconds of the first call of a kernel."""
    script = FIRST_CALL.format(device=device.name, folder=str(Path(__file__).parent))
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "HEALD_CACHE_DIR": cache}
        for what in ("new process, nothing cached", "new process, from disk", "again"):
            out = subprocess.run(
                [sys.executable, "-c", script],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            print(f"first call, {what}: {float(out.stdout):.1f} ms")
    x = hd.zeros(1000, dtype=np.float32)
    times = []
    for k in range(5):
        source = AGAIN.format(time.time() + k)  # never compiled before
        name = f"<again {k}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        scope = {"hd": hd}
        exec(compile(source, name, "exec"), scope)
        started = time.perf_counter()
        hd.jit(scope["again"])[4, 256](2.0, x, x, x)
        device.default_stream.synchronize()
        times.append(time.perf_counter() - started)
    print(f"first call of a new kernel, compiler loaded: {min(times[1:]) * 1e3:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default=None)
    parser.add_argument("--scale", type=int, default=1)
    options = parser.parse_args()
    with hd.Device(options.device) if options.device else hd.Device() as device:
        print(f"device {device.name}")
        run_times(device, options.scale)
        launches(device)
        first_calls(device)


if __name__ == "__main__":
    main()
