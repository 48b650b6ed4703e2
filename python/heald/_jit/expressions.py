"""Expressions other than calls and subscripts."""

from __future__ import annotations

import ast
import functools
from typing import Any

import numpy as np

from heald._jit.arithmetic import Arithmetic
from heald._jit.source import MISSING
from heald._jit.types import (
    FLOAT64,
    WEAK_INT,
    ArrayOf,
    Opaque,
    Scalar,
    Static,
    TupleOf,
    dtype_scalar,
    promote,
)
from heald._jit.value import (
    NARROW_MAX,
    Value,
    limits_of,
    literal,
    number,
    static,
    unknown,
)


class Expressions(Arithmetic):
    captures: dict[str, Any]

    def expression(self, node: ast.AST) -> Value:
        method = getattr(self, f"on_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"{_words(node)} cannot be used in a kernel")
        return method(node)

    def condition(self, node: ast.AST) -> Value:
        """The truth of an expression."""
        return self.truth(self.expression(node), node)

    # Names and constants
    def on_Constant(self, node: ast.Constant) -> Value:
        return self.constant(node.value, node)

    def on_Name(self, node: ast.Name) -> Value:
        return self.name(node.id, node)

    def name(self, name: str, node: ast.AST) -> Value:
        if name in self.locals:
            local = self.locals[name]
            if local.type is not None:
                return self.read_local(name, local)
        captured = self.captured(name)
        if captured is not None:
            return captured
        found = self.source.look_up(name)
        if found is MISSING:
            self.refuse(node, f"the name '{name}' is not defined")
        return self.constant(found, node, name)

    def captured(self, name: str) -> Value | None:
        """A variable of the function around a nested one."""
        return None

    def constant(self, thing: Any, node: ast.AST, name: str = "") -> Value:
        """What a Python object is in a kernel."""
        if isinstance(thing, (bool, int, float, complex)) and not isinstance(thing, np.generic):
            return number(thing)
        if isinstance(thing, np.generic):
            kind = dtype_scalar(thing.dtype)
            if kind is None:
                self.refuse(node, f"a NumPy {thing.dtype} cannot be used in a kernel")
            if kind.kind == "c":
                self.needs.functions.add("complex")
            return Value(kind, f"{literal(thing.item(), kind)}")
        if isinstance(thing, tuple):
            items = tuple(self.constant(item, node) for item in thing)
            cls = type(thing) if hasattr(type(thing), "_fields") else None
            return Value(TupleOf(tuple(v.type for v in items), cls), items=items)
        from heald._jit.cuda import Number

        if isinstance(thing, Number):
            return Value(WEAK_INT, thing.code, range=thing.bounds)
        if isinstance(thing, np.ndarray):
            return self.constant_array(thing, node, name)
        return static(thing)

    def constant_array(self, array: np.ndarray, node: ast.AST, name: str) -> Value:
        """A NumPy array that the function closes over: constants of the source."""
        kind = dtype_scalar(array.dtype)
        if kind is None or array.size == 0:
            self.refuse(
                node, f"an array of {array.dtype} and shape {array.shape} cannot be closed over"
            )
        if array.nbytes > 1 << 16:
            self.refuse(
                node,
                f"the array '{name}' of {array.nbytes} bytes is closed over; pass arrays of more "
                "than 64 KiB as arguments",
            )
        label = self.unit.constant_name(array)
        values = array.reshape(-1)
        if kind.name in ("float16", "bfloat16"):
            texts = [str(int(bits)) for bits in values.view(np.uint16)]
        else:
            texts = [literal(v, kind) for v in values.tolist()]
        from heald._jit.value import stored_type

        if kind.kind == "c":
            part = "float" if kind.name == "complex64" else "double"
            texts = [text[text.index("{") + 1 : -1] for text in texts]
            declared = f"__constant__ {part} {label}[] = {{{', '.join(texts)}}};"
            pointer = f"(const {stored_type(kind)}*){label}"
        else:
            declared = f"__constant__ {stored_type(kind)} {label}[] = {{{', '.join(texts)}}};"
            pointer = label
        self.needs.globals[label] = declared
        return self.fixed_array(kind, array.shape, pointer, frozenset({("constant", label)}))

    def fixed_array(
        self, kind: Scalar, shape: tuple[int, ...], pointer: str, roots: frozenset[Any]
    ) -> Value:
        """An array of the kernel's own, with a shape that is known."""
        array = ArrayOf(kind, len(shape), "C", True)
        const = not self.is_writable(roots)
        text = self.unit.c_type(array, self.needs, const=const)
        lengths = ", ".join(map(str, shape)) or "1"
        return Value(array, f"{text}{{{pointer}, {{{lengths}}}, {{}}}}", roots=roots)

    def on_JoinedStr(self, node: ast.JoinedStr) -> Value:
        self.refuse(node, "an f-string can only be an argument of print()")

    # Operators
    def on_BinOp(self, node: ast.BinOp) -> Value:
        left = self.expression(node.left)
        right, before = self.collect(lambda: self.expression(node.right))
        left = self.held(left, before)
        if isinstance(node.op, ast.Add) and left.items is not None and right.items is not None:
            items = left.items + right.items
            return Value(TupleOf(tuple(v.type for v in items)), items=items)
        if type(node.op) is ast.MatMult:
            self.refuse(node, "@ cannot be used in a kernel: write the loops")
        return self.binary(type(node.op), left, right, node)

    def held(self, first: Value, before: list[str]) -> Value:
        """`first` evaluated before statements that a later operand needs."""
        if before and not first.is_simple:
            first = self.temporary(first)
        self.lines += before
        return first

    def on_UnaryOp(self, node: ast.UnaryOp) -> Value:
        return self.unary(type(node.op), self.expression(node.operand), node)

    def on_Compare(self, node: ast.Compare) -> Value:
        left = self.expression(node.left)
        results: list[Value] = []
        for op, right_node in zip(node.ops, node.comparators):
            right, before = self.collect(functools.partial(self.expression, right_node))
            left = self.held(left, before)
            if len(node.ops) > 1 and not right.is_simple:
                right = self.temporary(right)
            results.append(self.comparison(type(op), left, right, node))
            left = right
        if len(results) == 1:
            return results[0]
        if all(value.is_constant for value in results):
            return number(all(value.constant for value in results))
        kind = results[0].type
        for value in results[1:]:
            kind = promote(kind, value.type)
        return Value(kind, "(" + " && ".join(value.code for value in results) + ")")

    def comparison(self, op: type, left: Value, right: Value, node: ast.AST) -> Value:
        if op in (ast.Is, ast.IsNot):
            if left.is_static or right.is_static:
                same = left.is_static and right.is_static and left.object is right.object
                return number(same if op is ast.Is else not same)
            self.refuse(node, "'is' compares with None only: use ==")
        if op in (ast.In, ast.NotIn):
            return self.membership(op, left, right, node)
        if isinstance(left.type, TupleOf) and isinstance(right.type, TupleOf):
            return self.compare_tuples(op, left, right, node)
        return self.compare(op, left, right, node)

    def membership(self, op: type, left: Value, right: Value, node: ast.AST) -> Value:
        if not isinstance(right.type, TupleOf):
            self.refuse(node, f"'in' looks into tuples, got {right.type}")
        left = left if left.is_simple else self.temporary(left)
        tests = [self.compare(ast.Eq, left, item, node) for item in self.tuple_items(right)]
        found = Value(
            Scalar("bool", True), "(" + (" || ".join(t.code for t in tests) or "false") + ")"
        )
        return found if op is ast.In else self.negated(found)

    def compare_tuples(self, op: type, left: Value, right: Value, node: ast.AST) -> Value:
        if op not in (ast.Eq, ast.NotEq):
            self.refuse(node, "tuples are compared with == and != only")
        a, b = self.tuple_items(left), self.tuple_items(right)
        if len(a) != len(b):
            return number(op is ast.NotEq)
        tests = [self.compare(ast.Eq, x, y, node).code for x, y in zip(a, b)]
        same = Value(Scalar("bool", True), "(" + (" && ".join(tests) or "true") + ")")
        return same if op is ast.Eq else self.negated(same)

    def on_BoolOp(self, node: ast.BoolOp) -> Value:
        is_and = isinstance(node.op, ast.And)
        result = self.expression(node.values[0])
        for part in node.values[1:]:
            result = self.short_circuit(is_and, result, part, node)
        return result

    def short_circuit(self, is_and: bool, left: Value, part: ast.AST, node: ast.AST) -> Value:
        if left.is_constant or left.is_static:
            known = bool(left.constant if left.is_constant else left.object)
            return self.expression(part) if known == is_and else left
        right, before = self.collect(lambda: self.expression(part))
        if right.is_unknown or left.is_unknown:
            return unknown() if not before else right
        both = all(isinstance(v.type, Scalar) and v.type.kind == "b" for v in (left, right))
        if both and not before:
            kind = promote(left.type, right.type)
            return Value(kind, f"({left.code} {'&&' if is_and else '||'} {right.code})")
        left = left if left.is_simple else self.temporary(left)
        test = self.truth(left, node)
        if not is_and:
            test = self.negated(test)
        return self.choice(test, right, before, left, [], node)

    def on_IfExp(self, node: ast.IfExp) -> Value:
        test = self.condition(node.test)
        if test.is_constant:
            return self.expression(node.body if test.constant else node.orelse)
        a, before_a = self.collect(lambda: self.expression(node.body))
        b, before_b = self.collect(lambda: self.expression(node.orelse))
        return self.choice(test, a, before_a, b, before_b, node)

    def choice(
        self,
        test: Value,
        a: Value,
        before_a: list[str],
        b: Value,
        before_b: list[str],
        node: ast.AST,
    ) -> Value:
        """test ? a : b; only what is chosen is evaluated."""
        kind = self.join(a.type, b.type, node, "the expression")
        if a.is_unknown or b.is_unknown or isinstance(kind, Static):
            return Value(kind, "0", roots=a.roots | b.roots)
        bounds = None
        if isinstance(kind, Scalar) and kind.weak and kind.name == "int64":
            x, y = limits_of(a), limits_of(b)
            bounds = (min(x[0], y[0]), max(x[1], y[1]))
        roots = a.roots | b.roots
        if isinstance(kind, Scalar) and not before_a and not before_b:
            texts = [self.as_kind(v, kind, bounds, node) for v in (a, b)]
            return Value(kind, f"({test.code} ? {texts[0]} : {texts[1]})", range=bounds)
        name = self.temporary_name()
        const = isinstance(kind, ArrayOf) and not self.is_writable(roots)
        self.emit(f"{self.unit.c_type(kind, self.needs, bounds, const)} {name};")
        self.emit(f"if ({test.code}) {{")
        self.lines += [
            *before_a,
            "    " * self.depth + f"    {name} = {self.as_kind(a, kind, bounds, node)};",
        ]
        self.emit("} else {")
        self.lines += [
            *before_b,
            "    " * self.depth + f"    {name} = {self.as_kind(b, kind, bounds, node)};",
        ]
        self.emit("}")
        return Value(kind, name, range=bounds, roots=roots)

    def as_kind(
        self, value: Value, kind: Any, bounds: tuple[int, int] | None, node: ast.AST | None
    ) -> str:
        """Text of a value in the C++ type that a local of that type and range has."""
        from heald._jit.value import c_type

        text = self.convert(value, kind, node)
        if isinstance(kind, Scalar) and kind.weak and kind.name == "int64":
            wanted = c_type(kind, bounds)
            if wanted == "int" and not value.is_constant and value.type.kind == "b":
                return f"(int){value.code}"
            if wanted == "int" and isinstance(value.type, Scalar) and value.type.weak:
                return value.code
            return f"({wanted}){text}" if wanted == "int" else text
        return text

    # Attributes
    def on_Attribute(self, node: ast.Attribute) -> Value:
        base = self.expression(node.value)
        if base.is_unknown:
            return unknown()
        if base.is_static:
            return self.static_attribute(base.object, node)
        if isinstance(base.type, ArrayOf):
            return self.array_attribute(base, node)
        if isinstance(base.type, TupleOf):
            fields = getattr(base.type.cls, "_fields", ())
            if node.attr in fields:
                return self.tuple_items(base)[fields.index(node.attr)]
        if isinstance(base.type, Scalar) and node.attr in ("real", "imag"):
            return self.part(base, node.attr, node)
        if isinstance(base.type, Opaque):
            return Value(Static(("method", base.code, base.type, node.attr)), "0")
        self.refuse(node, f"{base.type} has no attribute '{node.attr}' in a kernel")

    def part(self, base: Value, name: str, node: ast.AST) -> Value:
        if base.type.kind == "c":
            part = "float32" if base.type.name == "complex64" else "float64"
            field = "re" if name == "real" else "im"
            return Value(Scalar(part, base.type.weak), f"({base.code}).{field}")
        return base if name == "real" else self.binary(ast.Sub, base, base, node)

    def static_attribute(self, thing: Any, node: ast.Attribute) -> Value:
        from heald._jit.cuda import special_value

        found = special_value(thing, node.attr)
        if found is not None:
            kind, code, least = found
            return Value(kind, code, range=(least, NARROW_MAX))
        try:
            inner = getattr(thing, node.attr)
        except AttributeError:
            self.refuse(node, f"{Static(thing)} has no attribute '{node.attr}'")
        return self.constant(inner, node, node.attr)

    def array_attribute(self, base: Value, node: ast.Attribute) -> Value:
        if node.attr == "shape":
            base = base if base.is_simple else self.temporary(base)
            items = tuple(self.length(base, k) for k in range(base.type.ndim))
            return Value(TupleOf(tuple(v.type for v in items)), items=items)
        if node.attr == "size":
            base = base if base.is_simple else self.temporary(base)
            size = number(1)
            for k in range(base.type.ndim):
                size = (
                    self.binary(ast.Mult, size, self.length(base, k), node)
                    if k
                    else self.length(base, 0)
                )
            if not self.unit.wide and base.type.ndim > 1:
                text = " * ".join(self.length(base, k).code for k in range(base.type.ndim))
                size = Value(size.type, f"({text})", range=(0, NARROW_MAX))
            return size
        if node.attr == "ndim":
            return number(base.type.ndim)
        if node.attr == "dtype":
            return static(np.dtype(base.type.dtype.name))
        if node.attr == "T":
            return self.transposed(base)
        self.refuse(node, f"arrays have no attribute '{node.attr}' in a kernel")

    def length(self, base: Value, axis: int) -> Value:
        raise NotImplementedError

    def transposed(self, base: Value) -> Value:
        raise NotImplementedError

    def on_Tuple(self, node: ast.Tuple) -> Value:
        items = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                inner = self.expression(element.value)
                if inner.is_unknown:
                    return unknown()
                items += list(self.tuple_items(inner))
            else:
                items.append(self.materialise_parts(self.expression(element)))
        if any(item.is_unknown for item in items):
            return unknown()
        return Value(TupleOf(tuple(v.type for v in items)), items=tuple(items))

    def materialise_parts(self, value: Value) -> Value:
        return value

    def on_List(self, node: ast.List) -> Value:
        self.refuse(node, "lists cannot be used in a kernel: use a tuple or hd.cuda.local.array")

    def floating(self, value: Value) -> Scalar:
        """The type in which functions of the math module take place."""
        kind = value.type
        if kind.kind == "f":
            return kind if kind.bits >= 32 else Scalar("float32")
        return Scalar("float64", True) if kind.weak else FLOAT64


def _words(node: ast.AST) -> str:
    return {
        "Dict": "dictionaries", "Set": "sets", "ListComp": "list comprehensions",
        "SetComp": "set comprehensions", "DictComp": "dict comprehensions",
        "GeneratorExp": "generator expressions", "Await": "await", "Yield": "yield",
        "YieldFrom": "yield from", "NamedExpr": ":=", "Slice": "slices outside of x[…]",
        "Starred": "* of arguments",
    }.get(type(node).__name__, type(node).__name__)  # fmt: skip
