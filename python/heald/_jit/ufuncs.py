"""Calls of NumPy's elementwise operations on scalars: the rows of the arrays' own table, each as an
inline function of the kernel's source."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from heald._heald import device_function, ufunc_expression, ufunc_names
from heald._jit.types import C_NAMES, Scalar


class Loop(NamedTuple):
    """One ufunc for one dtype."""

    name: str  # of the C++ function
    text: str  # its definition
    functions: str  # the device functions that it calls
    operands: tuple[Scalar, ...]
    result: Scalar


@cache
def arity(name: str) -> int | None:
    """How many operands NumPy's function has; None if there is no such operation."""
    return dict(ufunc_names()).get(name)


@cache
def find_loop(name: str, dtype: str) -> Loop | None:
    """The loop for operands that promote to a dtype; None if NumPy has none."""
    found = ufunc_expression(name, dtype)
    if found is None:
        return None
    expression, functions, loop, operands, result = found
    function = f"{name}_{loop}"
    parameters = ", ".join(f"{C_NAMES[kind]} {letter}" for kind, letter in zip(operands, "abc"))
    lines = [f"__device__ inline {C_NAMES[result]} {function}({parameters}) {{"]
    lines += [f"    {line}" for line in _names_of_types(loop, expression)]
    wanted = f"({expression})"
    if result in ("float16", "bfloat16"):
        wanted = f"heald_::round_{result}(float{wanted})"
        functions += f" {result}"
    lines += [f"    return {wanted};", "}"]
    if any(KIND in ("complex64", "complex128") for KIND in (*operands, result)):
        functions += " complex"
    return Loop(
        function,
        "\n".join(lines),
        functions,
        tuple(Scalar(kind) for kind in operands),
        Scalar(result),
    )


def _names_of_types(loop: str, expression: str) -> list[str]:
    lines = []
    if _uses(expression, "T"):
        lines.append(f"using T = {C_NAMES[loop]};")
    if _uses(expression, "U"):
        unsigned = loop if loop.startswith("u") or not loop.startswith("int") else f"u{loop}"
        lines.append(f"using U = {C_NAMES[unsigned]};")
    if _uses(expression, "R"):
        lines.append(f"using R = {'float' if loop == 'complex64' else 'double'};")
    return lines


def _uses(expression: str, name: str) -> bool:
    import re

    return re.search(rf"\b{name}\b", expression) is not None


@cache
def function_text(name: str) -> tuple[tuple[str, ...], str]:
    """(names that it needs, CUDA C++) of a device function of the arrays' table."""
    found = device_function(name)
    if found is None:
        raise LookupError(name)
    needs, text = found
    return tuple(needs.split()), text.strip("\n")
