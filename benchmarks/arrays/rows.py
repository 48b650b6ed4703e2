"""What is measured: each row is one computation, written once for all that have NumPy's interface.

`x`, `y`, `z` are the row's arrays, as many as `arrays` says, of one shape and dtype; `xp` is the
library. PyTorch has a version of its own where its interface is another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Compute = Callable[..., Any]


@dataclass(frozen=True)
class Row:
    name: str
    compute: Compute
    shape: tuple[int, ...]
    dtype: str = "float32"
    arrays: int = 1
    torch: Compute | None = None
    numexpr: str | None = None
    traffic: int = 0  # bytes that must be read and written; 0: not bound by memory
    goal: str = ""  # `2 x` of the quickest peer named in `against`, or a time: `1.5 us`
    against: tuple[str, ...] = ()
    recorded: bool = False  # heald's result is not computed
    fused: bool = False  # also by the peers' compilers


@dataclass(frozen=True)
class Sizes:
    large: int  # elements, past every cache
    medium: int
    side: int  # of a square matrix


def expression(xp: Any, x: Any, y: Any, z: Any) -> Any:
    return x * y + z * xp.sin(x)


def length(xp: Any, x: Any, y: Any, z: Any) -> Any:
    return xp.sqrt(x * x + y * y + z * z)


def polynomial(xp: Any, x: Any, y: Any, z: Any) -> Any:
    return ((x * 2 + y) * x - z) * x + 3


def choice(xp: Any, x: Any, y: Any, z: Any) -> Any:
    return xp.where(x > y, x * z, y - z) + 1


def distance(xp: Any, x: Any, y: Any) -> Any:
    return ((x - y) * (x - y)).sum()


def order(torch: Any, x: Any) -> Any:
    return torch.sort(x).values


def mask(xp: Any, x: Any) -> Any:
    return x[x > 0.5]


def small_rows(record_goal: str, evaluate_goal: str) -> list[Row]:
    add = (10,)
    return [
        Row("`x + y`, 10 elements, recorded", lambda xp, x, y: x + y, add, arrays=2,
            numexpr="x + y", goal=record_goal, recorded=True),
        Row("`x + y`, 10 elements, evaluated", lambda xp, x, y: x + y, add, arrays=2,
            numexpr="x + y", goal=evaluate_goal),
    ]  # fmt: skip


def gpu_rows(sizes: Sizes) -> list[Row]:
    """The array rows of the numbers to reach on a GPU."""
    large, medium, matrix = (sizes.large,), (sizes.medium,), (sizes.side, sizes.side)
    bytes_large, bytes_matrix = 4 * sizes.large, 4 * sizes.side**2
    return [
        *small_rows("0.5 us", "4 us"),
        Row("`x*y + z*sin(x)`", expression, large, arrays=3, traffic=4 * bytes_large,
            goal="1.00 ms", fused=True),
        Row("sum over all", lambda xp, x: x.sum(), matrix, traffic=bytes_matrix, goal="0.26 ms"),
        Row("sum over axis 0", lambda xp, x: x.sum(axis=0), matrix, traffic=bytes_matrix,
            goal="0.27 ms"),
        Row("sum over axis 1", lambda xp, x: x.sum(axis=1), matrix, traffic=bytes_matrix,
            goal="0.26 ms"),
        Row("transpose, copied", lambda xp, x: x.T.copy(), matrix,
            torch=lambda torch, x: x.T.contiguous(), traffic=2 * bytes_matrix, goal="0.56 ms"),
        Row("cumsum", lambda xp, x: xp.cumsum(x), medium, traffic=8 * sizes.medium,
            torch=lambda torch, x: torch.cumsum(x, 0), goal="0.195 ms"),
        Row("sort", lambda xp, x: xp.sort(x), medium, torch=order, goal="1.65 ms"),
        Row("mask `x[x > 0.5]`", mask, medium, goal="0.20 ms"),
    ]  # fmt: skip


def cpu_rows(sizes: Sizes) -> list[Row]:
    """Chains of at least four operations, single operations, reductions and sort on a CPU."""
    large, medium, matrix = (sizes.large,), (sizes.medium,), (sizes.side, sizes.side)
    numpy, chain = ("NumPy",), "5 x"

    def chains(dtype: str) -> list[Row]:
        common = {
            "shape": medium, "dtype": dtype, "arrays": 3, "goal": chain, "against": numpy,
        }  # fmt: skip
        return [
            Row(f"`x*y + z*sin(x)`, {dtype}", expression, numexpr="x*y + z*sin(x)", **common),
            Row(f"`sqrt(x*x + y*y + z*z)`, {dtype}", length, numexpr="sqrt(x*x + y*y + z*z)",
                **common),
            Row(f"`((2*x + y)*x - z)*x + 3`, {dtype}", polynomial,
                numexpr="((x*2 + y)*x - z)*x + 3", **common),
            Row(f"`where(x > y, x*z, y - z) + 1`, {dtype}", choice,
                numexpr="where(x > y, x*z, y - z) + 1", **common),
        ]  # fmt: skip

    def single(name: str, compute: Compute, arrays: int = 1, **more: Any) -> Row:
        return Row(name, compute, large, arrays=arrays, goal="1.5 x", against=numpy, **more)

    def reduction(name: str, compute: Compute, **more: Any) -> Row:
        return Row(name, compute, matrix, goal="1.5 x", against=numpy, **more)

    return [
        *small_rows("0.5 us", "1.5 us"),
        *chains("float32"),
        *chains("float64"),
        Row("`((x - y)**2).sum()`", distance, medium, arrays=2, goal=chain, against=numpy),
        single("`x + y`", lambda xp, x, y: x + y, 2, numexpr="x + y"),
        single("`x > y`", lambda xp, x, y: x > y, 2, numexpr="x > y"),
        single("`sin(x)`", lambda xp, x: xp.sin(x), numexpr="sin(x)"),
        single("`exp(x)`", lambda xp, x: xp.exp(x), numexpr="exp(x)"),
        single("`sqrt(x)`", lambda xp, x: xp.sqrt(x), numexpr="sqrt(x)"),
        single("to float64", lambda xp, x: x.astype("float64"),
               torch=lambda torch, x: x.to(torch.float64)),
        reduction("transpose, copied", lambda xp, x: x.T.copy(),
                  torch=lambda torch, x: x.T.contiguous()),
        reduction("sum over all", lambda xp, x: x.sum()),
        reduction("sum over axis 0", lambda xp, x: x.sum(axis=0)),
        reduction("sum over axis 1", lambda xp, x: x.sum(axis=1)),
        reduction("max over axis 0", lambda xp, x: x.max(axis=0),
                  torch=lambda torch, x: torch.amax(x, 0)),
        reduction("max over axis 1", lambda xp, x: x.max(axis=1),
                  torch=lambda torch, x: torch.amax(x, 1)),
        reduction("argmax over axis 1", lambda xp, x: x.argmax(axis=1)),
        Row("sort", lambda xp, x: xp.sort(x), medium, torch=order, goal="2 x", against=numpy),
        Row("cumsum", lambda xp, x: xp.cumsum(x), medium,
            torch=lambda torch, x: torch.cumsum(x, 0)),
        Row("mask `x[x > 0.5]`", mask, medium),
    ]  # fmt: skip
