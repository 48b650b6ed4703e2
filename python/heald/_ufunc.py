"""NumPy's universal functions: `hd.sin`, `hd.add`, … are objects with NumPy's methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heald import _folds
from heald._arrays import asarray, full
from heald._heald import (
    Array,
    HealdError,
    InvalidValueError,
    TypeMismatchError,
    assign,
    call_ufunc,
    dtype_from_name,
    dtype_name,
    ufunc_loop,
)

_DTYPES = (
    "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64 "
    "complex64 complex128"
).split()


_PYTHONS = (bool, int, float, complex)


def _dtype(dtype: Any) -> np.dtype[Any]:
    return dtype_from_name(dtype) if dtype == "bfloat16" else np.dtype(dtype)


def _operand(x: Any) -> Any:
    return asarray(x) if isinstance(x, (list, tuple)) else x


def _can_cast(x: Any, dtype: np.dtype[Any], casting: Any) -> bool:
    """Whether an operand may become `dtype`; Python's numbers are weak."""
    if type(x) in (int, float, complex):
        kinds = {int: "iufcV", float: "fcV", complex: "c"}[type(x)]
        return casting == "unsafe" or dtype.kind in kinds
    own = x.dtype if hasattr(x, "dtype") else np.min_scalar_type(x)
    return bool(np.can_cast(own, dtype, casting))


