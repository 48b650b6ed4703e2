"""The types of a kernel's values, NumPy 2's promotion of them, and their names in CUDA C++.

Python's own numbers are *weak*: they have a kind but no width, and take the dtype of the typed
value that they meet. Alone they are int64, float64, complex128 and bool.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from heald._heald import dtype_from_name


@dataclass(frozen=True, slots=True)
class Scalar:
    name: str
    weak: bool = False

    def __str__(self) -> str:
        return WEAK_NAMES[self.name] if self.weak else self.name

    @property
    def kind(self) -> str:
        """'b', 'i', 'u', 'f' or 'c', as of numpy.dtype; bfloat16 is 'f'."""
        return KINDS[self.name]

    @property
    def bits(self) -> int:
        return BITS[self.name]

    @property
    def strong(self) -> Scalar:
        return Scalar(self.name)


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """`layout`: 'C' (C order), 'I' (the last stride is one element) or 'A' (any strides).
    `small`: indices are 32-bit whatever the launch says (shared and local memory)."""

    dtype: Scalar
    ndim: int
    layout: str = "C"
    small: bool = False

    def __str__(self) -> str:
        order = {"C": "C order", "I": "rows in order", "A": "any strides"}[self.layout]
        return f"array({self.dtype}, {self.ndim}-d, {order})"


@dataclass(frozen=True, slots=True)
class TupleOf:
    items: tuple[Any, ...]
    cls: type | None = None  # of a named tuple

    def __str__(self) -> str:
        names = getattr(self.cls, "_fields", None)
        if names is not None:
            parts = (f"{name}={item}" for name, item in zip(names, self.items))
            return f"{self.cls.__name__}({', '.join(parts)})"  # type: ignore[union-attr]
        return f"tuple({', '.join(map(str, self.items))})"


@dataclass(frozen=True, slots=True)
class Static:
    """What only the translator knows: a function, a module, a dtype, None, a string."""

    object: Any = field(hash=False)

    def __str__(self) -> str:
        thing = self.object
        if thing is None:
            return "None"
        if isinstance(thing, str):
            return "str"
        name = getattr(thing, "__name__", None)
        return f"{type(thing).__name__} {name}" if name else type(thing).__name__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and self.object is other.object

    def __hash__(self) -> int:
        return id(self.object)


@dataclass(frozen=True, slots=True)
class Opaque:
    """A C++ type of the device's headers, such as a state of random numbers."""

    c_name: str
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not known in this pass over the function."""

    def __str__(self) -> str:
        return "unknown"


UNKNOWN = Unknown()
NOTHING = Static(None)

WEAK_NAMES = {"bool": "bool", "int64": "int", "float64": "float", "complex128": "complex"}
BITS = {
    "bool": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64,
    "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64,
    "float16": 16, "bfloat16": 16, "float32": 32, "float64": 64,
    "complex64": 64, "complex128": 128,
}  # fmt: skip
KINDS = {
    name: {"bool": "b", "int": "i", "uint": "u", "float": "f", "bfloat": "f", "complex": "c"}[
        name.rstrip("0123456789")
    ]
    for name in BITS
}
# In registers. 16-bit floats are computed as float and rounded to their own values.
C_NAMES = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned",
    "uint64": "unsigned long long", "float16": "float", "bfloat16": "float", "float32": "float",
    "float64": "double", "complex64": "heald_::complex<float>",
    "complex128": "heald_::complex<double>",
}  # fmt: skip
STORED_NAMES = {**C_NAMES, "float16": "unsigned short", "bfloat16": "unsigned short"}

BOOL = Scalar("bool")
INT32 = Scalar("int32")
INT64 = Scalar("int64")
FLOAT32 = Scalar("float32")
FLOAT64 = Scalar("float64")
WEAK_BOOL = Scalar("bool", True)
WEAK_INT = Scalar("int64", True)
WEAK_FLOAT = Scalar("float64", True)
WEAK_COMPLEX = Scalar("complex128", True)

# Rising kinds of weak numbers.
_WEAK_ORDER = ["bool", "int64", "float64", "complex128"]


@cache
def promote(a: Scalar, b: Scalar) -> Scalar:
    """The type that holds the values of both, by NumPy 2's rules."""
    if a == b:
        return a
    if a.name == b.name:
        return Scalar(a.name)
    if a.weak and b.weak:
        return Scalar(max(a.name, b.name, key=_WEAK_ORDER.index), True)
    if a.weak or b.weak:
        weak, strong = (a, b) if a.weak else (b, a)
        return _with_weak(strong, weak)
    return Scalar(_promote_names(a.name, b.name))


def _with_weak(strong: Scalar, weak: Scalar) -> Scalar:
    if weak.kind == "b":
        return strong
    if weak.kind == "i":
        return INT64 if strong.kind == "b" else strong
    if weak.kind == "f":
        return strong if strong.kind in "fc" else FLOAT64
    if strong.kind == "c":
        return strong
    if strong.kind == "f":
        return Scalar("complex128" if strong.name == "float64" else "complex64")
    return Scalar("complex128")


def _promote_names(a: str, b: str) -> str:
    if "bfloat16" in (a, b):
        other = b if a == "bfloat16" else a
        if other in ("bool", "int8", "uint8"):
            return "bfloat16"
        return "float32" if other == "float16" else _promote_names("float16", other)
    return np.promote_types(a, b).name


def dtype_scalar(dtype: Any) -> Scalar | None:
    """The scalar of a numpy.dtype or of anything that is one; None if there is none."""
    try:
        name = np.dtype(dtype).name if not isinstance(dtype, np.dtype) else dtype.name
    except TypeError:
        return None
    return Scalar(name) if name in BITS else None


def numpy_dtype(scalar: Scalar) -> np.dtype:
    return dtype_from_name(scalar.name)


def integer_limits(scalar: Scalar) -> tuple[int, int]:
    if scalar.kind == "b":
        return 0, 1
    if scalar.kind == "u":
        return 0, 2**scalar.bits - 1
    return -(2 ** (scalar.bits - 1)), 2 ** (scalar.bits - 1) - 1
