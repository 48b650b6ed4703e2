"""Shared, local and constant memory, and atomics on elements of arrays."""

from __future__ import annotations

import ast
import math
from typing import Any

from heald._jit import cuda
from heald._jit.intrinsics import handles
from heald._jit.types import ArrayOf, Scalar, TupleOf
from heald._jit.value import Value, stored_type

_OWN = frozenset({None})


def _shape(fn: Any, value: Value, node: ast.AST) -> tuple[int, ...]:
    items = fn.tuple_items(value) if isinstance(value.type, TupleOf) else (value,)
    if not all(v.is_constant and isinstance(v.constant, int) for v in items):
        fn.refuse(
            node,
            "the shape of shared and local memory is known when the kernel is compiled: ints, or "
            "names of ints that the function closes over (shape 0 is the launch's shared memory)",
        )
    return tuple(v.constant for v in items)


def _dtype(fn: Any, value: Value, node: ast.AST) -> Scalar:
    kind = fn.dtype_of(value.object) if value.is_static else None
    return kind or fn.refuse(node, f"a dtype is expected, such as hd.float32, got {value.type}")


def _array_call(fn: Any, call: Any) -> tuple[tuple[int, ...], Scalar]:
    given = dict(zip(("shape", "dtype"), call.arguments)) | call.keywords
    if "shape" not in given or "dtype" not in given:
        fn.refuse(call.node, "takes a shape and a dtype")
    return _shape(fn, given["shape"], call.node), _dtype(fn, given["dtype"], call.node)


def _declare(fn: Any, call: Any, qualifier: str, stem: str) -> Value:
    shape, kind = _array_call(fn, call)
    name = fn.temporary_name(stem)
    fn.unit.c_type(kind, fn.needs)
    fn.storage.append(f"{qualifier}{stored_type(kind)} {name}[{math.prod(shape)}];")
    return fn.fixed_array(kind, shape, name, _OWN)


@handles(cuda.shared.array)
def shared_array(fn: Any, call: Any) -> Value:
    shape, kind = _array_call(fn, call)
    if math.prod(shape) == 0:
        fn.unit.c_type(kind, fn.needs)
        fn.needs.globals["dynamic shared"] = (
            "extern __shared__ __align__(16) unsigned char heald_dynamic_shared[];"
        )
        pointer = f"({stored_type(kind)}*)heald_dynamic_shared"
        return fn.fixed_array(kind, shape, pointer, _OWN)
    return _declare(fn, call, "__shared__ ", "shared")


@handles(cuda.local.array)
def local_array(fn: Any, call: Any) -> Value:
    return _declare(fn, call, "", "local")


@handles(cuda.const.array_like)
def constant_array(fn: Any, call: Any) -> Value:
    return call.arguments[0]


# name: the CUDA function
_ATOMICS = {
    "add": "atomicAdd", "sub": "atomicSub", "max": "atomicMax", "min": "atomicMin",
    "nanmax": "atomicMax", "nanmin": "atomicMin", "and_": "atomicAnd", "or_": "atomicOr",
    "xor": "atomicXor", "exch": "atomicExch", "inc": "atomicInc", "dec": "atomicDec",
}  # fmt: skip


def _target(fn: Any, array: Value, index: Value, call: Any) -> tuple[Value, str]:
    """(array, address of the element)"""
    if not isinstance(array.type, ArrayOf):
        fn.refuse(call.node, f"an atomic works on an element of an array, got {array.type}")
    array = array if array.is_simple else fn.temporary(array, "view")
    fn.mark_written(array.roots)
    parts = list(fn.tuple_items(index)) if isinstance(index.type, TupleOf) else [index]
    if len(parts) != array.type.ndim:
        fn.refuse(call.node, f"{len(parts)} indices for an array of {array.type.ndim} dimensions")
    for part in parts:
        if not (isinstance(part.type, Scalar) and part.type.kind in "iu"):
            fn.refuse(call.node, f"an index must be an int, got {part.type}")
    parts = [fn.wrapped(part, array, axis) for axis, part in enumerate(parts)]
    return array, f"&{fn.place(array, parts)}"


def _register() -> None:
    for name, function in _ATOMICS.items():

        def handler(fn: Any, call: Any, name: str = name, function: str = function) -> Value:
            if len(call.arguments) != 3:
                fn.refuse(call.node, f"hd.cuda.atomic.{name} takes an array, an index and a value")
            array, index, value = call.arguments
            array, place = _target(fn, array, index, call)
            return _atomic(fn, call, name, function, array, place, value)

        handles(getattr(cuda.atomic, name))(handler)


