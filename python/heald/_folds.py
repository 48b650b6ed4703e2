"""The methods of ufuncs that fold: reduce, accumulate, reduceat, at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from heald import _heald
from heald._arrays import asarray, empty, full
from heald._creation import arange
from heald._heald import (
    Array,
    InvalidValueError,
    TypeMismatchError,
    array_to_numpy,
    assign,
    call_ufunc,
)
from heald._sorting import argsort
from heald._sync import hidden_sync

if TYPE_CHECKING:
    from heald._ufunc import ufunc


class _NoValue:
    def __repr__(self) -> str:
        return "<no value>"


no_value = _NoValue()

# Folds that run as kernels of their own.
_KERNELS = {
    "add",
    "multiply",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
}
_LOGICAL = {"logical_and", "logical_or", "logical_xor"}
_ACCUMULATED = {"add", "multiply", "maximum", "minimum"}
# Others of which pairs may be taken in any order.
_ASSOCIATIVE = {"gcd", "hypot", "logaddexp", "logaddexp2"}
_NO_IDENTITY_NEEDED = {"maximum", "minimum", "fmax", "fmin"}


def _axes(axis: Any, ndim: int, name: str) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    if ndim == 0 and axis in (0, -1):
        return ()
    try:
        return tuple(np.lib.array_utils.normalize_axis_tuple(axis, ndim))
    except np.exceptions.AxisError:
        raise
    except ValueError as error:
        raise InvalidValueError(f"[{name}.reduce] duplicate value in 'axis'") from error


def _fold_dtype(function: ufunc, x: Array, dtype: Any) -> np.dtype[Any]:
    """The dtype in which elements are folded."""
    name = function.__name__
    if name in _LOGICAL:
        return np.dtype(bool)
    if dtype is not None:
        return _heald.dtype_from_name(dtype) if dtype == "bfloat16" else np.dtype(dtype)
    if name in ("add", "multiply") and x.dtype.kind in "biu" and x.dtype.itemsize < 8:
        return np.dtype("uint64" if x.dtype.kind == "u" else "int64")
    return x.dtype


def check_exponents(exponents: Array) -> None:
    """Raises NumPy's error if an integer exponent of an integer is negative."""
    hidden_sync("power")
    negative = call_ufunc("less", exponents, 0)
    if exponents.size and array_to_numpy(_heald.reduce_array("logical_or", negative, None)).item():
        raise InvalidValueError("[power] Integers to negative integer powers are not allowed.")


def reduce(
    function: ufunc, x: Array, axis: Any, dtype: Any, keepdims: bool, initial: Any, where: Any
) -> Array:
    name = function.__name__
    axes = _axes(axis, x.ndim, name)
    if len(axes) > 1 and function.identity is None and name not in _NO_IDENTITY_NEEDED:
        raise InvalidValueError(
            f"[{name}.reduce] reduction operation {name!r} is not reorderable, so at most one axis "
            "may be specified"
        )
    fold_dtype = _fold_dtype(function, x, dtype)
    if where is not True:
        x = _masked(function, x, where, initial, fold_dtype)
    if all(x.shape[axis] > 0 for axis in axes):
        result = _fold(function, x, axes, keepdims, fold_dtype, dtype)
        if initial is no_value or initial is None:
            return result
        if name in _LOGICAL:
            return function(result, bool(initial))
        return function(result, _number(initial, result), dtype=result.dtype)
    start = initial if initial is not no_value and initial is not None else function.identity
    if start is None:
        raise InvalidValueError(
            f"[{name}.reduce] zero-size array to reduction operation {name} which has no identity"
        )
    shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape) if keepdims or i not in axes)
    return full(shape, _identity(start, fold_dtype), fold_dtype, device=x.device)


def _number(x: Any, like: Array) -> Any:
    """A number for a binary operation with `like`, without a say in the dtype."""
    if isinstance(x, Array):
        return x
    return np.asarray(x).astype(like.dtype)[()]


def _identity(value: Any, dtype: np.dtype[Any]) -> Any:
    """-1 stands for all bits, also of an unsigned number."""
    return np.iinfo(dtype).max if dtype.kind == "u" and value == -1 else value


