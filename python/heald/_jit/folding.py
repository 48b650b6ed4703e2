"""hd.reduce and hd.scan: reductions and running results with a function written in Python."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from heald import _arguments
from heald._heald import Array
from heald._jit import cuda
from heald._jit.kernel import JitKernel, Options

_THREADS = 256
_MOST_BLOCKS = 256


def _fold_kernel(f: Any, dtype: Any) -> JitKernel:
    """Every block folds elements a grid apart, then its threads' results in pairs."""
    grid, gridsize, syncthreads = cuda.grid, cuda.gridsize, cuda.syncthreads  # type: ignore[attr-defined]
    thread, block, size = cuda.threadIdx, cuda.blockIdx, cuda.blockDim
    shared = cuda.shared
    threads = _THREADS

    def fold(x, out):  # type: ignore[no-untyped-def]
        part = shared.array(threads, dtype)
        t = thread.x
        i = grid(1)
        if i < x.size:
            result = x[i]
            for k in range(i + gridsize(1), x.size, gridsize(1)):
                result = f(result, x[k])
            part[t] = result
        syncthreads()
        # What the last block has too few elements for takes no part.
        count = min(size.x, x.size - block.x * size.x)
        step = threads // 2
        while step > 0:
            if t < step and t + step < count:
                part[t] = f(part[t], part[t + step])
            syncthreads()
            step //= 2
        if t == 0:
            out[block.x] = part[0]

    return JitKernel(fold, Options())


class Reduction:
    """A reduction with a function of two numbers; made by hd.reduce."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__name__: str = function.__name__
        functools.update_wrapper(self, function)
        self._kernels: dict[Any, JitKernel] = {}

    def __call__(self, array: Any, init: Any = None) -> Any:
        """The fold of all elements, and of `init` where it is given, as an array without axes.
        Raises ValueError for an empty array without `init`."""
        import heald as hd

        x = _arguments.array_argument(array, self.__name__).reshape(-1)
        if x.size == 0:
            if init is None:
                raise ValueError(f"[{self.__name__}] an empty array has no result without init=")
            return hd.full((), init, dtype=x.dtype, device=x.device)
        kernel = self._kernels.get(x.dtype)
        if kernel is None:
            kernel = self._kernels[x.dtype] = _fold_kernel(self.py_func, x.dtype)
        if init is not None:
            x = hd.concatenate([hd.full(1, init, dtype=x.dtype, device=x.device), x])
        while x.size > 1:
            blocks = min(_MOST_BLOCKS, -(-x.size // _THREADS))
            with x.device:
                out = hd.empty(blocks, dtype=x.dtype)
            kernel[blocks, _THREADS](x, out)
            x = out
        return x.reshape(())

    def __repr__(self) -> str:
        return f"<heald.reduce {self.__name__}>"


def reduce(function: Any) -> Reduction:
    """Makes a reduction of a function of two numbers, which has to be associative and commutative:
    elements are folded in an order that depends on their number only.

    >>> largest = hd.reduce(lambda a, b: max(a, b))
    >>> largest(hd.array([1.0, 5.0, 2.0]))
    """
    return Reduction(getattr(function, "py_func", function))


def _scan_kernels(f: Any, dtype: Any) -> tuple[JitKernel, JitKernel]:
    grid, syncthreads = cuda.grid, cuda.syncthreads  # type: ignore[attr-defined]
    thread, block = cuda.threadIdx, cuda.blockIdx
    shared = cuda.shared
    threads = _THREADS

    def within_blocks(x, out, totals):  # type: ignore[no-untyped-def]
        part = shared.array(threads, dtype)
        t = thread.x
        i = grid(1)
        if i < x.size:
            part[t] = x[i]
        syncthreads()
        step = 1
        while step < threads:
            value = part[t]
            if t >= step and i < x.size:
                value = f(part[t - step], value)
            syncthreads()
            part[t] = value
            syncthreads()
            step *= 2
        if i < x.size:
            out[i] = part[t]
            if t == threads - 1 or i == x.size - 1:
                totals[block.x] = part[t]

    def add_totals(totals, out):  # type: ignore[no-untyped-def]
        i = grid(1)
        if block.x > 0 and i < out.size:
            out[i] = f(totals[block.x - 1], out[i])

    return JitKernel(within_blocks, Options()), JitKernel(add_totals, Options())


class Scan:
    """Running results of a function of two numbers; made by hd.scan."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__name__: str = function.__name__
        functools.update_wrapper(self, function)
        self._kernels: dict[Any, tuple[JitKernel, JitKernel]] = {}

    def __call__(self, array: Any) -> Array:
        """x[0], f(x[0], x[1]), … of the elements in C order, in one dimension."""
        import heald as hd

        x = _arguments.array_argument(array, self.__name__).reshape(-1)
        kernels = self._kernels.get(x.dtype)
        if kernels is None:
            kernels = self._kernels[x.dtype] = _scan_kernels(self.py_func, x.dtype)
        with x.device:
            out = hd.empty(x.size, dtype=x.dtype)
            if x.size == 0:
                return out
            blocks = -(-x.size // _THREADS)
            totals = hd.empty(blocks, dtype=x.dtype)
        kernels[0][blocks, _THREADS](x, out, totals)
        if blocks > 1:
            kernels[1][blocks, _THREADS](self(totals), out)
        return out

    def __repr__(self) -> str:
        return f"<heald.scan {self.__name__}>"


def scan(function: Any) -> Scan:
    """Makes a scan of a function of two numbers, which has to be associative.

    >>> running_maximum = hd.scan(lambda a, b: max(a, b))
    >>> running_maximum(hd.array([1.0, 5.0, 2.0]))
    """
    return Scan(getattr(function, "py_func", function))
