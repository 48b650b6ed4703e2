"""hd.cuda: what kernels have besides Python, under the names that Numba gives it. None of it can be
called outside of a kernel."""

from __future__ import annotations

from typing import Any

from heald._jit.types import WEAK_INT, Scalar


class DeviceFunction:
    """A function of kernels only."""

    def __init__(self, name: str, doc: str = "") -> None:
        self.__name__ = name
        self.__doc__ = doc

    def __call__(self, *_: object, **__: object) -> Any:
        raise RuntimeError(f"[hd.cuda.{self.__name__}] can only be called in a kernel (@hd.jit)")

    def __repr__(self) -> str:
        return f"<heald.cuda.{self.__name__}>"


class Position:
    """threadIdx, blockIdx, blockDim, gridDim: .x, .y and .z in a kernel."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name in ("x", "y", "z"):
            raise RuntimeError(f"[hd.cuda.{self.__name__}] has values only in a kernel (@hd.jit)")
        raise AttributeError(name)

    def __repr__(self) -> str:
        return f"<heald.cuda.{self.__name__}>"


class Number:
    """A number that a kernel has, such as laneid."""

    def __init__(self, name: str, code: str, bounds: tuple[int, int]) -> None:
        self.__name__, self.code, self.bounds = name, code, bounds

    def __repr__(self) -> str:
        return f"<heald.cuda.{self.__name__}>"


class Namespace:
    """hd.cuda.shared and the like."""

    def __init__(self, name: str, functions: dict[str, str]) -> None:
        self.__name__ = name
        for function, doc in functions.items():
            setattr(self, function, DeviceFunction(f"{name}.{function}", doc))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"hd.cuda.{self.__name__} has no {name!r}")


threadIdx = Position("threadIdx")
blockIdx = Position("blockIdx")
blockDim = Position("blockDim")
gridDim = Position("gridDim")
laneid = Number(
    "laneid",
    "(int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31)",
    (0, 31),
)
warpsize = 32

shared = Namespace(
    "shared", {"array": "array(shape, dtype): memory of the block; shape 0 is the launch's own."}
)
local = Namespace("local", {"array": "array(shape, dtype): memory of the thread."})
const = Namespace("const", {"array_like": "array_like(a): a NumPy array in constant memory."})
atomic = Namespace(
    "atomic",
    {
        name: f"{name}(array, index, value): the old value."
        for name in (
            "add",
            "sub",
            "max",
            "min",
            "nanmax",
            "nanmin",
            "and_",
            "or_",
            "xor",
            "exch",
            "inc",
            "dec",
        )
    }
    | {
        "cas": "cas(array, index, compare, value): the old value.",
        "compare_and_swap": "compare_and_swap(array, compare, value): cas at index 0.",
    },
)
cg = Namespace(
    "cg", {"this_grid": "All blocks: .sync() waits for them.", "this_block": "The block."}
)
random = Namespace(
    "random",
    {
        "state": "state(seed, subsequence, offset=0): Philox 4x32-10, one a thread.",
        "uniform_float32": "uniform_float32(state): in [0, 1).",
        "uniform_float64": "uniform_float64(state): in [0, 1).",
        "normal_float32": "normal_float32(state): mean 0, deviation 1.",
        "normal_float64": "normal_float64(state): mean 0, deviation 1.",
        "uint32": "uint32(state): 32 random bits.",
    },
)

_DOCS = {
    "grid": "grid(ndim): this thread's place in the grid, an int or a tuple.",
    "gridsize": "gridsize(ndim): threads of the grid, an int or a tuple.",
    "syncthreads": "Waits for the block's threads.",
    "syncthreads_count": "Waits; in how many threads the predicate holds.",
    "syncthreads_and": "Waits; whether it holds in all.",
    "syncthreads_or": "Waits; whether it holds in any.",
    "syncwarp": "syncwarp(mask=all): waits for lanes of the warp.",
    "threadfence": "Orders memory for the device.",
    "threadfence_block": "Orders memory for the block.",
    "threadfence_system": "Orders memory for everybody.",
    "nanosleep": "nanosleep(ns)",
    "shfl_sync": "shfl_sync(mask, value, lane)",
    "shfl_up_sync": "shfl_up_sync(mask, value, delta)",
    "shfl_down_sync": "shfl_down_sync(mask, value, delta)",
    "shfl_xor_sync": "shfl_xor_sync(mask, value, lanemask)",
    "all_sync": "all_sync(mask, predicate)",
    "any_sync": "any_sync(mask, predicate)",
    "eq_sync": "eq_sync(mask, predicate): whether all agree",
    "ballot_sync": "ballot_sync(mask, predicate)",
    "match_any_sync": "match_any_sync(mask, value)",
    "match_all_sync": "match_all_sync(mask, value): (mask, whether all are equal)",
    "activemask": "Lanes that are here.",
    "lanemask_lt": "Lanes below this one.",
    "popc": "popc(x): bits set", "clz": "clz(x): leading zeros",
    "ffs": "ffs(x): place of the lowest bit, from 1",
    "brev": "brev(x): bits reversed", "cbrt": "cbrt(x)", "rsqrt": "rsqrt(x)", "fma": "fma(a, b, c)",
    "selp": "selp(test, a, b)", "sinpi": "sinpi(x)", "cospi": "cospi(x)", "fast_exp": "__expf",
}  # fmt: skip

_made: dict[str, DeviceFunction] = {name: DeviceFunction(name, doc) for name, doc in _DOCS.items()}
globals().update(_made)


def special_value(thing: Any, attribute: str) -> tuple[Scalar, str, int] | None:
    """(type, CUDA C++, least value) of threadIdx.x and its like."""
    if not isinstance(thing, Position) or attribute not in ("x", "y", "z"):
        return None
    least = 1 if thing.__name__ in ("blockDim", "gridDim") else 0
    return WEAK_INT, f"(int){thing.__name__}.{attribute}", least


def jit(*args: Any, **options: Any) -> Any:
    """The same as hd.jit."""
    from heald._jit.kernel import jit as the_same

    return the_same(*args, **options)
