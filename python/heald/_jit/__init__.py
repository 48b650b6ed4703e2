"""Kernels written in Python: hd.jit, hd.cuda, hd.device_source."""

from __future__ import annotations

from heald._jit import cuda
from heald._jit.device_source import DeviceSource, device_source
from heald._jit.errors import JitError
from heald._jit.kernel import JitKernel, jit

__all__ = ["DeviceSource", "JitError", "JitKernel", "cuda", "device_source", "jit"]
