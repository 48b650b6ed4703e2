"""Products of matrices, planned once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from heald import _heald
from heald._heald import Array, MatmulPlan


class Matmul(MatmulPlan):
    """A plan for alpha * (a @ b) + beta * c and an epilogue, for operands of fixed shapes and
    dtypes. It holds no operands and may be used from several threads.

    `a` and `b` are arrays or shapes; shapes need `dtype`, the operands'. Operands may have one
    axis, as in numpy.matmul, and leading axes broadcast.

    out_dtype: of the result; default: the operands' promoted one.
    multiply: in which products of float32 operands are taken: "float32", "tf32" (GPU), "float16"
        or "bfloat16".
    accumulate: dtype of the sums; default: float32 for 16 bits, else the operands' own.
    epilogue: made by heald.epilogue; a list is a chain.
    exact: the whole epilogue sees the sum before it is rounded to the result's dtype.
    prologue_a, prologue_b: functions of an operand in operations of heald, applied before it is
        multiplied.
    tuning: "measure" times a GPU library's algorithms as the plan is made, where the product is
        large enough for that to pay, and stores the choice for later processes; "heuristic" takes
        a stored choice or the library's first.
    workspace_limit: bytes of GPU memory that a library may use for scratch.

    ValueError for shapes that do not fit, TypeError for dtypes, UnavailableError for what the
    device lacks.

    >>> plan = hd.Matmul((3, 4), (4, 2), dtype="float32")
    >>> plan.execute(hd.ones((3, 4), "float32"), hd.ones((4, 2), "float32")).shape
    (3, 2)
    """

    def __init__(
        self,
        a: Any,
        b: Any,
        *,
        dtype: Any = None,
        out_dtype: Any = None,
        multiply: str | None = None,
        accumulate: Any = None,
        epilogue: Any = None,
        exact: bool = False,
        prologue_a: Callable[[Array], Array] | None = None,
        prologue_b: Callable[[Array], Array] | None = None,
        conjugate_a: bool = False,
        conjugate_b: bool = False,
        tuning: str = "measure",
        workspace_limit: int = 32 << 20,
        device: Any = None,
    ) -> None:
        begin = time.perf_counter()
        super().__init__(
            a,
            b,
            dtype=dtype,
            out_dtype=out_dtype,
            multiply=multiply,
            accumulate=accumulate,
            epilogue=epilogue,
            exact=exact,
            prologue_a=prologue_a,
            prologue_b=prologue_b,
            conjugate_a=conjugate_a,
            conjugate_b=conjugate_b,
            tuning=tuning,
            workspace_limit=workspace_limit,
            device=device,
        )
        import logging  # slow to import, and mostly not wanted

        log = logging.getLogger("heald.matmul")
        if log.isEnabledFor(logging.INFO):
            milliseconds = 1e3 * (time.perf_counter() - begin)
            log.info(
                "planned in %.3f ms, %.4g FLOP: %s", milliseconds, self.flop, self.explain().strip()
            )


class deterministic:
    """hd.deterministic(True): from now on products give the same bits at each call, whatever other
    work runs. As a context manager, within the block.

    >>> with hd.deterministic(True):
    ...     y = hd.matmul(hd.ones((2, 3)), hd.ones((3, 4)))
    """

    def __init__(self, wanted: bool = True) -> None:
        self._before = _heald.set_deterministic(bool(wanted))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        _heald.set_deterministic(self._before)


__all__ = ["Matmul", "deterministic"]
