"""Calls: of what the translator knows, and of functions written in Python or CUDA C++."""

from __future__ import annotations

import ast
import functools
import types
from dataclasses import dataclass
from typing import Any

import numpy as np

from heald._jit.device_source import DeviceSource
from heald._jit.indexing import Indexing
from heald._jit.intrinsics import find_handler
from heald._jit.types import (
    NOTHING,
    UNKNOWN,
    WEAK_INT,
    ArrayOf,
    Scalar,
    Static,
    TupleOf,
    dtype_scalar,
)
from heald._jit.value import (
    INT32_RANGE,
    INT64_RANGE,
    NARROW_MAX,
    Value,
    fits32,
    limits_of,
    number,
    static,
    unknown,
)


@dataclass
class Call:
    """What a handler of an intrinsic sees."""

    node: ast.Call
    arguments: list[Value]
    keywords: dict[str, Value]


class Calls(Indexing):
    nested: dict[Any, NestedFunction]

    def on_Call(self, node: ast.Call) -> Value:
        callee = self.expression(node.func)
        if callee.is_unknown:
            return unknown()
        if not callee.is_static:
            self.refuse(node.func, f"{callee.type} cannot be called")
        if callee.object is print:
            from heald._jit.printing import translate_print

            return translate_print(self, node)
        arguments = self.arguments(node)
        keywords = {k.arg or "": self.expression(k.value) for k in node.keywords}
        if "" in keywords:
            self.refuse(node, "** of arguments cannot be used in a kernel")
        call = Call(node, arguments, keywords)
        handler = find_handler(callee.object)
        if handler is not None:
            if any(value.is_unknown for value in (*arguments, *keywords.values())):
                return unknown()
            return handler(self, call)
        return self.call_object(callee.object, call)

    def arguments(self, node: ast.Call) -> list[Value]:
        values: list[Value] = []
        for argument in node.args:
            starred = isinstance(argument, ast.Starred)
            inner = argument.value if isinstance(argument, ast.Starred) else argument
            value, before = self.collect(functools.partial(self.expression, inner))
            if before:
                values = [v if v.is_simple else self.temporary(v) for v in values]
                self.lines += before
            if starred and not value.is_unknown:
                if not isinstance(value.type, TupleOf):
                    self.refuse(argument, f"* takes a tuple, got {value.type}")
                values += self.tuple_items(value)
            else:
                values.append(value)
        return values

    def call_object(self, thing: Any, call: Call) -> Value:
        if isinstance(thing, tuple) and thing[0] == "method":
            from heald._jit.intrinsics_cuda import call_method

            return call_method(self, thing[1], thing[2], thing[3], call)
        kind = self.dtype_of(thing)
        if kind is not None:
            return self.conversion(kind, call)
        if isinstance(thing, type) and issubclass(thing, tuple) and hasattr(thing, "_fields"):
            return self.make_named_tuple(thing, call)
        if isinstance(thing, DeviceSource):
            return self.call_device_source(thing, call)
        if isinstance(thing, NestedFunction):
            return self.call_nested(thing, call)
        function = getattr(thing, "py_func", thing)
        if isinstance(function, types.FunctionType):
            return self.call_function(function, call)
        self.refuse(call.node.func, f"{Static(thing)} cannot be called in a kernel")

    # Conversions
    def dtype_of(self, thing: Any) -> Scalar | None:
        """The scalar that a dtype, or a class such as numpy.float32, is."""
        if isinstance(thing, np.dtype) or (
            isinstance(thing, type) and issubclass(thing, np.generic)
        ):
            return dtype_scalar(thing)
        if isinstance(thing, str):
            return dtype_scalar(thing)
        return (
            {
                bool: Scalar("bool"),
                int: Scalar("int64"),
                float: Scalar("float64"),
                complex: Scalar("complex128"),
            }.get(thing)
            if isinstance(thing, type)
            else None
        )

    def conversion(self, kind: Scalar, call: Call) -> Value:
        if any(value.is_unknown for value in call.arguments):
            return unknown()
        if len(call.arguments) != 1 or call.keywords:
            self.refuse(call.node, f"{kind}() takes one number")
        return self.converted(kind, call.arguments[0], call.node)

    def converted(self, kind: Scalar, value: Value, node: ast.AST) -> Value:
        if not isinstance(value.type, Scalar):
            self.refuse(node, f"{value.type} does not convert to {kind}")
        return Value(kind, self.convert(value, kind, node))

    def make_named_tuple(self, cls: type, call: Call) -> Value:
        fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
        given = dict(zip(fields, call.arguments)) | call.keywords
        for name, default in getattr(cls, "_field_defaults", {}).items():
            given.setdefault(name, self.constant(default, call.node))
        if set(given) != set(fields) or len(call.arguments) > len(fields):
            self.refuse(call.node, f"{cls.__name__} takes {', '.join(fields)}")
        items = tuple(given[name] for name in fields)
        if any(item.is_unknown for item in items):
            return unknown()
        return Value(TupleOf(tuple(v.type for v in items), cls), items=items)

    # Functions in CUDA C++
    def call_device_source(self, thing: DeviceSource, call: Call) -> Value:
        if any(value.is_unknown for value in call.arguments):
            return unknown()
        if len(call.arguments) != len(thing.parameters) or call.keywords:
            self.refuse(call.node, f"{thing.name} takes {len(thing.parameters)} arguments")
        texts = []
        for value, parameter in zip(call.arguments, thing.parameters):
            if parameter.is_pointer:
                if not isinstance(value.type, ArrayOf) or value.type.layout != "C":
                    self.refuse(
                        call.node,
                        f"{parameter.name} of {thing.name} takes an array in C order, "
                        f"got {value.type}",
                    )
                if value.type.dtype.strong != parameter.kind:
                    self.refuse(
                        call.node,
                        f"{parameter.name} of {thing.name} takes {parameter.kind}, "
                        f"got {value.type}",
                    )
                if not parameter.is_const:
                    self.mark_written(value.roots)
                texts.append(f"({value.code}).data")
            else:
                texts.append(self.convert(value, parameter.kind, call.node))
        self.needs.globals[f"source {id(thing)}"] = thing.source
        text = f"{thing.name}({', '.join(texts)})"
        if thing.result is None:
            self.emit(f"{text};")
            return static(None)
        return Value(thing.result, text)

    # Functions in Python
    def call_function(self, function: types.FunctionType, call: Call) -> Value:
        from heald._jit.function import Function

        source = self.unit.source_of(function)
        given = self.bind(
            source.node.args,
            source.name,
            call,
            function.__defaults__ or (),
            function.__kwdefaults__ or {},
        )
        if any(value.is_unknown for value in given):
            return unknown()
        given = [self.materialise(value, call.node) for value in given]
        key = (function, tuple(map(_parameter_key, given)))
        made = self.unit.functions.get(key)
        if made is None:
            made = Function(self.unit, source, [_parameter(v) for v in given], is_kernel=False)
            self.unit.functions[key] = made
            self.translate_callee(made, key)
        return self.call_made(made, given, call)

    def translate_callee(self, made: Any, key: Any) -> None:
        stack = self.unit.stack
        stack.append(made)
        made.translate()
        stack.pop()
        if made.provisional and key is not None:
            del self.unit.functions[key]

    def call_made(self, made: Any, given: list[Value], call: Call) -> Value:
        self.needs.callees[made.c_name] = made
        if made in self.unit.stack:  # it is being translated: a recursion
            at = self.unit.stack.index(made)
            for function in self.unit.stack[at + 1 :]:
                function.provisional = True
            made.is_recursive = True
        for k in made.written:
            if isinstance(k, int):
                self.mark_written(given[k].roots)
        texts = [
            self.argument_text(value, kind, call.node)
            for value, kind in zip(given, made.parameters)
            if not isinstance(kind.type, Static)
        ]
        texts += [made.captures[name].code for name in made.captures]
        text = f"{made.c_name}({', '.join(texts)})"
        if made.result is UNKNOWN and made in self.unit.stack:
            return unknown()
        if made.result is UNKNOWN or made.result == NOTHING:
            self.emit(f"{text};")
            return static(None)
        if isinstance(made.result, Static):
            return Value(made.result, "0")
        roots: frozenset[Any] = frozenset()
        for root in made.result_roots:
            roots |= given[root].roots if isinstance(root, int) else frozenset({root})
        is_int = isinstance(made.result, Scalar) and made.result == WEAK_INT
        return Value(made.result, text, range=INT64_RANGE if is_int else None, roots=roots)

    def argument_text(self, value: Value, parameter: Value, node: ast.AST) -> str:
        text = self.convert(value, parameter.type, node)
        return text

    def bind(
        self,
        spec: ast.arguments,
        name: str,
        call: Call,
        defaults: tuple[Any, ...],
        keyword_defaults: dict[str, Any],
    ) -> list[Value]:
        """One value for each parameter, as Python binds arguments."""
        if spec.vararg or spec.kwarg:
            self.refuse(call.node, f"{name} takes *args or **kwargs, which a kernel cannot call")
        positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        only = [a.arg for a in spec.kwonlyargs]
        if len(call.arguments) > len(positional):
            self.refuse(
                call.node, f"{name} takes {len(positional)} arguments, got {len(call.arguments)}"
            )
        given = dict(zip(positional, call.arguments))
        for key, value in call.keywords.items():
            if key in given or key not in (*positional, *only):
                self.refuse(call.node, f"{name} got an unexpected or repeated argument '{key}'")
            given[key] = value
        for key, default in zip(reversed(positional), reversed(defaults)):
            if key not in given:
                given[key] = (
                    default if isinstance(default, Value) else self.constant(default, call.node)
                )
        for key, default in keyword_defaults.items():
            if key not in given:
                given[key] = self.constant(default, call.node)
        missing = [key for key in (*positional, *only) if key not in given]
        if missing:
            self.refuse(call.node, f"{name} misses the argument {', '.join(missing)}")
        return [given[key] for key in (*positional, *only)]

    # Functions inside of functions
    def nested_function(self, node: ast.FunctionDef | ast.Lambda) -> Any:
        defaults = [self.expression(n) for n in node.args.defaults]
        found = self.nested.get(node)
        if found is None:
            found = self.nested[node] = NestedFunction(self, node, defaults)
        found.defaults = defaults
        return found

    def call_nested(self, nested: NestedFunction, call: Call) -> Value:
        from heald._jit.function import Function

        given = self.bind(nested.node.args, nested.name, call, tuple(nested.defaults), {})
        if any(value.is_unknown for value in given):
            return unknown()
        given = [self.materialise(value, call.node) for value in given]
        key = (nested.node, tuple(map(_parameter_key, given)))
        made = nested.made.get(key)
        if made is None:
            made = Function(
                self.unit,
                self.source,
                [_parameter(v) for v in given],
                is_kernel=False,
                node=nested.node,
                parent=nested.parent,
            )
            nested.made[key] = made
            self.translate_callee(made, None)
            if made.provisional:
                del nested.made[key]
        if self is not nested.parent:
            for name in made.captures:
                self.name(name, call.node)  # hands it on
        for root in made.written:
            if not isinstance(root, int):
                self.mark_written(frozenset({root}))
        for root in made.outer_written:
            self.mark_written(frozenset({root}))
        return self.call_made(made, given, call)


class NestedFunction:
    """A def or lambda inside a kernel; it sees the variables around it."""

    def __init__(
        self, parent: Any, node: ast.FunctionDef | ast.Lambda, defaults: list[Value]
    ) -> None:
        self.parent = parent
        self.node = node
        self.defaults = defaults
        self.name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
        self.made: dict[Any, Any] = {}


def _parameter_key(value: Value) -> Any:
    return _parameter(value).type, _parameter(value).range


def _parameter(value: Value) -> Value:
    """What is known of an argument inside the function: its type, and an int's width."""
    bounds = None
    if isinstance(value.type, Scalar) and value.type == WEAK_INT:
        low, high = limits_of(value)
        if low >= 0 and high <= NARROW_MAX:
            bounds = (0, NARROW_MAX)
        else:
            bounds = INT32_RANGE if fits32((low, high)) else INT64_RANGE
    return Value(value.type, range=bounds)


__all__ = ["Call", "Calls", "NestedFunction", "number"]
