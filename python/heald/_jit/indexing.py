"""Elements and views of arrays, items of tuples."""

from __future__ import annotations

import ast

from heald._jit.convert import load, store
from heald._jit.expressions import Expressions
from heald._jit.types import NOTHING, WEAK_INT, ArrayOf, Scalar, TupleOf
from heald._jit.value import LENGTH_RANGE, NARROW_MAX, Value, c_type, fits32, limits_of, unknown


class Indexing(Expressions):
    def length(self, base: Value, axis: int) -> Value:
        bounds = (0, NARROW_MAX) if base.type.small or not self.unit.wide else LENGTH_RANGE
        return Value(WEAK_INT, f"{base.code}.shape[{axis}]", range=bounds)

    def stride(self, base: Value, axis: int) -> str:
        """Elements between neighbours along an axis, as text."""
        kind: ArrayOf = base.type
        if kind.layout in "CI" and axis == kind.ndim - 1:
            return "1"
        if kind.layout == "C":
            rest = [f"{base.code}.shape[{k}]" for k in range(axis + 1, kind.ndim)]
            return " * ".join(rest)
        return f"{base.code}.strides[{axis}]"

    def index_type(self, kind: ArrayOf) -> str:
        return "int" if kind.small else self.unit.index

    def on_Subscript(self, node: ast.Subscript) -> Value:
        base = self.expression(node.value)
        if base.is_unknown:
            return unknown()
        if isinstance(base.type, TupleOf):
            return self.tuple_item(base, node)
        if not isinstance(base.type, ArrayOf):
            if base.is_static:
                return self.static_item(base, node)
            self.refuse(node, f"{base.type} has no elements")
        base = base if base.is_simple else self.temporary(base, "view")
        parts = self.index_parts(base, node)
        if parts is None:
            return unknown()
        if all(isinstance(part, Value) for part in parts) and len(parts) == base.type.ndim:
            return self.element(base, self.place(base, parts))
        return self.view(base, parts, node)

    def static_item(self, base: Value, node: ast.Subscript) -> Value:
        self.refuse(node, f"{base.type} cannot be indexed in a kernel")

    def element(self, base: Value, place: str) -> Value:
        kind = base.type.dtype
        return Value(kind, load(place, kind, self.needs.functions))

    def place(self, base: Value, parts: list) -> str:
        """The text of an element in memory."""
        return f"{base.code}.data[{self.offset(base, parts)}]"

    def offset(self, base: Value, parts: list) -> str:
        kind: ArrayOf = base.type
        if kind.ndim == 0:
            return "0"
        texts = [self.as_index(part, kind) for part in parts]
        if kind.layout == "C":
            text = texts[0]
            for axis in range(1, kind.ndim):
                text = f"({text}) * {base.code}.shape[{axis}] + {texts[axis]}"
            return text
        terms = [
            t if (s := self.stride(base, k)) == "1" else f"{t} * {s}" for k, t in enumerate(texts)
        ]
        return " + ".join(terms)

    def as_index(self, value: Value, kind: ArrayOf) -> str:
        """An integer in the type of the array's indices."""
        wanted = self.index_type(kind)
        if value.is_constant:
            return value.code
        own = c_type(value.type, value.range)
        return value.code if own == wanted else f"({wanted}){value.code}"

    def index_parts(self, base: Value, node: ast.Subscript) -> list | None:
        """One item for each axis of the array (ints as Values, slices as nodes), with None for new
        axes; None where something is not known yet."""
        key = node.slice
        items: list = list(key.elts) if isinstance(key, ast.Tuple) else [key]
        parts: list = []
        for item in items:
            if isinstance(item, ast.Slice):
                parts.append(item)
            elif isinstance(item, ast.Constant) and item.value in (None, Ellipsis):
                parts.append(item.value)
            else:
                value = self.expression(item)
                if value.is_unknown:
                    return None
                if isinstance(value.type, TupleOf):
                    parts += list(self.tuple_items(value))
                else:
                    parts.append(value)
        for part in parts:
            if isinstance(part, Value) and not (
                isinstance(part.type, Scalar) and part.type.kind in "iu"
            ):
                if part.is_unknown:
                    return None
                self.refuse(node, f"an index must be an int, got {part.type}" + _remedy(part))
        given = sum(part is not None and part is not Ellipsis for part in parts)
        if given > base.type.ndim:
            self.refuse(node, f"{given} indices for an array of {base.type.ndim} dimensions")
        whole = ast.Slice(lower=None, upper=None, step=None)
        missing: list = [whole] * (base.type.ndim - given)
        if Ellipsis in parts:
            at = parts.index(Ellipsis)
            parts[at : at + 1] = missing
        else:
            parts += missing
        axis = 0
        for k, part in enumerate(parts):
            if isinstance(part, Value):
                parts[k] = self.wrapped(part, base, axis)
            axis += part is not None
        return parts

    def wrapped(self, index: Value, base: Value, axis: int) -> Value:
        """A literal negative index counts from the end; a computed one when asked to."""
        if index.is_constant:
            if index.constant >= 0:
                return index
            text = f"({base.code}.shape[{axis}] - {-index.constant})"
            return Value(WEAK_INT, text, range=self.length(base, axis).range)
        if self.unit.options.wraparound and limits_of(index)[0] < 0:
            index = index if index.is_simple else self.temporary(index, "index")
            text = f"({index.code} < 0 ? {index.code} + {base.code}.shape[{axis}] : {index.code})"
            index = Value(index.type, text, range=index.range)
        if self.unit.options.debug:
            index = index if index.is_simple else self.temporary(index, "index")
            low = f"{index.code} >= 0 && " if limits_of(index)[0] < 0 else ""
            self.needs.includes.add("cassert")
            self.emit(f"assert({low}{index.code} < {base.code}.shape[{axis}]);")
        return index

    # Views
    def view(self, base: Value, parts: list, node: ast.AST) -> Value:
        kind: ArrayOf = base.type
        index = self.index_type(kind)
        lengths, strides, starts = [], [], []
        axis = 0
        changed_inner = False
        for part in parts:
            if part is None:
                lengths.append("1")
                strides.append("0")
                continue
            stride = self.stride(base, axis)
            if isinstance(part, Value):
                text = self.as_index(part, kind)
                starts.append(text if stride == "1" else f"{text} * {_factor(stride)}")
                changed_inner |= axis == kind.ndim - 1
            else:
                start, count, step = self.slice_bounds(base, axis, part)
                if start != "0":
                    starts.append(start if stride == "1" else f"{start} * {_factor(stride)}")
                lengths.append(count)
                strides.append(stride if step == "1" else f"{_factor(stride)} * {step}")
                changed_inner |= axis == kind.ndim - 1 and step != "1"
            axis += 1
        ndim = len(lengths)
        whole = [isinstance(part, ast.Slice) and _is_whole(part) for part in parts]
        if any(part is None for part in parts):
            layout = "A"
        elif kind.layout == "C" and not changed_inner and _keeps_c(parts, whole):
            layout = "C"
        else:
            layout = "A" if changed_inner or kind.layout == "A" else ("I" if ndim > 1 else "C")
        result = ArrayOf(kind.dtype, ndim, layout, kind.small)
        const = not self.is_writable(base.roots)
        name = self.unit.c_type(result, self.needs, const=const)
        pointer = f"{base.code}.data"
        if starts:
            pointer += " + (" + " + ".join(starts) + ")"
        places = ", ".join(f"({index})({text})" for text in lengths) or "1"
        steps = ", ".join(f"({index})({text})" for text in strides) or "1"
        return Value(result, f"{name}{{{pointer}, {{{places}}}, {{{steps}}}}}", roots=base.roots)

    def slice_bounds(self, base: Value, axis: int, part: ast.Slice) -> tuple[str, str, str]:
        """(start, count, step) as text, by Python's rules."""
        length = f"{base.code}.shape[{axis}]"
        if _is_whole(part):
            return "0", length, "1"
        index = self.index_type(base.type)
        step_value = self.expression(part.step) if part.step is not None else None
        step = "1" if step_value is None else self.as_index(step_value, base.type)
        self.needs.functions.add("slice")
        backward = step_value is not None and step_value.is_constant and step_value.constant < 0
        unknown_sign = step_value is not None and not step_value.is_constant

        def bound(part_node: ast.AST | None, missing: str) -> str:
            if part_node is None:
                return missing
            value = self.expression(part_node)
            if not (isinstance(value.type, Scalar) and value.type.kind in "iu"):
                if value.is_unknown:
                    return "0"
                self.refuse(part_node, f"the bounds of a slice are ints, got {value.type}")
            return (
                f"heald_::slice_start<{index}>({self.as_index(value, base.type)}, {length}, {step})"
            )

        name = self.temporary_name("slice")
        first = (
            f"({step} < 0 ? {length} - 1 : 0)"
            if unknown_sign
            else f"{length} - 1"
            if backward
            else "0"
        )
        last = f"({step} < 0 ? -1 : {length})" if unknown_sign else "-1" if backward else length
        start = bound(part.lower, first)
        if start != "0":
            self.emit(f"const {index} {name} = {start};")
            start = name
        stop = bound(part.upper, last)
        count = f"heald_::slice_count<{index}>({start}, {stop}, {step})"
        return start, count, step

    def transposed(self, base: Value) -> Value:
        kind: ArrayOf = base.type
        if kind.ndim < 2:
            return base
        base = base if base.is_simple else self.temporary(base, "view")
        index = self.index_type(kind)
        order = range(kind.ndim - 1, -1, -1)
        result = ArrayOf(kind.dtype, kind.ndim, "A", kind.small)
        name = self.unit.c_type(result, self.needs, const=not self.is_writable(base.roots))
        lengths = ", ".join(f"{base.code}.shape[{k}]" for k in order)
        strides = ", ".join(f"({index})({self.stride(base, k)})" for k in order)
        return Value(
            result, f"{name}{{{base.code}.data, {{{lengths}}}, {{{strides}}}}}", roots=base.roots
        )

    def convert_array(self, value: Value, target: ArrayOf, node: ast.AST | None) -> str:
        kind: ArrayOf = value.type
        if kind.dtype != target.dtype or kind.ndim != target.ndim or kind.layout == "A":
            if kind.dtype != target.dtype or kind.ndim != target.ndim:
                self.refuse(node, f"{kind} where {target} is expected")
            return value.code
        base = value if value.is_simple else self.temporary(value, "view")
        index = self.index_type(target)
        name = self.unit.c_type(target, self.needs, const=not self.is_writable(base.roots))
        lengths = ", ".join(f"({index}){base.code}.shape[{k}]" for k in range(kind.ndim)) or "1"
        strides = ", ".join(f"({index})({self.stride(base, k)})" for k in range(kind.ndim)) or "1"
        return f"{name}{{{base.code}.data, {{{lengths}}}, {{{strides}}}}}"

    # Stores
    def assign_subscript(self, node: ast.Subscript, value: Value, op: type | None = None) -> None:
        """x[…] = value, or x[…] op= value."""
        base = self.expression(node.value)
        if base.is_unknown:
            return
        if not isinstance(base.type, ArrayOf):
            self.refuse(node, f"{base.type} cannot be stored into")
        base = base if base.is_simple else self.temporary(base, "view")
        self.mark_written(base.roots)
        if any(isinstance(root, tuple) and root[0] == "constant" for root in base.roots):
            self.refuse(node, "arrays that a kernel closes over are constants")
        parts = self.index_parts(base, node)
        if parts is None or value.is_unknown:
            return
        if all(isinstance(part, Value) for part in parts):
            place = self.place(base, parts)
            if op is not None:
                offset = self.offset(base, parts)
                if not offset.isdigit():
                    name = self.temporary_name("at")
                    self.emit(f"const {self.index_type(base.type)} {name} = {offset};")
                    place = f"{base.code}.data[{name}]"
                old = self.element(base, place)
                value = self.binary(op, old, value, node)
            self.store(base, place, value, node)
            return
        self.assign_view(self.temporary(self.view(base, parts, node), "view"), value, node, op)

    def store(self, base: Value, place: str, value: Value, node: ast.AST) -> None:
        kind = base.type.dtype
        if not isinstance(value.type, Scalar):
            self.refuse(node, f"an element of {kind} cannot be {value.type}")
        text = self.convert(value, Scalar(kind.name), node)
        self.emit(f"{place} = {store(text, kind, self.needs.functions)};")

    def assign_view(self, target: Value, value: Value, node: ast.AST, op: type | None) -> None:
        """A loop over the elements of a view; `value` is a number or an array of its shape."""
        names = []
        ndim = target.type.ndim
        if isinstance(value.type, ArrayOf):
            if value.type.ndim > ndim:
                self.refuse(node, f"{value.type} does not fit {target.type}")
            value = value if value.is_simple else self.temporary(value, "view")
        elif isinstance(value.type, Scalar):
            value = value if value.is_simple or value.is_constant else self.temporary(value)
        index = self.index_type(target.type)
        for axis in range(ndim):
            name = self.temporary_name("k")
            names.append(Value(WEAK_INT, name, range=self.length(target, axis).range))
            self.emit(
                f"for ({index} {name} = 0; {name} < {target.code}.shape[{axis}]; ++{name}) {{"
            )
            self.depth += 1
        place = self.place(target, names)
        item = value
        if isinstance(value.type, ArrayOf):
            item = self.element(value, self.place(value, names[ndim - value.type.ndim :]))
        if op is not None:
            item = self.binary(op, self.element(target, place), item, node)
        self.store(target, place, item, node)
        for _ in range(ndim):
            self.depth -= 1
            self.emit("}")

    # Tuples
    def tuple_item(self, base: Value, node: ast.Subscript) -> Value:
        items = self.tuple_items(base)
        if isinstance(node.slice, ast.Slice):
            bounds = (node.slice.lower, node.slice.upper, node.slice.step)
            parts = [
                self.expression(n) if n is not None else Value(NOTHING, "0", None) for n in bounds
            ]
            if any(not part.is_constant for part in parts):
                self.refuse(node, "a slice of a tuple has constant bounds")
            lower, upper, step = (part.constant for part in parts)
            chosen = items[slice(lower, upper, step)]
            return Value(TupleOf(tuple(v.type for v in chosen)), items=chosen)
        at = self.expression(node.slice)
        if at.is_unknown:
            return unknown()
        fields = getattr(base.type.cls, "_fields", ())
        if at.is_static and isinstance(at.object, str) and at.object in fields:
            return items[fields.index(at.object)]
        if at.is_constant and isinstance(at.constant, int):
            if not -len(items) <= at.constant < len(items):
                self.refuse(node, f"index {at.constant} of {base.type}")
            return items[at.constant]
        return self.computed_item(base, items, at, node)

    def computed_item(
        self, base: Value, items: tuple[Value, ...], at: Value, node: ast.AST
    ) -> Value:
        kinds = {value.type for value in items}
        if not (isinstance(at.type, Scalar) and at.type.kind in "iu"):
            self.refuse(node, f"an index must be an int, got {at.type}")
        if any(not isinstance(kind, Scalar) for kind in kinds):
            self.refuse(node, f"a computed index needs a tuple of numbers, got {base.type}")
        kind = items[0].type
        for item in items[1:]:
            kind = self.join(kind, item.type, node, "the item")
        texts = [self.convert(item, kind, node) for item in items]
        name = self.temporary_name("items")
        c_name = self.unit.c_type(kind, self.needs)
        self.emit(f"const {c_name} {name}[] = {{{', '.join(f'({c_name})({t})' for t in texts)}}};")
        return Value(kind, f"{name}[{at.code}]")


def _is_whole(part: ast.Slice) -> bool:
    return part.lower is None and part.upper is None and part.step is None


def _keeps_c(parts: list, whole: list[bool]) -> bool:
    """Ints first, then one slice with step 1, then whole axes: C order stays."""
    seen_slice = False
    for part, is_whole in zip(parts, whole):
        if isinstance(part, Value):
            if seen_slice:
                return False
        elif seen_slice and not is_whole:
            return False
        else:
            seen_slice = True
    return True


def _factor(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _remedy(part: Value) -> str:
    if isinstance(part.type, Scalar) and part.type.kind == "f":
        return ": convert it with int(…)"
    if isinstance(part.type, Scalar) and part.type.kind == "b":
        return ": masks are for arrays outside of kernels"
    return ""


__all__ = ["Indexing", "fits32"]
