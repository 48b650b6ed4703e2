"""Runs a kernel's Python function as plain Python: a call for each thread. Kernels whose threads wait
for each other get a Python thread each."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import heald as hd

_here = threading.local()


class Place:
    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, axis: str) -> int:
        return int(getattr(_here, self.name)["xyz".index(axis)])


def _position(axis: int) -> int:
    return _here.blockIdx[axis] * _here.blockDim[axis] + _here.threadIdx[axis]


def grid(ndim: int) -> Any:
    places = tuple(_position(axis) for axis in range(ndim))
    return places[0] if ndim == 1 else places


def gridsize(ndim: int) -> Any:
    sizes = tuple(_here.gridDim[axis] * _here.blockDim[axis] for axis in range(ndim))
    return sizes[0] if ndim == 1 else sizes


class Atomic:
    """Read, change, write, one thread at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def operation(array: Any, index: Any, value: Any) -> Any:
            with self.lock:
                old = array[index]
                array[index] = {
                    "add": lambda: old + value, "sub": lambda: old - value,
                    "max": lambda: max(old, value), "min": lambda: min(old, value),
                    "and_": lambda: old & value, "or_": lambda: old | value,
                    "xor": lambda: old ^ value, "exch": lambda: value,
                }[name]()  # fmt: skip
                return old

        return operation

    def cas(self, array: Any, index: Any, compare: Any, value: Any) -> Any:
        with self.lock:
            old = array[index]
            if old == compare:
                array[index] = value
            return old


class Shared:
    """The same array for every thread of a block: the n-th call of a thread gives the n-th array."""

    def array(self, shape: Any, dtype: Any) -> np.ndarray:
        block = _here.block
        with block["lock"]:
            at = _here.shared_calls
            _here.shared_calls += 1
            while len(block["shared"]) <= at:
                block["shared"].append(np.zeros(shape, dtype))
            return block["shared"][at]


class Local:
    def array(self, shape: Any, dtype: Any) -> np.ndarray:
        return np.zeros(shape, dtype)


def run(function: Callable[..., None], blocks: Any, threads: Any, *arguments: Any) -> None:
    """function[blocks, threads](*arguments) on NumPy arrays."""
    grid_shape = _triple(blocks)
    block_shape = _triple(threads)
    waits = "syncthreads" in function.__code__.co_names
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        for name, thing in {
            "grid": grid, "gridsize": gridsize, "threadIdx": Place("threadIdx"),
            "blockIdx": Place("blockIdx"), "blockDim": Place("blockDim"), "gridDim": Place("gridDim"),
            "atomic": Atomic(), "shared": Shared(), "local": Local(),
            "syncthreads": lambda: _here.block["barrier"].wait(30),
        }.items():  # fmt: skip
            patch.setattr(hd.cuda, name, thing)
        for block in _places(grid_shape):
            _run_block(function, block, grid_shape, block_shape, waits, arguments)


def _run_block(
    function: Any, block: Any, grid_shape: Any, block_shape: Any, waits: bool, arguments: Any
) -> None:
    count = int(np.prod(block_shape))
    state = {"lock": threading.Lock(), "shared": [], "barrier": threading.Barrier(count)}
    failures: list[BaseException] = []

    def one(thread: Any) -> None:
        _here.blockIdx, _here.threadIdx = block, thread
        _here.gridDim, _here.blockDim = grid_shape, block_shape
        _here.block, _here.shared_calls = state, 0
        try:
            with np.errstate(all="ignore"):
                function(*arguments)
        except BaseException as failure:
            failures.append(failure)
            state["barrier"].abort()

    if waits:
        workers = [threading.Thread(target=one, args=(t,)) for t in _places(block_shape)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    else:
        for thread in _places(block_shape):
            one(thread)
    if failures:
        raise failures[0]


def _triple(sizes: Any) -> tuple[int, int, int]:
    sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    return (*sizes, *(1,) * (3 - len(sizes)))


def _places(shape: tuple[int, int, int]) -> Any:
    for z, y, x in itertools.product(range(shape[2]), range(shape[1]), range(shape[0])):
        yield (x, y, z)
