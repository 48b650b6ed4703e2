"""print() in a kernel: the device's printf."""

from __future__ import annotations

import ast
from typing import Any

from heald._jit.types import C_NAMES, Scalar, TupleOf
from heald._jit.value import Value, static

_FORMATS = {"b": "%s", "i": "%lld", "u": "%llu", "f": "%g"}


def translate_print(fn: Any, node: ast.Call) -> Value:
    separator, end = " ", "\n"
    for keyword in node.keywords:
        value = keyword.value
        if keyword.arg not in ("sep", "end") or not isinstance(value, ast.Constant):
            fn.refuse(node, "print() takes sep= and end= with literal strings in a kernel")
        elif keyword.arg == "sep":
            separator = str(value.value)
        else:
            end = str(value.value)
    texts: list[str] = []
    values: list[str] = []
    for argument in node.args:
        text = _format(fn, argument, values)
        texts.append(text)
    form = _quote(_escape(separator).join(texts) + _escape(end))
    arguments = "".join(f", {text}" for text in values)
    fn.needs.includes.add("cstdio")
    fn.emit(f"printf({form}{arguments});")
    return static(None)


def _escape(text: str) -> str:
    return text.replace("%", "%%")


def _quote(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{text}"'


def _format(fn: Any, node: ast.AST, values: list[str]) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_part(fn, part, values) for part in node.values)
    value = fn.expression(node)
    return _one(fn, value, node, values, None)


def _part(fn: Any, part: ast.AST, values: list[str]) -> str:
    if isinstance(part, ast.Constant):
        return _escape(str(part.value))
    assert isinstance(part, ast.FormattedValue)
    spec = None
    if part.format_spec is not None:
        spec = "".join(str(p.value) for p in part.format_spec.values if isinstance(p, ast.Constant))  # type: ignore[attr-defined]
    return _one(fn, fn.expression(part.value), part.value, values, spec)


def _one(fn: Any, value: Value, node: ast.AST, values: list[str], spec: str | None) -> str:
    if value.is_unknown:
        return ""
    if value.is_static and isinstance(value.object, (str, type(None))):
        return _escape(str(value.object))
    if isinstance(value.type, TupleOf):
        parts = [_one(fn, item, node, values, spec) for item in fn.tuple_items(value)]
        return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
    if not isinstance(value.type, Scalar):
        fn.refuse(node, f"print() shows numbers, strings and tuples, got {value.type}")
    kind = value.type.kind
    if kind == "b":
        values.append(f'({value.code} ? "True" : "False")')
        return "%s"
    if kind == "c":
        held = value if value.is_simple else fn.temporary(value)
        values += [f"(double){held.code}.re", f"(double){held.code}.im"]
        return "(%g%+gj)"
    target = {"i": "int64", "u": "uint64", "f": "float64"}[kind]
    text = fn.convert(value, Scalar(target), node)
    values.append(f"({C_NAMES[target]}){text}")
    if spec:
        letter = spec[-1] if spec[-1].isalpha() else ("d" if kind in "iu" else "g")
        flags = spec[:-1] if spec[-1].isalpha() else spec
        if letter == "d" and kind in "iu":
            letter = "lld" if kind == "i" else "llu"
        elif letter in "xX" and kind in "iu":
            letter = "ll" + letter
        elif letter not in "eEfFgG" or kind in "iu":
            fn.refuse(node, f"the format '{spec}' cannot be used in a kernel")
        return f"%{flags}{letter}"
    return _FORMATS[kind]
