"""The math and cmath modules, and NumPy's functions that are no ufuncs. A function of a float32 is
a float32, as NumPy's is; of an int it is a float64."""

from __future__ import annotations

import ast
import cmath
import math
from typing import Any

import numpy as np

from heald._jit.intrinsics import handles
from heald._jit.intrinsics_builtin import number_arguments, whole_number
from heald._jit.types import FLOAT64, WEAK_FLOAT, Scalar, TupleOf, promote
from heald._jit.value import INT64_RANGE, Value

# Python's name -> NumPy's.
_UFUNCS = {
    "sqrt": "sqrt", "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log2": "log2",
    "log10": "log10", "log1p": "log1p", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin",
    "acos": "arccos", "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "cbrt": "cbrt", "fabs": "fabs",
    "degrees": "degrees", "radians": "radians", "isnan": "isnan", "isinf": "isinf",
    "isfinite": "isfinite", "atan2": "arctan2", "fmod": "fmod", "copysign": "copysign",
    "nextafter": "nextafter", "pow": "power",
}  # fmt: skip
# In C only.
_C_FUNCTIONS = {
    "erf": "erf",
    "erfc": "erfc",
    "gamma": "tgamma",
    "lgamma": "lgamma",
    "remainder": "remainder",
}


def floats(fn: Any, call: Any, count: int) -> list[Value]:
    """The arguments as floating-point numbers of one type."""
    values = number_arguments(fn, call, count)
    kind = values[0].type
    for value in values[1:]:
        kind = promote(kind, value.type)
    if kind.kind == "c":
        fn.refuse(call.node, "the math module takes no complex numbers: use cmath")
    if kind.kind != "f":
        kind = WEAK_FLOAT if kind.weak else FLOAT64
    if kind.bits < 32:
        kind = Scalar("float32")
    return [Value(kind, fn.convert(v, kind, call.node)) for v in values]


def _register_ufuncs() -> None:
    for python_name, name in _UFUNCS.items():
        function = getattr(math, python_name, None)
        if function is None:
            continue  # of a later Python
        count = 2 if python_name in ("atan2", "fmod", "copysign", "nextafter", "pow") else 1

        def handler(
            fn: Any, call: Any, name: str = name, count: int = count, function: Any = function
        ) -> Value:
            if all(v.is_constant for v in call.arguments) and len(call.arguments) == count:
                return fn.folded(function, tuple(v.constant for v in call.arguments), call.node)
            values = floats(fn, call, count)
            result = fn.call_loop(name, values, call.node)
            weak = values[0].type.weak and result.type.name in ("float64", "bool")
            return Value(Scalar(result.type.name, weak), result.code)

        handles(function)(handler)
    for python_name, c_name in _C_FUNCTIONS.items():

        def c_handler(fn: Any, call: Any, c_name: str = c_name) -> Value:
            values = floats(fn, call, 2 if c_name == "remainder" else 1)
            return Value(values[0].type, f"{c_name}({', '.join(v.code for v in values)})")

        handles(getattr(math, python_name))(c_handler)


_register_ufuncs()


@handles(math.log)
def logarithm(fn: Any, call: Any) -> Value:
    values = floats(fn, call, len(call.arguments) if len(call.arguments) == 2 else 1)
    results = [fn.call_loop("log", [value], call.node) for value in values]
    if len(results) == 2:
        return fn.binary(ast.Div, results[0], results[1], call.node)
    return results[0]


@handles(math.hypot)
def hypotenuse(fn: Any, call: Any) -> Value:
    values = floats(fn, call, len(call.arguments))
    result = fn.call_loop("absolute", [values[0]], call.node)
    for value in values[1:]:
        result = fn.call_loop("hypot", [result, value], call.node)
    return result


