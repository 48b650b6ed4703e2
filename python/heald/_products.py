"""Sums of products: matrices, vectors, tensors.

Products of matrices go through plans (heald.Matmul) from a cache, those of two vectors through a
fused reduction. Results have the promoted dtype; float16 and bfloat16 are summed in float32,
integers wrap."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heald import _heald
from heald._arguments import array_argument, cast, device_of, dtype_argument, into, one_axis
from heald._creation import diagonal
from heald._heald import Array, call_ufunc
from heald._manipulation import moveaxis
from heald._reductions import sum as _sum


def _two(a: Any, b: Any, operation: str) -> tuple[Array, Array]:
    device = device_of(a, b)
    x = array_argument(a, operation, device)
    y = array_argument(b, operation, device)
    dtype = np.result_type(x.dtype, y.dtype)
    return cast(x, dtype), cast(y, dtype)


def sum_of_products(x: Array, y: Array, axes: tuple[int, ...]) -> Array:
    """sum(x * y) over axes, in the dtype of both."""
    dtype = x.dtype
    if dtype.kind == "b":
        return _heald.reduce_array("logical_or", call_ufunc("logical_and", x, y), axes, False, None)
    if dtype.kind in "fV" and dtype.itemsize == 2:  # bfloat16's kind is "V"
        wide = np.dtype("float32")
        product = call_ufunc("multiply", cast(x, wide), cast(y, wide))
        return cast(_heald.reduce_array("add", product, axes, False, wide), dtype)
    return _heald.reduce_array("add", call_ufunc("multiply", x, y), axes, False, dtype)


def _product(x: Array, y: Array) -> Array:
    """Of matrices with the same dtype."""
    m, k, n = x.shape[-2], x.shape[-1], y.shape[-1]
    if k != y.shape[-2]:
        raise ValueError(
            f"[matmul] Input operand 1 has a mismatch in its core dimension 0: shapes {x.shape} "
            f"and {y.shape}, {y.shape[-2]} is different from {k}"
        )
    if (m == 1 or n == 1) and k > 0 and x.dtype.kind not in "fcV":
        # The rows of x beside the columns of y.
        columns = y.transpose((*range(y.ndim - 2), y.ndim - 1, y.ndim - 2))
        return _thin(x, columns, k)
    return _heald.matmul_arrays(x, y)


def _thin(x: Array, columns: Array, k: int) -> Array:
    left = x.reshape((*x.shape[:-1], 1, k))
    right = columns.reshape((*columns.shape[:-2], 1, columns.shape[-2], k))
    ndim = max(left.ndim, right.ndim)
    return sum_of_products(left, right, (ndim - 1,))


def matmul(
    x1: Any,
    x2: Any,
    /,
    out: Array | None = None,
    *,
    dtype: Any = None,
    bias: Array | None = None,
    activation: Any = None,
) -> Array:
    """The matrix product of the last two axes; the others broadcast. An operand with one axis is a
    row (x1) or a column (x2), whose axis the result does not have. ValueError for numbers.

    `bias` is added: (N,) per column, (M, 1) per row, or any shape that broadcasts. `activation`:
    "relu", "gelu", "gelu_erf", "silu", "sigmoid", "tanh", or stages of heald.epilogue without
    operands. Both are fused where the library can (heald.Matmul says more).

    >>> hd.matmul(hd.ones((2, 3)), hd.ones((3, 4))).shape
    (2, 4)
    """
    x, y = _two(x1, x2, "matmul")
    if dtype is not None:
        wanted = dtype_argument(dtype)
        x, y = cast(x, wanted), cast(y, wanted)
    for number, operand in enumerate((x, y)):
        if operand.ndim == 0:
            raise ValueError(
                f"[matmul] Input operand {number} does not have enough dimensions (has 0, needs 1)"
            )
    if bias is not None or activation is not None:
        return _heald.matmul_fused(x, y, bias, activation, out)
    if out is not None and _fits(out, x, y):
        return _heald.matmul_fused(x, y, None, None, out)
    return into(_matmul(x, y), out, "matmul")


def _fits(out: Any, x: Array, y: Array) -> bool:
    """A library may write there."""
    return (
        isinstance(out, Array)
        and out.dtype == x.dtype
        and x.ndim > 1
        and y.ndim > 1
        and out.shape[-2:] == (x.shape[-2], y.shape[-1])
        and x.dtype.kind in "fcV"
        and out.ndim == max(x.ndim, y.ndim)
    )


def _matmul(x: Array, y: Array) -> Array:
    if x.ndim == 1 and y.ndim == 1:
        if x.size != y.size:
            raise ValueError(
                "[matmul] Input operand 1 has a mismatch in its core dimension 0: shapes "
                f"{x.shape} and {y.shape}"
            )
        return sum_of_products(x, y, (0,))
    if x.ndim == 1:
        result = _product(x.reshape((1, -1)), y)
        return result.reshape((*result.shape[:-2], result.shape[-1]))
    if y.ndim == 1:
        result = _product(x, y.reshape((-1, 1)))
        return result.reshape(result.shape[:-1])
    return _product(x, y)


def matvec(x1: Any, x2: Any, /) -> Array:
    """Matrices times vectors: the last axis of both is summed, the others broadcast."""
    x, y = _two(x1, x2, "matvec")
    if x.ndim < 2 or y.ndim < 1:
        raise ValueError("[matvec] takes matrices and vectors")
    return _product(x, y[..., None])[..., 0]


def vecmat(x1: Any, x2: Any, /) -> Array:
    """Vectors, conjugated, times matrices: the others axes broadcast."""
    x, y = _two(x1, x2, "vecmat")
    if x.ndim < 1 or y.ndim < 2:
        raise ValueError("[vecmat] takes vectors and matrices")
    return _product(_conjugate(x)[..., None, :], y)[..., 0, :]


def dot(a: Any, b: Any, out: Array | None = None) -> Array:
    """The sum over the last axis of `a` and the last but one (the only one) of `b`; all other axes
    stay, those of `a` first. With a number: the product."""
    x, y = _two(a, b, "dot")
    if x.ndim == 0 or y.ndim == 0:
        return into(call_ufunc("multiply", x, y), out, "dot")
    axis = y.ndim - 2 if y.ndim > 1 else 0
    if x.shape[-1] != y.shape[axis]:
        raise ValueError(
            f"[dot] shapes {x.shape} and {y.shape} not aligned: {x.shape[-1]} (dim {x.ndim - 1}) "
            f"!= {y.shape[axis]} (dim {axis})"
        )
    return into(tensordot(x, y, ([x.ndim - 1], [axis])), out, "dot")


def inner(a: Any, b: Any) -> Array:
    """The sum over the last axes of both; all other axes stay, those of `a` first."""
    x, y = _two(a, b, "inner")
    if x.ndim == 0 or y.ndim == 0:
        return call_ufunc("multiply", x, y)
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(f"[inner] shapes {x.shape} and {y.shape} not aligned")
    return tensordot(x, y, ([x.ndim - 1], [y.ndim - 1]))


def outer(a: Any, b: Any, out: Array | None = None) -> Array:
    """Every element of `a`, flattened, times every element of `b`."""
    x, y = _two(a, b, "outer")
    return into(call_ufunc("multiply", x.reshape((-1, 1)), y.reshape((1, -1))), out, "outer")


def vdot(a: Any, b: Any, /) -> Array:
    """The sum of the products of both, flattened, the first conjugated."""
    x, y = _two(a, b, "vdot")
    if x.size != y.size:
        raise ValueError(f"[vdot] cannot reshape array of shape {y.shape} into shape ({x.size},)")
    return sum_of_products(_conjugate(x.ravel()), y.ravel(), (0,))


def _conjugate(x: Array) -> Array:
    return call_ufunc("conjugate", x) if x.dtype.kind == "c" else x


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """The sum over an axis of both, counted from the end, of the products, the first conjugated;
    the other axes broadcast."""
    x, y = _two(x1, x2, "vecdot")
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError("[vecdot] both operands must have an axis")
    x = moveaxis(x, axis, -1)
    y = moveaxis(y, axis, -1)
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(
            f"[vecdot] the axes have lengths {x.shape[-1]} and {y.shape[-1]}, which must be equal"
        )
    ndim = max(x.ndim, y.ndim)
    return sum_of_products(_conjugate(x), y, (ndim - 1,))


def tensordot(a: Any, b: Any, /, axes: Any = 2) -> Array:
    """The sum over axes of both: the last `axes` of `a` and the first of `b`, or two sequences of
    axes. The other axes stay, those of `a` first.

    >>> hd.tensordot(hd.ones((2, 3, 4)), hd.ones((3, 4, 5))).shape
    (2, 5)
    """
    x, y = _two(a, b, "tensordot")
    if isinstance(axes, (int, np.integer)):
        count = int(axes)
        if count < 0 or count > min(x.ndim, y.ndim):
            raise ValueError("[tensordot] shape-mismatch for sum")
        axes_x: list[int] = list(range(x.ndim - count, x.ndim))
        axes_y: list[int] = list(range(count))
    else:
        both = [(axis,) if isinstance(axis, (int, np.integer)) else tuple(axis) for axis in axes]
        if len(both[0]) != len(both[1]):
            raise ValueError("[tensordot] shape-mismatch for sum")
        axes_x = [one_axis(axis, x.ndim) for axis in both[0]]
        axes_y = [one_axis(axis, y.ndim) for axis in both[1]]
    if [x.shape[k] for k in axes_x] != [y.shape[k] for k in axes_y]:
        raise ValueError(f"[tensordot] shape-mismatch for sum: {x.shape}, {y.shape}, axes {axes}")
    kept_x = [k for k in range(x.ndim) if k not in axes_x]
    kept_y = [k for k in range(y.ndim) if k not in axes_y]
    shape = (*[x.shape[k] for k in kept_x], *[y.shape[k] for k in kept_y])
    summed = math.prod(x.shape[k] for k in axes_x)
    rows = math.prod(x.shape[k] for k in kept_x)
    columns = math.prod(y.shape[k] for k in kept_y)
    left = _in_order(x, kept_x + axes_x).reshape((rows, summed))
    right = _in_order(y, axes_y + kept_y).reshape((summed, columns))
    return _product(left, right).reshape(shape)


def _in_order(x: Array, axes: list[int]) -> Array:
    return x.transpose(axes) if x.ndim > 1 else x


def kron(a: Any, b: Any) -> Array:
    """Every element of `a` times all of `b`, as blocks."""
    x, y = _two(a, b, "kron")
    ndim = max(x.ndim, y.ndim)
    shape_x = (1,) * (ndim - x.ndim) + x.shape
    shape_y = (1,) * (ndim - y.ndim) + y.shape
    left = x.reshape(tuple(n for length in shape_x for n in (length, 1)))
    right = y.reshape(tuple(n for length in shape_y for n in (1, length)))
    shape = tuple(n * m for n, m in zip(shape_x, shape_y, strict=True))
    return call_ufunc("multiply", left, right).reshape(shape)


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Array:
    """The vector product of vectors of three elements along an axis; the other axes broadcast.
    ValueError for vectors of another length."""
    from heald._joining import stack

    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = _two(a, b, "cross")
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError("[cross] At least one array has zero dimension")
    x, y = moveaxis(x, axisa, -1), moveaxis(y, axisb, -1)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise ValueError(
            "[cross] Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{x.shape[-1]} and {y.shape[-1]} dimensional instead."
        )
    parts = [
        call_ufunc(
            "subtract",
            call_ufunc("multiply", x[..., i], y[..., j]),
            call_ufunc("multiply", x[..., j], y[..., i]),
        )
        for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    return moveaxis(stack(parts, axis=-1), -1, axisc)


def trace(
    a: Any,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: Any = None,
    out: Array | None = None,
) -> Array:
    """The sum of a diagonal; see diagonal()."""
    return _sum(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


__all__ = [
    "cross",
    "dot",
    "inner",
    "kron",
    "matmul",
    "matvec",
    "outer",
    "tensordot",
    "trace",
    "vdot",
    "vecdot",
    "vecmat",
]
