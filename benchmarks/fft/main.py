# ruff: noqa: B023 — every closure is called before its loop goes on
"""Fourier transforms beside what else is installed, in one run: CuPy and PyTorch on a GPU; SciPy,
NumPy and pyFFTW on a CPU.

    python benchmarks/fft/main.py [--device cpu|cuda:0] [--quick]

Times are the least of several rounds, of the slope between few and many calls in a row.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import heald as hd

# name, shape, axes, real input
ROWS: list[tuple[str, tuple[int, ...], tuple[int, ...], bool]] = [
    ("c2c 65536 x 1024", (65536, 1024), (1,), False),
    ("c2c 2^24", (1 << 24,), (0,), False),
    ("c2c 2^20", (1 << 20,), (0,), False),
    ("c2c 256^3", (256, 256, 256), (0, 1, 2), False),
    ("r2c 4096^2", (4096, 4096), (0, 1), True),
    ("r2c 16384 x 1000", (16384, 1000), (1,), True),
]
Calls = dict[str, Callable[[], Any]]


def slope(call: Callable[[], Any], wait: Callable[[], None], rounds: int, many: int) -> float:
    def run(count: int) -> float:
        begin = time.perf_counter()
        for _ in range(count):
            call()
        wait()
        return time.perf_counter() - begin

    run(2)
    return min((run(1 + many) - run(1)) / many for _ in range(rounds))


def input_of(shape: tuple[int, ...], real: bool) -> np.ndarray:
    rng = np.random.default_rng(1)
    x = rng.standard_normal(shape, dtype="float32")
    return x if real else (x + 1j * rng.standard_normal(shape, dtype="float32")).astype("c8")


def gpu_peers(x: np.ndarray, axes: tuple[int, ...], real: bool) -> Calls:
    calls: Calls = {}
    try:
        import cupy
        from cupyx.scipy.fft import get_fft_plan

        a = cupy.asarray(x)
        name = "rfftn" if real else "fftn"
        calls["CuPy"] = lambda: getattr(cupy.fft, name)(a, axes=axes)
        kind = "R2C" if real else "C2C"
        plan = get_fft_plan(a, axes=axes, value_type=kind)
        out = cupy.empty_like(getattr(cupy.fft, name)(a, axes=axes))
        calls["cuFFT"] = lambda: plan.fft(a, out, cupy.cuda.cufft.CUFFT_FORWARD)
    except ImportError:
        pass
    try:
        import torch

        t = torch.from_numpy(x).cuda()
        function = torch.fft.rfftn if real else torch.fft.fftn
        calls["PyTorch"] = lambda: function(t, dim=axes)
    except ImportError:
        pass
    return calls


def cpu_peers(x: np.ndarray, axes: tuple[int, ...], real: bool, threads: int) -> Calls:
    calls: Calls = {}
    name = "rfftn" if real else "fftn"
    calls["NumPy"] = lambda: getattr(np.fft, name)(x, axes=axes)
    try:
        import scipy.fft

        calls["SciPy"] = lambda: getattr(scipy.fft, name)(x, axes=axes, workers=threads)
    except ImportError:
        pass
    try:
        import pyfftw

        planned = getattr(pyfftw.builders, name)(
            x.copy(), axes=axes, threads=threads, planner_effort="FFTW_ESTIMATE"
        )
        calls["pyFFTW"] = planned
    except (ImportError, AttributeError):
        pass
    return calls


def synchronise_all(device: hd.Device) -> None:
    device.synchronize()
    if device.kind == "cuda":
        import torch

        torch.cuda.synchronize()


def row(label: str, own: float, peers: dict[str, float]) -> None:
    text = "".join(
        f"  {name} {value * 1e3:9.3f} ({value / own:.2f}x)" for name, value in peers.items()
    )
    print(f"{label:24} heald {own * 1e3:9.3f} ms{text}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default=None)
    parser.add_argument("--quick", action="store_true", help="the smaller half of the sizes")
    parser.add_argument("--measured", action="store_true", help="wait until plans are measured")
    options = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    with hd.Device(options.device) if options.device else hd.Device() as device:
        gpu = device.kind == "cuda"
        rounds, many = (5, 20) if gpu else (5, 3)

        def wait() -> None:
            synchronise_all(device)

        for label, shape, axes, real in ROWS:
            if options.quick and np.prod(shape) > 1 << 22:
                continue
            x = input_of(shape, real)
            a = hd.asarray(x)
            function = hd.fft.rfftn if real else hd.fft.fftn
            out = function(a, axes=axes)
            if options.measured and not gpu:
                for _ in range(17):
                    function(a, axes=axes, out=out)
                device.synchronize()
                hd._heald.finish_background()
            peers = gpu_peers(x, axes, real) if gpu else cpu_peers(x, axes, real, threads)
            own = slope(lambda: function(a, axes=axes, out=out), wait, rounds, many)
            row(label, own, {name: slope(c, wait, rounds, many) for name, c in peers.items()})
        for shape in ((4096, 4096), (256, 256, 256)):
            if options.quick:
                continue
            x = input_of(shape, False)
            a, h = hd.asarray(x), hd.asarray(input_of(shape, False))
            own = slope(lambda: hd.fft.filter(a, h), wait, rounds, many)
            peers = {}
            if gpu:
                import cupy

                b, g = cupy.asarray(x), cupy.asarray(input_of(shape, False))
                peers["CuPy"] = slope(
                    lambda: cupy.fft.ifftn(cupy.fft.fftn(b) * g), wait, rounds, many
                )
            else:
                import scipy.fft

                g = input_of(shape, False)
                peers["SciPy"] = slope(
                    lambda: scipy.fft.ifftn(
                        scipy.fft.fftn(x, workers=threads) * g, workers=threads
                    ),
                    wait,
                    rounds,
                    many,
                )
            row(f"filter {'x'.join(map(str, shape))}", own, peers)
        for n in (64, 1024):
            x = input_of((n,), False)
            a = hd.asarray(x)
            out = hd.fft.fft(a)
            plan = hd.FFT((n,), "complex64")
            calls: Calls = {
                "heald fft(out=)": lambda: hd.fft.fft(a, out=out),
                "heald plan(out=)": lambda: plan.execute(a, out=out),
                **(gpu_peers(x, (0,), False) if gpu else cpu_peers(x, (0,), False, 1)),
            }
            text = "".join(
                f"  {name} {slope(c, wait, rounds, 500) * 1e6:.2f}" for name, c in calls.items()
            )
            print(f"{n} points, microseconds:{text}", flush=True)


if __name__ == "__main__":
    main()