def _atomic(
    fn: Any, call: Any, name: str, function: str, array: Value, place: str, value: Value
) -> Value:
    kind: Scalar = array.type.dtype
    text = fn.convert(value, kind, call.node)
    c_name = fn.unit.c_type(kind, fn.needs)
    if name in ("inc", "dec") and kind.name != "uint32":
        fn.refuse(call.node, f"hd.cuda.atomic.{name} works on uint32, the array is {kind}")
    direct = _direct(name, kind)
    if direct is None:
        return _by_swapping(fn, call, name, kind, place, text)
    pointer, operand = direct
    if name == "sub":
        function, text = "atomicAdd", f"-{text}" if kind.kind == "f" else f"(0 - {text})"
    code = f"({c_name}){function}(({pointer}*){place}, ({operand}){text})"
    return fn.temporary(Value(kind, code), "old")


def _direct(name: str, kind: Scalar) -> tuple[str, str] | None:
    """(type of the pointer, of the operand) where the device has the operation."""
    unsigned = {32: "unsigned", 64: "unsigned long long"}.get(kind.bits)
    if kind.kind == "f":
        c_name = {"float32": "float", "float64": "double"}.get(kind.name)
        fine = name in ("add", "sub") or (name == "exch" and kind.name == "float32")
        return (c_name, c_name) if c_name and fine else None
    if kind.kind not in "iu" or unsigned is None:
        return None
    if name in ("max", "min", "nanmax", "nanmin") and kind.kind == "i":
        signed = "int" if kind.bits == 32 else "long long"
        return signed, signed
    return unsigned, unsigned


_STEPS = {
    "add": "old + value", "sub": "old - value", "max": "old < value ? value : old",
    "min": "value < old ? value : old", "exch": "value", "and_": "old & value",
    "or_": "old | value", "xor": "old ^ value",
    "nanmax": "old < value || old != old ? value : old",
    "nanmin": "value < old || old != old ? value : old",
}  # fmt: skip


def _by_swapping(fn: Any, call: Any, name: str, kind: Scalar, place: str, text: str) -> Value:
    """A loop over compare-and-swap, for what the device has no operation for."""
    if (
        kind.kind == "c"
        or kind.bits < 16
        or name not in _STEPS
        or (kind.kind == "f" and kind.bits < 32)
    ):
        fn.refuse(call.node, f"there is no hd.cuda.atomic.{name} of {kind}")
    c_name = fn.unit.c_type(kind, fn.needs)
    word = {16: "unsigned short", 32: "unsigned", 64: "unsigned long long"}[kind.bits]
    function = f"heald_atomic_{name}_{kind.name}"
    back = {"float32": "__uint_as_float", "float64": "__longlong_as_double"}.get(
        kind.name, f"({c_name})"
    )
    bits = {"float32": "__float_as_uint", "float64": "__double_as_longlong"}.get(
        kind.name, f"({word})"
    )
    fn.needs.globals[
        function
    ] = f"""__device__ inline {c_name} {function}({c_name}* place, {c_name} value) {{
    {word}* word = ({word}*)place;
    {word} seen = *(volatile {word}*)word;
    while (true) {{
        const {c_name} old = {back}(seen);
        const {c_name} next = ({c_name})({_STEPS[name]});
        const {word} before = atomicCAS(word, seen, ({word}){bits}(next));
        if (before == seen) return old;
        seen = before;
    }}
}}"""
    return fn.temporary(Value(kind, f"{function}({place}, {text})"), "old")


_register()


@handles(cuda.atomic.cas, cuda.atomic.compare_and_swap)
def compare_and_swap(fn: Any, call: Any) -> Value:
    values = list(call.arguments)
    if len(values) == 3:
        from heald._jit.value import number

        ndim = values[0].type.ndim if isinstance(values[0].type, ArrayOf) else 1
        zeros = tuple(number(0) for _ in range(ndim))
        index = zeros[0] if ndim == 1 else Value(TupleOf(tuple(z.type for z in zeros)), items=zeros)
        values.insert(1, index)
    array, place = _target(fn, values[0], values[1], call)
    kind: Scalar = array.type.dtype
    word = {16: "unsigned short", 32: "unsigned", 64: "unsigned long long"}.get(kind.bits)
    if kind.kind not in "iu" or word is None:
        fn.refuse(call.node, f"there is no compare-and-swap of {kind}")
    c_name = fn.unit.c_type(kind, fn.needs)
    texts = [f"({word}){fn.convert(v, kind, call.node)}" for v in values[2:]]
    return fn.temporary(
        Value(kind, f"({c_name})atomicCAS(({word}*){place}, {texts[0]}, {texts[1]})"), "old"
    )
