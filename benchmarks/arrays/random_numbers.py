#!/usr/bin/env python3
"""Random numbers beside NumPy on the CPU, and CuPy and PyTorch on the GPU, in one run.

    benchmarks/arrays/random_numbers.py                    the current device
    benchmarks/arrays/random_numbers.py --device cuda:0    2^28 numbers

Times are of one call until its numbers are there, the best of several, libraries in turn. On a GPU
`floor` is the time in which the numbers' bytes can be written, at --bandwidth.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import heald as hd

Call = Callable[[], Any]
NAMES = ("random", "standard_normal", "standard_exponential", "integers", "poisson", "gamma")


def numpy_calls(generator: Any, count: int, dtype: str) -> dict[str, Call]:
    """The calls of NumPy's interface, which heald and CuPy have too."""
    return {
        "random": lambda: generator.random(count, dtype=dtype),
        "standard_normal": lambda: generator.standard_normal(count, dtype=dtype),
        "standard_exponential": lambda: generator.standard_exponential(count, dtype=dtype),
        "integers": lambda: generator.integers(0, 1000, size=count),
        "poisson": lambda: generator.poisson(4.0, size=count),
        "gamma": lambda: generator.gamma(2.5, size=count),
    }


def torch_calls(torch: Any, count: int, dtype: str) -> dict[str, Call]:
    x = torch.empty(count, dtype=getattr(torch, dtype), device="cuda")
    whole = torch.empty(count, dtype=torch.int64, device="cuda")
    return {
        "random": lambda: x.uniform_(),
        "standard_normal": lambda: x.normal_(),
        "standard_exponential": lambda: x.exponential_(),
        "integers": lambda: whole.random_(0, 1000),
    }


def evaluated(call: Call, device: hd.Device) -> Call:
    def run() -> None:
        hd.eval(call())
        device.synchronize()

    return run


def finished(call: Call, finish: Call) -> Call:
    def run() -> None:
        call()
        finish()

    return run


def peers(device: hd.Device, count: int, dtype: str) -> dict[str, dict[str, Call]]:
    with device:
        own = numpy_calls(hd.random.default_rng(1), count, dtype)
    found = {"heald": {name: evaluated(call, device) for name, call in own.items()}}
    if device.kind == "cpu":
        found["NumPy"] = numpy_calls(np.random.default_rng(1), count, dtype)
        return found
    for name in ("cupy", "torch"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed")
            continue
        if name == "cupy":
            calls = numpy_calls(module.random.default_rng(1), count, dtype)
            finish = module.cuda.get_current_stream().synchronize
        else:
            calls, finish = torch_calls(module, count, dtype), module.cuda.synchronize
        found[name] = {key: finished(call, finish) for key, call in calls.items()}
    return found


def best_times(calls: dict[str, Call], repetitions: int) -> dict[str, float]:
    best: dict[str, float] = {}
    for turn in range(repetitions + 1):
        for name, call in calls.items():
            began = time.perf_counter()
            try:
                call()
            except Exception as error:  # a peer without this distribution
                if name == "heald":
                    raise
                print(f"{name}: {error}")
                best[name] = float("nan")
                continue
            if turn > 0:
                best[name] = min(best.get(name, 1e9), time.perf_counter() - began)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default=None)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--bandwidth", type=float, default=4.3e12, help="bytes a second (GPU)")
    options = parser.parse_args()
    device = hd.Device(options.device)
    count = options.count or (1 << 28 if device.kind == "cuda" else 1 << 23)
    print(f"{device.name}, {count} numbers of {options.dtype}, ms")
    libraries = peers(device, count, options.dtype)
    with device:
        for name in NAMES:
            size = 4 if name in NAMES[:3] and options.dtype == "float32" else 8
            floor = f"  floor {count * size / options.bandwidth * 1e3:.3f}"
            calls = {library: calls[name] for library, calls in libraries.items() if name in calls}
            times = best_times(calls, options.repetitions)
            print(
                f"{name:22}"
                + "".join(f"  {library} {spent * 1e3:8.3f}" for library, spent in times.items())
                + (floor if device.kind == "cuda" else "")
            )


if __name__ == "__main__":
    main()
