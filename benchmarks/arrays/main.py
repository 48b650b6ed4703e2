"""Arrays beside NumPy, numexpr and PyTorch on the CPU, or CuPy and PyTorch on a GPU.

    ./run python benchmarks/arrays/main.py [--device cuda:0] [--quick] [ROW…]

All in one process, the libraries in turn; libraries that are not installed are named and left out.
"""

from __future__ import annotations

import argparse
import os
import sys

# Rows are compared when their kernels are there; what comes before is first_evaluation's.
os.environ.setdefault("HEALD_FUSION", "wait")

import first_evaluation
import numpy as np
from measure import Effort, Table, readable, seconds_per_call
from peers import Heald, open_peers
from rows import Row, Sizes, cpu_rows, gpu_rows

import heald as hd

SMALL = Sizes(large=1 << 10, medium=1 << 10, side=1 << 5)
ON_GPU = Sizes(large=1 << 28, medium=1 << 26, side=1 << 14)
ON_CPU = Sizes(large=1 << 24, medium=1 << 22, side=1 << 12)


class Inputs:
    """Random numbers, the arrays of one shape and dtype at a time."""

    def __init__(self) -> None:
        self._made: tuple[tuple, list[np.ndarray]] = (), []

    def arrays(self, row: Row) -> tuple[np.ndarray, ...]:
        key = row.shape, row.dtype
        if self._made[0] != key:
            self._made = key, []
        list_ = self._made[1]
        while len(list_) < row.arrays:
            rng = np.random.default_rng(len(list_) + 1)
            list_.append(rng.random(row.shape, dtype=row.dtype))
        return tuple(list_[: row.arrays])


def copy_bandwidth(device: hd.Device, elements: int, effort: Effort) -> float:
    """Bytes read and written a second by the driver's copy of a buffer."""
    source = hd.zeros(elements, "float32", device=device)
    target = hd.empty(elements, "float32", device=device)
    stream = device.default_stream

    def copy() -> None:
        target.buffer.copy_from(source.buffer, stream=stream)

    seconds_per_call(copy, device.synchronize, 2)
    count = 3 * effort.repeats
    return 2 * source.nbytes / seconds_per_call(copy, device.synchronize, count)


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", help="parts of rows' names; all rows without")
    parser.add_argument("--device", default=None, help='"cpu", "cuda:0"; what heald chooses')
    parser.add_argument("--threads", type=int, default=None, help="of the CPU libraries")
    parser.add_argument("--quick", action="store_true", help="shorter timings, not torch.compile")
    parser.add_argument("--best", action="store_true", help="best timings, where others compute")
    parser.add_argument("--small", action="store_true", help="each row once on few elements")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    device = hd.Device(options.device)
    on_cpu = device.kind == "cpu"
    threads = options.threads or int(os.environ.get("HEALD_NUM_THREADS", 0))
    threads = threads or len(os.sched_getaffinity(0))
    effort = Effort(seconds=0.1, repeats=15, warm_up=0.5)
    if options.quick:
        effort = Effort(seconds=0.02, repeats=7, warm_up=0.1)
    if options.small:
        effort = Effort(seconds=0, repeats=1, warm_up=0)
    effort.best = options.best
    sizes = SMALL if options.small else ON_CPU if on_cpu else ON_GPU
    rows = cpu_rows(sizes) if on_cpu else gpu_rows(sizes)
    wanted = [row for row in rows if not options.rows or any(w in row.name for w in options.rows)]
    compiled = not (options.quick or options.small)
    peers, missing = open_peers(device.name, threads, compiled)

    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    on = f"{threads} threads, load {load}" if on_cpu else device.name
    print(f"{device.properties.name}, {on}, Python {sys.version.split()[0]}")
    for reason in missing:
        print(f"without {reason}")
    bandwidth = 0.0
    if not on_cpu:
        bandwidth = copy_bandwidth(device, sizes.large, effort)
        print(f"a copy moves {bandwidth / 1e12:.2f} TB/s; {readable(4e9 / bandwidth)} for 4 GB")
    print()
    with device:
        table = Table(peers, effort, bandwidth)
        inputs = Inputs()
        for row in wanted:
            table.add(row, inputs.arrays(row))
    failures = table.failures
    if not options.rows or any("first" in part for part in options.rows):
        print("\nFirst evaluation of an expression of six operations, float32\n")
        counts = [1000] if options.small else [1000, 1_000_000]
        names = [peer.name for peer in peers if peer.name != "cupy.fuse"]
        if options.quick and not on_cpu:  # the others take long to import
            names = ["heald"]
        failures += first_evaluation.print_table(names, device.name, threads, counts)
    print()
    for failure in failures:
        print(f"FAILED {failure}")
    heald_failed = [text for text in failures if Heald.name in text]
    return 1 if heald_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
