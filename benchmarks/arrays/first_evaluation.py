"""The first evaluation of expressions that were never seen before.

As a program it is the process that is measured: it prints, as JSON, the milliseconds of its first
expression and of each later one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

LATER = 7  # expressions after the first of a process


def expression(seed: int) -> str:
    """A chain of six operations in the notation that all libraries share."""
    chosen = random.Random(seed)
    text = "x"
    for _ in range(6):
        other = chosen.choice("yz")
        form = chosen.choice(
            ["({} + {o})", "({} - {o})", "({} * {o})", "sin({})", "cos({})", "sqrt(abs({}))",
             "where({} > {o}, {o}, x)", "tanh({})", "({} + 2 * {o})"]
        )  # fmt: skip
        text = form.format(text, o=other)
    return text


def evaluator(library: str, device: str, threads: int, size: int) -> Any:
    import numpy as np

    rng = np.random.default_rng(size)
    host = {name: rng.random(size, np.float32) for name in "xyz"}
    functions = ("sin", "cos", "sqrt", "abs", "where", "tanh")
    if library == "numexpr":
        import numexpr

        numexpr.set_num_threads(threads)
        return lambda text: numexpr.evaluate(text, local_dict=host, global_dict={})
    if library == "NumPy":
        names = {**host, **{name: getattr(np, name) for name in functions}}
        return lambda text: eval(text, names)
    if library == "CuPy":
        import cupy

        names = {name: cupy.asarray(values) for name, values in host.items()}
        names |= {name: getattr(cupy, name) for name in functions}

        def run_cupy(text: str) -> None:
            eval(text, names)
            cupy.cuda.Device().synchronize()

        return run_cupy
    if library in ("PyTorch", "torch.compile"):
        import torch

        torch.set_num_threads(threads)
        names = {name: torch.from_numpy(values).to(device) for name, values in host.items()}
        names |= {name: getattr(torch, name) for name in functions}

        def run_torch(text: str) -> None:
            function = eval(f"lambda x, y, z: {text}", dict(names))
            if library == "torch.compile":
                function = torch.compile(function)
            function(names["x"], names["y"], names["z"])
            if device != "cpu":
                torch.cuda.synchronize(device)

        return run_torch
    import heald as hd

    on = hd.Device(device)
    names = {name: hd.array(values, device=on) for name, values in host.items()}
    names |= {name: getattr(hd, name) for name in functions}
    on.synchronize()

    def run_heald(text: str) -> None:
        hd.eval(eval(text, names))
        on.synchronize()

    return run_heald


def be_measured(library: str, device: str, threads: int, size: int, seed: int) -> None:
    evaluate = evaluator(library, device, threads, size)
    milliseconds = []
    for i in range(1 + LATER):
        text = expression(seed + i)
        begin = time.perf_counter()
        evaluate(text)
        milliseconds.append(1e3 * (time.perf_counter() - begin))
    print(json.dumps(milliseconds))


def run_process(library: str, device: str, threads: int, size: int, cache: str) -> list[float]:
    command = [
        sys.executable, __file__, library, device, str(threads), str(size), "1",
    ]  # fmt: skip
    environment = {**os.environ, "HEALD_CACHE_DIR": cache}
    environment.pop("HEALD_FUSION", None)
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip().rpartition("\n")[2])
    return json.loads(result.stdout)


def print_table(libraries: list[str], device: str, threads: int, sizes: list[int]) -> list[str]:
    """Returns what failed."""
    limits = ("2", "2") if device == "cpu" else ("120", "60")
    failures = []
    print("| milliseconds | elements | new process | later in it | new process, cached on disk |")
    print("|---|---|---|---|---|", flush=True)
    for size in sizes:
        for library in libraries:
            with tempfile.TemporaryDirectory(prefix="heald-bench-") as cache:
                try:
                    first = run_process(library, device, threads, size, cache)
                    again = f"{run_process(library, device, threads, size, cache)[0]:.2f}"
                except RuntimeError as error:
                    failures.append(f"first evaluation: {library}: {error}")
                    continue
            later = statistics.median(first[1:])
            cells = [f"{first[0]:.2f}", f"{later:.2f}"]
            if library == "heald":
                values = first[0], later
                cells = [
                    f"{cell} (≤ {limit}: {'yes' if value <= float(limit) else 'no'})"
                    for cell, limit, value in zip(cells, limits, values, strict=True)
                ]
            print(f"| {library} | {size} | {' | '.join(cells)} | {again} |", flush=True)
    return failures


if __name__ == "__main__":
    sys.path = [path for path in sys.path if Path(path) != Path(__file__).parent]
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("device")
    for name in "threads", "size", "seed":
        parser.add_argument(name, type=int)
    be_measured(**vars(parser.parse_args()))