@handles(math.floor, math.ceil, math.trunc)
def to_whole(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    if a.type.kind in "biu":
        return fn.unary(ast.UAdd, a, call.node)
    (a,) = floats(fn, call, 1)
    return whole_number(fn, f"{ast.unparse(call.node.func).rsplit('.', 1)[-1]}({a.code})")


@handles(math.gcd, math.lcm)
def common(fn: Any, call: Any) -> Value:
    values = number_arguments(fn, call, 2)
    name = ast.unparse(call.node.func).rsplit(".", 1)[-1]
    result = fn.call_loop(name, values, call.node)
    result.range = INT64_RANGE if result.type.weak else None
    return result


@handles(math.ldexp)
def scaled(fn: Any, call: Any) -> Value:
    a, power = number_arguments(fn, call, 2)
    if a.type.kind in "biu":
        a = Value(FLOAT64, fn.convert(a, FLOAT64, call.node))
    return fn.call_loop("ldexp", [a, power], call.node)


@handles(math.frexp, np.frexp)
def parts(fn: Any, call: Any) -> Value:
    (a,) = floats(fn, call, 1)
    items = (
        fn.call_loop("frexp_significand", [a], call.node),
        fn.call_loop("frexp_exponent", [a], call.node),
    )
    return Value(TupleOf(tuple(v.type for v in items)), items=items)


@handles(math.modf, np.modf)
def whole_and_rest(fn: Any, call: Any) -> Value:
    (a,) = floats(fn, call, 1)
    items = tuple(fn.call_loop(n, [a], call.node) for n in ("modf_fraction", "modf_whole"))
    return Value(TupleOf(tuple(v.type for v in items)), items=items)


@handles(np.where)
def where(fn: Any, call: Any) -> Value:
    test, a, b = number_arguments(fn, call, 3)
    return fn.choice(fn.truth(test, call.node), a, [], b, [], call.node)


@handles(np.clip)
def clip(fn: Any, call: Any) -> Value:
    return fn.call_loop("clip", number_arguments(fn, call, 3), call.node)


@handles(np.real, np.imag)
def real_or_imaginary(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    return fn.part(a, "real" if ast.unparse(call.node.func).endswith("real") else "imag", call.node)


@handles(np.angle, cmath.phase)
def angle(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    return fn.call_loop("angle", [a], call.node)


@handles(np.round)
def numpy_round(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    return a if a.type.kind in "iu" else fn.call_loop("rint", [a], call.node)


# cmath
_COMPLEX = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "log10": "log10", "sin": "sin", "cos": "cos",
    "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "isnan": "isnan", "isinf": "isinf", "isfinite": "isfinite",
}  # fmt: skip


def _register_complex() -> None:
    for python_name, name in _COMPLEX.items():

        def handler(fn: Any, call: Any, name: str = name) -> Value:
            (a,) = number_arguments(fn, call, 1)
            return fn.call_loop(name, [as_complex(fn, a, call.node)], call.node)

        handles(getattr(cmath, python_name))(handler)


def as_complex(fn: Any, a: Value, node: ast.AST) -> Value:
    kind = promote(a.type, Scalar("complex128", True))
    return Value(kind, fn.convert(a, kind, node))


_register_complex()


@handles(cmath.rect)
def from_polar(fn: Any, call: Any) -> Value:
    size, turn = floats(fn, call, 2)
    turn = turn if turn.is_simple else fn.temporary(turn)
    size = size if size.is_simple else fn.temporary(size)
    fn.needs.functions.add("complex")
    kind = promote(size.type, Scalar("complex128", True))
    c_name = fn.unit.c_type(kind, fn.needs)
    text = f"{c_name}{{{size.code} * cos({turn.code}), {size.code} * sin({turn.code})}}"
    return Value(kind, text)


@handles(cmath.polar)
def to_polar(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    a = as_complex(fn, a, call.node)
    a = a if a.is_simple else fn.temporary(a)
    items = tuple(fn.call_loop(n, [a], call.node) for n in ("absolute", "angle"))
    return Value(TupleOf(tuple(v.type for v in items)), items=items)
