"""Statements."""

from __future__ import annotations

import ast
from typing import Any

from heald._jit.calls import Calls
from heald._jit.types import NOTHING, UNKNOWN, ArrayOf, Scalar, Static, TupleOf
from heald._jit.value import Value, static, unknown


class Statements(Calls):
    is_kernel: bool
    result: Any
    result_roots: frozenset[Any]

    def block(self, body: list[ast.stmt]) -> None:
        self.depth += 1
        for statement in body:
            self.statement(statement)
        self.depth -= 1

    def statement(self, node: ast.stmt) -> None:
        method = getattr(self, f"do_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"{_statement_words(node)} cannot be used in a kernel")
        self.mark(node)
        method(node)

    def do_Pass(self, node: ast.Pass) -> None:
        pass

    def do_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring
        value = self.expression(node.value)
        if value.code and value.code != "0" and not value.is_simple and value.items is None:
            self.emit(f"(void)({value.code});")

    def do_Global(self, node: ast.Global) -> None:
        self.refuse(node, "globals are constants in a kernel: pass an array to write to")

    def do_Nonlocal(self, node: ast.Nonlocal) -> None:
        pass

    def do_Assert(self, node: ast.Assert) -> None:
        test = self.condition(node.test)
        text = ast.unparse(node.test).replace("\\", "\\\\").replace('"', '\\"')
        if isinstance(node.msg, ast.Constant):
            text += ": " + str(node.msg.value).replace("\\", "\\\\").replace('"', '\\"')
        self.needs.includes.add("cassert")
        self.emit(f'assert(({test.code}) && "{text}");')

    # Assignments
    def do_Assign(self, node: ast.Assign) -> None:
        value = self.expression(node.value)
        if len(node.targets) > 1 and not value.is_simple:
            value = self.temporary(self.materialise(value))
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            return
        value = self.expression(node.value)
        kind = self.annotation(node.annotation)
        if kind is not None and isinstance(value.type, Scalar):
            value = Value(kind, self.convert(value, kind, node))
        self.assign(node.target, value)

    def annotation(self, node: ast.AST) -> Scalar | None:
        """`s: hd.float32 = 0` makes the local a float32."""
        found = self.expression(node)
        return self.dtype_of(found.object) if found.is_static else None

    def assign(self, target: ast.AST, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.assign_name(target.id, value, target)
        elif isinstance(target, ast.Subscript):
            self.assign_subscript(target, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target, value)
        elif isinstance(target, ast.Attribute):
            self.refuse(target, "attributes cannot be assigned in a kernel")
        else:
            self.refuse(target, f"{type(target).__name__} cannot be assigned")

    def assign_name(self, name: str, value: Value, node: ast.AST) -> None:
        outer = self.outer_of(name)
        if outer is not None:
            local = outer.note_assignment(name, value, node)
        else:
            local = self.note_assignment(name, value, node)
        if value.is_unknown or local.type is UNKNOWN or isinstance(local.type, Static):
            return
        self.emit(f"{local.c_name} = {self.as_local(local, value, node)};")

    def outer_of(self, name: str) -> Any:
        """The function whose variable a nonlocal name is."""
        return None

    def as_local(self, local: Any, value: Value, node: ast.AST) -> str:
        return self.as_kind(value, local.type, local.range, node)

    def unpack(self, target: ast.Tuple | ast.List, value: Value) -> None:
        if value.is_unknown:
            for part in target.elts:
                self.assign(part, unknown())
            return
        if isinstance(value.type, ArrayOf):
            self.refuse(target, "an array is not unpacked: index it")
        if not isinstance(value.type, TupleOf):
            self.refuse(target, f"{value.type} cannot be unpacked")
        items = self.tuple_items(value)
        if len(items) != len(target.elts):
            self.refuse(target, f"{value.type} has {len(items)} items, not {len(target.elts)}")
        held = [
            item if item.is_constant or item.is_static else self.temporary(self.materialise(item))
            for item in items
        ]
        for part, item in zip(target.elts, held):
            self.assign(part, item)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            old = self.name(node.target.id, node.target)
            value = self.expression(node.value)
            if isinstance(old.type, ArrayOf):
                self.mark_written(old.roots)
                if not value.is_unknown:
                    self.assign_view(old, value, node, type(node.op))
                return
            self.assign_name(node.target.id, self.binary(type(node.op), old, value, node), node)
        elif isinstance(node.target, ast.Subscript):
            value = self.expression(node.value)
            self.assign_subscript(node.target, value, type(node.op))
        else:
            self.refuse(node, "attributes cannot be assigned in a kernel")

    # Branches
    def do_If(self, node: ast.If) -> None:
        test = self.condition(node.test)
        if test.is_constant:
            for statement in node.body if test.constant else node.orelse:
                self.statement(statement)
            return
        self.emit(f"if ({_bare(test.code)}) {{")
        self.block(node.body)
        if node.orelse:
            self.emit("} else {")
            self.block(node.orelse)
        self.emit("}")

    def do_Return(self, node: ast.Return) -> None:
        if self.is_kernel:
            if node.value is not None and not (
                isinstance(node.value, ast.Constant) and node.value.value is None
            ):
                self.refuse(
                    node,
                    "a kernel returns nothing: store the result in an array, or write an "
                    "elementwise function with @hd.fuse or @hd.vectorize",
                )
            self.emit("return;")
            return
        value = static(None) if node.value is None else self.expression(node.value)
        if value.is_unknown:
            return
        kind = self.join(self.result, value.type, node, "the result")
        if kind != self.result:
            self.result = kind
            self.changed = True
        if value.roots - self.result_roots:
            self.result_roots |= value.roots
            self.changed = True
        if kind == NOTHING or isinstance(kind, Static):
            self.emit("return;")
        else:
            text = self.convert(value, kind, node)
            if isinstance(kind, ArrayOf):
                text = self.writable(text)
            self.emit(f"return {text};")

    # Nested functions
    def do_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            self.refuse(node.decorator_list[0], "nested functions take no decorators")
        self.assign_name(node.name, static(self.nested_function(node)), node)

    def on_Lambda(self, node: ast.Lambda) -> Value:
        return static(self.nested_function(node))


def _bare(text: str) -> str:
    """Without the parentheses that `if` adds."""
    if text.startswith("(") and text.endswith(")"):
        depth = 0
        for at, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if depth == 0 and at < len(text) - 1:
                return text
        return text[1:-1]
    return text


def _statement_words(node: ast.AST) -> str:
    return {
        "Try": "try", "TryStar": "try", "Raise": "raise", "With": "with", "ClassDef": "classes",
        "Import": "import", "ImportFrom": "import", "Delete": "del", "Match": "match",
        "AsyncFunctionDef": "async functions", "AsyncFor": "async for", "AsyncWith": "async with",
    }.get(type(node).__name__, type(node).__name__)  # fmt: skip
