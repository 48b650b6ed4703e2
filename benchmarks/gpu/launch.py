"""Host and end-to-end cost of launches from Python: heald, CuPy, cuda.core and the C loop.

    python benchmarks/gpu/launch.py LIBHEALD_C_PATHS.SO

All in one process; the ratios are to the C loop of cuLaunchKernel. Libraries that are not installed
are left out.
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import heald as hd

SOURCE = r"""
extern "C" __global__ void k3(float* a, float* b, int n) { if (n < 0) a[0] = b[0]; }
extern "C" __global__ void other(float* a, float* b, int n) { if (n < 0) b[0] = a[0]; }
extern "C" __global__ void spin(float* a, float* b, int n, long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) { }
    if (n < 0) a[0] = b[0];
}
"""

Work = Callable[[int], None]
Finish = Callable[[], None]


def measure_once(work: Work, finish: Finish, count: int) -> tuple[float, float]:
    """Microseconds per operation: host, end to end."""
    finish()
    begin = time.perf_counter_ns()
    work(count)
    returned = time.perf_counter_ns()
    finish()
    done = time.perf_counter_ns()
    return (returned - begin) / 1e3 / count, (done - begin) / 1e3 / count


class Table:
    """Rows that are measured in turn, over and over, so that clocks that change meet all alike."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, Work, Finish, str]] = []

    def row(self, name: str, work: Work, finish: Finish, goal: str = "") -> None:
        try:
            work(200)
            finish()
        except Exception as error:  # one library's failure must not hide the others' rows
            print(f"{name:<52} failed: {type(error).__name__}: {str(error)[:200]}", flush=True)
            return
        self.rows.append((name, work, finish, goal))

    def measure(self, count: int = 500, repeats: int = 21) -> None:
        times: list[list[tuple[float, float]]] = [[] for _ in self.rows]
        for _ in range(repeats):
            for (_, work, finish, _), list_ in zip(self.rows, times, strict=True):
                list_.append(measure_once(work, finish, count))
        floor: tuple[float, float] | None = None
        for (name, _, _, goal), list_ in zip(self.rows, times, strict=True):
            host = statistics.median(t[0] for t in list_)
            whole = statistics.median(t[1] for t in list_)
            floor = floor or (host, whole)
            print(
                f"{name:<52} host {host:7.3f} us  end-to-end {whole:7.3f} us"
                f"  ratio {host / floor[0]:5.2f} / {whole / floor[1]:5.2f}  {goal}",
                flush=True,
            )


def c_rows(
    table: Table, library: str, cubin: bytes, kernel: bytes = b"k3", cycles: int = 0
) -> None:
    c = ctypes.CDLL(library)
    c.c_path_open.restype = ctypes.c_void_p
    c.c_path_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_longlong]
    for name in ("plain", "graph", "set_and_graph", "plain_changing_grid"):
        getattr(c, f"c_path_{name}").argtypes = [ctypes.c_void_p, ctypes.c_int]
    c.c_path_synchronize.argtypes = [ctypes.c_void_p]
    path = c.c_path_open(cubin, kernel, cycles)

    def finish() -> None:
        c.c_path_synchronize(path)

    table.row("C: cuLaunchKernel", lambda n: c.c_path_plain(path, n), finish)
    table.row("C: set parameters + graph launch", lambda n: c.c_path_set_and_graph(path, n), finish)
    if cycles == 0:
        table.row("C: one-node graph launch", lambda n: c.c_path_graph(path, n), finish)
        table.row(
            "C: cuLaunchKernel, changing grid",
            lambda n: c.c_path_plain_changing_grid(path, n),
            finish,
        )


