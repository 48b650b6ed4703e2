"""Order statistics, histograms and correlations; built on sort() and searchsorted()."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heald import _heald
from heald._arguments import (
    array_argument,
    axes_tuple,
    cast,
    host_argument,
    inexact_dtype,
    into,
)
from heald._heald import Array, array_from_numpy, call_ufunc
from heald._ranges import int_range
from heald._scanning import cumsum
from heald._sorting import argsort, searchsorted, sort
from heald._sync import hidden_sync

# Of Hyndman and Fan: virtual index = n q + alpha + q (1 - alpha - beta) - 1.
_CONTINUOUS = {
    "linear": (1.0, 1.0),
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
_DISCRETE = (
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "lower",
    "higher",
    "midpoint",
    "nearest",
)


def _virtual_index(n: Any, q: np.ndarray, method: str) -> tuple[Any, Any]:
    """The place below and the share of the one above it, of `n` sorted elements; `n` is a NumPy
    array."""
    if method == "linear":
        at = (n - 1) * q
        return np.floor(at), at - np.floor(at)
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        at = n * q + (alpha + q * (1 - alpha - beta)) - 1
        return np.floor(at), at - np.floor(at)
    at = (n - 1) * q
    if method == "lower":
        return np.floor(at), 0 * at
    if method == "higher":
        return np.ceil(at), 0 * at
    if method == "nearest":
        return np.rint(at), 0 * at
    if method == "midpoint":
        return np.floor(at), np.where(at == np.floor(at), 0.0, 0.5)
    at = n * q - 1
    if method == "inverted_cdf":
        return np.ceil(at), 0 * at
    if method == "averaged_inverted_cdf":
        return np.where(at == np.floor(at), at, np.ceil(at)), np.where(at == np.floor(at), 0.5, 0.0)
    at = n * q - 0.5 - 1
    low = np.floor(at)
    even = (at == low) & (low % 2 == 1)
    return np.where(even, low, low + 1), 0 * at


def _sorted_last(
    a: Any, axis: Any, operation: str
) -> tuple[Array, tuple[int, ...], tuple[int, ...]]:
    """The elements of the folded axes sorted along one last axis, these axes, the kept ones."""

    x = array_argument(a, operation)
    axes = axes_tuple(axis, x.ndim)
    kept = tuple(k for k in range(x.ndim) if k not in axes)
    x = x.transpose((*kept, *axes)) if x.ndim > 1 else x
    count = math.prod(x.shape[len(kept) :])
    return sort(x.reshape((*x.shape[: len(kept)], count)), axis=-1), axes, kept


def _quantile(
    a: Any, q: Any, axis: Any, out: Any, method: str, keepdims: bool, operation: str, nan: bool
) -> Array:
    fractions = host_argument(q, operation, np.float64)
    if method not in _CONTINUOUS and method not in _DISCRETE:
        raise ValueError(f"[{operation}] {method!r} is not a valid method")
    if not ((fractions >= 0) & (fractions <= 1)).all():
        limits = "[0, 100]" if operation.endswith("percentile") else "[0, 1]"
        raise ValueError(f"[{operation}] must be in the range {limits}")
    a = array_argument(a, operation)
    if a.dtype.kind == "c":
        raise TypeError(f"[{operation}] a must be an array of real numbers")
    ordered, axes, kept = _sorted_last(cast(a, inexact_dtype(a.dtype)), axis, operation)
    n = ordered.shape[-1]
    flat = fractions.reshape(-1)
    if n == 0:
        raise IndexError(f"[{operation}] there are no elements along the axis")
    if nan and ordered.dtype.kind == "f":
        result = _of_counts(ordered, flat, method)
    else:
        result = _of_length(ordered, flat, method)
    shape = tuple(a.shape[k] for k in kept)
    if keepdims:
        shape = tuple(1 if k in axes else m for k, m in enumerate(a.shape))
    return into(result.reshape((*fractions.shape, *shape)), out, operation)


def _of_length(ordered: Array, q: np.ndarray, method: str) -> Array:
    """Quantiles along the first axis of the result; NaN where there is one."""
    n = ordered.shape[-1]
    below, share = _virtual_index(np.float64(n), q, method)
    low = np.clip(below, 0, n - 1).astype(np.int64)
    high = np.clip(below + 1, 0, n - 1).astype(np.int64)
    share = np.where((below < 0) | (below >= n - 1), 0.0, share)
    weight = array_from_numpy(share.reshape((-1,) + (1,) * (ordered.ndim - 1)), ordered.device)
    first, second = _first_axis(ordered[..., low]), _first_axis(ordered[..., high])
    return _with_nan(_between(first, second, cast(weight, ordered.dtype)), ordered[..., -1])


def _of_counts(ordered: Array, q: np.ndarray, method: str) -> Array:
    """Quantiles of what is not NaN, which every row ends with."""
    from heald._indexing import take_along_axis

    valid = call_ufunc("logical_not", call_ufunc("isnan", ordered))
    count = _heald.reduce_array("add", valid, (ordered.ndim - 1,), True, np.dtype("int64"))
    hidden_sync("nanquantile")
    counts = np.asarray(count)
    below, share = _virtual_index(counts.astype(np.float64), q, method)
    last = np.maximum(counts - 1, 0)
    low = np.clip(below, 0, last).astype(np.int64)
    high = np.clip(below + 1, 0, last).astype(np.int64)
    share = np.where((below < 0) | (below >= last), 0.0, share)
    weight = cast(array_from_numpy(share, ordered.device), ordered.dtype)
    first = take_along_axis(ordered, low, -1)
    second = take_along_axis(ordered, high, -1)
    result = _between(first, second, weight)
    return _first_axis(call_ufunc("where", call_ufunc("equal", count, 0), math.nan, result))


def _first_axis(x: Array) -> Array:
    from heald._manipulation import moveaxis

    return moveaxis(x, -1, 0)


def _between(low: Array, high: Array, share: Any) -> Array:
    """Straight between two values, exact at both; equal infinities stay."""
    step = call_ufunc("subtract", high, low)
    rising = call_ufunc("add", low, call_ufunc("multiply", step, share))
    falling = call_ufunc(
        "subtract", high, call_ufunc("multiply", step, call_ufunc("subtract", 1.0, share))
    )
    result = call_ufunc("where", call_ufunc("greater_equal", share, 0.5), falling, rising)
    same = call_ufunc("logical_or", call_ufunc("equal", low, high), call_ufunc("equal", share, 0))
    return call_ufunc("where", same, low, result)


def _with_nan(result: Array, last: Array) -> Array:
    """NaN is sorted last: where it is there, the result is NaN."""
    if last.dtype.kind != "f":
        return result
    return call_ufunc("where", call_ufunc("isnan", last), last, result)


def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """The q-quantiles, 0 <= q <= 1, along axes; those of several q come along new first axes.
    The methods are NumPy's; without weights. NaN where an element is NaN. ValueError for q out of
    range.

    >>> float(hd.quantile(hd.arange(5), 0.5))
    2.0
    """
    return _quantile(a, q, axis, out, method, keepdims, "quantile", nan=False)


def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """quantile() of q / 100."""
    share = host_argument(q, "percentile", np.float64) / 100
    return _quantile(a, share, axis, out, method, keepdims, "percentile", nan=False)


def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """quantile() of what is not NaN; NaN of nothing. Waits for the counts."""
    return _quantile(a, q, axis, out, method, keepdims, "nanquantile", nan=True)


def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """nanquantile() of q / 100."""
    share = host_argument(q, "nanpercentile", np.float64) / 100
    return _quantile(a, share, axis, out, method, keepdims, "nanpercentile", nan=True)


def median(
    a: Any,
    axis: Any = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Array:
    """The middle element, or the mean of the two in the middle; NaN where an element is NaN.

    >>> float(hd.median(hd.asarray([3, 1, 2, 5])))
    2.5
    """
    return _median(a, axis, out, keepdims, "median", nan=False)


def nanmedian(
    a: Any,
    axis: Any = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Array:
    """median() of what is not NaN; NaN of nothing. Waits for the counts."""
    return _median(a, axis, out, keepdims, "nanmedian", nan=True)


def _median(a: Any, axis: Any, out: Any, keepdims: bool, operation: str, nan: bool) -> Array:
    a = array_argument(a, operation)
    axes = axes_tuple(axis, a.ndim)
    if math.prod(a.shape[k] for k in axes) == 0:
        from heald._reductions import mean

        return mean(a, axis=axis, keepdims=keepdims, out=out)
    return _quantile(a, 0.5, axis, out, "midpoint", keepdims, operation, nan)


def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Array:
    """How often every number from 0 on occurs in `x`, integers with one axis that are not negative,
    or the sums of their weights. Waits for the greatest.

    >>> hd.bincount(hd.asarray([1, 1, 3])).tolist()
    [0, 2, 0, 1]
    """

    x = array_argument(x, "bincount")
    if x.ndim != 1:
        raise ValueError(f"[bincount] object of too small depth for desired array: {x.ndim} axes")
    if x.dtype.kind not in "biu" or x.dtype == np.uint64:
        raise TypeError(f"[bincount] cannot cast {x.dtype} to int64 (rule 'safe')")
    if minlength < 0:
        raise ValueError("[bincount] 'minlength' must not be negative")
    x = cast(x, "int64")
    count = int(minlength)
    if x.size:
        hidden_sync("bincount")
        ordered = sort(x) if weights is None else x
        limits = np.asarray(_limits(x))
        if limits[0] < 0:
            raise ValueError("[bincount] 'list' argument must have no negative elements")
        count = max(count, int(limits[1]) + 1)
    else:
        ordered = x
    if weights is None:
        return _counts(ordered, int_range(count + 1, x.device), "left")
    w = cast(array_argument(weights, "bincount", x.device), "float64")
    if w.shape != x.shape:
        raise ValueError("[bincount] The weights and list don't have the same length.")
    order = argsort(x, stable=True)
    return _sums_between(x[order], w[order], int_range(count + 1, x.device))


def _limits(x: Array) -> Array:
    from heald._joining import stack
    from heald._reductions import max as greatest
    from heald._reductions import min as least

    return stack([least(x), greatest(x)])


def _counts(ordered: Array, edges: Array, side: str) -> Array:
    """How many sorted elements lie between neighbouring edges."""
    from heald._calculus import diff

    return diff(searchsorted(ordered, edges, side=side))


def _sums_between(ordered: Array, weights: Array, edges: Array) -> Array:
    """Sums of the weights of sorted elements between neighbouring edges, by running sums."""
    from heald._arrays import zeros
    from heald._calculus import diff
    from heald._joining import concatenate

    running = concatenate([zeros(1, weights.dtype, device=weights.device), cumsum(weights)])
    return diff(running[searchsorted(ordered, edges, side="left")])


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Array:
    """The edges of the bins that histogram() uses: a number of equal ones, or the edges. Waits for
    the limits unless `range` gives them."""
    a = array_argument(a, "histogram")
    return array_from_numpy(_edges(a, bins, range), a.device)


def _edges(a: Array, bins: Any, limits: Any) -> np.ndarray:
    if isinstance(bins, str):
        hidden_sync("histogram(bins=name)")
        from heald._arrays import asnumpy

        return np.histogram_bin_edges(asnumpy(a), bins, limits)
    edges = host_argument(bins, "histogram")
    if edges.ndim == 1:
        if (edges[:-1] > edges[1:]).any():
            raise ValueError("[histogram] `bins` must increase monotonically, when an array")
        return edges
    if edges.ndim != 0:
        raise ValueError("[histogram] `bins` must be 1d, when an array")
    count = int(edges)
    if count < 1:
        raise ValueError("[histogram] `bins` must be positive, when an integer")
    if limits is None and a.size:
        hidden_sync("histogram")
        limits = np.asarray(_limits(a)).tolist()
    sample = np.empty(0, a.dtype if a.dtype.kind != "b" else np.uint8)
    return np.histogram_bin_edges(sample, count, (0, 1) if limits is None else tuple(limits))


def histogram(
    a: Any,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Array, Array]:
    """How many elements lie in each bin, or the sums of their weights, and the edges of the bins. A
    bin holds its lower edge, the last one its upper one too. With `density`, divided by the total
    and the widths."""
    from heald._arrays import full

    a = array_argument(a, "histogram").ravel()
    host_edges = _edges(a, bins, range)
    edges = array_from_numpy(host_edges, a.device)
    compared = np.result_type(a.dtype, host_edges.dtype) if a.dtype.kind != "b" else np.float64
    x = cast(a, compared)
    if weights is None:
        ordered = sort(x)
        places = _bin_places(ordered, cast(edges, compared))
        counts: Array = places[1:] - places[:-1]
    else:
        w = array_argument(weights, "histogram", a.device).ravel()
        if w.shape != a.shape:
            raise ValueError("[histogram] weights should have the same shape as a.")
        wide = np.result_type(w.dtype, np.float64) if w.dtype.kind == "f" else w.dtype
        order = argsort(x, stable=True)
        ordered, w = x[order], w[order]
        from heald._joining import concatenate

        zero = full(1, 0, wide, device=a.device)
        running = concatenate([zero, cumsum(cast(w, wide))])
        places = _bin_places(ordered, cast(edges, compared))
        counts = cast(running[places[1:]] - running[places[:-1]], w.dtype)
    if density:
        from heald._calculus import diff
        from heald._reductions import sum as total

        widths = cast(diff(edges), "float64")
        return counts / widths / total(counts), edges
    return counts, edges


def _bin_places(ordered: Array, edges: Array) -> Array:
    from heald._joining import concatenate

    return concatenate(
        [
            searchsorted(ordered, edges[:-1], side="left"),
            searchsorted(ordered, edges[-1:], side="right"),
        ]
    )


def digitize(x: Any, bins: Any, right: bool = False) -> Array:
    """The number of the bin of every element: i where bins[i-1] <= x < bins[i] of ascending edges,
    bins[i-1] > x >= bins[i] of descending ones; the closed side is the other with `right`."""

    x = array_argument(x, "digitize")
    edges = array_argument(bins, "digitize", x.device)
    if edges.ndim != 1:
        raise ValueError("[digitize] bins must have one axis")
    host = host_argument(edges, "digitize")
    rising = bool((host[:-1] <= host[1:]).all())
    if not rising and not bool((host[:-1] >= host[1:]).all()):
        raise ValueError("[digitize] bins must be monotonically increasing or decreasing")
    dtype = np.result_type(x.dtype, edges.dtype)
    x, edges = cast(x, dtype), cast(edges, dtype)
    if rising:
        return searchsorted(edges, x, side="left" if right else "right")
    places = searchsorted(edges[::-1].copy(), x, side="right" if right else "left")
    return edges.size - places


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
) -> Array:
    """The covariance of variables: rows of `m` (columns without rowvar), and of `y`; sums are
    divided by n - 1, by n with `bias`, by n - ddof."""
    from heald._joining import concatenate
    from heald._products import matmul
    from heald._reductions import mean

    def rows(a: Any) -> Array:
        x = array_argument(a, "cov")
        if x.ndim > 2:
            raise ValueError("[cov] m has more than 2 dimensions")
        x = cast(x, np.result_type(x.dtype, np.float64))
        if x.ndim < 2:
            return x.reshape((1, -1))
        return x if rowvar or x.shape[0] == 1 else x.T

    x = rows(m) if y is None else concatenate([rows(m), rows(y)], 0)
    n = x.shape[1]
    if ddof is None:
        ddof = 0 if bias else 1
    centred = x - mean(x, axis=1, keepdims=True)
    other = call_ufunc("conjugate", centred) if x.dtype.kind == "c" else centred
    product = matmul(centred, other.T) / float(max(n - ddof, 0))
    return product.reshape(()) if product.shape == (1, 1) else product


def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Array:
    """cov() divided by the standard deviations: correlation coefficients, limited to [-1, 1]."""
    from heald._creation import diagonal
    from heald._selection import clip

    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    spread = call_ufunc("sqrt", diagonal(c).real if c.dtype.kind == "c" else diagonal(c))
    c = c / spread.reshape((-1, 1)) / spread.reshape((1, -1))
    return c if c.dtype.kind == "c" else clip(c, -1, 1)


def convolve(a: Any, v: Any, mode: str = "full") -> Array:
    """The discrete convolution of arrays with one axis: all sums ('full'), as many as the longer
    has ('same'), or those of full overlap ('valid')."""
    x, y = array_argument(a, "convolve"), array_argument(v, "convolve")
    if y.size > x.size:
        x, y = y, x
    return _slide(x, y[::-1] if y.ndim else y, mode, "convolve", conjugate=False)


def correlate(a: Any, v: Any, mode: str = "valid") -> Array:
    """Sums of products of `a` and the conjugated `v` moved along it; modes as of convolve()."""
    x, y = array_argument(a, "correlate"), array_argument(v, "correlate")
    if y.size > x.size:
        turned = _slide(y, x, mode, "correlate", conjugate=False, conjugate_first=True)
        return turned[::-1]
    return _slide(x, y, mode, "correlate", conjugate=True)


def _slide(
    x: Array, y: Array, mode: str, operation: str, conjugate: bool, conjugate_first: bool = False
) -> Array:
    from heald._padding import pad
    from heald._products import sum_of_products

    if x.ndim > 1 or y.ndim > 1:
        raise ValueError(f"[{operation}] object too deep for desired array")
    x, y = x.reshape(-1), y.reshape(-1)
    if x.size == 0 or y.size == 0:
        raise ValueError(f"[{operation}] an array cannot be empty")
    dtype = np.result_type(x.dtype, y.dtype)
    x, y = cast(x, dtype), cast(y, dtype)
    if conjugate and dtype.kind == "c":
        y = call_ufunc("conjugate", y)
    if conjugate_first and dtype.kind == "c":
        x = call_ufunc("conjugate", x)
    m = y.size
    around = {"full": (m - 1, m - 1), "same": (m // 2, (m - 1) // 2), "valid": (0, 0)}
    if mode not in around:
        raise ValueError(
            f"[{operation}] mode must be one of 'valid', 'same', or 'full', got {mode!r}"
        )
    if operation == "convolve" and mode == "same":
        before, after = m // 2, (m - 1) // 2
    else:
        before, after = around[mode]
    wide = pad(x, (before, after)) if before or after else x.copy()
    count = wide.size - m + 1
    step = wide.strides[0]
    windows = _heald.strided_view(wide, (count, m), (step, step))
    return sum_of_products(windows, y.reshape((1, m)), (1,))


__all__ = [
    "bincount",
    "convolve",
    "corrcoef",
    "correlate",
    "cov",
    "digitize",
    "histogram",
    "histogram_bin_edges",
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]
