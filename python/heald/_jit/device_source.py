"""Device functions written in CUDA C++, to be called from kernels written in Python."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heald._jit.types import C_NAMES, Scalar

_NOT_IN_C = ("float16", "bfloat16", "complex64", "complex128")
_KINDS = {c_name: Scalar(name) for name, c_name in C_NAMES.items() if name not in _NOT_IN_C} | {
    "unsigned int": Scalar("uint32"),
    "long": Scalar("int64"),
    "unsigned long": Scalar("uint64"),
    "size_t": Scalar("uint64"),
    "int8_t": Scalar("int8"),
    "int16_t": Scalar("int16"),
    "int32_t": Scalar("int32"),
    "int64_t": Scalar("int64"),
    "uint8_t": Scalar("uint8"),
    "uint16_t": Scalar("uint16"),
    "uint32_t": Scalar("uint32"),
    "uint64_t": Scalar("uint64"),
}  # fmt: skip

_DECLARATION = re.compile(r"([A-Za-z_][\w\s]*?[\s*&])\s*(\w+)\s*\(([^()]*)\)\s*\{")
_QUALIFIERS = re.compile(
    r"\b(__device__|__host__|__forceinline__|__noinline__|inline|static|constexpr)\b"
)


@dataclass(frozen=True)
class DeviceParameter:
    name: str
    kind: Scalar
    is_pointer: bool = False
    is_const: bool = False


class DeviceSource:
    """A `__device__` function of CUDA C++ that Python kernels call; see device_source()."""

    def __init__(self, source: str, name: str | None = None) -> None:
        self.source = source.strip("\n")
        found = [m for m in _DECLARATION.finditer(source) if name in (None, m[2])]
        found = [m for m in found if m[2] not in ("if", "for", "while", "switch")]
        if not found:
            what = f"no function '{name}'" if name else "no function"
            raise ValueError(f"[hd.device_source] there is {what} in the source")
        declared = found[-1]
        self.name = declared[2]
        result = _QUALIFIERS.sub("", declared[1]).strip()
        self.result = None if result == "void" else _kind(result, self.name)
        self.parameters = [
            _parameter(text, self.name) for text in declared[3].split(",") if text.strip()
        ]
        self.__name__ = self.name

    def __call__(self, *_: object) -> None:
        raise TypeError(f"[hd.device_source] {self.name} can only be called in a kernel")

    def __repr__(self) -> str:
        return f"<heald.device_source {self.name}>"


def device_source(source: str, name: str | None = None) -> DeviceSource:
    """A function written in CUDA C++, called from kernels that are written in Python. Parameters
    are numbers, or pointers, which take arrays in C order. `name`: which function of the source;
    the last one if not given. Raises ValueError for a source or a type that it cannot read.

    >>> clamp01 = hd.device_source("__device__ float clamp01(float x) { return __saturatef(x); }")
    >>> @hd.jit
    ... def kernel(x):
    ...     i = hd.cuda.grid(1)
    ...     if i < x.size:
    ...         x[i] = clamp01(x[i])
    """
    return DeviceSource(source, name)


def _kind(text: str, function: str) -> Scalar:
    kind = _KINDS.get(" ".join(text.split()))
    if kind is None:
        raise ValueError(
            f"[hd.device_source] {function}: '{text}' is no number that Python kernels have"
        )
    return kind


def _parameter(text: str, function: str) -> DeviceParameter:
    match = re.fullmatch(r"\s*(.*?[\s*&])\s*(\w+)\s*", text)
    if match is None:
        raise ValueError(f"[hd.device_source] {function}: parameters need names, got '{text}'")
    kind, name = match[1].strip(), match[2]
    is_const = re.search(r"\bconst\b", kind) is not None
    kind = re.sub(r"\b(const|__restrict__)\b", "", kind).strip()
    if kind.endswith("*"):
        return DeviceParameter(name, _kind(kind[:-1].strip(), function), True, is_const)
    return DeviceParameter(name, _kind(kind, function))
