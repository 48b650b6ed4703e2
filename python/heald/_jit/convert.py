"""Conversions between the scalar types, as CUDA C++."""

from __future__ import annotations

import numpy as np

from heald._jit.types import C_NAMES, Scalar, integer_limits, numpy_dtype
from heald._jit.value import NO_CONSTANT, Value, c_type, fits32, literal


class Inconvertible(Exception):
    """The text says why."""


def can_assign(source: Scalar, target: Scalar) -> bool:
    """Whether a value may be stored: complex numbers do not become real ones by themselves."""
    return target.kind in "cb" or source.kind != "c"


def convert(value: Value, target: Scalar, needs: set[str]) -> str:
    """`value` as `target`, wrapping and rounding as C++ does. `needs` gathers device functions."""
    source = value.type
    if value.constant is not NO_CONSTANT and source.weak:
        return _constant(value, target, needs)
    if source.name == target.name:
        if target.name == "int64" and source.weak and fits32(value.range):
            return f"(long long){value.code}"
        return value.code
    if not can_assign(source, target):
        raise Inconvertible(f"{source} does not convert to {target}: take .real or .imag")
    return _cast(value.code, source, target, needs)


def _constant(value: Value, target: Scalar, needs: set[str]) -> str:
    constant = value.constant
    if target.kind in "iu" and isinstance(constant, int):
        low, high = integer_limits(target)
        if not low <= constant <= high:
            raise Inconvertible(f"the int {constant} does not fit {target} ({low} to {high})")
    if target.kind in "iu" and isinstance(constant, float):
        constant = int(np.array(constant).astype(numpy_dtype(target.strong)))
    if target.kind != "c" and target.kind != "b" and isinstance(constant, complex):
        raise Inconvertible(f"complex does not convert to {target}: take .real or .imag")
    if target.name in ("float16", "bfloat16"):
        constant = float(numpy_dtype(target).type(constant))
    if target.kind == "c":
        needs.add("complex")
    return literal(constant, target)


def _cast(code: str, source: Scalar, target: Scalar, needs: set[str]) -> str:
    if target.kind == "b":
        if source.kind == "c":
            needs.add("complex")
            return f"heald_::is_true({code})"
        return f"({code} != 0)"
    if target.kind == "c":
        needs.add("complex")
        part = "double" if target.name == "complex128" else "float"
        if source.kind == "c":
            return f"heald_::complex<{part}>{{({part})({code}).re, ({part})({code}).im}}"
        return f"heald_::complex<{part}>{{({part}){code}, 0}}"
    if target.name in ("float16", "bfloat16"):
        needs.add(target.name)
        exact = source.kind == "f" and source.bits <= 32
        wide = code if exact or source.name == "float64" else f"(double){code}"
        return f"heald_::round_{target.name}({wide})"
    if C_NAMES[source.name] == C_NAMES[target.name]:
        return code
    return f"({C_NAMES[target.name]}){code}"


def as_range(value: Value) -> str:
    """A weak int in the C++ type that its own range asks for."""
    return f"({c_type(value.type, value.range)}){value.code}"


def load(code: str, kind: Scalar, needs: set[str]) -> str:
    """What an element in memory is in a register."""
    if kind.name in ("float16", "bfloat16"):
        needs.add(kind.name)
        return f"heald_::from_{kind.name}({code})"
    return code


def store(code: str, kind: Scalar, needs: set[str]) -> str:
    if kind.name in ("float16", "bfloat16"):
        needs.add(kind.name)
        return f"heald_::to_{kind.name}({code})"
    return code