def _masked(function: ufunc, x: Array, where: Any, initial: Any, dtype: np.dtype[Any]) -> Array:
    """`x` with elements that do not change the fold where `where` is false."""
    name = function.__name__
    neutral = function.identity
    if neutral is None:
        if initial is no_value or initial is None:
            raise InvalidValueError(
                f"[{name}.reduce] reduction operation {name!r} does not have an identity, so to "
                "use a where mask one has to specify 'initial'"
            )
        neutral = initial
    mask = where if isinstance(where, Array) else asarray(where, device=x.device)
    if mask.dtype != np.bool_:
        raise TypeMismatchError(f"[{name}.reduce] 'where' must be of bool")
    if np.broadcast_shapes(mask.shape, x.shape) != x.shape:
        raise InvalidValueError(
            f"[{name}.reduce] 'where' of shape {mask.shape} does not fit an array of {x.shape}"
        )
    if name in _LOGICAL:
        return call_ufunc("where", mask, call_ufunc("cast", x, dtype=dtype), bool(neutral))
    x = call_ufunc("cast", x, dtype=dtype)
    return call_ufunc("where", mask, x, _number(_identity(neutral, dtype), x))


def _fold(
    function: ufunc,
    x: Array,
    axes: tuple[int, ...],
    keepdims: bool,
    fold_dtype: np.dtype[Any],
    dtype: Any,
) -> Array:
    name = function.__name__
    if not axes:
        return function(x, dtype=fold_dtype) if function.nin == 1 else _as(x, fold_dtype)
    if name in _KERNELS:
        found = _heald.ufunc_loop(name, fold_dtype)
        if found is None or (found[0] != fold_dtype and name not in _LOGICAL):
            raise TypeMismatchError(
                f"[{name}.reduce] there is no such operation for {_heald.dtype_name(fold_dtype)}"
            )
        x = x if name in _LOGICAL else _as(x, fold_dtype)
        return _heald.reduce_array(
            name, x, axes, keepdims, None if name in _LOGICAL else fold_dtype
        )
    x = _as_loop(function, x, fold_dtype)
    for axis in sorted(axes, reverse=True):
        x = _fold_one_by_one(function, x, axis)
    if keepdims:
        for axis in sorted(axes):
            x = x[(slice(None),) * axis + (None,)]
    return x


def _as(x: Array, dtype: np.dtype[Any]) -> Array:
    return x if x.dtype == dtype else call_ufunc("cast", x, dtype=dtype)


def _as_loop(function: ufunc, x: Array, dtype: np.dtype[Any]) -> Array:
    """`x` in the dtype of the function's loop, which must be that of its results."""
    found = _heald.ufunc_loop(function.__name__, dtype)
    if found is None or found[0] != found[1]:
        raise TypeMismatchError(
            f"[{function.__name__}.reduce] there is no fold of {_heald.dtype_name(dtype)}: the "
            "results are of another dtype"
        )
    return _as(x, found[0])


def _fold_one_by_one(function: ufunc, x: Array, axis: int) -> Array:
    """Halves on halves if order does not matter, else one element after another."""
    before = (slice(None),) * axis

    def part(cut: Any) -> Array:
        return x[(*before, cut)]

    if function.__name__ == "subtract":
        rest = _heald.reduce_array("add", part(slice(1, None)), (axis,), False, x.dtype)
        return function(part(0), rest) if x.shape[axis] > 1 else part(0)
    if function.__name__ in _ASSOCIATIVE:
        left_over = []
        while x.shape[axis] > 1:
            half = x.shape[axis] // 2
            if x.shape[axis] % 2:
                left_over.append(part(-1))
            x = function(part(slice(None, half)), part(slice(half, 2 * half)))
        result = part(0)
        for one in reversed(left_over):
            result = function(result, one)
        return result
    result = part(0)
    for i in range(1, x.shape[axis]):
        result = function(result, part(i))
    return result


