"""Products of matrices beside cuBLASLt's algorithms, PyTorch and CuPy on a GPU, NumPy and
PyTorch on the CPU, in one run: what is compared runs in turn, with pauses, for a GPU's clock
follows its load.

python benchmarks/matmul/main.py [--device cuda:0] [--size 8192]"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import heald as hd

Run = tuple[Callable[[], Any], Callable[[], Any]]  # a call, and what waits for it

PAUSE = 0.05
ROUNDS = 7


def optional(name: str) -> Any:
    try:
        return __import__(name)
    except Exception:
        return None


def seconds_of(runs: dict[str, Run], inner: int) -> dict[str, float]:
    """Seconds of one call of each, the median of rounds in turn."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(ROUNDS + 1):
        for name, (call, wait) in runs.items():
            time.sleep(PAUSE)
            begin = time.perf_counter()
            for _ in range(inner):
                call()
            wait()
            if number > 0:
                times[name].append((time.perf_counter() - begin) / inner)
    return {name: sorted(values)[len(values) // 2] for name, values in times.items()}


def show(runs: dict[str, Run], inner: int, flop: float) -> None:
    seconds = seconds_of(runs, inner)
    first = next(iter(seconds.values()))
    for name, value in seconds.items():
        print(
            f"  {name:28s} {value * 1e3:9.3f} ms {flop / value / 1e12:8.2f} TFLOP/s "
            f"{value / first:7.3f}"
        )


def show_host_time(runs: dict[str, Run], calls: int = 200) -> None:
    """Host time of a call while the device keeps up."""
    for name, (call, wait) in runs.items():
        for _ in range(20):
            call()
        wait()
        best = float("inf")
        for _ in range(9):
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            best = min(best, (time.perf_counter() - begin) / calls)
            wait()
        print(f"  {name:28s} {best * 1e6:9.2f} us")


def operand(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> hd.Array:
    return hd.asarray(rng.standard_normal(shape, "float32")).astype(dtype)


def gate_silu(x: hd.Array, gate: hd.Array) -> Any:
    return x / (1 + hd.exp(-x)) * gate


def gpu_case(size: int, dtype: str, multiply: str | None, fused: bool) -> None:
    rng = np.random.default_rng(1)
    wait = hd.Device().synchronize
    a, b = operand((size, size), dtype, rng), operand((size, size), dtype, rng)
    bias = operand((size,), dtype, rng)
    named = {"bias": bias} if fused else {}
    chain = [hd.epilogue.bias(), hd.epilogue.relu()] if fused else None
    out = hd.empty((size, size), dtype)
    print(f"{size}^3 {dtype} {multiply or ''} {'bias + relu' if fused else ''}")
    hd.tuning.clear()
    first = hd.Matmul(a, b, multiply=multiply, epilogue=chain, tuning="heuristic")
    first(a, b, out=out, **named)
    begin = time.perf_counter()
    plan = hd.Matmul(a, b, multiply=multiply, epilogue=chain)
    print(f"  planned in {(time.perf_counter() - begin) * 1e3:.0f} ms")
    for name, workspace, milliseconds, chosen in plan.algorithms:
        mark = "*" if chosen else " "
        print(f"   {mark}{name:40s} {workspace:9d} B {milliseconds:8.3f} ms with a cold cache")
    runs: dict[str, Run] = {
        "heald": (lambda: plan(a, b, out=out, **named), wait),
        "cuBLASLt's first": (lambda: first(a, b, out=out, **named), wait),
    }
    torch, cupy = optional("torch"), optional("cupy")
    if torch is not None:
        torch.backends.cuda.matmul.allow_tf32 = multiply == "tf32"
        p, q = torch.from_dlpack(a), torch.from_dlpack(b)
        r = torch.from_dlpack(bias)
        call = (lambda: torch.relu(torch.addmm(r, p, q))) if fused else (lambda: p @ q)
        runs["PyTorch"] = call, torch.cuda.synchronize
    if cupy is not None and dtype != "bfloat16" and multiply is None:
        x, y, z = (cupy.asarray(v) for v in (a, b, bias))
        call = (lambda: cupy.maximum(x @ y + z, 0)) if fused else (lambda: x @ y)
        runs["CuPy"] = call, cupy.cuda.Device().synchronize
    if fused and dtype == "bfloat16":
        gate = operand((size, size), dtype, rng)
        for exact in (False, True):
            own = hd.Matmul(a, b, exact=exact, epilogue=hd.epilogue.function(gate_silu, gate=None))
            runs["heald, SiLU x gate" + (", exact" if exact else "")] = (
                lambda own=own: hd.eval(own(a, b, gate=gate)),
                wait,
            )
    show(runs, 2 if dtype == "float32" and multiply is None else 10, plan.flop)


def gpu_small() -> None:
    rng = np.random.default_rng(1)
    wait = hd.Device().synchronize
    print("host time of a call, 64^3 float32")
    a, b = operand((64, 64), "float32", rng), operand((64, 64), "float32", rng)
    out = hd.empty((64, 64), "float32")
    plan = hd.Matmul(a, b)
    runs: dict[str, Run] = {
        "heald plan, out=": (lambda: plan(a, b, out=out), wait),
        "heald plan": (lambda: plan(a, b), wait),
        "heald a @ b": (lambda: a @ b, wait),
    }
    torch, cupy = optional("torch"), optional("cupy")
    if torch is not None:
        p, q = torch.from_dlpack(a), torch.from_dlpack(b)
        runs["PyTorch"] = (lambda: p @ q), torch.cuda.synchronize
    if cupy is not None:
        x, y = cupy.asarray(a), cupy.asarray(b)
        runs["CuPy"] = (lambda: x @ y), cupy.cuda.Device().synchronize
    show_host_time(runs)


def cpu(size: int) -> None:
    rng = np.random.default_rng(1)
    wait = hd.Device().synchronize
    x, y = (rng.standard_normal((size, size), "float32") for _ in range(2))
    z = rng.standard_normal(size, "float32")
    a, b, bias = hd.asarray(x), hd.asarray(y), hd.asarray(z)
    out = hd.empty((size, size), "float32")
    plan = hd.Matmul(a, b, epilogue=[hd.epilogue.bias(), hd.epilogue.gelu()])
    bare = hd.Matmul(a, b)
    own = hd.Matmul(a, b, epilogue=hd.epilogue.function(gate_silu, gate=None))
    half_a, half_b = a.astype("bfloat16"), b.astype("bfloat16")
    short = hd.Matmul(half_a, half_b)
    half_out = hd.empty((size, size), "bfloat16")

    def numpy_gelu() -> np.ndarray:
        v = x @ y + z
        return v / 2 * (1 + np.tanh(0.7978845608 * (v + 0.044715 * v**3)))

    print(f"{size}^3 float32 on the CPU; {plan.explain().splitlines()[1].strip()}")
    done = lambda: None  # noqa: E731
    runs: dict[str, Run] = {
        "heald, bias + gelu": (lambda: plan(a, b, bias=bias, out=out), wait),
        "heald, product alone": (lambda: bare(a, b, out=out), wait),
        "heald, SiLU x gate": (lambda: hd.eval(own(a, b, gate=a)), wait),
        "heald, bfloat16": (lambda: short(half_a, half_b, out=half_out), wait),
        "NumPy, bias + gelu": (numpy_gelu, done),
        "NumPy, product alone": (lambda: x @ y, done),
    }
    torch = optional("torch")
    if torch is not None:
        p, q, r = (torch.from_numpy(v) for v in (x, y, z))
        gelu = torch.nn.functional.gelu
        call = lambda: gelu(torch.addmm(r, p, q), approximate="tanh")  # noqa: E731
        runs["PyTorch, bias + gelu"] = call, done
    show(runs, 3, plan.flop)
    u, v = operand((64, 64), "float32", rng), operand((64, 64), "float32", rng)
    m, n = hd.asnumpy(u), hd.asnumpy(v)
    small = hd.Matmul(u, v)
    target = hd.empty((64, 64), "float32")
    print("time of a call, 64^3 float32")
    show_host_time(
        {
            "heald plan, out=": (lambda: small(u, v, out=target), wait),
            "heald a @ b": (lambda: u @ v, wait),
            "NumPy": (lambda: m @ n, done),
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default=None)
    parser.add_argument("--size", type=int, default=None)
    arguments = parser.parse_args()
    with hd.Device(arguments.device) if arguments.device else hd.Device() as device:
        if device.kind != "cuda":
            cpu(arguments.size or 1024)
            return
        size = arguments.size or 8192
        for dtype, multiply, fused in (
            ("bfloat16", None, False),
            ("bfloat16", None, True),
            ("float16", None, False),
            ("float16", None, True),
            ("float32", "tf32", False),
            ("float32", None, False),
        ):
            gpu_case(size, dtype, multiply, fused)
        gpu_small()


if __name__ == "__main__":
    main()
