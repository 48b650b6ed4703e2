"""Python's built-in functions on numbers, tuples and arrays."""

from __future__ import annotations

import ast
from typing import Any

from heald._jit.intrinsics import handles
from heald._jit.types import (
    WEAK_BOOL,
    WEAK_COMPLEX,
    WEAK_FLOAT,
    WEAK_INT,
    ArrayOf,
    Scalar,
    TupleOf,
    integer_limits,
    promote,
)
from heald._jit.value import INT64_RANGE, Value, c_type, limits_of, number


def number_arguments(fn: Any, call: Any, least: int, most: int | None = None) -> list[Value]:
    """The arguments, which have to be numbers."""
    name = ast.unparse(call.node.func)
    most = least if most is None else most
    count = len(call.arguments)
    if not least <= count <= most or call.keywords:
        wanted = str(least) if least == most else f"{least} to {most}"
        fn.refuse(call.node, f"{name} takes {wanted} arguments, got {count}")
    for value in call.arguments:
        if not isinstance(value.type, Scalar):
            fn.refuse(call.node, f"{name} takes numbers, got {value.type}")
    return call.arguments


@handles(len)
def length(fn: Any, call: Any) -> Value:
    (value,) = call.arguments
    if isinstance(value.type, TupleOf):
        return number(len(value.type.items))
    if isinstance(value.type, ArrayOf) and value.type.ndim:
        return fn.length(value if value.is_simple else fn.temporary(value), 0)
    return fn.refuse(call.node, f"{value.type} has no length")


