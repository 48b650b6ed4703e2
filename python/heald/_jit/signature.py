"""From the key of a call (python/src/jit_key.hpp) to the types of a kernel's parameters."""

from __future__ import annotations

import collections
import functools
import struct
from typing import Any

import numpy as np

from heald._jit.types import (
    WEAK_BOOL,
    WEAK_COMPLEX,
    WEAK_FLOAT,
    WEAK_INT,
    ArrayOf,
    Scalar,
    Static,
    TupleOf,
    dtype_scalar,
)
from heald._jit.value import INT32_RANGE, INT64_RANGE, NARROW_MAX, Value

# In the order of the engine's DType.
_DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
    "complex64 complex128"
).split()
_INTS = {"u": (0, NARROW_MAX), "i": INT32_RANGE, "l": INT64_RANGE}


def read_key(key: bytes, arguments: tuple[Any, ...]) -> tuple[list[Value], bool]:
    """(what is known of each argument, whether indices need 64 bits)"""
    reader = _Reader(key)
    values = [reader.value(argument) for argument in arguments]
    return values, key[-1:] == b"w"


class _Reader:
    def __init__(self, key: bytes) -> None:
        self.key = key
        self.at = 0

    def take(self) -> str:
        self.at += 1
        return chr(self.key[self.at - 1])

    def pointer(self) -> int:
        self.at += 8
        return struct.unpack("P", self.key[self.at - 8 : self.at])[0]

    def value(self, argument: Any) -> Value:
        tag = self.take()
        if tag == "A":
            dtype = Scalar(_DTYPES[ord(self.take())])
            ndim = ord(self.take())
            return Value(ArrayOf(dtype, ndim, self.take()))
        if tag == "i":
            width = self.take()
            if width == "U":
                return Value(Scalar("uint64"))
            return Value(WEAK_INT, range=_INTS[width])
        if tag == "s":
            return Value(Scalar(_DTYPES[ord(self.take())]))
        if tag in "bfc":
            return Value({"b": WEAK_BOOL, "f": WEAK_FLOAT, "c": WEAK_COMPLEX}[tag])
        if tag == "N":
            return Value(Static(None))
        if tag == "O":
            self.pointer()
            return Value(Static(argument))
        if tag == "R":
            self.pointer()
            return record_value(argument.dtype)
        if tag == "T":
            self.pointer()
        items = tuple(self.value(item) for item in argument)
        self.at += 1  # the closing parenthesis
        cls = type(argument) if hasattr(type(argument), "_fields") else None
        return Value(TupleOf(tuple(v.type for v in items), cls), items=items)


@functools.lru_cache(maxsize=1024)
def record_class(dtype: np.dtype) -> type:
    """The named tuple that a record of this dtype is in a kernel."""
    assert dtype.names is not None
    cls = collections.namedtuple("Record", [f"f{k}" for k in range(len(dtype.names))])  # type: ignore[misc]
    cls._fields = tuple(dtype.names)  # type: ignore[attr-defined, assignment]
    cls.record_dtype = dtype  # type: ignore[attr-defined]
    return cls


def record_value(dtype: np.dtype) -> Value:
    """A record: a named tuple of numbers."""
    assert dtype.names is not None and dtype.fields is not None
    items = []
    for name in dtype.names:
        field = dtype_scalar(dtype.fields[name][0])
        if field is None:
            raise TypeError(
                f"[hd.jit] the field '{name}' of a record is {dtype.fields[name][0]}: kernels take "
                "records of numbers"
            )
        items.append(Value(field))
    kind = TupleOf(tuple(item.type for item in items), record_class(dtype))
    return Value(kind, items=tuple(items))
