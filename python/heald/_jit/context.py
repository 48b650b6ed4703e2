"""What every part of the translation of one function shares: its locals, its text, its errors."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NoReturn

from heald._jit import convert as conversions
from heald._jit.errors import refuse
from heald._jit.names import c_identifier
from heald._jit.source import Source
from heald._jit.types import UNKNOWN, ArrayOf, Scalar, Static, TupleOf, promote
from heald._jit.ufuncs import Loop, find_loop
from heald._jit.unit import Needs, Unit
from heald._jit.value import INT64_RANGE, Value, c_type, limits_of, unknown

_WIDENING_PASS = 3


class Local:
    """A variable: one type for the whole function, the promotion of all that is assigned to it."""

    __slots__ = ("c_name", "changes", "constant", "range", "roots", "type")

    def __init__(self, c_name: str) -> None:
        self.c_name = c_name
        self.type: Any = UNKNOWN
        self.range: tuple[int, int] | None = None
        self.roots: frozenset[Any] = frozenset()
        self.changes = 0


class Context:
    source: Source
    unit: Unit
    needs: Needs
    locals: dict[str, Local]
    written: set[Any]  # parameters whose memory is stored to

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self.temporaries = 0
        self.changed = False

    # What the parts offer each other.
    def expression(self, node: ast.AST) -> Value:
        raise NotImplementedError

    def condition(self, node: ast.AST) -> Value:
        raise NotImplementedError

    def refuse(self, node: ast.AST | None, message: str) -> NoReturn:
        refuse(self.source, node, message)

    # Text
    def emit(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def mark(self, node: ast.AST) -> None:
        """Where the following text comes from, for debuggers."""
        if self.unit.options.lines and hasattr(node, "lineno"):
            self.lines.append(f'#line {node.lineno} "{self.source.filename}"')

    def collect(self, make: Callable[[], Any]) -> tuple[Any, list[str]]:
        """What `make` gives, and the statements that have to run before."""
        outer, self.lines = self.lines, []
        try:
            made = make()
            return made, self.lines
        finally:
            self.lines = outer

    def temporary_name(self, stem: str = "t") -> str:
        self.temporaries += 1
        return f"{stem}__{self.temporaries}"

    def temporary(self, value: Value, stem: str = "t") -> Value:
        """The value in a constant of its own, evaluated here."""
        if value.is_unknown or value.is_static or value.is_constant or value.items is not None:
            return value
        name = self.temporary_name(stem)
        const = isinstance(value.type, ArrayOf) and not self.is_writable(value.roots)
        kind = self.unit.c_type(value.type, self.needs, value.range, const)
        self.emit(f"const {kind} {name} = {value.code};")
        return Value(value.type, name, range=value.range, roots=value.roots)

    # Types
    def is_writable(self, roots: frozenset[Any]) -> bool:
        """None is memory of the kernel's own."""
        return all(root is None or root in self.written for root in roots)

    def mark_written(self, roots: frozenset[Any]) -> None:
        new = {root for root in roots if root is not None} - self.written
        if new:
            self.written |= new
            self.changed = True

    def convert(self, value: Value, target: Any, node: ast.AST | None) -> str:
        """The value's text as another type; refuses what does not convert."""
        if value.is_unknown or target is UNKNOWN:
            return "0"
        if isinstance(target, Scalar) and isinstance(value.type, Scalar):
            try:
                return conversions.convert(value, target, self.needs.functions)
            except conversions.Inconvertible as problem:
                self.refuse(node, str(problem))
        if isinstance(target, TupleOf) and isinstance(value.type, TupleOf):
            return self.convert_tuple(value, target, node)
        if value.type == target:
            return value.code
        if isinstance(value.type, ArrayOf) and isinstance(target, ArrayOf):
            return self.convert_array(value, target, node)
        self.refuse(node, f"{value.type} where {target} is expected")

    def convert_tuple(self, value: Value, target: TupleOf, node: ast.AST | None) -> str:
        if len(value.type.items) != len(target.items):
            self.refuse(node, f"{value.type} where {target} is expected: the lengths differ")
        parts = self.tuple_items(value)
        name = self.unit.tuple_struct(target, self.needs)
        texts = []
        for part, kind in zip(parts, target.items):
            text = self.convert(part, kind, node)
            if isinstance(kind, ArrayOf):
                text = self.writable(text)
            if isinstance(kind, Scalar) and c_type(part.type, part.range) != c_type(kind):
                text = f"({c_type(kind)}){text}"
            texts.append(text)
        return f"{name}{{{', '.join(texts)}}}"

    def writable(self, text: str) -> str:
        """A view as one of memory that may be written; its roots say whether it is."""
        self.needs.functions.add("writable")
        return f"heald_::writable({text})"

    def convert_array(self, value: Value, target: ArrayOf, node: ast.AST | None) -> str:
        """Layouts only lose what is known; strides are filled in."""
        raise NotImplementedError

    def tuple_items(self, value: Value) -> tuple[Value, ...]:
        if value.items is not None:
            return value.items
        base = value if value.is_simple else self.temporary(value)
        return tuple(
            Value(kind, f"{base.code}.f{i}", roots=value.roots)
            if not isinstance(kind, Static)
            else Value(kind, "0")
            for i, kind in enumerate(value.type.items)
        )

    def materialise(self, value: Value, node: ast.AST | None = None) -> Value:
        """A tuple in place as one C++ value; anything else as it is."""
        if value.items is None:
            return value
        return Value(value.type, self.convert(value, value.type, node), roots=value.roots)

    def join(self, a: Any, b: Any, node: ast.AST, what: str) -> Any:
        """The type that holds both."""
        if a is UNKNOWN or a == b:
            return b
        if b is UNKNOWN:
            return a
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return promote(a, b)
        if isinstance(a, TupleOf) and isinstance(b, TupleOf) and len(a.items) == len(b.items):
            items = tuple(self.join(x, y, node, what) for x, y in zip(a.items, b.items))
            return TupleOf(items, a.cls if a.cls is b.cls else None)
        if isinstance(a, ArrayOf) and isinstance(b, ArrayOf):
            if a.dtype == b.dtype and a.ndim == b.ndim:
                layout = "A" if "A" in (a.layout, b.layout) else "I" if a.ndim > 1 else "C"
                return ArrayOf(a.dtype, a.ndim, layout, a.small and b.small)
        self.refuse(node, f"{what} would be {a} in one place and {b} in another")

    # Locals
    def local(self, name: str) -> Local:
        found = self.locals.get(name)
        if found is None:
            found = self.locals[name] = Local(c_identifier(name))
        return found

    def note_assignment(self, name: str, value: Value, node: ast.AST) -> Local:
        """Widens the local's type by what is assigned."""
        local = self.local(name)
        if value.is_unknown:
            return local
        kind = self.join(local.type, value.type, node, f"the local '{name}'")
        roots = local.roots | value.roots
        bounds = local.range
        if isinstance(kind, Scalar) and kind.weak and kind.name == "int64":
            bounds = _hull(local.range if local.type == kind else None, limits_of(value))
            if isinstance(local.type, Scalar) and local.type.weak and local.type.kind == "b":
                bounds = _hull(bounds, (0, 1))
        if (kind, roots, bounds) != (local.type, local.roots, local.range):
            local.changes += 1
            if bounds != local.range and local.changes > _WIDENING_PASS:
                bounds = INT64_RANGE
            local.type, local.roots, local.range = kind, roots, bounds
            self.changed = True
        return local

    def read_local(self, name: str, local: Local) -> Value:
        if isinstance(local.type, Static):
            return Value(local.type, "0")
        return Value(local.type, local.c_name, range=local.range, roots=local.roots)

    # Calls of rows of the arrays' table
    def loop(self, name: str, dtype: Scalar) -> Loop | None:
        found = find_loop(name, dtype.name)
        if found is not None:
            self.needs.loops[found.name] = found.text
            self.needs.functions.update(found.functions.split())
        return found

    def call_loop(self, name: str, operands: list[Value], node: ast.AST) -> Value:
        """A ufunc of NumPy on scalars."""
        if any(value.is_unknown for value in operands):
            return unknown()
        kinds = []
        for value in operands:
            if not isinstance(value.type, Scalar):
                self.refuse(node, f"{name} takes numbers, got {value.type}")
            kinds.append(value.type)
        typed = (
            kinds[0] if name == "ldexp" else _promote_all(kinds[1:] if name == "where" else kinds)
        )
        found = self.loop(name, typed)
        if found is None:
            types = " and ".join(map(str, kinds))
            self.refuse(node, f"NumPy has no {name} of {types}")
        texts = [self.convert(v, k, node) for v, k in zip(operands, found.operands)]
        weak = all(kind.weak for kind in kinds) and found.result.name in _WEAK
        return Value(Scalar(found.result.name, weak), f"{found.name}({', '.join(texts)})")


_WEAK = ("bool", "int64", "float64", "complex128")


def _promote_all(kinds: list[Scalar]) -> Scalar:
    result = kinds[0]
    for kind in kinds[1:]:
        result = promote(result, kind)
    return result


def _hull(a: tuple[int, int] | None, b: tuple[int, int]) -> tuple[int, int]:
    return b if a is None else (min(a[0], b[0]), max(a[1], b[1]))
