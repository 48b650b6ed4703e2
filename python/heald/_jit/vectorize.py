"""hd.vectorize and hd.guvectorize: functions of numbers, or of small arrays, over whole arrays."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from heald import _arguments
from heald._heald import Array
from heald._jit import cuda
from heald._jit.errors import JitError
from heald._jit.function import Function
from heald._jit.intrinsics import handles
from heald._jit.kernel import JitKernel, Options
from heald._jit.source import Source
from heald._jit.types import (
    WEAK_BOOL,
    WEAK_COMPLEX,
    WEAK_FLOAT,
    WEAK_INT,
    Scalar,
    dtype_scalar,
    numpy_dtype,
)
from heald._jit.unit import Unit
from heald._jit.value import INT64_RANGE, Value

_WEAK = {bool: WEAK_BOOL, int: WEAK_INT, float: WEAK_FLOAT, complex: WEAK_COMPLEX}


class Vectorized:
    """A function of numbers that takes arrays, with broadcasting; made by hd.vectorize."""

    def __init__(self, function: Callable[..., Any], signatures: Sequence[Any]) -> None:
        self.py_func = function
        self.__name__: str = function.__name__
        functools.update_wrapper(self, function)
        self.signatures = [_read_signature(s) for s in signatures]
        self._kernels: dict[int, JitKernel] = {}
        self._results: dict[Any, Scalar] = {}

    def __call__(self, *operands: Any, out: Array | None = None) -> Any:
        name = self.__name__
        given = _arguments.operands(operands, name)
        arrays = [x for x in given if isinstance(x, Array)]
        if not arrays:
            return self.py_func(*operands)
        kinds = [_kind_of(x) for x in given]
        result, wanted = self._loop(kinds)
        given = [_converted(x, kind) for x, kind in zip(given, wanted)]
        shape = np.broadcast_shapes(*(x.shape for x in arrays))
        return self._run(given, shape, numpy_dtype(result), out)

    def _run(self, given: list[Any], shape: tuple[int, ...], dtype: np.dtype, out: Any) -> Array:
        import heald as hd

        device = next(x.device for x in given if isinstance(x, Array))
        if out is not None and (out.shape != shape or out.dtype != dtype):
            raise ValueError(
                f"[{self.__name__}] out must have shape {shape} and dtype {dtype}, has {out.shape} "
                f"and {out.dtype}"
            )
        with device:
            target = hd.empty(shape, dtype=dtype) if out is None else out
        if target.size == 0:
            return target
        views: list[Any] = [
            x if not isinstance(x, Array) or x.shape == shape else hd.broadcast_to(x, shape)
            for x in given
        ]
        ndim = len(shape)
        if ndim > 1 and all(_is_flat(x) for x in (target, *views)):
            flat = [x.reshape(-1) if isinstance(x, Array) else x for x in views]
            self._kernel(1).forall(target.size)(target.reshape(-1), *flat)
        elif ndim == 0:
            self._kernel(1).forall(1)(
                target.reshape(1), *(x.reshape(1) if isinstance(x, Array) else x for x in views)
            )
        else:
            self._kernel(ndim).forall(target.size)(target, *views)
        return target

    def _loop(self, kinds: list[Scalar]) -> tuple[Scalar, list[Scalar | None]]:
        """The result's type, and the operands' types after conversion (None: as they are)."""
        for result, parameters in self.signatures:
            if len(parameters) == len(kinds) and all(map(_fits, kinds, parameters)):
                return result, list(parameters)
        if self.signatures:
            raise TypeError(f"[{self.__name__}] no signature takes ({', '.join(map(str, kinds))})")
        key = tuple(kinds)
        if key not in self._results:
            self._results[key] = result_type(self.py_func, kinds)
        return self._results[key], [None] * len(kinds)

    def _kernel(self, ndim: int) -> JitKernel:
        kernel = self._kernels.get(ndim)
        if kernel is None:
            count = self.py_func.__code__.co_argcount
            kernel = self._kernels[ndim] = elementwise_kernel(self.py_func, ndim, count)
        return kernel

    def __repr__(self) -> str:
        return f"<heald.vectorize {self.__name__}>"


def elementwise_kernel(f: Callable[..., Any], ndim: int, count: int) -> JitKernel:
    """out[…] = f(a[…], …) over `ndim` axes; numbers stand for themselves."""
    # One thread an element; its place is taken apart from the last axis on.
    grid = cuda.grid  # type: ignore[attr-defined]

    at = _AT[ndim - 1] if ndim <= len(_AT) else None
    if at is None:
        raise ValueError(f"[hd.vectorize] takes arrays of up to {len(_AT)} dimensions, got {ndim}")
    if count > len(_CALLS):
        raise ValueError(f"[hd.vectorize] takes up to {len(_CALLS)} operands, got {count}")
    return _CALLS[count - 1](f, at, grid)


def _at1(x, i):  # type: ignore[no-untyped-def]
    return (i,)


def _at2(x, i):  # type: ignore[no-untyped-def]
    return i // x.shape[1], i % x.shape[1]


def _at3(x, i):  # type: ignore[no-untyped-def]
    k = i % x.shape[2]
    i //= x.shape[2]
    return i // x.shape[1], i % x.shape[1], k


def _at4(x, i):  # type: ignore[no-untyped-def]
    m = i % x.shape[3]
    i //= x.shape[3]
    k = i % x.shape[2]
    i //= x.shape[2]
    return i // x.shape[1], i % x.shape[1], k, m


_AT = [_at1, _at2, _at3, _at4]


def _item(x, place):  # type: ignore[no-untyped-def]
    """The element of an array; a number itself."""
    return x[place]


@handles(_item)
def _translate_item(fn: Any, call: Any) -> Value:
    x, place = call.arguments
    if isinstance(x.type, Scalar):
        return x
    return fn.element(x, fn.place(x, list(fn.tuple_items(place))))


def _calls() -> list[Callable[..., JitKernel]]:
    """Kernels of one to four operands."""

    def one(f: Any, at: Any, grid: Any) -> JitKernel:
        def kernel(out, a):  # type: ignore[no-untyped-def]
            i = grid(1)
            if i < out.size:
                p = at(out, i)
                out[p] = f(_item(a, p))

        return JitKernel(kernel, Options())

    def two(f: Any, at: Any, grid: Any) -> JitKernel:
        def kernel(out, a, b):  # type: ignore[no-untyped-def]
            i = grid(1)
            if i < out.size:
                p = at(out, i)
                out[p] = f(_item(a, p), _item(b, p))

        return JitKernel(kernel, Options())

    def three(f: Any, at: Any, grid: Any) -> JitKernel:
        def kernel(out, a, b, c):  # type: ignore[no-untyped-def]
            i = grid(1)
            if i < out.size:
                p = at(out, i)
                out[p] = f(_item(a, p), _item(b, p), _item(c, p))

        return JitKernel(kernel, Options())

    def four(f: Any, at: Any, grid: Any) -> JitKernel:
        def kernel(out, a, b, c, d):  # type: ignore[no-untyped-def]
            i = grid(1)
            if i < out.size:
                p = at(out, i)
                out[p] = f(_item(a, p), _item(b, p), _item(c, p), _item(d, p))

        return JitKernel(kernel, Options())

    return [one, two, three, four]


_CALLS = _calls()


def result_type(function: Callable[..., Any], kinds: Sequence[Scalar]) -> Scalar:
    """The dtype of what the function returns for numbers of these types."""
    unit = Unit(False, Options())
    parameters = [Value(k, range=INT64_RANGE if k == WEAK_INT else None) for k in kinds]
    made = Function(unit, Source(function), parameters, is_kernel=False)  # type: ignore[arg-type]
    unit.stack.append(made)
    made.translate()
    if not isinstance(made.result, Scalar):
        raise JitError(f"[hd.vectorize] {function.__name__} returns {made.result}, not a number")
    return made.result.strong


def vectorize(signatures: Any = None, **options: Any) -> Any:
    """Makes a function of arrays of a function of numbers: it broadcasts as a NumPy ufunc does, and
    computes all elements in one kernel. `signatures`, such as ["float32(float32, float32)"], are
    tried in order; without them the types are those of the operands. Options of numpy.vectorize
    and numba.vectorize that change nothing here are accepted.

    >>> @hd.vectorize
    ... def clipped(x, limit):
    ...     return min(x, limit)
    >>> clipped(hd.array([1.0, 5.0]), 2)
    """
    unknown = set(options) - {"nopython", "target", "cache", "identity", "otypes", "doc"}
    if unknown:
        raise TypeError(f"[hd.vectorize] there is no option {', '.join(sorted(unknown))}")
    if callable(signatures) and not isinstance(signatures, type):
        return Vectorized(_plain(signatures), [])
    listed = [signatures] if isinstance(signatures, str) else list(signatures or [])
    return lambda function: Vectorized(_plain(function), listed)


class GeneralizedUfunc:
    """A function of small arrays over the leading axes of large ones; made by hd.guvectorize."""

    def __init__(
        self, function: Callable[..., Any], layout: str, signatures: Sequence[Any]
    ) -> None:
        self.py_func = function
        self.__name__: str = function.__name__
        functools.update_wrapper(self, function)
        self.layout = layout
        self.inputs, self.outputs = _read_layout(layout)
        self.dtypes = [_array_dtypes(s) for s in signatures]
        self._kernel: JitKernel | None = None

    def __call__(self, *arguments: Any, out: Any = None, dtype: Any = None) -> Any:
        import heald as hd

        name = self.__name__
        count = len(self.inputs)
        if len(arguments) == count + len(self.outputs):
            arguments, out = arguments[:count], arguments[count:]
        if len(arguments) != count:
            raise TypeError(f"[{name}] takes {count} arrays, got {len(arguments)}")
        device = _arguments.device_of(*arguments)
        arrays = [_arguments.array_argument(x, name, device) for x in arguments]
        sizes, loops = self._sizes(arrays)
        shape = np.broadcast_shapes(*loops)
        outs = [out] if isinstance(out, Array) else list(out or [])
        wanted = self._dtypes(arrays, dtype)
        with arrays[0].device:
            for k, core in enumerate(self.outputs[len(outs) :], len(outs)):
                outs.append(hd.empty((*shape, *(sizes[d] for d in core)), dtype=wanted[k]))
        total = math.prod(shape)
        if total:
            views = [_flat_loop(x, shape, len(core), total) for x, core in zip(arrays, self.inputs)]
            targets = [x.reshape((total, *x.shape[len(shape) :])) for x in outs]
            self._launch(total, views, targets)
        return outs[0] if len(outs) == 1 else tuple(outs)

    def _sizes(self, arrays: list[Array]) -> tuple[dict[str, int], list[tuple[int, ...]]]:
        sizes: dict[str, int] = {}
        loops = []
        for x, core in zip(arrays, self.inputs):
            if x.ndim < len(core):
                raise ValueError(
                    f"[{self.__name__}] an array of shape {x.shape} for ({', '.join(core)})"
                )
            split = x.ndim - len(core)
            loops.append(x.shape[:split])
            for label, length in zip(core, x.shape[split:]):
                if sizes.setdefault(label, length) != length:
                    raise ValueError(
                        f"[{self.__name__}] the axis {label} is {sizes[label]} and {length} long"
                    )
        return sizes, loops

    def _dtypes(self, arrays: list[Array], dtype: Any) -> list[Any]:
        if dtype is not None:
            return [dtype] * len(self.outputs)
        for row in self.dtypes:
            if all(np.can_cast(x.dtype, t) for x, t in zip(arrays, row)):
                return list(row[len(arrays) :])
        return [np.result_type(*(x.dtype for x in arrays))] * len(self.outputs)

    def _launch(self, total: int, views: list[Array], targets: list[Array]) -> None:
        if self._kernel is None:
            self._kernel = _row_kernel(
                self.py_func,
                tuple(len(core) == 0 for core in self.inputs),
                tuple(len(core) == 0 for core in self.outputs),
            )
        self._kernel.forall(total)(total, tuple(views), tuple(targets))

    def __repr__(self) -> str:
        return f"<heald.guvectorize {self.__name__} {self.layout}>"


def _row_kernel(f: Any, inputs: tuple[bool, ...], outputs: tuple[bool, ...]) -> JitKernel:
    """Calls f with a row of every array. A row without axes is a number, and an array of one
    element where it is written."""
    grid = cuda.grid  # type: ignore[attr-defined]

    def row(x, i):  # type: ignore[no-untyped-def]
        return x[i]

    def place(x, i):  # type: ignore[no-untyped-def]
        return x[i : i + 1]

    count = len(inputs)
    writers = tuple(place if is_number else row for is_number in outputs)
    if (count, len(outputs)) not in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2)):
        raise ValueError("[hd.guvectorize] takes up to 3 inputs and 1 output, or 2 and 2")

    def kernel(total, xs, outs):  # type: ignore[no-untyped-def]
        i = grid(1)
        if i < total:
            if len(writers) == 1:
                if count == 1:
                    f(row(xs[0], i), writers[0](outs[0], i))
                elif count == 2:
                    f(row(xs[0], i), row(xs[1], i), writers[0](outs[0], i))
                else:
                    f(row(xs[0], i), row(xs[1], i), row(xs[2], i), writers[0](outs[0], i))
            elif count == 1:
                f(row(xs[0], i), writers[0](outs[0], i), writers[1](outs[1], i))
            else:
                f(row(xs[0], i), row(xs[1], i), writers[0](outs[0], i), writers[1](outs[1], i))

    return JitKernel(kernel, Options())


def guvectorize(*arguments: Any, **options: Any) -> Any:
    """Makes a generalized ufunc: a function that fills its last arguments, over the leading axes of
    arrays. The layout is NumPy's: "(n),(n)->()". Signatures such as
    "void(float32[:], float32[:], float32[:])" give the outputs' dtypes; else they are the promoted
    dtype of the inputs, or `dtype=` of the call.

    >>> @hd.guvectorize("(n),(n)->()")
    ... def dot(a, b, out):
    ...     s = 0.0
    ...     for x, y in zip(a, b):
    ...         s += x * y
    ...     out[0] = s
    >>> dot(a, b)
    """
    layout = next((a for a in reversed(arguments) if isinstance(a, str) and "->" in a), None)
    if layout is None:
        raise TypeError('[hd.guvectorize] a layout such as "(n),(n)->()" is missing')
    rest = [a for a in arguments if a is not layout]
    signatures = rest[0] if rest else []
    listed = [signatures] if isinstance(signatures, (str, tuple)) else list(signatures)
    return lambda function: GeneralizedUfunc(_plain(function), layout, listed)


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def _is_flat(x: Any) -> bool:
    return not isinstance(x, Array) or x.is_c_contiguous


def _kind_of(x: Any) -> Scalar:
    if isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic):
        return _WEAK[type(x)]
    kind = dtype_scalar(x.dtype)
    if kind is None:
        raise TypeError(f"[hd.vectorize] there are no elements of {x.dtype}")
    return kind


def _converted(x: Any, kind: Scalar | None) -> Any:
    if kind is None:
        return x
    dtype = numpy_dtype(kind)
    if isinstance(x, Array):
        return x if x.dtype == dtype else x.astype(dtype)
    return dtype.type(x)


def _fits(given: Scalar, parameter: Scalar) -> bool:
    if given.weak:
        return "biufc".index(given.kind.replace("u", "i")) <= "biufc".index(parameter.kind)
    return bool(np.can_cast(numpy_dtype(given), numpy_dtype(parameter)))


def _read_signature(signature: Any) -> tuple[Scalar, tuple[Scalar, ...]]:
    match = re.fullmatch(r"\s*(\w+)\s*\(([\w\s,]*)\)\s*", str(signature))
    if match is None:
        raise ValueError(f"[hd.vectorize] '{signature}' is no signature: 'float32(float32, int32)'")
    kinds = [_scalar(name) for name in (match[1], *filter(None, re.split(r"[\s,]+", match[2])))]
    return kinds[0], tuple(kinds[1:])


def _scalar(name: str) -> Scalar:
    short = {"f4": "float32", "f8": "float64", "i4": "int32", "i8": "int64", "boolean": "bool"}
    kind = dtype_scalar(short.get(name, name))
    if kind is None:
        raise ValueError(f"[hd.vectorize] '{name}' is no dtype")
    return kind


def _array_dtypes(signature: Any) -> list[np.dtype]:
    names = re.findall(r"(\w+)\s*(?:\[[^\]]*\])?\s*[,)]", str(signature))
    return [numpy_dtype(_scalar(name)) for name in names]


def _read_layout(layout: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    sides = layout.split("->")
    if len(sides) != 2:
        raise ValueError(f"[hd.guvectorize] '{layout}' is no layout: \"(n),(n)->()\"")
    both = []
    for side in sides:
        groups = re.findall(r"\(([^()]*)\)", side)
        both.append([tuple(filter(None, re.split(r"[\s,]+", group))) for group in groups])
    return both[0], both[1]


def _flat_loop(x: Array, shape: tuple[int, ...], core: int, total: int) -> Array:
    """The array with its loop axes broadcast and joined."""
    import heald as hd

    tail = x.shape[x.ndim - core :]
    whole = (*shape, *tail)
    wide = x if x.shape == whole else hd.broadcast_to(x, whole)
    return wide.reshape((total, *tail))
