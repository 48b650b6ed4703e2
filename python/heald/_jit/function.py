"""The translation of one function for one set of argument types. The body is gone through until no
local's type changes any more; the text of the last time counts."""

from __future__ import annotations

import ast
from typing import Any

from heald._jit.context import Local
from heald._jit.loops import Loops
from heald._jit.names import c_identifier
from heald._jit.source import Source
from heald._jit.types import NOTHING, UNKNOWN, ArrayOf, Opaque, Scalar, Static, TupleOf
from heald._jit.unit import Needs, Unit
from heald._jit.value import Value

_MOST_PASSES = 40


class Function(Loops):
    """`parameters`: what is known of each argument. `parent`: the function around a nested one."""

    def __init__(
        self,
        unit: Unit,
        source: Source,
        parameters: list[Value],
        *,
        is_kernel: bool,
        node: ast.FunctionDef | ast.Lambda | None = None,
        parent: Function | None = None,
    ) -> None:
        super().__init__()
        self.unit, self.source, self.parameters = unit, source, parameters
        self.is_kernel, self.parent = is_kernel, parent
        self.node = node if node is not None else source.node
        name = self.node.name if isinstance(self.node, ast.FunctionDef) else "lambda"
        self.name_in_python = name
        self.c_name = unit.unique(c_identifier(name) if is_kernel else "f_" + c_identifier(name))
        self.needs = Needs()
        self.written: set[Any] = set()
        self.outer_written: set[Any] = set()
        self.result: Any = NOTHING if is_kernel else UNKNOWN
        self.result_roots: frozenset[Any] = frozenset()
        self.locals: dict[str, Local] = {}
        self.captures: dict[str, Value] = {}
        self.nested: dict[Any, Any] = {}
        self.hidden: dict[str, Value] = {}
        self.storage: list[str] = []  # declarations of shared and local memory
        self.provisional = False
        self.is_recursive = False
        arguments = self.node.args
        self.parameter_names = [
            a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        ]
        self.nonlocals, assigned = _assigned_names(self.node)
        self.own_names = (assigned | set(self.parameter_names)) - self.nonlocals
        for name in sorted(self.own_names):
            self.locals[name] = Local(c_identifier(name))
        for k, (name, value) in enumerate(zip(self.parameter_names, parameters)):
            local = self.locals[name]
            local.type, local.range = value.type, value.range
            local.roots = (
                frozenset({k}) if isinstance(value.type, (ArrayOf, TupleOf)) else frozenset()
            )

    def translate(self) -> None:
        for _ in range(_MOST_PASSES):
            self.changed = False
            self.lines, self.storage = [], []
            self.temporaries = 0
            self.needs = Needs()
            self.captures, self.hidden = {}, {}
            for nested in self.nested.values():
                nested.made = {}
            self.pass_over()
            if not self.changed:
                return self.check_known()
        self.refuse(self.node, "the types of its locals do not settle")

    def pass_over(self) -> None:
        if isinstance(self.node, ast.Lambda):
            value = ast.Return(self.node.body)
            ast.copy_location(value, self.node.body)
            self.statement(value)
            return
        for statement in self.node.body:
            self.statement(statement)

    def check_known(self) -> None:
        for name in sorted(self.own_names):
            if self.locals[name].type is UNKNOWN and self.provisional is False:
                node = _first_use(self.node, name)
                if node is not None and not self.unit.stack_has_recursion():
                    self.refuse(node, f"the type of '{name}' cannot be told: it is never assigned")

    # Names
    def name(self, name: str, node: ast.AST) -> Value:
        if name in self.hidden:
            return self.hidden[name]
        return super().name(name, node)

    def captured(self, name: str) -> Value | None:
        if self.parent is None:
            return None
        if name in self.captures:
            return self.captures[name]
        local = self.parent.locals.get(name)
        if local is None:
            return self.parent.captured(name)
        value = self.parent.read_local(name, local)
        if value.is_static or value.is_unknown:
            return value
        roots = frozenset(("outer", root) if root is not None else None for root in value.roots)
        value = Value(value.type, value.code, range=value.range, roots=roots)
        self.captures[name] = value
        return value

    def mark_written(self, roots: frozenset[Any]) -> None:
        outer = {r[1] for r in roots if isinstance(r, tuple) and r[0] == "outer"}
        if outer:
            self.outer_written |= outer
            assert self.parent is not None
            self.parent.mark_written(frozenset(outer))
        super().mark_written(
            frozenset(r for r in roots if not (isinstance(r, tuple) and r[0] == "outer"))
        )

    def is_writable(self, roots: frozenset[Any]) -> bool:
        own = frozenset(r for r in roots if not (isinstance(r, tuple) and r[0] == "outer"))
        outer = frozenset(r[1] for r in roots if isinstance(r, tuple) and r[0] == "outer")
        if outer and self.parent is not None and not self.parent.is_writable(outer):
            return False
        return super().is_writable(own)

    def outer_of(self, name: str) -> Any:
        if name not in self.nonlocals or self.parent is None:
            return None
        self.captured(name)
        return self.parent if name in self.parent.locals else self.parent.outer_of(name)

    # Text
    @property
    def prototype(self) -> str:
        parts = []
        for k, (name, value) in enumerate(zip(self.parameter_names, self.parameters)):
            if isinstance(value.type, Static):
                continue
            parts.append(f"{self.parameter_type(k)} {self.parameter_c_name(name, value)}")
        for name, value in self.captures.items():
            const = isinstance(value.type, ArrayOf) and not self.is_writable(value.roots)
            kind = self.unit.c_type(value.type, self.needs, value.range, const)
            parts.append(f"{kind}& {c_identifier(name)}")
        result = self.result_type()
        inline = "" if self.is_recursive else "inline "
        return f"__device__ {inline}{result} {self.c_name}({', '.join(parts)})"

    def result_type(self) -> str:
        if self.result is UNKNOWN or isinstance(self.result, Static):
            return "void"
        return self.unit.c_type(self.result, self.needs)

    def parameter_type(self, k: int) -> str:
        value = self.parameters[k]
        const = isinstance(value.type, ArrayOf) and k not in self.written
        return self.unit.c_type(value.type, self.needs, value.range, const)

    def parameter_c_name(self, name: str, value: Value) -> str:
        """Its own name, unless the local of that name has become another type."""
        return self.locals[name].c_name + ("" if self.keeps_type(name, value) else "__given")

    def keeps_type(self, name: str, value: Value) -> bool:
        local = self.locals[name]
        same = local.type == value.type and local.range == value.range
        return same and local.roots <= {self.parameter_names.index(name)}

    def declarations(self) -> list[str]:
        lines = []
        for name in sorted(self.own_names):
            local = self.locals[name]
            if local.type is UNKNOWN or isinstance(local.type, Static):
                continue
            if name in self.parameter_names:
                k = self.parameter_names.index(name)
                value = self.parameters[k]
                if self.keeps_type(name, value) or isinstance(value.type, Static):
                    continue
                given = Value(
                    value.type, f"{local.c_name}__given", range=value.range, roots=frozenset({k})
                )
                text = self.as_local(local, given, self.node)
                lines.append(f"{self.local_type(local)} {local.c_name} = {text};")
                continue
            start = " = 0" if isinstance(local.type, Scalar) and local.type.kind != "c" else ""
            lines.append(f"{self.local_type(local)} {local.c_name}{start};")
        return lines

    def local_type(self, local: Local) -> str:
        const = isinstance(local.type, ArrayOf) and not self.is_writable(local.roots)
        return self.unit.c_type(local.type, self.needs, local.range, const)

    @property
    def body(self) -> list[str]:
        return [f"    {line}" for line in [*self.declarations(), *self.storage]] + self.lines

    @property
    def definition(self) -> str:
        return "\n".join([f"{self.prototype} {{", *self.body, "}"])


def _assigned_names(node: ast.FunctionDef | ast.Lambda) -> tuple[set[str], set[str]]:
    """(nonlocal names, names that are assigned), functions inside left out."""
    outer: set[str] = set()
    assigned: set[str] = set()

    def visit(part: ast.AST) -> None:
        for child in ast.iter_child_nodes(part):
            if isinstance(child, (ast.FunctionDef, ast.Lambda)):
                if isinstance(child, ast.FunctionDef):
                    assigned.add(child.name)
                continue
            if isinstance(child, ast.Nonlocal):
                outer.update(child.names)
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                assigned.add(child.id)
            visit(child)

    for part in node.body if isinstance(node, ast.FunctionDef) else [node.body]:
        if isinstance(part, ast.FunctionDef):
            assigned.add(part.name)
        elif not isinstance(part, ast.Lambda):
            if isinstance(part, ast.Nonlocal):
                outer.update(part.names)
            visit(part)
    return outer, assigned


def _first_use(node: ast.AST, name: str) -> ast.AST | None:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
            return part
    return None


__all__ = ["Function", "Opaque"]
