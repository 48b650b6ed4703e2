"""Loops. What a `for` runs over is evaluated once; its counter is the loop's own, as in Python."""

from __future__ import annotations

import ast
from typing import Any

from heald._jit.statements import Statements
from heald._jit.types import WEAK_INT, ArrayOf, Scalar, TupleOf
from heald._jit.value import NARROW_MAX, Value, fits32, limits_of, number


class Loops(Statements):
    hidden: dict[str, Value]  # values under names that Python cannot have

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[list[Any]] = []  # [label, used] of the loops around

    def do_Break(self, node: ast.Break) -> None:
        label = self.ends[-1][0]
        if label is None:
            self.emit("break;")
            return
        self.ends[-1][1] = True
        self.emit(f"goto {label};")

    def do_Continue(self, node: ast.Continue) -> None:
        # An unrolled turn is a do … while (false).
        self.emit("continue;")

    def do_While(self, node: ast.While) -> None:
        test, before = self.collect(lambda: self.condition(node.test))
        if test.is_constant and not test.constant:
            for statement in node.orelse:
                self.statement(statement)
            return
        self.begin_loop(node.orelse, unrolled=False)
        if before:
            self.emit("while (true) {")
            self.depth += 1
            (test, again) = self.collect(lambda: self.condition(node.test))
            self.lines += again
            self.emit(f"if (!{test.code}) break;")
            self.depth -= 1
        else:
            self.emit(f"while ({test.code}) {{")
        self.block(node.body)
        self.emit("}")
        self.end_loop(node.orelse)

    def begin_loop(self, orelse: list[ast.stmt], unrolled: bool) -> None:
        label = self.temporary_name("end") if orelse or unrolled else None
        self.ends.append([label, False, unrolled])

    def end_loop(self, orelse: list[ast.stmt]) -> None:
        label, used, _ = self.ends.pop()
        for statement in orelse:
            self.statement(statement)
        if used:
            self.emit(f"{label}:;")

    def body_and_end(self, node: ast.For) -> None:
        """The loop's body after its targets were assigned, and the two blocks' ends."""
        self.depth -= 1
        self.block(node.body)
        self.emit("}")
        self.depth -= 1
        self.emit("}")
        self.end_loop(node.orelse)

    def do_For(self, node: ast.For) -> None:
        call = node.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            found = self.expression(call.func)
            if found.is_static and found.object in (range, enumerate, zip, reversed):
                return getattr(self, f"over_{found.object.__name__}")(node, call)
        self.over_value(node, self.expression(node.iter), None, 0)
        return None

    # range
    def range_bounds(self, call: ast.Call) -> list[Value] | None:
        if call.keywords or not 1 <= len(call.args) <= 3:
            self.refuse(call, "range takes one to three ints")
        values = [self.expression(arg) for arg in call.args]
        if any(value.is_unknown for value in values):
            return None
        for value, arg in zip(values, call.args):
            if not (isinstance(value.type, Scalar) and value.type.kind in "biu"):
                self.refuse(arg, f"range takes ints, got {value.type}")
        if len(values) == 1:
            values = [number(0), values[0]]
        return values if len(values) == 3 else [*values, number(1)]

    def over_range(self, node: ast.For, call: ast.Call) -> None:
        bounds = self.range_bounds(call)
        if bounds is None:
            self.assign(node.target, Value(WEAK_INT, "0", range=(0, 0)))
            bounds = [number(0), number(0), number(1)]
        start, stop, step = bounds
        kind = self.range_type(bounds)
        low, high = limits_of(step)
        if step.is_constant and step.constant == 0:
            self.refuse(call, "range() arg 3 must not be zero")
        x, y = limits_of(start), limits_of(stop)
        within = (min(x[0], y[0] + (high < 0)), max(x[1], y[1] - (low > 0)))
        if low > 0:
            within = (x[0], max(x[0], y[1] - 1))
        small = fits32(within)
        # A step beyond the last value must not overflow.
        safe = small and fits32(y) and step.is_constant and fits32((y[0] + low, y[1] + high))
        counter_type = "int" if safe and fits32(x) else "long long"
        self.begin_loop(node.orelse, unrolled=False)
        self.emit("{")
        self.depth += 1
        stop_text = self.bound(stop, "int64" if counter_type != "int" else None, "stop")
        step_text = self.bound(step, "int64" if counter_type != "int" else None, "step")
        c = self.temporary_name("c")
        first = self.plain(start, counter_type)
        if low > 0:
            test = f"{c} < {stop_text}"
        elif high < 0:
            test = f"{c} > {stop_text}"
        else:
            test = f"{step_text} > 0 ? {c} < {stop_text} : {c} > {stop_text}"
        move = f"++{c}" if step.is_constant and step.constant == 1 else f"{c} += {step_text}"
        self.emit(f"for ({counter_type} {c} = {first}; {test}; {move}) {{")
        self.depth += 1
        item_type = "int" if small and kind is WEAK_INT else None
        text = f"(int){c}" if item_type == "int" and counter_type != "int" else c
        if kind is WEAK_INT:
            item = Value(WEAK_INT, text, range=within)
        else:
            item = Value(kind, self.convert(Value(Scalar("int64"), c), kind, node))
        self.assign(node.target, item)
        self.body_and_end(node)

    def range_type(self, bounds: list[Value]) -> Scalar:
        """Python's int; the items are Python's whatever the bounds are."""
        return WEAK_INT

    def plain(self, value: Value, counter_type: str) -> str:
        if value.is_constant:
            return value.code
        return f"({counter_type}){value.code}"

    def bound(self, value: Value, wide: str | None, stem: str) -> str:
        if value.is_constant:
            return value.code
        name = self.temporary_name(stem)
        kind = "long long" if wide else "int"
        self.emit(f"const {kind} {name} = ({kind}){value.code};")
        return name

    def over_reversed(self, node: ast.For, call: ast.Call) -> None:
        inner = call.args[0] if len(call.args) == 1 else None
        if not (
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Name)
            and inner.func.id == "range"
        ):
            self.refuse(call, "reversed() takes a range()")
        bounds = self.range_bounds(inner)
        if bounds is None:
            bounds = [number(0), number(0), number(1)]
        start, stop, step = bounds
        if not (step.is_constant and step.constant in (1, -1)):
            self.refuse(call, "reversed() takes a range() with step 1 or -1")
        one = number(step.constant)
        new = [
            self.binary(ast.Sub, stop, one, call),
            self.binary(ast.Sub, start, one, call),
            number(-step.constant),
        ]
        names: list[ast.expr] = []
        for value in new:
            if value.is_constant:
                names.append(ast.Constant(value.constant))
                continue
            held = self.temporary(value)
            hidden = f"reversed {len(self.hidden)}"
            self.hidden[hidden] = held
            names.append(ast.Name(hidden, ast.Load()))
        self.over_range(node, ast.Call(ast.Name("range", ast.Load()), names, []))

    # Values
    def over_enumerate(self, node: ast.For, call: ast.Call) -> None:
        if not 1 <= len(call.args) <= 2:
            self.refuse(call, "enumerate takes what to run over and a start")
        start = number(0)
        for arg in [*call.args[1:], *(k.value for k in call.keywords)]:
            start = self.expression(arg)
        if not (isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2):
            self.refuse(node.target, "for i, x in enumerate(…) needs two targets")
        count_target, item_target = node.target.elts
        inner = ast.For(item_target, call.args[0], node.body, node.orelse)
        ast.copy_location(inner, node)
        self.over_value(inner, self.expression(call.args[0]), count_target, start)

    def over_zip(self, node: ast.For, call: ast.Call) -> None:
        if not (isinstance(node.target, ast.Tuple) and len(node.target.elts) == len(call.args)):
            self.refuse(node.target, "zip() needs one target for each thing that it runs over")
        values = [self.expression(arg) for arg in call.args]
        if any(value.is_unknown for value in values):
            return
        targets = list(node.target.elts)
        if all(isinstance(value.type, TupleOf) for value in values):
            rows = list(zip(*(self.tuple_items(value) for value in values)))
            self.unrolled(node, [list(zip(targets, row)) for row in rows])
            return
        if not all(isinstance(value.type, ArrayOf) for value in values):
            self.refuse(call, "zip() runs over arrays, or over tuples")
        held = [v if v.is_simple else self.temporary(v, "view") for v in values]
        lengths = [self.length(value, 0) for value in held]
        shortest = lengths[0].code
        for other in lengths[1:]:
            shortest = f"({other.code} < {shortest} ? {other.code} : {shortest})"
        self.counted(node, shortest, list(zip(targets, held)), None, number(0))

    def over_value(self, node: ast.For, value: Value, count: ast.AST | None, start: Any) -> None:
        if value.is_unknown:
            return
        start = start if isinstance(start, Value) else number(start)
        if isinstance(value.type, TupleOf):
            rows: list[list[tuple[ast.AST, Value]]] = []
            for k, item in enumerate(self.tuple_items(value)):
                row: list[tuple[ast.AST, Value]] = [(node.target, item)]
                if count is not None:
                    row.append((count, self.binary(ast.Add, start, number(k), node)))
                rows.append(row)
            self.unrolled(node, rows)
        elif isinstance(value.type, ArrayOf) and value.type.ndim > 0:
            held = value if value.is_simple else self.temporary(value, "view")
            self.counted(node, f"{held.code}.shape[0]", [(node.target, held)], count, start)
        else:
            self.refuse(
                node.iter, f"a loop runs over range(…), an array or a tuple, got {value.type}"
            )

    def counted(
        self,
        node: ast.For,
        length: str,
        pairs: list[tuple[ast.AST, Value]],
        count: ast.AST | None,
        start: Value,
    ) -> None:
        """Over the first axis of arrays."""
        self.begin_loop(node.orelse, unrolled=False)
        index = self.unit.index
        c, stop = self.temporary_name("c"), self.temporary_name("stop")
        self.emit("{")
        self.depth += 1
        self.emit(f"const {index} {stop} = {length};")
        self.emit(f"for ({index} {c} = 0; {c} < {stop}; ++{c}) {{")
        self.depth += 1
        high = NARROW_MAX if index == "int" else 2**63 - 1
        counter = Value(WEAK_INT, c, range=(0, high))
        for target, array in pairs:
            whole: list = [ast.Slice(None, None, None)] * (array.type.ndim - 1)
            if array.type.ndim == 1:
                item = self.element(array, self.place(array, [counter]))
            else:
                item = self.view(array, [counter, *whole], node)
            self.assign(target, item)
        if count is not None:
            self.assign(count, self.binary(ast.Add, start, counter, node))
        self.body_and_end(node)

    def unrolled(self, node: ast.For, rows: list[list[tuple[ast.AST, Value]]]) -> None:
        """Over the items of a tuple, which may differ in type: the body once for each."""
        self.begin_loop(node.orelse, unrolled=True)
        for row in rows:
            self.emit("do {")
            self.depth += 1
            for target, item in row:
                self.assign(target, item)
            self.depth -= 1
            self.block(node.body)
            self.emit("} while (false);")
        self.end_loop(node.orelse)
