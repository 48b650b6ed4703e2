"""The transforms of numpy.fft, computed by cuFFT or by a library with the FFTW3 interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heald._arguments import array_argument
from heald._heald import Array, fft_1d, fft_nd

_C2C, _R2C, _C2R = 0, 1, 2
_INVERSE, _SWAP_NORM = 4, 8


def _one(
    x: Any, code: int, n: int | None, axis: int, norm: str | None, out: Array | None, name: str
) -> Array:
    if not isinstance(x, Array):
        x = array_argument(x, name)
    return fft_1d(x, code, n, axis, norm, out)


def _several(
    x: Any,
    code: int,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
    out: Array | None,
    name: str,
) -> Array:
    if not isinstance(x, Array):
        x = array_argument(x, name)
    return fft_nd(
        x, code, None if s is None else list(s), None if axes is None else list(axes), norm, out
    )


def fft(
    a: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """The discrete Fourier transform along an axis: sum over j of a[j] exp(-2 pi i j k / n).

    The input is cut or padded with zeros to `n` points. `norm` says which direction is divided by
    the number of points: "backward" (the inverse; None means it), "ortho" (both, by the square
    root) or "forward". float32 and complex64 give complex64, float16 and bfloat16 too, all else
    complex128. `out` has the result's shape; it may be `a` itself.

    >>> hd.fft.fft(hd.asarray([1.0, 0.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]

    ValueError: no points, no such axis, an unknown norm. UnavailableError: no FFT library.
    """
    return _one(a, _C2C, n, axis, norm, out, "fft.fft")


def ifft(
    a: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """The inverse of fft(): ifft(fft(a)) is a, within rounding."""
    return _one(a, _C2C | _INVERSE, n, axis, norm, out, "fft.ifft")


def rfft(
    a: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """fft() of real input: the n // 2 + 1 values that determine the others. TypeError for complex
    input."""
    return _one(a, _R2C, n, axis, norm, out, "fft.rfft")


def irfft(
    a: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """The inverse of rfft(): `n` real values, by default 2 * (length - 1). The imaginary parts of
    the first value and, for even n, of the last one do not count. The input stays as it is."""
    return _one(a, _C2R | _INVERSE, n, axis, norm, out, "fft.irfft")


def hfft(
    a: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """fft() of a Hermitian signal, of which `a` is the first half: `n` real values, by default
    2 * (length - 1)."""
    x = array_argument(a, "fft.hfft").conj()
    return fft_1d(x, _C2R | _INVERSE | _SWAP_NORM, n, axis, norm, out)


def ihfft(
    a: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """The inverse of hfft(): n // 2 + 1 complex values of real input."""
    x = array_argument(a, "fft.ihfft")
    if out is None:
        return fft_1d(x, _R2C | _SWAP_NORM, n, axis, norm, None).conj()
    result = fft_1d(x, _R2C | _SWAP_NORM, n, axis, norm, out)
    result[...] = result.conj()
    return result


def fftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """fft() over several axes, by default all, or the last ones if there is `s`: the points along
    each, -1 for as many as there are."""
    return _several(a, _C2C, s, axes, norm, out, "fft.fftn")


def ifftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """The inverse of fftn()."""
    return _several(a, _C2C | _INVERSE, s, axes, norm, out, "fft.ifftn")


def rfftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """fftn() of real input: along the last of the axes the n // 2 + 1 values that determine the
    others."""
    return _several(a, _R2C, s, axes, norm, out, "fft.rfftn")


def irfftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """The inverse of rfftn(): ifft() over all axes but the last one, irfft() over that."""
    return _several(a, _C2R | _INVERSE, s, axes, norm, out, "fft.irfftn")


def fft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """fftn() over two axes."""
    return _several(a, _C2C, s, axes, norm, out, "fft.fft2")


def ifft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """ifftn() over two axes."""
    return _several(a, _C2C | _INVERSE, s, axes, norm, out, "fft.ifft2")


def rfft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """rfftn() over two axes."""
    return _several(a, _R2C, s, axes, norm, out, "fft.rfft2")


def irfft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Array | None = None,
) -> Array:
    """irfftn() over two axes."""
    return _several(a, _C2R | _INVERSE, s, axes, norm, out, "fft.irfft2")


__all__ = [
    "fft",
    "fft2",
    "fftn",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftn",
]
