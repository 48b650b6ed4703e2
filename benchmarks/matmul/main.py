"""Products of matrices beside cuBLASLt's best algorithm, PyTorch, CuPy (GPU) and NumPy (CPU), in one
run.

python benchmarks/matmul/main.py [--device cuda:0] [--size 8192]"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import heald as hd

e = hd.epilogue


def optional(name: str) -> Any:
    try:
        return __import__(name)
    except Exception:
        return None


def median_of(run: Callable[[], Any], wait: Callable[[], Any], repeat: int, inner: int) -> float:
    """Seconds of one call, the median of `repeat` runs of `inner` calls."""
    run()
    wait()
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        for _ in range(inner):
            run()
        wait()
        times.append((time.perf_counter() - begin) / inner)
    return sorted(times)[len(times) // 2]


def enqueue_time(run: Callable[[], Any], wait: Callable[[], Any], calls: int = 200) -> float:
    """Host seconds of one call while the device keeps up."""
    for _ in range(10):
        run()
    wait()
    best = float("inf")
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(calls):
            run()
        best = min(best, (time.perf_counter() - begin) / calls)
        wait()
    return best


def row(name: str, seconds: float, flop: float, floor: float | None) -> None:
    ratio = f"{seconds / floor:6.3f} of the floor" if floor else ""
    print(f"  {name:34s} {seconds * 1e3:9.3f} ms {flop / seconds / 1e12:8.2f} TFLOP/s  {ratio}")


def operands(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> hd.Array:
    return hd.asarray(rng.standard_normal(shape, "float32")).astype(dtype)


def gpu(size: int) -> None:
    rng = np.random.default_rng(1)
    torch, cupy = optional("torch"), optional("cupy")
    wait = hd.Device().synchronize
    for dtype, multiply, fused in (
        ("bfloat16", None, False),
        ("bfloat16", None, True),
        ("float16", None, False),
        ("float16", None, True),
        ("float32", "tf32", False),
        ("float32", None, False),
    ):
        a, b = operands((size, size), dtype, rng), operands((size, size), dtype, rng)
        bias = operands((size,), dtype, rng)
        named = {"bias": bias} if fused else {}
        chain = [e.bias(), e.relu()] if fused else None
        out = hd.empty((size, size), dtype)
        print(f"{size}^3 {dtype} {multiply or ''} {'bias + relu' if fused else ''}")
        heuristic = hd.Matmul(a, b, multiply=multiply, epilogue=chain, tuning="heuristic")
        begin = time.perf_counter()
        plan = hd.Matmul(a, b, multiply=multiply, epilogue=chain)
        planning = time.perf_counter() - begin
        plan.autotune(7)
        floor = min(item[2] for item in plan.algorithms) / 1e3
        row("cuBLASLt, best algorithm", floor, plan.flop, floor)
        inner = 10 if dtype != "float32" or multiply else 2
        first = median_of(lambda: heuristic(a, b, out=out, **named), wait, 3, inner)
        row("cuBLASLt, first algorithm", first, plan.flop, floor)
        row(
            "heald",
            median_of(lambda: plan(a, b, out=out, **named), wait, 3, inner),
            plan.flop,
            floor,
        )
        print(f"  planned in {planning * 1e3:.0f} ms")
        if torch is not None:
            kind = getattr(torch, dtype)
            torch.backends.cuda.matmul.allow_tf32 = multiply == "tf32"
            x, y = (torch.randn(size, size, device="cuda").to(kind) for _ in range(2))
            z = torch.randn(size, device="cuda").to(kind)
            run = (lambda: torch.relu(torch.addmm(z, x, y))) if fused else (lambda: x @ y)
            row("PyTorch", median_of(run, torch.cuda.synchronize, 3, inner), plan.flop, floor)
        if cupy is not None and dtype != "bfloat16" and multiply is None:
            x, y = (cupy.random.standard_normal((size, size)).astype(dtype) for _ in range(2))
            run = (lambda: cupy.maximum(x @ y + x[0], 0)) if fused else (lambda: x @ y)
            row("CuPy", median_of(run, cupy.cuda.Device().synchronize, 3, inner), plan.flop, floor)
        if dtype == "bfloat16" and fused:
            gate = operands((size, size), dtype, rng)
            for exact in (False, True):
                own = hd.Matmul(
                    a,
                    b,
                    exact=exact,
                    epilogue=e.function(lambda x, gate: x / (1 + hd.exp(-x)) * gate, gate=None),
                )
                seconds = median_of(lambda: hd.eval(own(a, b, gate=gate)), wait, 3, 10)
                row(f"heald, SiLU x gate{', exact' if exact else ''}", seconds, plan.flop, floor)
    print("host time of a call, 64^3 float32")
    a, b = operands((64, 64), "float32", rng), operands((64, 64), "float32", rng)
    out = hd.empty((64, 64), "float32")
    plan = hd.Matmul(a, b)
    print(
        f"  heald plan, out=       {enqueue_time(lambda: plan(a, b, out=out), wait) * 1e6:7.2f} us"
    )
    print(f"  heald plan             {enqueue_time(lambda: plan(a, b), wait) * 1e6:7.2f} us")
    print(f"  heald a @ b            {enqueue_time(lambda: a @ b, wait) * 1e6:7.2f} us")
    if torch is not None:
        x, y = torch.randn(64, 64, device="cuda"), torch.randn(64, 64, device="cuda")
        print(
            f"  PyTorch                {enqueue_time(lambda: x @ y, torch.cuda.synchronize) * 1e6:7.2f} us"
        )
    if cupy is not None:
        x = cupy.ones((64, 64), "float32")
        print(
            f"  CuPy                   {enqueue_time(lambda: x @ x, cupy.cuda.Device().synchronize) * 1e6:7.2f} us"
        )


def cpu(size: int) -> None:
    rng = np.random.default_rng(1)
    torch = optional("torch")
    wait = hd.Device().synchronize
    x, y = (rng.standard_normal((size, size), "float32") for _ in range(2))
    z = rng.standard_normal(size, "float32")
    a, b, bias = hd.asarray(x), hd.asarray(y), hd.asarray(z)
    flop = 2.0 * size**3

    def numpy_gelu() -> np.ndarray:
        v = x @ y + z
        return v / 2 * (1 + np.tanh(0.7978845608 * (v + 0.044715 * v**3)))

    print(f"{size}^3 float32, bias + gelu, on the CPU")
    out = hd.empty((size, size), "float32")
    plan = hd.Matmul(a, b, epilogue=[e.bias(), e.gelu()])
    bare = hd.Matmul(a, b)
    print("  " + plan.explain().splitlines()[1].strip())
    fused = median_of(lambda: plan(a, b, bias=bias, out=out), wait, 9, 3)
    row("heald, fused", fused, flop, None)
    row("heald, product alone", median_of(lambda: bare(a, b, out=out), wait, 9, 3), flop, None)
    own = hd.Matmul(
        a, b, epilogue=e.function(lambda v, gate: v / (1 + hd.exp(-v)) * gate, gate=None)
    )
    row("heald, SiLU x gate", median_of(lambda: hd.eval(own(a, b, gate=a)), wait, 9, 3), flop, None)
    row("NumPy, product alone", median_of(lambda: x @ y, lambda: None, 9, 3), flop, None)
    row("NumPy, bias + gelu", median_of(numpy_gelu, lambda: None, 5, 1), flop, None)
    if torch is not None:
        p, q, r = (torch.from_numpy(v) for v in (x, y, z))
        run = lambda: torch.nn.functional.gelu(torch.addmm(r, p, q), approximate="tanh")  # noqa: E731
        row("PyTorch, bias + gelu", median_of(run, lambda: None, 9, 3), flop, None)
    half_a, half_b = a.astype("bfloat16"), b.astype("bfloat16")
    short = hd.Matmul(half_a, half_b)
    print("  " + short.explain().splitlines()[1].strip())
    row(
        "heald, bfloat16", median_of(lambda: hd.eval(short(half_a, half_b)), wait, 9, 3), flop, None
    )
    u, v = operands((64, 64), "float32", rng), operands((64, 64), "float32", rng)
    m, n = hd.asnumpy(u), hd.asnumpy(v)
    small = hd.Matmul(u, v)
    target = hd.empty((64, 64), "float32")
    print("time of a call, 64^3 float32")
    print(
        f"  heald plan, out=       {enqueue_time(lambda: small(u, v, out=target), wait) * 1e6:7.2f} us"
    )
    print(f"  heald a @ b            {enqueue_time(lambda: u @ v, wait) * 1e6:7.2f} us")
    print(f"  NumPy                  {enqueue_time(lambda: m @ n, lambda: None) * 1e6:7.2f} us")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default=None)
    parser.add_argument("--size", type=int, default=None)
    arguments = parser.parse_args()
    with hd.Device(arguments.device) if arguments.device else hd.Device() as device:
        if device.kind == "cuda":
            gpu(arguments.size or 8192)
        else:
            cpu(arguments.size or 1024)


if __name__ == "__main__":
    main()
