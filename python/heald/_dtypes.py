"""Questions about dtypes, as NumPy answers them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import isscalar as isscalar
from numpy import issubdtype as issubdtype
from numpy import min_scalar_type as min_scalar_type

from heald._arguments import array_argument, dtype_argument, into
from heald._heald import Array, call_ufunc, cast_array

from numpy import promote_types as promote_types  # isort: skip


def _dtype_or_number(x: Any) -> Any:
    if isinstance(x, (Array, np.ndarray)):
        return x.dtype
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return x
    return dtype_argument(x)


def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """The dtype that NumPy's promotion gives for arrays, dtypes and Python numbers.

    >>> hd.result_type(hd.zeros(3, "float32"), 1.5)
    dtype('float32')
    """
    return np.result_type(*[_dtype_or_number(x) for x in arrays_and_dtypes])


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Whether a dtype, or the dtype of an array, is cast to `to` under NumPy's rule `casting`."""
    return bool(np.can_cast(_dtype_or_number(from_), dtype_argument(to), casting))


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether `dtype` is of a kind: a dtype, 'bool', 'signed integer', 'unsigned integer',
    'integral', 'real floating', 'complex floating', 'numeric', or a tuple of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    checked = dtype_argument(dtype)
    if isinstance(kind, str) and checked.name == "bfloat16":
        return kind in ("real floating", "numeric")
    return bool(np.isdtype(checked, kind))


class FloatInfo:
    """What numpy.finfo knows of a dtype, with Python's numbers."""

    bits: int
    dtype: np.dtype
    eps: float
    epsneg: float
    max: float
    maxexp: int
    min: float
    minexp: int
    nmant: int
    precision: int
    resolution: float
    smallest_normal: float
    smallest_subnormal: float
    tiny: float

    def __init__(self, dtype: np.dtype) -> None:
        if dtype.name == "bfloat16":
            import ml_dtypes

            source: Any = ml_dtypes.finfo(dtype)
        else:
            source = np.finfo(dtype)
        for name, kind in FloatInfo.__annotations__.items():
            value = getattr(source, name)
            setattr(self, name, {"int": int, "float": float}.get(kind, np.dtype)(value))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in ("eps", "max", "tiny"))
        return f"FloatInfo({self.dtype.name}, {fields})"


def finfo(type: Any, /) -> FloatInfo:
    """Limits of a floating-point dtype, or of the dtype of an array; of a complex one those of its
    parts.

    >>> hd.finfo("float32").bits
    32
    """
    return FloatInfo(type.dtype if isinstance(type, (Array, np.ndarray)) else dtype_argument(type))


def iinfo(type: Any) -> np.iinfo:
    """Limits of an integer dtype, or of the dtype of an array, as numpy.iinfo."""
    return np.iinfo(type.dtype if isinstance(type, (Array, np.ndarray)) else dtype_argument(type))


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """The elements of `x` in another dtype, as C++ converts them. With copy=False, `x` itself if
    nothing changes.

    >>> hd.astype(hd.ones(3), "int32").dtype
    dtype('int32')
    """
    x = array_argument(x, "astype")
    wanted = dtype_argument(dtype)
    if device is not None:
        x = x.to(device)
    if x.dtype == wanted:
        return x.copy() if copy else x
    return cast_array(x, wanted)


def iscomplexobj(x: Any) -> bool:
    """Whether the dtype of `x` is complex."""
    return array_argument(x, "iscomplexobj").dtype.kind == "c"


def iscomplex(x: Any) -> Array:
    """Whether the imaginary part of each element is not 0."""
    from heald._complex import imag

    return call_ufunc("not_equal", imag(array_argument(x, "iscomplex")), 0)


def isreal(x: Any) -> Array:
    """Whether the imaginary part of each element is 0."""
    from heald._complex import imag

    return call_ufunc("equal", imag(array_argument(x, "isreal")), 0)


def isposinf(x: Any, out: Array | None = None) -> Array:
    """Whether each element is positive infinity."""
    return _is_infinity(x, out, float("inf"), "isposinf")


def isneginf(x: Any, out: Array | None = None) -> Array:
    """Whether each element is negative infinity."""
    return _is_infinity(x, out, float("-inf"), "isneginf")


def _is_infinity(x: Any, out: Array | None, infinity: float, operation: str) -> Array:
    x = array_argument(x, operation)
    if x.dtype.kind == "c":
        raise TypeError(f"[{operation}] This operation is not supported for {x.dtype} values")
    return into(call_ufunc("equal", x, infinity), out, operation)


def isrealobj(x: Any) -> bool:
    """Whether the dtype of `x` is not complex."""
    return not iscomplexobj(x)


__all__ = [
    "astype",
    "can_cast",
    "finfo",
    "iinfo",
    "iscomplex",
    "iscomplexobj",
    "isdtype",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "min_scalar_type",
    "promote_types",
    "result_type",
]
