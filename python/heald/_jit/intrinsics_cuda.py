"""Threads, barriers, warps and the intrinsics of hd.cuda: a row each."""

from __future__ import annotations

import ast
from typing import Any

from heald._jit import cuda
from heald._jit.intrinsics import handles
from heald._jit.intrinsics_builtin import number_arguments
from heald._jit.intrinsics_math import floats
from heald._jit.types import C_NAMES, WEAK_BOOL, WEAK_INT, Opaque, Scalar, TupleOf
from heald._jit.value import INT32_RANGE, INT64_RANGE, NARROW_MAX, Value, fits32, limits_of, static

_UINT32 = Scalar("uint32")


def named(name: str) -> Any:
    return getattr(cuda, name)


# Places
def _dimensions(fn: Any, call: Any) -> int:
    (count,) = call.arguments
    if not count.is_constant or count.constant not in (1, 2, 3):
        fn.refuse(call.node, "takes 1, 2 or 3")
    return count.constant


def _place(fn: Any, code: str, least: int) -> Value:
    if fn.unit.wide:
        return Value(WEAK_INT, code, range=(least, 2**63 - 1))
    return Value(WEAK_INT, code, range=(least, NARROW_MAX))


def _tuple(values: list[Value]) -> Value:
    if len(values) == 1:
        return values[0]
    return Value(TupleOf(tuple(v.type for v in values)), items=tuple(values))


@handles(named("grid"))
def grid(fn: Any, call: Any) -> Value:
    cast = "(long long)" if fn.unit.wide else "(int)"
    product = (
        "(long long)blockIdx.{0} * blockDim.{0}" if fn.unit.wide else "blockIdx.{0} * blockDim.{0}"
    )
    texts = [
        f"{cast}({product} + threadIdx.{{0}})".format(axis)
        for axis in "xyz"[: _dimensions(fn, call)]
    ]
    return _tuple([_place(fn, text, 0) for text in texts])


@handles(named("gridsize"))
def gridsize(fn: Any, call: Any) -> Value:
    cast = "(long long)" if fn.unit.wide else "(int)"
    product = (
        "(long long)gridDim.{0} * blockDim.{0}" if fn.unit.wide else "gridDim.{0} * blockDim.{0}"
    )
    texts = [f"{cast}({product})".format(axis) for axis in "xyz"[: _dimensions(fn, call)]]
    return _tuple([_place(fn, text, 1) for text in texts])


# name: (CUDA C++, kinds of arguments, result). 'm' a mask, 'p' a predicate, 'i' an int.
_WARP_ROWS: dict[str, tuple[str, str, str | None]] = {
    "syncthreads": ("__syncthreads()", "", None),
    "threadfence": ("__threadfence()", "", None),
    "threadfence_block": ("__threadfence_block()", "", None),
    "threadfence_system": ("__threadfence_system()", "", None),
    "syncwarp": ("__syncwarp({0})", "M", None),
    "nanosleep": ("__nanosleep({0})", "m", None),
    "syncthreads_count": ("__syncthreads_count({0})", "p", "int"),
    "syncthreads_and": ("__syncthreads_and({0})", "p", "bool"),
    "syncthreads_or": ("__syncthreads_or({0})", "p", "bool"),
    "all_sync": ("__all_sync({0}, {1})", "mp", "bool"),
    "any_sync": ("__any_sync({0}, {1})", "mp", "bool"),
    "ballot_sync": ("__ballot_sync({0}, {1})", "mp", "mask"),
    "activemask": ("__activemask()", "", "mask"),
    "lanemask_lt": ("((1u << {lane}) - 1u)", "", "mask"),
}


def _row_argument(fn: Any, value: Value, kind: str, node: ast.AST) -> str:
    if kind == "p":
        return f"(int){fn.truth(value, node).code}"
    if not isinstance(value.type, Scalar) or value.type.kind not in "biu":
        fn.refuse(node, f"takes ints, got {value.type}")
    if value.is_constant:
        return f"{value.constant & 0xFFFFFFFF}u"
    return f"(unsigned){value.code}"


