"""The `__global__` function: parameters for what arrays and tuples are made of."""

from __future__ import annotations

import re

import numpy as np

from heald._jit.convert import load
from heald._jit.function import Function
from heald._jit.names import c_identifier
from heald._jit.types import ArrayOf, Scalar, Static, TupleOf
from heald._jit.value import Value, c_type, stored_type


class Entry(Function):
    """A kernel. `sources`: where each parameter comes from, as the launch's (kind, leaf, axis)."""

    sources: list[tuple[str, int, int]]

    def finish(self) -> None:
        """Lays out the parameters; after translate()."""
        self.sources = []
        self.parts: list[str] = []
        self.prologue: list[str] = []
        self.leaf = 0
        text = "\n".join([*self.lines, *self.declarations()])
        for k, (name, value) in enumerate(zip(self.parameter_names, self.parameters)):
            if isinstance(value.type, Static):
                continue
            given = self.parameter_c_name(name, value)
            self.parameter(given, c_identifier(name), value, k, text)

    def parameter(self, given: str, stem: str, value: Value, k: int, text: str) -> None:
        kind = value.type
        if isinstance(kind, Scalar):
            if kind.name in ("float16", "bfloat16"):
                self.add("number", self.take_leaf(), 0, f"unsigned short {stem}__bits")
                loaded = load(f"{stem}__bits", kind, self.needs.functions)
                self.prologue.append(f"float {given} = {loaded};")
            else:
                c_name = self.unit.c_type(kind, self.needs, value.range)
                self.add("number", self.take_leaf(), 0, f"{c_name} {given}")
        elif isinstance(kind, ArrayOf):
            const = k not in self.written
            made = self.array(given, stem, kind, const, text)
            self.prologue.append(f"{self.unit.array_type(kind, const)} {given}{made};")
        else:
            assembled = self.assemble(stem, value)
            self.prologue.append(f"{self.unit.c_type(kind, self.needs)} {given} = {assembled};")

    def assemble(self, stem: str, value: Value) -> str:
        """The text of a tuple made of parameters."""
        assert isinstance(value.type, TupleOf) and value.items is not None
        dtype = getattr(value.type.cls, "record_dtype", None)
        if dtype is not None:
            return self.record(stem, value, dtype)
        texts = []
        for i, item in enumerate(value.items):
            name = f"{stem}__{i}"
            if isinstance(item.type, TupleOf):
                texts.append(self.assemble(name, item))
            elif isinstance(item.type, ArrayOf):
                texts.append(self.array(name, name, item.type, False, None))
            elif isinstance(item.type, Static):
                continue
            elif item.type.name in ("float16", "bfloat16"):
                self.add("number", self.take_leaf(), 0, f"unsigned short {name}")
                texts.append(load(name, item.type, self.needs.functions))
            else:
                c_name = c_type(item.type, item.range)
                self.add("number", self.take_leaf(), 0, f"{c_name} {name}")
                texts.append(name)
        return f"{self.unit.c_type(value.type, self.needs)}{{{', '.join(texts)}}}"

    def record(self, stem: str, value: Value, dtype: np.dtype) -> str:
        """A NumPy record is passed as its bytes."""
        assert dtype.names is not None and dtype.fields is not None and value.items is not None
        self.needs.functions.add("record")
        self.add("number", self.take_leaf(), 0, f"heald_::Record<{dtype.itemsize}> {stem}__bytes")
        texts = []
        for name, item in zip(dtype.names, value.items):
            offset = dtype.fields[name][1]
            read = f"heald_::field<{stored_type(item.type)}>({stem}__bytes.bytes + {offset})"
            texts.append(load(read, item.type, self.needs.functions))
        return f"{self.unit.c_type(value.type, self.needs)}{{{', '.join(texts)}}}"

    def array(self, given: str, stem: str, kind: ArrayOf, const: bool, text: str | None) -> str:
        """Parameters for one array, of which only what is used is passed; its assembly."""
        self.needs.functions.add("array")
        if kind.dtype.kind == "c":
            self.needs.functions.add("complex")
        leaf = self.take_leaf()
        element = ("const " if const else "") + stored_type(kind.dtype)
        if kind.dtype.name in ("float16", "bfloat16"):
            # Host arrays are checked against the parameter's type, and this one is only bits.
            self.add("data", leaf, 0, f"{'const ' if const else ''}void* {stem}__data")
            pointer = f"({element}*){stem}__data"
        else:
            self.add("data", leaf, 0, f"{element}* {stem}__data")
            pointer = f"{stem}__data"
        whole = (
            text is None
            or re.search(rf"(?<![\w.]){given}\b(?!\.(data|shape|strides)\b)", text) is not None
        )
        index = self.unit.index

        def used(part: str, axis: int) -> bool:
            pattern = rf"(?<![\w.]){given}\.{part}\[{axis}\]"
            return whole or re.search(pattern, text or "") is not None

        lengths, steps = [], []
        for axis in range(kind.ndim):
            if used("shape", axis):
                self.add("shape", leaf, axis, f"{index} {stem}__shape{axis}")
                lengths.append(f"{stem}__shape{axis}")
            else:
                lengths.append("0")
            if kind.layout != "C" and used("strides", axis):
                self.add("stride", leaf, axis, f"{index} {stem}__stride{axis}")
                steps.append(f"{stem}__stride{axis}")
            else:
                steps.append("0")
        shown = ", ".join(steps) if any(step != "0" for step in steps) else ""
        name = "" if text is not None else self.unit.array_type(kind, const)
        return f"{name}{{{pointer}, {{{', '.join(lengths) or '1'}}}, {{{shown}}}}}"

    def add(self, kind: str, leaf: int, axis: int, text: str) -> None:
        self.sources.append((kind, leaf, axis))
        self.parts.append(text)

    def take_leaf(self) -> int:
        self.leaf += 1
        return self.leaf - 1

    @property
    def prototype(self) -> str:
        return f'extern "C" __global__ void {self.c_name}({", ".join(self.parts)})'

    @property
    def body(self) -> list[str]:
        return [f"    {line}" for line in self.prologue] + super().body
