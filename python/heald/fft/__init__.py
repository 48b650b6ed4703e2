"""Fourier transforms: NumPy's functions, on the GPU by cuFFT, on the CPU by a library with the
FFTW3 interface (FFTW, NVPL, MKL), which are opened at the first use.

>>> hd.fft.rfft(hd.asarray([0.0, 1.0, 0.0, -1.0])).tolist()
[0j, -2j, 0j]
"""

from heald.fft._cache import CacheInfo, cache
from heald.fft._convolution import fftconvolve, filter, next_fast_len, oaconvolve
from heald.fft._cosines import dct, dst, idct, idst
from heald.fft._frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from heald.fft._plan import FFT
from heald.fft._transforms import (
    fft,
    fft2,
    fftn,
    hfft,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)

__all__ = [
    "FFT",
    "CacheInfo",
    "cache",
    "dct",
    "dst",
    "fft",
    "fft2",
    "fftconvolve",
    "fftfreq",
    "fftn",
    "fftshift",
    "filter",
    "hfft",
    "idct",
    "idst",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "oaconvolve",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
