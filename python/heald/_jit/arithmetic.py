"""Operators on numbers, by NumPy 2's rules; on Python's ints with bounds that are known."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from heald._jit.context import Context
from heald._jit.types import (
    BOOL,
    C_NAMES,
    WEAK_BOOL,
    WEAK_FLOAT,
    WEAK_INT,
    Scalar,
    promote,
)
from heald._jit.value import (
    INT64_RANGE,
    Value,
    c_type,
    fits32,
    limits_of,
    number,
    unknown,
)

# node -> (sign, NumPy's name, on constants)
OPERATORS: dict[type, tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", "add", operator.add),
    ast.Sub: ("-", "subtract", operator.sub),
    ast.Mult: ("*", "multiply", operator.mul),
    ast.Div: ("/", "divide", operator.truediv),
    ast.FloorDiv: ("//", "floor_divide", operator.floordiv),
    ast.Mod: ("%", "remainder", operator.mod),
    ast.Pow: ("**", "power", operator.pow),
    ast.BitAnd: ("&", "bitwise_and", operator.and_),
    ast.BitOr: ("|", "bitwise_or", operator.or_),
    ast.BitXor: ("^", "bitwise_xor", operator.xor),
    ast.LShift: ("<<", "left_shift", operator.lshift),
    ast.RShift: (">>", "right_shift", operator.rshift),
}
COMPARISONS: dict[type, tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", "equal", operator.eq),
    ast.NotEq: ("!=", "not_equal", operator.ne),
    ast.Lt: ("<", "less", operator.lt),
    ast.LtE: ("<=", "less_equal", operator.le),
    ast.Gt: (">", "greater", operator.gt),
    ast.GtE: (">=", "greater_equal", operator.ge),
}
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.inv,
}
_LARGEST_WHOLE_POWER = 16


class Arithmetic(Context):
    def binary(self, op: type, a: Value, b: Value, node: ast.AST) -> Value:
        sign, name, apply = OPERATORS[op]
        if a.is_unknown or b.is_unknown:
            return unknown()
        if not isinstance(a.type, Scalar) or not isinstance(b.type, Scalar):
            self.refuse(node, f"{sign} takes numbers, got {a.type} and {b.type}" + _hint(a, b))
        if a.is_constant and b.is_constant and a.type.weak and b.type.weak:
            return self.folded(apply, (a.constant, b.constant), node)
        if op is ast.Pow:
            return self.power(a, b, node)
        if a.type.weak and b.type.weak and a.type.kind in "bi" and b.type.kind in "bi":
            if op is ast.Div:
                return self.infix("/", WEAK_FLOAT, a, b, node)
            logical = op in (ast.BitAnd, ast.BitOr, ast.BitXor)
            if not (logical and a.type.kind == b.type.kind == "b"):
                return self.weak_int(op, sign, name, a, b, node)
        kind = promote(a.type, b.type)
        if sign in ("+", "-", "*", "/") and kind.name in ("float32", "float64"):
            return self.infix(sign, kind, a, b, node)
        if sign in ("+", "-", "*", "&", "|", "^") and kind.kind in "iu" and kind.bits >= 32:
            return self.integer_infix(sign, kind, a, b, node)
        if sign == "/" and kind.kind in "biu":
            return self.infix("/", Scalar("float64"), a, b, node)
        return self.call_loop(name, [a, b], node)

    def folded(self, apply: Callable[..., Any], operands: tuple[Any, ...], node: ast.AST) -> Value:
        """Of constants, as Python computes it."""
        try:
            result = apply(*operands)
        except (ArithmeticError, ValueError, TypeError) as problem:
            self.refuse(node, f"{type(problem).__name__}: {problem}")
        return number(result)

    def infix(self, sign: str, kind: Scalar, a: Value, b: Value, node: ast.AST) -> Value:
        return Value(kind, f"({self.convert(a, kind, node)} {sign} {self.convert(b, kind, node)})")

    def integer_infix(self, sign: str, kind: Scalar, a: Value, b: Value, node: ast.AST) -> Value:
        x, y = self.convert(a, kind, node), self.convert(b, kind, node)
        if kind.kind == "u" or sign in "&|^":
            return Value(kind, f"({x} {sign} {y})")
        unsigned = C_NAMES["u" + kind.name]
        return Value(kind, f"({C_NAMES[kind.name]})(({unsigned}){x} {sign} ({unsigned}){y})")

    # Python's ints
    def weak_int(self, op: type, sign: str, name: str, a: Value, b: Value, node: ast.AST) -> Value:
        bounds = _bounds(op, limits_of(a), limits_of(b))
        small = fits32(limits_of(a)) and fits32(limits_of(b))
        if op in (ast.FloorDiv, ast.Mod):
            return self.weak_division(op, name, a, b, bounds)
        if op in (ast.LShift, ast.RShift):
            return self.weak_shift(op, name, a, b, bounds)
        if small and fits32(bounds):
            return Value(WEAK_INT, f"({self.as_int(a)} {sign} {self.as_int(b)})", range=bounds)
        x, y = self.as_long(a), self.as_long(b)
        if bounds is not None or sign in "&|^":
            return Value(WEAK_INT, f"({x} {sign} {y})", range=bounds or INT64_RANGE)
        u = "unsigned long long"
        return Value(WEAK_INT, f"(long long)(({u}){x} {sign} ({u}){y})", range=INT64_RANGE)

    def as_int(self, value: Value) -> str:
        return f"(int){value.code}" if value.type.kind == "b" else value.code

    def as_long(self, value: Value) -> str:
        if value.is_constant:
            return self.convert(value, Scalar("int64"), None)
        return f"(long long){value.code}" if fits32(limits_of(value)) else value.code

    def weak_division(
        self, op: type, name: str, a: Value, b: Value, bounds: tuple[int, int] | None
    ) -> Value:
        (low, high), (least, most) = limits_of(a), limits_of(b)
        small = fits32((low, high)) and fits32((least, most)) and low > -(2**31)
        x, y = (self.as_int(a), self.as_int(b)) if small else (self.as_long(a), self.as_long(b))
        sign = "/" if op is ast.FloorDiv else "%"
        bounds = bounds or INT64_RANGE
        if low >= 0 and least > 0:
            return Value(WEAK_INT, f"({x} {sign} {y})", range=bounds)
        if low >= 0 and least >= 0:
            self.needs.functions.add("quotient")
            function = "quotient" if op is ast.FloorDiv else "rest"
            kind = "int" if small else "long long"
            return Value(WEAK_INT, f"heald_::{function}<{kind}>({x}, {y})", range=bounds)
        found = self.loop(name, Scalar("int32" if small else "int64"))
        assert found is not None
        return Value(WEAK_INT, f"{found.name}({x}, {y})", range=bounds)

    def weak_shift(
        self, op: type, name: str, a: Value, b: Value, bounds: tuple[int, int] | None
    ) -> Value:
        small = fits32(limits_of(a)) and fits32(bounds)
        if b.is_constant and 0 <= b.constant < (32 if small else 64) and bounds is not None:
            x = self.as_int(a) if small else self.as_long(a)
            text = (
                f"({x} >> {b.code})"
                if op is ast.RShift
                else f"({x} * {2**b.constant}{'' if small else 'LL'})"
            )
            return Value(WEAK_INT, text, range=bounds)
        found = self.loop(name, Scalar("int64"))
        assert found is not None
        return Value(
            WEAK_INT,
            f"{found.name}({self.as_long(a)}, {self.as_long(b)})",
            range=bounds or INT64_RANGE,
        )

    def power(self, a: Value, b: Value, node: ast.AST) -> Value:
        kind = promote(a.type, b.type)
        exponent = b.constant if b.is_constant and b.type.weak else None
        if isinstance(exponent, int) and not isinstance(exponent, bool):
            if a.type.kind in "iu" and exponent < 0:
                if not a.type.weak:
                    self.refuse(node, "integers to negative integer powers are not allowed")
                return self.power(Value(WEAK_FLOAT, self.convert(a, WEAK_FLOAT, node)), b, node)
            if exponent == 2:
                twice = self.temporary(a) if not a.is_simple else a
                return self.binary(ast.Mult, twice, twice, node)
            if kind.name in ("float32", "float64") and 0 < abs(exponent) <= _LARGEST_WHOLE_POWER:
                self.needs.functions.add("whole_power")
                text = f"heald_::whole_power<{abs(exponent)}>({self.convert(a, kind, node)})"
                one = "1.0f" if kind.name == "float32" else "1.0"
                return Value(kind, text if exponent > 0 else f"({one} / {text})")
        if exponent == 0.5 and kind.name in ("float32", "float64"):
            return Value(kind, f"sqrt({self.convert(a, kind, node)})")
        result = self.call_loop("power", [a, b], node)
        if a.type.weak and b.type.weak and a.type.kind in "bi" and b.type.kind in "bi":
            result.range = INT64_RANGE
        return result

    # Comparisons
    def compare(self, op: type, a: Value, b: Value, node: ast.AST) -> Value:
        if a.is_unknown or b.is_unknown:
            return Value(BOOL, "false")
        sign, name, apply = COMPARISONS[op]
        if a.is_static or b.is_static:
            return self.compare_static(op, a, b, node)
        if not isinstance(a.type, Scalar) or not isinstance(b.type, Scalar):
            self.refuse(node, f"{sign} takes numbers, got {a.type} and {b.type}" + _hint(a, b))
        if a.is_constant and b.is_constant and a.type.weak and b.type.weak:
            return self.folded(apply, (a.constant, b.constant), node)
        result = WEAK_BOOL if a.type.weak and b.type.weak else BOOL
        if a.type.kind in "biu" and b.type.kind in "biu":
            return Value(result, self.compare_integers(sign, name, a, b, node))
        kind = promote(a.type, b.type)
        if kind.kind == "f":
            x, y = self.convert(a, kind, node), self.convert(b, kind, node)
            return Value(result, f"({x} {sign} {y})")
        return Value(result, self.call_loop(name, [a, b], node).code)

    def compare_integers(self, sign: str, name: str, a: Value, b: Value, node: ast.AST) -> str:
        """By value, whatever the types."""
        x, y = limits_of(a), limits_of(b)
        low, high = min(x[0], y[0]), max(x[1], y[1])
        if fits32((low, high)):
            return f"({self.integer_as(a, 'int32')} {sign} {self.integer_as(b, 'int32')})"
        if high <= INT64_RANGE[1] and low >= INT64_RANGE[0]:
            return f"({self.integer_as(a, 'int64')} {sign} {self.integer_as(b, 'int64')})"
        if low >= 0:
            return f"({self.integer_as(a, 'uint64')} {sign} {self.integer_as(b, 'uint64')})"
        if x[1] > INT64_RANGE[1]:  # the unsigned one second
            a, b = b, a
            name = {
                "less": "greater", "greater": "less", "less_equal": "greater_equal",
                "greater_equal": "less_equal",
            }.get(name, name)  # fmt: skip
        found = self.loop(f"{name}_uint64", Scalar("int64"))
        assert found is not None
        return f"{found.name}({self.integer_as(a, 'int64')}, {self.integer_as(b, 'uint64')})"

    def integer_as(self, value: Value, name: str) -> str:
        if value.is_constant:
            return self.convert(value, Scalar(name), None)
        wanted = C_NAMES[name]
        return (
            value.code if c_type(value.type, value.range) == wanted else f"({wanted}){value.code}"
        )

    def compare_static(self, op: type, a: Value, b: Value, node: ast.AST) -> Value:
        if op not in (ast.Eq, ast.NotEq):
            self.refuse(node, f"{a.type} and {b.type} have no order")
        same = a.is_static and b.is_static and a.object == b.object
        return number(same if op is ast.Eq else not same)

    # One operand
    def unary(self, op: type, a: Value, node: ast.AST) -> Value:
        if a.is_unknown:
            return unknown()
        if op is ast.Not:
            return self.negated(self.truth(a, node))
        if not isinstance(a.type, Scalar):
            self.refuse(node, f"this operator takes a number, got {a.type}")
        if a.is_constant and a.type.weak:
            return self.folded(_UNARY[op], (a.constant,), node)
        if a.type.weak and a.type.kind in "bi":
            if op is ast.UAdd:
                return Value(WEAK_INT, self.as_int(a), range=limits_of(a))
            if op is ast.USub:
                return self.binary(ast.Sub, number(0), a, node)
            return self.binary(ast.BitXor, a, number(-1), node)
        if op is ast.UAdd:
            return a
        if op is ast.USub and a.type.name in ("float32", "float64"):
            return Value(a.type, f"(-{a.code})")
        return self.call_loop("negative" if op is ast.USub else "invert", [a], node)

    def truth(self, value: Value, node: ast.AST) -> Value:
        """bool(value)"""
        if value.is_unknown:
            return Value(WEAK_BOOL, "false")
        if value.is_static:
            return number(bool(value.object))
        if isinstance(value.type, Scalar):
            if value.is_constant:
                return number(bool(value.constant))
            if value.type.kind == "b":
                return value
            target = Scalar("bool", value.type.weak)
            return Value(target, self.convert(value, target, node))
        if value.items is not None:
            return number(bool(value.items))
        self.refuse(node, f"the truth of {value.type} is ambiguous: compare one element or a size")

    def negated(self, value: Value) -> Value:
        if value.is_constant:
            return number(not value.constant)
        return Value(value.type, f"(!{value.code})")


def _hint(a: Value, b: Value) -> str:
    from heald._jit.types import ArrayOf

    if isinstance(a.type, ArrayOf) or isinstance(b.type, ArrayOf):
        return ": a kernel works on elements, such as x[i]"
    return ""


def _bounds(op: type, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int] | None:
    """Of the result; None if it may not fit 64 bits."""
    corners: list[int]
    if op is ast.Add:
        corners = [a[0] + b[0], a[1] + b[1]]
    elif op is ast.Sub:
        corners = [a[0] - b[1], a[1] - b[0]]
    elif op is ast.Mult:
        corners = [x * y for x in a for y in b]
    elif op is ast.FloorDiv:
        size = max(abs(a[0]), abs(a[1]))
        corners = [0, a[1] // max(b[0], 1)] if a[0] >= 0 and b[0] >= 0 else [-size, size]
    elif op is ast.Mod:
        corners = [min(b[0] + 1, 0), max(b[1] - 1, 0)]
    elif op is ast.RShift:
        corners = [min(a[0], -1) if a[0] < 0 else 0, max(a[1], 0)]
    elif op is ast.LShift:
        if b[0] < 0 or b[1] > 63:
            return None
        corners = [a[0] << b[1], a[1] << b[1], 0]
    elif op is ast.BitAnd and (a[0] >= 0 or b[0] >= 0):
        corners = [0, min(x[1] for x in (a, b) if x[0] >= 0)]
    else:
        bits = max(x.bit_length() for x in (*a, *b))
        low = 0 if a[0] >= 0 and b[0] >= 0 else -(1 << bits)
        corners = [low, (1 << bits) - 1]
    low, high = min(corners), max(corners)
    return (low, high) if INT64_RANGE[0] <= low and high <= INT64_RANGE[1] else None
