"""Plans with operations fused before and after the transform."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from heald._arguments import array_argument
from heald._heald import Array, Device, FFTPlan

_KINDS = {"c2c": 0, "r2c": 1, "c2r": 2}


class FFT:
    """A transform of arrays of one shape and dtype.

    `axes` are all by default, `n` the points along each (as `s` in hd.fft.fftn), `kind` is "c2c",
    "r2c" (real input, half of the result) or "c2r", `norm` as in hd.fft.fft.

    `prologue` and `epilogue` are Python functions `f(value, index, *operands)` over heald
    expressions that work element by element: `value` are the elements before (after) the transform,
    `index` has an int64 array for each axis, shaped to broadcast, and `operands` are what execute()
    is given. Each becomes one fused pass; on a CPU over parts of the batch that stay in its
    caches, so that what the function gets may be a part of what execute() was given.

    >>> window = hd.hanning(256)
    >>> plan = hd.FFT((1000, 256), "float64", axes=(1,), kind="r2c",
    ...               prologue=lambda v, i, w: v * w, epilogue=lambda v, i: hd.abs(v))
    >>> plan.execute(x, prologue_operands=(window,)).dtype
    dtype('float64')

    ValueError: axes or lengths that are not possible, an unknown kind or norm.
    """

    def __init__(
        self,
        shape: int | Sequence[int],
        dtype: Any = "complex128",
        *,
        axes: int | Sequence[int] | None = None,
        kind: str = "c2c",
        n: Sequence[int] | None = None,
        norm: str | None = None,
        prologue: Callable[..., Array] | None = None,
        epilogue: Callable[..., Array] | None = None,
    ) -> None:
        if kind not in _KINDS:
            raise ValueError(f"[FFT] kind must be 'c2c', 'r2c' or 'c2r', got {kind!r}")
        for name, function in (("prologue", prologue), ("epilogue", epilogue)):
            if function is not None and not callable(function):
                raise TypeError(f"[FFT] {name} must be a function, got {type(function).__name__}")
        self.kind = kind
        self.norm = norm
        self._plan = FFTPlan.make(
            shape,
            dtype,
            [axes] if isinstance(axes, int) else None if axes is None else list(axes),
            _KINDS[kind],
            None if n is None else list(n),
            norm,
            prologue,
            epilogue,
        )

    def execute(
        self,
        x: Array,
        *,
        direction: str | None = None,
        out: Array | None = None,
        prologue_operands: Sequence[Any] = (),
        epilogue_operands: Sequence[Any] = (),
    ) -> Array:
        """The transform of `x`, enqueued on its stream.

        `direction` is "forward" or "inverse", by default forward, for c2r inverse. `out` gets the
        result; it may be `x` itself. Operands are arrays, tensors or numbers that broadcast to the
        input's shape (prologue) and the result's (epilogue). ValueError for another shape or dtype
        than the plan's."""
        if direction is None:
            direction = "inverse" if self.kind == "c2r" else "forward"
        if direction not in ("forward", "inverse"):
            raise ValueError(
                f"[FFT.execute] direction must be 'forward' or 'inverse', got {direction!r}"
            )
        x = array_argument(x, "FFT.execute")
        before = [array_argument(one, "FFT.execute", x.device) for one in prologue_operands]
        after = [array_argument(one, "FFT.execute", x.device) for one in epilogue_operands]
        return self._plan.execute(x, direction == "inverse", out, before, after)

    __call__ = execute

    @property
    def result_shape(self) -> tuple[int, ...]:
        """The shape of what execute() gives."""
        return self._plan.result_shape

    def explain(self, device: Device | str | None = None) -> str:
        """What runs on a device (the current one by default), a line for each step."""
        return self._plan.explain(Device() if device is None else Device(device))
