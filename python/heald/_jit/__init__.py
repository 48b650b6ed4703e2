"""Kernels written in Python: hd.jit, hd.cuda, hd.device_source."""

from __future__ import annotations

from heald._jit import cuda
from heald._jit.device_source import DeviceSource, device_source
from heald._jit.errors import JitError
from heald._jit.folding import reduce, scan
from heald._jit.kernel import JitKernel, jit
from heald._jit.vectorize import guvectorize, vectorize

__all__ = [
    "DeviceSource",
    "JitError",
    "JitKernel",
    "cuda",
    "device_source",
    "guvectorize",
    "jit",
    "reduce",
    "scan",
    "vectorize",
]