class _Doc:
    """The class's own text, or that of one function, written when it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __get__(self, function: ufunc | None, owner: type) -> str:
        return self._text if function is None else function._describe()


class ufunc:
    __doc__: Any = _Doc("""A universal function: elementwise, with broadcasting and promotion.

    `f(*x, out=None, where=True, dtype=None, casting="same_kind")` records the operation; it is
    computed, fused with its neighbours, when a value is needed. Operands are hd.Arrays, tensors of
    other libraries, or numbers; Python's own numbers take the dtype of the arrays they meet.
    Where `where` is false, `out` keeps its elements; without `out` they are 0.

    >>> hd.hypot(hd.full(2, 3.0), 4).tolist()
    [5.0, 5.0]
    """)

    def __init__(
        self,
        name: str,
        nin: int,
        formula: str,
        identity: Any = None,
        rows: Sequence[str] = (),
    ) -> None:
        self.__name__ = name
        self.__qualname__ = name
        self.__module__ = "heald"
        self.nin = nin
        self._rows = tuple(rows) or (name,)
        self.nout = len(self._rows)
        self.nargs = nin + self.nout
        self.identity = identity
        self.signature: str | None = None
        self._formula = formula

    def _describe(self) -> str:
        operands = ", ".join("abc"[: self.nin])
        return (
            f"{self.__name__}({operands}, *, out=None, where=True, dtype=None, "
            f'casting="same_kind")\n\n{self._formula}, element by element.\n\n'
            f"Types: {' '.join(self.types)}.\n"
            "Raises TypeError if there is no loop for the dtypes or a cast is not allowed, "
            "ValueError for shapes that do not broadcast and for arrays on several devices, "
            "OverflowError for a Python int that the dtype cannot hold.\n"
        )

    def __repr__(self) -> str:
        return f"<heald.ufunc '{self.__name__}'>"

    def __reduce__(self) -> str:
        return self.__name__

    @property
    def types(self) -> list[str]:
        """The loops, as "ff->f" with NumPy's characters (bfloat16 is "E")."""
        loops = []
        for name in _DTYPES:
            try:
                dtype = dtype_from_name(name)
            except HealdError:  # bfloat16 without ml_dtypes
                continue
            found = [ufunc_loop(row, dtype) for row in self._rows]
            if found[0] is None or found[0][0] != dtype:
                continue
            inputs = [dtype] * self.nin
            if self.__name__ == "ldexp":
                inputs[1] = np.dtype("int64")
            results = [result for _, result in found]
            loops.append("->".join("".join(map(_char, part)) for part in (inputs, results)))
        return loops

    @property
    def ntypes(self) -> int:
        return len(self.types)

    def __call__(
        self,
        *operands: Any,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        casting: Any = "same_kind",
    ) -> Any:
        if len(operands) != self.nin:
            if self.nin < len(operands) <= self.nargs and out is None:
                out = operands[self.nin :] + (None,) * (self.nargs - len(operands))
                operands = operands[: self.nin]
            else:
                raise TypeError(
                    f"[{self.__name__}] takes from {self.nin} to {self.nargs} positional "
                    f"arguments but {len(operands)} were given"
                )
        if out is None and where is True and dtype is None and casting == "same_kind":
            if self.nout == 1:
                return call_ufunc(self._rows[0], *map(_operand, operands))
        return self._call(tuple(map(_operand, operands)), out, where, dtype, casting)

    def _call(
        self, operands: tuple[Any, ...], out: Any, where: Any, dtype: Any, casting: Any
    ) -> Any:
        loop = self._loop_for(operands, dtype, casting)
        results = [call_ufunc(row, *operands, dtype=loop) for row in self._rows]
        if casting in ("no", "equiv", "safe") and loop is None:
            self._check_casting(operands, results[0].dtype, casting)
        outs = self._outs(out)
        stored = [
            self._store(result, target, where, casting)
            for result, target in zip(results, outs, strict=True)
        ]
        return stored[0] if self.nout == 1 else tuple(stored)

    def _loop_for(
        self, operands: tuple[Any, ...], dtype: Any, casting: Any
    ) -> np.dtype[Any] | None:
        """The loop that `dtype`, that of the result, asks for."""
        if dtype is None:
            return None
        wanted = _dtype(dtype)
        probes = ("bool", "int8", "int64", "float64")
        loops = [ufunc_loop(self._rows[0], probe) for probe in probes]
        results = {loop[1] for loop in loops if loop is not None}
        if results == {wanted}:
            return None  # a bool or an int whatever the loop
        found = ufunc_loop(self._rows[0], wanted)
        if found is not None and found[0] == wanted and found[1] == wanted:
            self._check_casting(operands, wanted, casting)
            return wanted
        raise TypeMismatchError(
            f"[{self.__name__}] No loop matching the specified signature and casting was found: "
            f"there is none with a result of {dtype_name(wanted)}"
        )

    def _check_casting(self, operands: tuple[Any, ...], loop: np.dtype[Any], casting: Any) -> None:
        for number, x in enumerate(operands):
            if not _can_cast(x, loop, casting):
                own = dtype_name(x.dtype) if hasattr(x, "dtype") else type(x).__name__
                raise TypeMismatchError(
                    f"[{self.__name__}] Cannot cast ufunc {self.__name__!r} input {number} from "
                    f"{own} to {dtype_name(loop)} with casting rule {casting!r}"
                )

    def _outs(self, out: Any) -> tuple[Any, ...]:
        outs = out if isinstance(out, tuple) else (out,) if self.nout == 1 else None
        if outs is None and out is None:
            return (None,) * self.nout
        if outs is None or len(outs) != self.nout:
            raise TypeMismatchError(
                f"[{self.__name__}] 'out' must be an Array or a tuple of {self.nout}"
            )
        for target in outs:
            if target is not None and not isinstance(target, Array):
                raise TypeMismatchError(
                    f"[{self.__name__}] return arrays must be of hd.Array type, got "
                    f"{type(target).__name__}"
                )
        return outs

    def _store(self, result: Array, target: Array | None, where: Any, casting: Any) -> Array:
        mask = None if where is True else _mask(where, result, self.__name__)
        if target is None:
            return result if mask is None else call_ufunc("where", mask, result, 0)
        store(self.__name__, result, target, mask, casting)
        return target

    # Methods of ufuncs with two operands and one result.

    def reduce(
        self,
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = _folds.no_value,
        where: Any = True,
    ) -> Array:
        """Folds the elements along `axis` (an int, a tuple of them, None: all) with the function.

        The result starts from `initial` and takes elements where `where` holds. Without elements it
        is the identity; ValueError if there is none. `dtype` is that of the fold: for sums and
        products of small integers 64 bits.

        >>> hd.add.reduce(hd.ones((2, 3)), axis=1).tolist()
        [3.0, 3.0]
        """
        self._expect_binary("reduce")
        x = _as_array(array, self.__name__)
        result = _folds.reduce(self, x, axis, dtype, bool(keepdims), initial, where)
        return self._into(result, out)

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Array:
        """Every partial fold along `axis`: for add, the cumulative sum.

        >>> hd.add.accumulate(hd.ones(3)).tolist()
        [1.0, 2.0, 3.0]
        """
        self._expect_binary("accumulate")
        x = _as_array(array, self.__name__)
        return self._into(_folds.accumulate(self, x, axis, dtype), out)

    def reduceat(
        self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
    ) -> Array:
        """Folds of slices along `axis`: element i of the result is that of
        `array[indices[i]:indices[i + 1]]`, or `array[indices[i]]` if that is empty."""
        self._expect_binary("reduceat")
        x = _as_array(array, self.__name__)
        return self._into(_folds.reduceat(self, x, indices, axis, dtype), out)

    def outer(self, a: Any, b: Any, /, **options: Any) -> Any:
        """The function of every pair: the result has the axes of `a`, then those of `b`.

        >>> hd.multiply.outer(hd.full(2, 2.0), hd.ones(3)).shape
        (2, 3)
        """
        self._expect_binary("outer", any_result=True)
        # As in NumPy, Python's numbers have a dtype of their own here.
        a, b = (np.asarray(x)[()] if type(x) in _PYTHONS else _operand(x) for x in (a, b))
        if isinstance(a, Array):
            a = a[(..., *(None,) * getattr(b, "ndim", 0))]
        return self(a, b, **options)

    def at(self, a: Array, indices: Any, b: Any = None, /) -> None:
        """`a[indices] = f(a[indices], b)` in place, once for every time that an index occurs.

        >>> x = hd.zeros(3)
        >>> hd.add.at(x, [0, 0, 2], 1)
        >>> x.tolist()
        [2.0, 0.0, 1.0]
        """
        if self.nout != 1:
            raise InvalidValueError(f"[{self.__name__}.at] only ufuncs with one result have 'at'")
        if (b is None) != (self.nin == 1):
            raise InvalidValueError(
                f"[{self.__name__}.at] takes {self.nin + 1} arguments, got {2 + (b is not None)}"
            )
        _folds.at(self, a, indices, b)

    def _expect_binary(self, method: str, any_result: bool = False) -> None:
        if self.nin != 2:
            raise InvalidValueError(
                f"[{self.__name__}.{method}] {method} only supported for binary functions"
            )
        if self.nout != 1 and not any_result:
            raise InvalidValueError(
                f"[{self.__name__}.{method}] {method} only supported for functions returning a "
                "single value"
            )

    def _into(self, result: Array, out: Any) -> Array:
        (target,) = self._outs(out) if self.nout == 1 else (None,)
        if target is None:
            return result
        if target.shape != result.shape:
            raise InvalidValueError(
                f"[{self.__name__}] 'out' has shape {target.shape}, the result {result.shape}"
            )
        store(self.__name__, result, target, None, "same_kind")
        return target


