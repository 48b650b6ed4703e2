"""hd.jit: kernels written in Python."""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heald._heald import Device, JitDispatch, Kernel, Program, ProgramOptions
from heald._jit.entry import Entry
from heald._jit.errors import JitError
from heald._jit.signature import read_key
from heald._jit.source import Source
from heald._jit.types import Static
from heald._jit.unit import Unit
from heald._jit.value import Value


@dataclass(frozen=True)
class Options:
    """What jit() was told."""

    debug: bool = False
    lineinfo: bool = False
    fastmath: bool = False
    wraparound: bool = False
    max_registers: int | None = None

    @property
    def lines(self) -> bool:
        return self.debug or self.lineinfo


@dataclass(frozen=True)
class Version:
    """A kernel for one set of types on one device."""

    types: tuple[Value, ...]
    source: str
    kernel: Kernel
    sources: tuple[tuple[str, int, int], ...]
    cooperative: bool

    @property
    def registers(self) -> int:
        return self.kernel.attributes.registers


class JitKernel(JitDispatch):
    """A Python function that runs as a kernel; made by hd.jit.

    kernel[blocks, threads](*arguments), kernel[blocks, threads, stream, shared_memory](*arguments)
    or kernel.forall(n)(*arguments). The plain function is `py_func`.
    """

    def __init__(self, function: Callable[..., Any], options: Options) -> None:
        if not isinstance(function, types.FunctionType):
            raise TypeError(f"[hd.jit] takes a function, got {type(function).__name__}")
        self.py_func = function
        self.__name__: str = function.__name__
        self.options = options
        self._source: Source | None = None
        self._signature = inspect.signature(function)
        self._versions: dict[Any, Version] = {}
        self._lock = threading.RLock()
        self._describe(f"[{function.__name__}] ", len(self._signature.parameters))
        functools.update_wrapper(self, function)

    def forall(
        self, n: int, tpb: int = 0, stream: Any = None, shared_memory: int = 0
    ) -> Callable[..., None]:
        """A launch of at least `n` threads in one dimension, `tpb` a block (0: 256).

        >>> saxpy.forall(n)(2.0, x, y, out)
        """
        threads = tpb or 256
        return self[max(1, -(-int(n) // threads)), threads, stream, shared_memory]

    def __call__(self, *_: Any, **__: Any) -> None:
        raise TypeError(
            f"[{self.__name__}] is a kernel: launch it as {self.__name__}[blocks, threads](…) or "
            f"{self.__name__}.forall(n)(…); in a kernel it can be called as a device function"
        )

    def __repr__(self) -> str:
        return f"<heald.jit kernel {self.__name__}>"

    def __reduce__(self) -> Any:
        return (_by_name, (self.py_func.__module__, self.py_func.__qualname__))

    # What was compiled
    @property
    def versions(self) -> list[Version]:
        """What was compiled so far, in order."""
        return list(self._versions.values())

    def source(self, *arguments: Any) -> str:
        """The CUDA C++ that the kernel became: for these arguments, else of the last version."""
        return self._version(arguments).source

    def kernel(self, *arguments: Any) -> Kernel:
        """The hd.Kernel behind it."""
        return self._version(arguments).kernel

    @property
    def registers(self) -> int:
        """Registers of a thread, of the last version; 0 on a CPU."""
        return self._version(()).registers

    def occupancy(self, block: Any, shared_memory: int = 0) -> float:
        """Resident threads over the most that fit, of the last version."""
        return self._version(()).kernel.occupancy(block, shared_memory)

    def asm(self, *arguments: Any) -> str:
        """PTX of the kernel on a GPU. Raises UnavailableError for a CPU."""
        version = self._version(arguments)
        program = self._program(version.source, version.kernel.device)
        return bytes(program.compile("ptx").code).decode(errors="replace").rstrip("\0")

    def _version(self, arguments: tuple[Any, ...]) -> Version:
        if arguments:
            raise TypeError("give no arguments: the last version is meant")
        if not self._versions:
            raise JitError(f"[{self.__name__}] was not launched yet, so nothing is compiled")
        return next(reversed(self._versions.values()))

    def recompile(self) -> None:
        """Forgets every version: names that the function closes over are looked at again."""
        with self._lock:
            self._versions.clear()
            self._source = None
            self._forget_versions()

    # Called by the dispatch in C++
    def _bind_arguments(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[Any, ...]:
        try:
            bound = self._signature.bind(*arguments, **keywords)
        except TypeError as problem:
            raise TypeError(f"[{self.__name__}] {problem}") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _compile_version(self, key: bytes, arguments: tuple[Any, ...], device: Device) -> Any:
        values, wide = read_key(key, arguments)
        known = (tuple((v.type, v.range) for v in values), wide, device.name)
        with self._lock:
            version = self._versions.get(known)
            if version is None:
                version = self._versions[known] = self._make(values, wide, device)
        kept = (
            arguments_kept(arguments),
            [v.type.object for v in values if isinstance(v.type, Static)],
        )
        return version.kernel, version.sources, version.cooperative, kept

    def _make(self, values: list[Value], wide: bool, device: Device) -> Version:
        source, sources, cooperative, name = self.translate(values, wide)
        kernel = self._program(source, device).compile().get_kernel(name)
        return Version(tuple(values), source, kernel, tuple(sources), cooperative)

    def translate(self, values: list[Value], wide: bool) -> tuple[str, list[Any], bool, str]:
        if self._source is None:
            self._source = Source(self.py_func)
        unit = Unit(wide, self.options)
        entry = Entry(unit, self._source, values, is_kernel=True)
        unit.stack.append(entry)
        entry.translate()
        entry.finish()
        return unit.text(entry), entry.sources, unit.cooperative, entry.c_name

    def _program(self, source: str, device: Device) -> Program:
        options = ProgramOptions(
            debug=self.options.debug and device.kind == "cuda",
            line_info=self.options.lines,
            fast_math=self.options.fastmath,
            max_registers=self.options.max_registers,
            defines=["HEALD_CPU"] if device.kind == "cpu" else None,
        )
        return Program(source, f"{self.__name__}.cu", options, device)


def arguments_kept(arguments: tuple[Any, ...]) -> list[Any]:
    """Types and functions whose addresses are in a key."""
    kept: list[Any] = []
    for argument in arguments:
        if isinstance(argument, tuple):
            kept += [type(argument), *arguments_kept(argument)]
        elif isinstance(argument, (type, types.FunctionType)):
            kept.append(argument)
        elif getattr(getattr(argument, "dtype", None), "names", None):
            kept.append(argument.dtype)
    return kept


class DeviceFunctionInPython:
    """A Python function that kernels call; made by hd.jit(device=True)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__name__: str = function.__name__
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.py_func(*arguments, **keywords)

    def __repr__(self) -> str:
        return f"<heald.jit device function {self.__name__}>"


def jit(
    function: Any = None,
    *,
    device: bool = False,
    debug: bool = False,
    lineinfo: bool = False,
    fastmath: bool = False,
    wraparound: bool = False,
    max_registers: int | None = None,
    **others: Any,
) -> Any:
    """Makes a kernel of a Python function, or with device=True a function that kernels call.

    The function is translated to CUDA C++ when it is launched, once for each set of argument types,
    and compiled for the device of its arguments. `debug` keeps lines for debuggers and checks
    indices; `lineinfo` keeps lines only; `fastmath` trades accuracy for speed; `wraparound` lets
    computed negative indices count from the end; `max_registers` bounds registers on a GPU.
    Raises JitError, at the first launch, for what a kernel cannot do.

    >>> @hd.jit
    ... def saxpy(a, x, y, out):
    ...     i = hd.cuda.grid(1)
    ...     if i < out.size:
    ...         out[i] = a * x[i] + y[i]
    >>> saxpy.forall(out.size)(2.0, x, y, out)
    """
    unknown = set(others) - {"inline", "opt", "cache", "link", "forceinline", "nopython"}
    if unknown:
        raise TypeError(f"[hd.jit] there is no option {', '.join(sorted(unknown))}")
    if isinstance(function, (str, list, tuple)):
        raise TypeError(
            "[hd.jit] signatures are not taken: leave it out, and the types of each call are used, "
            "with one compiled version for each"
        )
    options = Options(
        debug=debug,
        lineinfo=lineinfo,
        fastmath=fastmath,
        wraparound=wraparound,
        max_registers=max_registers,
    )

    def make(f: Any) -> Any:
        return DeviceFunctionInPython(f) if device else JitKernel(f, options)

    return make if function is None else make(function)


def _by_name(module: str, name: str) -> Any:
    import importlib

    thing: Any = importlib.import_module(module)
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing
