"""Kernels of one's own on arrays, written as an expression of an element, and named expressions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from heald._arguments import axes_tuple
from heald._heald import (
    Array,
    ElementwiseFunction,
    InvalidValueError,
    ReductionFunction,
    TypeMismatchError,
)
from heald._lazy import Explanation, explain


class ElementwiseKernel:
    """What hd.elementwise makes. Calling it with arrays records the operation."""

    def __init__(self, function: ElementwiseFunction, name: str) -> None:
        self._function = function
        self.name = name

    def __call__(self, *args: Any, size: Any = None) -> Any:
        """The output, or a tuple of them. `args` are the inputs, which broadcast, and after them
        output arrays or none. `size` is the shape if every array is raw.

        Raises CompileError with the line of the text that is wrong, TypeMismatchError for an
        argument of another dtype than its parameter, InvalidValueError for shapes that do not
        broadcast and arrays of different devices.
        """
        results = self._function.call(*args, size=size)
        return results[0] if len(results) == 1 else results

    def explain(self, *args: Any, size: Any = None) -> Explanation:
        """The kernels that evaluating a call would launch, as hd.explain."""
        return explain(*self._function.call(*args, size=size))

    def __repr__(self) -> str:
        return f"<hd.elementwise {self.name}>"


class ReductionKernel:
    """What hd.reduction makes. Calling it with arrays records the operation."""

    def __init__(self, function: ReductionFunction, name: str) -> None:
        self._function = function
        self.name = name

    def __call__(
        self, *args: Any, axis: Any = None, keepdims: bool = False, out: Array | None = None
    ) -> Array:
        """Folds the inputs, which broadcast, over `axis` (an int, a tuple, or None: all).

        Raises CompileError with the line of the text that is wrong, and AxisError, as NumPy.
        """
        shapes = [x.shape for x in args if isinstance(x, Array)]
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            listed = " ".join(str(one) for one in shapes)
            raise InvalidValueError(
                f"[{self.name}] operands could not be broadcast together with shapes {listed}"
            ) from None
        axes = list(axes_tuple(axis, len(shape)))
        if out is not None and not isinstance(out, Array):
            raise TypeMismatchError(f"[{self.name}] out must be an hd.Array")
        return self._function.call(*args, axes=axes, keepdims=keepdims, out=out)

    def explain(self, *args: Any, **options: Any) -> Explanation:
        """The kernels that evaluating a call would launch, as hd.explain."""
        return explain(self(*args, **options))

    def __repr__(self) -> str:
        return f"<hd.reduction {self.name}>"


def elementwise(
    in_params: str,
    out_params: str,
    operation: str,
    name: str = "elementwise",
    preamble: str = "",
) -> ElementwiseKernel:
    """A kernel of CUDA C++ for each element, with CuPy's conventions.

    Parameters are written as in "T x, float32 y, raw T table": a dtype, or a letter that stands for
    the dtype of its argument, and a name. `operation` gives values to the outputs, which begin as
    0. In it, `i` is the element's number in C order, `n` their count, `_ind.get()[axis]` a
    coordinate of it, and letters are types. Values of float16 and bfloat16 are floats there. Inputs
    broadcast. A call is recorded like any operation, and fused with those around it; with a `raw`
    parameter, which the text indexes by itself, it is enqueued at once. `preamble` is put in front:
    #include lines and functions.

    >>> scaled = hd.elementwise("T x, T y", "T z", "z = x * y + 1", "scaled")
    >>> scaled(hd.arange(4.0), 2.0)
    """
    return ElementwiseKernel(
        ElementwiseFunction(in_params, out_params, operation, name, preamble), name
    )


def reduction(
    in_params: str,
    out_params: str,
    map_expr: str,
    reduce_expr: str,
    post_map_expr: str,
    identity: Any,
    name: str = "reduction",
    reduce_type: str = "",
    preamble: str = "",
) -> ReductionKernel:
    """A reduction, with CuPy's conventions: `map_expr` is an expression of the inputs,
    `reduce_expr` one of two values `a` and `b`, `post_map_expr` gives the output from `a` (empty:
    it is a), `identity` is a value that changes none that it is folded with. Values are folded in
    `reduce_type`, else in the output's dtype. The order of a fold depends on the shape alone, but
    a and b may come either way round.

    >>> norm = hd.reduction("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    >>> norm(hd.asarray([3.0, 4.0]))
    """
    if identity is None:
        raise InvalidValueError(f"[{name}] say what a fold of no elements is: identity='0'")
    function = ReductionFunction(
        in_params,
        out_params,
        map_expr,
        reduce_expr,
        post_map_expr,
        str(identity),
        name,
        reduce_type or "",
        preamble,
    )
    return ReductionKernel(function, name)


def _arrays_of(value: Any) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays_of(item)
    elif isinstance(value, dict):
        yield from _arrays_of(list(value.values()))


class FusedFunction:
    """What hd.fuse makes of a function: the same function, that can be looked into."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function = function
        self.name = name
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """The kernels that a call with these arguments would launch; computes nothing of it.
        Pending arguments are evaluated first, so that the kernels are the function's own."""
        from heald._lazy import eval

        eval(*_arrays_of((args, kwargs)))
        return explain(*_arrays_of(self._function(*args, **kwargs)))

    def source(self, *args: Any, **kwargs: Any) -> str:
        """CUDA C++ of the kernels of a call with these arguments."""
        return "\n".join(kernel.source for kernel in self.explain(*args, **kwargs))

    def __repr__(self) -> str:
        return f"<hd.fuse {self.name}>"


def fuse(function: Callable[..., Any] | None = None, *, kernel_name: str | None = None) -> Any:
    """Names a function of arrays whose kernels one wants to see. Operations on arrays are fused
    with or without it: a call records the function's expression, whatever the arguments' shapes,
    and numbers work too.

    >>> @hd.fuse
    ... def smooth(x, y):
    ...     return hd.exp(-x * x) * y
    >>> smooth.explain(x, y)
    """
    if function is None:
        return functools.partial(fuse, kernel_name=kernel_name)
    if not callable(function):
        raise TypeMismatchError(f"[fuse] expected a function, got {type(function).__name__}")
    return FusedFunction(function, kernel_name or str(getattr(function, "__name__", "fused")))


__all__ = [
    "ElementwiseKernel",
    "FusedFunction",
    "ReductionKernel",
    "elementwise",
    "fuse",
    "reduction",
]