def accumulate(function: ufunc, x: Array, axis: int, dtype: Any) -> Array:
    name = function.__name__
    if x.ndim == 0:
        raise TypeError(f"[{name}.accumulate] cannot accumulate on a scalar")
    (axis,) = _axes(axis, x.ndim, name)
    fold_dtype = _fold_dtype(function, x, dtype)
    if name in _ACCUMULATED:
        return _heald.accumulate_array(name, _as(x, fold_dtype), axis, fold_dtype)
    x = _as_loop(function, x, fold_dtype) if name not in _LOGICAL else _as(x, fold_dtype)
    result = empty(x.shape, x.dtype, device=x.device)
    before = (slice(None),) * axis
    partial = None
    for i in range(x.shape[axis]):
        element = x[(*before, i)]
        partial = element if partial is None else function(partial, element)
        assign(result[(*before, i)], partial)
    return result


def reduceat(function: ufunc, x: Array, indices: Any, axis: int, dtype: Any) -> Array:
    name = function.__name__
    (axis,) = _axes(axis, x.ndim, name)
    starts = [int(i) for i in np.asarray(indices)]
    length = x.shape[axis]
    for i in starts:
        if not 0 <= i < length:
            raise IndexError(
                f"[{name}.reduceat] index {i} out-of-bounds in {name}.reduceat [0, {length})"
            )
    before = (slice(None),) * axis
    fold_dtype = _fold_dtype(function, x, dtype)
    shape = (*x.shape[:axis], len(starts), *x.shape[axis + 1 :])
    result = empty(shape, fold_dtype, device=x.device)
    for i, start in enumerate(starts):
        end = starts[i + 1] if i + 1 < len(starts) else length
        cut = x[(*before, slice(start, max(end, start + 1)))]
        fold = reduce(function, cut, axis, fold_dtype, False, no_value, True)
        assign(result[(*before, i)], fold)
    return result


def at(function: ufunc, a: Array, indices: Any, b: Any) -> None:
    name = function.__name__
    if not isinstance(a, Array):
        raise TypeMismatchError(
            f"[{name}.at] first operand must be an hd.Array, got {type(a).__name__}"
        )
    # The places of the elements, by the same indices in an array of numbers.
    numbers = arange(a.size, dtype="int64", device=a.device).reshape(a.shape)
    places = numbers[indices]
    one = empty((), a.dtype, device=a.device)
    loop = (function(one) if b is None else function(one, asarray(b) if _is_list(b) else b)).dtype
    if _heald.ufunc_loop(name, loop) != (loop, loop):
        raise TypeMismatchError(
            f"[{name}.at] there is no such operation for {_heald.dtype_name(a.dtype)}"
        )
    if places.size == 0:
        return
    values = empty(1, loop, device=a.device) if b is None else _values(b, loop, places, name)
    target = a if a.is_c_contiguous and not a.read_only else a.copy()
    places = places.reshape(-1)
    kernel = _at_kernel(name, loop, a.dtype, a.device)
    count = places.size
    blocks = (count + _AT_BLOCK - 1) // _AT_BLOCK
    kernel.launch(
        grid=blocks,
        block=_AT_BLOCK,
        args=(target.reshape(-1), places, argsort(places), values, count),
    )
    if target is not a:
        assign(a, target)


def _is_list(x: Any) -> bool:
    return isinstance(x, (list, tuple))


_AT_BLOCK = 128
_at_kernels: dict[Any, Any] = {}


def _at_kernel(name: str, loop: np.dtype[Any], target: np.dtype[Any], device: Any) -> Any:
    key = (name, loop, target, device.name)
    if key not in _at_kernels:
        source = _heald.ufunc_at_source(name, loop, target, device)
        options = _heald.ProgramOptions(contract=False)
        program = _heald.Program(source, name="heald_at.cu", options=options, device=device)
        _at_kernels[key] = program.compile().get_kernel("at")
    return _at_kernels[key]


def _values(b: Any, loop: np.dtype[Any], places: Array, name: str) -> Array:
    """`b` for every place, in the loop's dtype, in C order."""
    if _is_list(b):
        b = asarray(b, device=places.device)
    shape = places.shape
    if isinstance(b, Array) and np.broadcast_shapes(b.shape, shape) != shape:
        raise InvalidValueError(
            f"[{name}.at] operands could not be broadcast together with shapes {b.shape} {shape}"
        )
    zeros = call_ufunc("cast", call_ufunc("bitwise_and", places, 0), dtype=loop)
    mask = call_ufunc("equal", places, places)
    return call_ufunc("where", mask, b, zeros).reshape(-1)