@handles(abs)
def absolute(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    if a.is_constant:
        return number(abs(a.constant))
    if a.type.weak and a.type.kind in "bi":
        low, high = limits_of(a)
        if low >= 0:
            return a
        bounds = (0, max(-low, high))
        if bounds[1] > INT64_RANGE[1]:
            bounds = INT64_RANGE
        kind = c_type(WEAK_INT, bounds)
        a = a if a.is_simple else fn.temporary(a)
        x = f"({kind}){a.code}"
        return Value(WEAK_INT, f"({a.code} < 0 ? -{x} : {x})", range=bounds)
    return fn.call_loop("absolute", [a], call.node)


def _extreme(fn: Any, call: Any, op: type, name: str) -> Value:
    values = list(call.arguments)
    if len(values) == 1 and isinstance(values[0].type, TupleOf):
        values = list(fn.tuple_items(values[0]))
    if len(values) < 2 or call.keywords or any(not isinstance(v.type, Scalar) for v in values):
        fn.refuse(call.node, f"{ast.unparse(call.node.func)} takes two or more numbers")
    result = values[0]
    for value in values[1:]:
        result = _extreme_of_two(fn, call, op, name, result, value)
    return result


def _extreme_of_two(fn: Any, call: Any, op: type, name: str, a: Value, b: Value) -> Value:
    if a.is_constant and b.is_constant and a.type.weak and b.type.weak:
        return number((max if name == "larger" else min)(a.constant, b.constant))
    kind = promote(a.type, b.type)
    if kind.kind == "c":
        fn.refuse(call.node, "complex numbers have no order")
    bounds = None
    if kind == WEAK_INT:
        x, y = limits_of(a), limits_of(b)
        pick = max if name == "larger" else min
        bounds = (pick(x[0], y[0]), pick(x[1], y[1]))
        wide = (min(x[0], y[0]), max(x[1], y[1]))
        c_name = c_type(WEAK_INT, wide)
        bounds = bounds if c_type(WEAK_INT, bounds) == c_name else wide
    else:
        c_name = fn.unit.c_type(kind, fn.needs)
    fn.needs.functions.add("select")
    texts = ", ".join(f"({c_name}){fn.convert(v, kind, call.node)}" for v in (a, b))
    return Value(kind, f"heald_::{name}<{c_name}>({texts})", range=bounds)


@handles(max)
def largest(fn: Any, call: Any) -> Value:
    return _extreme(fn, call, ast.Gt, "larger")


@handles(min)
def smallest(fn: Any, call: Any) -> Value:
    return _extreme(fn, call, ast.Lt, "smaller")


@handles(sum)
def total(fn: Any, call: Any) -> Value:
    if not call.arguments or not isinstance(call.arguments[0].type, TupleOf):
        fn.refuse(call.node, "sum() takes a tuple: write a loop for arrays")
    result = call.arguments[1] if len(call.arguments) > 1 else number(0)
    for item in fn.tuple_items(call.arguments[0]):
        result = fn.binary(ast.Add, result, item, call.node)
    return result


@handles(divmod)
def quotient_and_rest(fn: Any, call: Any) -> Value:
    a, b = (v if v.is_simple else fn.temporary(v) for v in number_arguments(fn, call, 2))
    items = (
        fn.binary(ast.FloorDiv, a, b, call.node),
        fn.binary(ast.Mod, a, b, call.node),
    )
    return Value(TupleOf(tuple(v.type for v in items)), items=items)


@handles(pow)
def power(fn: Any, call: Any) -> Value:
    a, b = number_arguments(fn, call, 2)
    return fn.binary(ast.Pow, a, b, call.node)


@handles(round)
def rounded(fn: Any, call: Any) -> Value:
    values = number_arguments(fn, call, 1, 2)
    a = values[0]
    if a.type.kind in "bi":
        a = fn.unary(ast.UAdd, a, call.node) if a.type.weak else a
    if len(values) == 1:
        if a.type.kind in "iu":
            return a
        if a.type.kind == "c":
            fn.refuse(call.node, "complex numbers are not rounded to ints")
        return whole_number(fn, f"rint({fn.convert(a, _wide(a.type), call.node)})")
    digits = fn.convert(values[1], Scalar("int32"), call.node)
    fn.needs.functions.add("round_digits")
    if a.type.kind in "iu":
        c_name = fn.unit.c_type(a.type, fn.needs)
        text = f"heald_::round_integer<{c_name}>({a.code}, {digits})"
        return Value(a.type, text, range=INT64_RANGE if a.type.weak else None)
    kind = _wide(a.type)
    return Value(kind, f"heald_::round_digits({fn.convert(a, kind, call.node)}, {digits})")


def _wide(kind: Scalar) -> Scalar:
    return kind if kind.bits >= 32 else Scalar("float32")


def whole_number(fn: Any, text: str) -> Value:
    """Python's int of a floating-point number that is whole."""
    return Value(WEAK_INT, f"(long long){text}", range=INT64_RANGE)


@handles(int)
def to_int(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    if a.is_constant:
        return fn.folded(int, (a.constant,), call.node)
    if a.type.kind == "c":
        fn.refuse(call.node, "complex does not convert to int: take .real")
    if a.type.kind == "f":
        return Value(WEAK_INT, fn.convert(a, Scalar("int64"), call.node), range=INT64_RANGE)
    if a.type.weak:
        return fn.unary(ast.UAdd, a, call.node)
    if a.type.name == "uint64":
        return Value(WEAK_INT, f"(long long){a.code}", range=INT64_RANGE)
    bounds = integer_limits(a.type)
    return Value(WEAK_INT, f"({c_type(WEAK_INT, bounds)}){a.code}", range=bounds)


@handles(float)
def to_float(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    if a.is_constant:
        return fn.folded(float, (a.constant,), call.node)
    return Value(WEAK_FLOAT, fn.convert(a, WEAK_FLOAT, call.node))


@handles(bool)
def to_bool(fn: Any, call: Any) -> Value:
    (a,) = call.arguments
    truth = fn.truth(a, call.node)
    return truth if truth.is_constant else Value(WEAK_BOOL, truth.code)


@handles(complex)
def to_complex(fn: Any, call: Any) -> Value:
    values = number_arguments(fn, call, 1, 2)
    if all(v.is_constant for v in values):
        return fn.folded(complex, tuple(v.constant for v in values), call.node)
    fn.needs.functions.add("complex")
    if len(values) == 1:
        return Value(WEAK_COMPLEX, fn.convert(values[0], WEAK_COMPLEX, call.node))
    parts = ", ".join(fn.convert(v, WEAK_FLOAT, call.node) for v in values)
    return Value(WEAK_COMPLEX, f"heald_::complex<double>{{{parts}}}")


@handles(tuple)
def to_tuple(fn: Any, call: Any) -> Value:
    (value,) = call.arguments
    if isinstance(value.type, TupleOf):
        return value
    return fn.refuse(call.node, f"{value.type} does not convert to a tuple")


@handles(range, enumerate, zip, reversed)
def only_in_loops(fn: Any, call: Any) -> Value:
    return fn.refuse(
        call.node, f"{ast.unparse(call.node.func)}() can only be what a for loop runs over"
    )