def _register_rows() -> None:
    for name, (code, kinds, result) in _WARP_ROWS.items():

        def handler(
            fn: Any,
            call: Any,
            code: str = code,
            kinds: str = kinds,
            result: str | None = result,
            name: str = name,
        ) -> Value:
            optional = kinds == "M"
            if len(call.arguments) != len(kinds) and not (optional and not call.arguments):
                fn.refuse(
                    call.node,
                    f"hd.cuda.{name} takes {len(kinds)} arguments, got {len(call.arguments)}",
                )
            texts = [_row_argument(fn, v, k, call.node) for v, k in zip(call.arguments, kinds)]
            if optional and not texts:
                texts = ["0xffffffffu"]
            text = code.format(*texts, lane=cuda.laneid.code)
            if result is None:
                fn.emit(f"{text};")
                return static(None)
            if result == "bool":
                return fn.temporary(Value(WEAK_BOOL, f"({text} != 0)"))
            if result == "mask":
                return fn.temporary(Value(_UINT32, text))
            return fn.temporary(Value(WEAK_INT, text, range=INT32_RANGE))

        handles(named(name))(handler)


_register_rows()


@handles(named("eq_sync"))
def eq_sync(fn: Any, call: Any) -> Value:
    mask, predicate = call.arguments
    m = _row_argument(fn, mask, "m", call.node)
    p = fn.temporary(Value(WEAK_INT, _row_argument(fn, predicate, "p", call.node), range=(0, 1)))
    text = f"(__all_sync({m}, {p.code}) || !__any_sync({m}, {p.code}))"
    return fn.temporary(Value(WEAK_BOOL, text))


# Shuffles of any number
def _register_shuffles() -> None:
    for name in ("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"):

        def handler(fn: Any, call: Any, name: str = name) -> Value:
            mask, value, lane = call.arguments[:3]
            if not isinstance(value.type, Scalar):
                fn.refuse(call.node, f"hd.cuda.{name} moves numbers, got {value.type}")
            texts = [
                _row_argument(fn, mask, "m", call.node),
                "{}",
                _row_argument(fn, lane, "m", call.node),
            ]
            width = [_row_argument(fn, v, "m", call.node) for v in call.arguments[3:]]
            form = f"__{name}({', '.join([*texts, *width])})"
            kind = value.type
            if kind.kind == "c":
                held = value if value.is_simple else fn.temporary(value)
                parts = [form.format(f"{held.code}.{part}") for part in ("re", "im")]
                return fn.temporary(
                    Value(kind, f"{fn.unit.c_type(kind, fn.needs)}{{{', '.join(parts)}}}")
                )
            c_name = fn.unit.c_type(kind, fn.needs, value.range)
            inner = (
                f"(int){value.code}"
                if kind.bits < 32 and kind.kind != "f"
                else f"({c_name}){value.code}"
            )
            return fn.temporary(Value(kind, f"({c_name}){form.format(inner)}", range=value.range))

        handles(named(name))(handler)


_register_shuffles()


@handles(named("match_any_sync"))
def match_any(fn: Any, call: Any) -> Value:
    mask, value = call.arguments
    text = f"__match_any_sync({_row_argument(fn, mask, 'm', call.node)}, {_wide(fn, value, call)})"
    return fn.temporary(Value(_UINT32, text))


@handles(named("match_all_sync"))
def match_all(fn: Any, call: Any) -> Value:
    mask, value = call.arguments
    name = fn.temporary_name("all")
    fn.emit(f"int {name};")
    lanes, compared = _row_argument(fn, mask, "m", call.node), _wide(fn, value, call)
    text = f"__match_all_sync({lanes}, {compared}, &{name})"
    found = fn.temporary(Value(_UINT32, text))
    return _tuple([found, Value(WEAK_BOOL, f"({name} != 0)")])


def _wide(fn: Any, value: Value, call: Any) -> str:
    """Of a type that the device compares: 32 or 64 bits."""
    kind = value.type
    if not isinstance(kind, Scalar) or kind.kind == "c":
        fn.refuse(call.node, f"takes a number, got {kind}")
    if kind.kind == "f":
        return f"({fn.unit.c_type(kind, fn.needs)}){value.code}"
    if kind.weak:
        kind = Scalar("int32" if fits32(limits_of(value)) else "int64")
    elif kind.bits < 32:
        kind = Scalar("int32")
    if kind.kind == "b":
        kind = Scalar("int32")
    return f"({C_NAMES[kind.name]}){value.code}"


