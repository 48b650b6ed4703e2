"""Modules: sources compiled as a whole, the PyCUDA way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heald._heald import Buffer, Device, Kernel, ObjectCode, Program, ProgramOptions


class Module:
    """CUDA C++ source, compiled for a device (default: the current one).

    `names` lists template instances, such as ["scale<float>"]. Raises CompileError.

    >>> add = hd.Module(source).get_function("add")
    >>> add(hd.Out(z), hd.In(x), hd.In(y), grid=4, block=256)
    """

    def __init__(
        self,
        source: str,
        name: str = "kernel.cu",
        options: ProgramOptions | dict[str, Any] | None = None,
        names: str | Sequence[str] | None = None,
        device: Device | str | None = None,
    ) -> None:
        self.code: ObjectCode = Program(source, name, options, device).compile(names=names)
        self._functions: dict[str, Kernel] = {}

    def get_function(self, name: str) -> Kernel:
        """The kernel of that name; see ObjectCode.get_kernel. Raises LookupError."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self.code.get_kernel(name)
        return function

    def get_global(self, name: str) -> Buffer:
        """The memory of a `__device__` or `__constant__` variable. Raises LookupError.

        >>> hd.memcpy_htod(module.get_global("weights"), weights)
        """
        return self.code.get_global(name)

    def close(self) -> None:
        """Later use raises ClosedError."""
        self._functions.clear()
        self.code.close()

    def __enter__(self) -> Module:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<heald.Module {self.code!r}>"