def heald_rows(table: Table, code: hd.ObjectCode, library: str) -> None:
    stream = hd.Stream(hd.Device("cuda:0"))
    k3, other = code.get_kernel("k3"), code.get_kernel("other")
    with stream:
        a, b = hd.zeros(256, "float32"), hd.zeros(256, "float32")
        finish = stream.synchronize

        def same(n: int) -> None:
            for _ in range(n):
                k3.launch(1, 32, (a, b, 3), stream)

        def changing(n: int) -> None:
            for i in range(n):
                k3.launch(1, 32, (a, b, i), stream)

        def alternating(n: int) -> None:
            for i in range(n // 2):
                k3.launch(1, 32, (a, b, i), stream)
                other.launch(1, 32, (a, b, i), stream)

        def grids(n: int) -> None:
            for i in range(n):
                k3.launch(1 + i % 61, 32, (a, b, 3), stream)

        bound = k3.bind(1, 32, (a, b, 3), stream)

        def bound_launch(n: int) -> None:
            for _ in range(n):
                bound()

        table.row("heald: same arguments", same, finish, "goal: C graph + 0.5 us")
        table.row("heald: changing arguments", changing, finish, "goal: C set + 0.5 us")
        table.row("heald: two kernels in turn", alternating, finish)
        table.row("heald: changing grid", grids, finish, "goal: <= 1.10")
        table.row("heald: bound launch", bound_launch, finish, "goal: <= 0.50")
        c = ctypes.CDLL(library)

        def without_context(n: int) -> None:
            c.c_path_leave(None)
            changing(n)
            c.c_path_enter_primary()

        table.row("heald: changing arguments, no context current", without_context, finish)

        def allocate(n: int) -> None:
            for _ in range(n):
                hd.empty(1 << 18, "float32")

        table.row("heald: empty(1 MiB) and release", allocate, finish)


def cupy_rows(table: Table) -> None:
    try:
        import cupy
    except ImportError:
        print("CuPy is not installed")
        return
    with cupy.cuda.Stream(non_blocking=True) as stream:
        k3 = cupy.RawKernel(SOURCE, "k3")
        a, b = cupy.zeros(256, "float32"), cupy.zeros(256, "float32")
        n32 = np.int32(3)

        def launch(n: int) -> None:
            for _ in range(n):
                k3((1,), (32,), (a, b, n32))

        table.row("CuPy: RawKernel", launch, stream.synchronize)

        def allocate(n: int) -> None:
            for _ in range(n):
                cupy.empty(1 << 18, "float32")

        table.row("CuPy: empty(1 MiB) and release", allocate, stream.synchronize)


def cuda_core_rows(table: Table) -> None:
    try:
        try:
            from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
        except ImportError:
            from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch
    except ImportError:
        print("cuda.core is not installed")
        return
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    arch = "sm_{}{}".format(*device.compute_capability)
    program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=arch))
    kernel = program.compile("cubin").get_kernel("k3")
    config = LaunchConfig(grid=1, block=32)
    buffer = device.allocate(4096, stream=stream)
    n32 = np.int32(3)

    def run(n: int) -> None:
        for _ in range(n):
            launch(stream, config, kernel, buffer, buffer, n32)

    table.row("cuda.core: launch", run, stream.sync)


def main() -> None:
    library = sys.argv[1]
    device = hd.Device("cuda:0")
    print(f"{device.properties.name}, Python {sys.version.split()[0]}")
    code = hd.Program(SOURCE, name="bench.cu", device=device).compile()
    cubin = bytes(code.code)
    print("\nLaunches of an empty kernel with three arguments (ratios: to the C loop)")
    table = Table()
    c_rows(table, library, cubin)
    heald_rows(table, code, library)
    cupy_rows(table)
    cuda_core_rows(table)
    table.measure()
    for microseconds in (5, 10):
        cycles = int(microseconds * 1980)
        print(f"\nA kernel of {microseconds} us (ratios: to the C loop)")
        table = Table()
        c_rows(table, library, cubin, b"spin", cycles)
        stream = hd.Stream(device)
        spin = code.get_kernel("spin")
        with stream:
            a, b = hd.zeros(256, "float32"), hd.zeros(256, "float32")

            def run(n: int) -> None:
                for i in range(n):
                    spin.launch(1, 32, (a, b, i, cycles), stream)  # noqa: B023

            table.row("heald", run, stream.synchronize, "goal: <= 1.00")
            table.measure(count=3000)


if __name__ == "__main__":
    main()