def _char(dtype: np.dtype[Any]) -> str:
    return {"l": "q", "L": "Q"}.get(dtype.char, dtype.char)


def _as_array(x: Any, name: str) -> Array:
    x = _operand(x)
    if isinstance(x, Array):
        return x
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return full((), x)
    return call_ufunc("cast", x) if not isinstance(x, np.ndarray) else _refuse(x, name)


def _refuse(x: Any, name: str) -> Array:
    raise TypeMismatchError(
        f"[{name}] the operand must be an hd.Array, got {type(x).__name__}: pass hd.asarray(x)"
    )


def _mask(where: Any, like: Array, name: str) -> Array:
    """`where` as an array of bool."""
    if isinstance(where, (bool, np.bool_)):
        return full((), bool(where), "bool", device=like.device)
    if isinstance(where, (list, tuple, np.ndarray)):
        where = asarray(where, device=like.device)
    if not isinstance(where, Array) or where.dtype != np.bool_:
        raise TypeMismatchError(f"[{name}] 'where' must be of bool")
    return where


def store(name: str, result: Array, target: Array, mask: Array | None, casting: Any) -> None:
    """`target[...] = result` as a ufunc does it: with its casting rule, and no new shape."""
    if not np.can_cast(result.dtype, target.dtype, casting):
        raise TypeMismatchError(
            f"[{name}] Cannot cast ufunc {name!r} output from {dtype_name(result.dtype)} to "
            f"{dtype_name(target.dtype)} with casting rule {casting!r}"
        )
    shapes = [result.shape, target.shape] + ([] if mask is None else [mask.shape])
    if np.broadcast_shapes(*shapes) != target.shape:
        raise InvalidValueError(
            f"[{name}] non-broadcastable output operand with shape {target.shape} doesn't match "
            f"the broadcast shape {np.broadcast_shapes(*shapes)}"
        )
    assign(target, result, mask)
