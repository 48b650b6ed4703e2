"""An expression of the kernel in CUDA C++, and what is known about it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from heald._jit.types import C_NAMES, STORED_NAMES, UNKNOWN, Scalar, Static, integer_limits

NO_CONSTANT = object()
INT32_RANGE = (-(2**31), 2**31 - 1)
# Lengths and indices of launches with 32-bit indices: small steps beyond them still fit.
NARROW_MAX = 2**31 - 1 - 65536
INT64_RANGE = (-(2**63), 2**63 - 1)
LENGTH_RANGE = (0, 2**63 - 1)


@dataclass(slots=True)
class Value:
    """`constant`: its value where Python knows it. `range`: of a weak int, inclusive; one that fits
    32 bits is an `int` in C++. `roots`: the parameters that an array may be (a part of), None
    standing for memory of the kernel's own. `items`: the parts of a tuple in place."""

    type: Any
    code: str = ""
    constant: Any = NO_CONSTANT
    range: tuple[int, int] | None = None
    roots: frozenset[Any] = frozenset()
    items: tuple[Value, ...] | None = None

    @property
    def is_constant(self) -> bool:
        return self.constant is not NO_CONSTANT

    @property
    def is_unknown(self) -> bool:
        return self.type is UNKNOWN

    @property
    def is_static(self) -> bool:
        return isinstance(self.type, Static)

    @property
    def object(self) -> Any:
        """What a static value is."""
        return self.type.object

    @property
    def is_simple(self) -> bool:
        """Evaluating it twice costs nothing and does nothing."""
        return self.code.replace("_", "").replace(".", "").isalnum()


def unknown() -> Value:
    return Value(UNKNOWN, "0")


def static(thing: Any) -> Value:
    return Value(Static(thing), "0")


def limits_of(value: Value) -> tuple[int, int]:
    """Bounds of an integer."""
    if value.type.weak:
        if value.type.kind == "b":
            return 0, 1
        return value.range or INT64_RANGE
    return integer_limits(value.type)


def fits32(bounds: tuple[int, int] | None) -> bool:
    return bounds is not None and bounds[0] >= INT32_RANGE[0] and bounds[1] <= INT32_RANGE[1]


def c_type(kind: Scalar, bounds: tuple[int, int] | None = None) -> str:
    """In registers. Weak ints of 32 bits are `int`."""
    if kind.weak and kind.name == "int64" and fits32(bounds):
        return "int"
    return C_NAMES[kind.name]


def stored_type(kind: Scalar) -> str:
    return STORED_NAMES[kind.name]


def number(constant: Any) -> Value:
    """One of Python's own numbers."""
    if isinstance(constant, bool):
        return Value(Scalar("bool", True), "true" if constant else "false", constant)
    if isinstance(constant, int):
        kind = Scalar("int64", True)
        return Value(kind, integer_text(constant), constant, (constant, constant))
    if isinstance(constant, float):
        return Value(Scalar("float64", True), float_text(constant, "float64"), constant)
    kind = Scalar("complex128", True)
    return Value(kind, literal(constant, kind), constant)


def integer_text(value: int) -> str:
    if INT32_RANGE[0] < value <= INT32_RANGE[1]:
        return str(value) if value >= 0 else f"({value})"
    if value == INT64_RANGE[0]:
        return "(-9223372036854775807LL - 1)"
    if value > INT64_RANGE[1]:
        return f"{value & (2**64 - 1)}ULL"
    return f"{value}LL" if value >= 0 else f"({value}LL)"


def float_text(value: float, name: str) -> str:
    if name == "float64":
        if math.isnan(value):
            return "__longlong_as_double(0x7ff8000000000000LL)"
        if math.isinf(value):
            return f"__longlong_as_double(0x{'7ff' if value > 0 else 'fff'}0000000000000LL)"
        text = repr(float(value))
    else:
        if math.isnan(value):
            return "__int_as_float(0x7fc00000)"
        if math.isinf(value):
            return "__int_as_float(0x7f800000)" if value > 0 else "(-__int_as_float(0x7f800000))"
        text = repr(float(value))
        if "." not in text and "e" not in text:
            text += ".0"
        text += "f"
    return text if not text.startswith("-") else f"({text})"


def literal(value: Any, kind: Scalar) -> str:
    """A constant in a scalar type. Integers wrap; callers have checked."""
    if kind.kind == "b":
        return "true" if value else "false"
    if kind.kind in "iu":
        low, high = integer_limits(kind)
        wrapped = (int(value) - low) % (high - low + 1) + low
        text = integer_text(wrapped)
        return text if kind.name in ("int32", "int64") else f"({C_NAMES[kind.name]}){text}"
    if kind.kind == "f":
        return float_text(float(value), kind.name)
    value = complex(value)
    part = "float64" if kind.name == "complex128" else "float32"
    real, imaginary = float_text(value.real, part), float_text(value.imag, part)
    return f"{C_NAMES[kind.name]}{{{real}, {imaginary}}}"
