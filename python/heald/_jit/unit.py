"""One CUDA C++ source: a kernel, the device functions that it calls, and what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heald._jit.runtime import RUNTIME
from heald._jit.source import Source
from heald._jit.types import ArrayOf, Opaque, Scalar, TupleOf
from heald._jit.ufuncs import function_text
from heald._jit.value import c_type, stored_type

if TYPE_CHECKING:
    from heald._jit.function import Function


class Needs:
    """What the text of a function refers to; gathered anew in every pass over it."""

    def __init__(self) -> None:
        self.functions: set[str] = set()  # of runtime.py and of the arrays' table
        self.loops: dict[str, str] = {}
        self.structs: dict[str, str] = {}
        self.includes: set[str] = set()
        self.callees: dict[str, Function] = {}
        self.globals: dict[str, str] = {}
        self.cooperative = False


class Unit:
    """`wide`: the launch needs 64-bit indices."""

    def __init__(self, wide: bool, options: Any) -> None:
        self.wide = wide
        self.options = options
        self.functions: dict[Any, Function] = {}  # by what they are specialised for
        self.names: dict[str, int] = {}
        self.tuple_names: dict[TupleOf, str] = {}
        self.cooperative = False  # all blocks have to be resident
        self.stack: list[Function] = []  # functions that are being translated
        self._sources: dict[Any, Source] = {}
        self._constant_names: dict[int, str] = {}
        self.kept: list[Any] = []  # what must outlive the translation

    @property
    def index(self) -> str:
        return "long long" if self.wide else "int"

    def unique(self, name: str) -> str:
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return name if count == 0 else f"{name}_{count}"

    def source_of(self, function: Any) -> Source:
        found = self._sources.get(function)
        if found is None:
            found = self._sources[function] = Source(function)
        return found

    def constant_name(self, thing: Any) -> str:
        """Of an array in the source; the same for the same object."""
        name = self._constant_names.get(id(thing))
        if name is None:
            self.kept.append(thing)
            name = self._constant_names[id(thing)] = self.unique("heald_constant")
        return name

    def stack_has_recursion(self) -> bool:
        return any(function.is_recursive for function in self.stack)

    def array_type(self, kind: ArrayOf, const: bool) -> str:
        index = "int" if kind.small else self.index
        element = stored_type(kind.dtype)
        return f"heald_::Array<{'const ' if const else ''}{element}, {index}, {max(kind.ndim, 1)}>"

    def c_type(self, kind: Any, needs: Needs, bounds: Any = None, const: bool = False) -> str:
        """The C++ type of a local."""
        if isinstance(kind, Scalar):
            if kind.kind == "c":
                needs.functions.add("complex")
            return c_type(kind, bounds)
        if isinstance(kind, ArrayOf):
            needs.functions.add("array")
            if kind.dtype.kind == "c":
                needs.functions.add("complex")
            return self.array_type(kind, const)
        if isinstance(kind, TupleOf):
            return self.tuple_struct(kind, needs)
        if isinstance(kind, Opaque):
            return kind.c_name
        raise TypeError(f"{kind} has no C++ type")

    def tuple_struct(self, kind: TupleOf, needs: Needs) -> str:
        name = self.tuple_names.get(kind)
        if name is None:
            stem = kind.cls.__name__ if kind.cls is not None else "Tuple"
            name = self.tuple_names[kind] = self.unique(f"heald_{stem}")
        if name not in needs.structs:
            fields = "".join(
                f" {self.c_type(item, needs)} f{i};" for i, item in enumerate(kind.items)
            )
            needs.structs[name] = f"struct {name} {{{fields} }};"
        return name

    def text(self, kernel: Function) -> str:
        """The whole source."""
        order: list[Function] = []
        _visit(kernel, order, set())
        needs = Needs()
        for function in order:
            for part in ("functions", "includes"):
                getattr(needs, part).update(getattr(function.needs, part))
            for part in ("loops", "structs", "globals"):
                getattr(needs, part).update(getattr(function.needs, part))
        parts = [f"#include <{name}>" for name in sorted(needs.includes)]
        parts += _runtime(needs.functions)
        parts += [*needs.structs.values(), *needs.loops.values(), *needs.globals.values()]
        if len(order) > 1:
            parts += [f"{function.prototype};" for function in order[:-1]]
        parts += [function.definition for function in order]
        return "\n".join(parts) + "\n"


def _visit(function: Function, order: list[Function], seen: set[int]) -> None:
    if id(function) in seen:
        return
    seen.add(id(function))
    for callee in function.needs.callees.values():
        _visit(callee, order, seen)
    order.append(function)


def _runtime(names: set[str]) -> list[str]:
    """The texts of runtime functions, each after what it needs."""
    texts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in texts:
            return
        needs, text = RUNTIME[name] if name in RUNTIME else function_text(name)
        for other in needs:
            add(other)
        texts[name] = text

    for name in sorted(names):
        add(name)
    return list(texts.values())