# Bits
_BIT_ROWS = {
    "popc": ("__popc((unsigned){0})", "__popcll((unsigned long long){0})"),
    "clz": ("__clz((int){0})", "__clzll((long long){0})"),
    "ffs": ("__ffs((int){0})", "__ffsll((long long){0})"),
}


def _register_bits() -> None:
    for name, (narrow, wide) in _BIT_ROWS.items():

        def handler(
            fn: Any, call: Any, narrow: str = narrow, wide: str = wide, name: str = name
        ) -> Value:
            (a,) = number_arguments(fn, call, 1)
            if a.type.kind not in "biu":
                fn.refuse(call.node, f"hd.cuda.{name} takes an int, got {a.type}")
            text = (wide if a.type.bits == 64 else narrow).format(
                fn.convert(a, a.type.strong, call.node)
            )
            if name == "clz" and a.type.bits < 32:
                text = f"({narrow.format(f'({_unsigned(a.type)}){a.code}')} - {32 - a.type.bits})"
            return Value(WEAK_INT, text, range=(0, 64))

        handles(named(name))(handler)


def _unsigned(kind: Scalar) -> str:
    return {8: "unsigned char", 16: "unsigned short"}[kind.bits]


_register_bits()


@handles(named("brev"))
def brev(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    kind = a.type.strong if a.type.kind in "iu" else _UINT32
    text = fn.convert(a, kind, call.node)
    if kind.bits == 64:
        return Value(
            kind, f"({fn.unit.c_type(kind, fn.needs)})__brevll((unsigned long long){text})"
        )
    shift = f" >> {32 - kind.bits}" if kind.bits < 32 else ""
    return Value(kind, f"({fn.unit.c_type(kind, fn.needs)})(__brev((unsigned){text}){shift})")


# Mathematics
def _register_math() -> None:
    for name, count in (("fma", 3), ("rsqrt", 1), ("sinpi", 1), ("cospi", 1), ("cbrt", 1)):

        def handler(fn: Any, call: Any, name: str = name, count: int = count) -> Value:
            values = floats(fn, call, count)
            suffix = "f" if values[0].type.name == "float32" else ""
            return Value(values[0].type, f"{name}{suffix}({', '.join(v.code for v in values)})")

        handles(named(name))(handler)


_register_math()


@handles(named("fast_exp"))
def fast_exp(fn: Any, call: Any) -> Value:
    (a,) = number_arguments(fn, call, 1)
    return Value(Scalar("float32"), f"__expf({fn.convert(a, Scalar('float32'), call.node)})")


@handles(named("selp"))
def select(fn: Any, call: Any) -> Value:
    test, a, b = call.arguments
    return fn.choice(fn.truth(test, call.node), a, [], b, [], call.node)


# Cooperative groups
_GRID = Opaque("cooperative_groups::grid_group", "grid group")
_BLOCK = Opaque("cooperative_groups::thread_block", "thread block")


def _group(fn: Any, kind: Opaque, text: str) -> Value:
    fn.needs.includes.add("cooperative_groups.h")
    return Value(kind, text)


@handles(cuda.cg.this_grid)
def this_grid(fn: Any, call: Any) -> Value:
    fn.needs.cooperative = True
    fn.unit.cooperative = True
    return _group(fn, _GRID, "cooperative_groups::this_grid()")


@handles(cuda.cg.this_block)
def this_block(fn: Any, call: Any) -> Value:
    return _group(fn, _BLOCK, "cooperative_groups::this_thread_block()")


def call_method(fn: Any, base: str, kind: Opaque, name: str, call: Any) -> Value:
    """A method of a group."""
    if name == "sync":
        fn.emit(f"{base}.sync();")
        return static(None)
    if name in ("thread_rank", "size", "num_threads"):
        return Value(WEAK_INT, f"(long long){base}.{name}()", range=INT64_RANGE)
    return fn.refuse(call.node, f"a {kind} has no method '{name}' in a kernel")
