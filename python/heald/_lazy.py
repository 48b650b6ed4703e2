"""When operations on arrays are computed, and what is computed."""

from __future__ import annotations

from typing import Any, NamedTuple

from heald._heald import Array, TypeMismatchError, evaluate, explain_arrays


class ExplainedKernel(NamedTuple):
    """One kernel of an evaluation.

    `what` says what it computes, `bytes_read` and `bytes_written` what it moves (each element of
    each array once), `source` is its CUDA C++.
    """

    what: str
    bytes_read: int
    bytes_written: int
    source: str


class Explanation(tuple[ExplainedKernel, ...]):
    """The kernels that an evaluation would launch, in order. Printed as a table; `str(x[0].source)`
    is the source of the first."""

    def __repr__(self) -> str:
        if not self:
            return "nothing is pending: no kernel"
        lines = [f"{len(self)} kernel{'s' if len(self) > 1 else ''}"]
        lines += [
            f"{i}. {k.what}\n   reads {k.bytes_read:,} bytes, writes {k.bytes_written:,}"
            for i, k in enumerate(self, 1)
        ]
        return "\n".join(lines)

    __str__ = __repr__


def _check(arrays: tuple[Any, ...], operation: str) -> None:
    for x in arrays:
        if not isinstance(x, Array):
            raise TypeMismatchError(f"[{operation}] expected arrays, got {type(x).__name__}")


def eval(*arrays: Array) -> None:
    """Enqueues what the arrays wait for, fused, and returns without waiting for the device.

    Arrays are evaluated by themselves when a value is needed; this says that now is a good time.
    Raises CompileError or OutOfMemoryError if that is what happens.

    >>> y = x * 2 + 1
    >>> hd.eval(y)
    """
    _check(arrays, "eval")
    evaluate(*arrays)


def explain(*arrays: Array) -> Explanation:
    """The kernels that evaluating the arrays would launch, with the bytes that each moves and its
    source. Evaluates nothing.

    >>> hd.explain(x * y + 1)
    1 kernel
    1. elementwise over (1000,): multiply, add
       reads 8,000 bytes, writes 4,000
    """
    _check(arrays, "explain")
    return Explanation(ExplainedKernel(*kernel) for kernel in explain_arrays(*arrays))


__all__ = ["ExplainedKernel", "Explanation", "eval", "explain"]
