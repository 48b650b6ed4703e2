"""heald: CUDA C++ kernels, buffers and arrays on GPUs and on CPUs, with one program for both.

>>> import heald as hd
>>> kernel = hd.Program(source).compile().get_kernel("add_one")
>>> x = hd.zeros(1000, "float32")
>>> kernel.launch(grid=4, block=256, args=(x, 1000))
>>> hd.asnumpy(x)
"""

from __future__ import annotations

import sys as _sys
from typing import Any as _Any

from numpy import bool_ as bool_
from numpy import (
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from numpy import newaxis as newaxis

# NumPy's functions, each module with its own __all__.
from heald import _array_functions, epilogue, tuning
from heald._array_functions import *  # noqa: F403
from heald._array_methods import install as _install
from heald._arrays import (
    array,
    asarray,
    asnumpy,
    empty,
    empty_like,
    from_dlpack,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from heald._heald import (
    Array,
    BlockSize,
    BoundLaunch,
    Buffer,
    CacheStatistics,
    CancelledError,
    ClosedError,
    CompileError,
    Device,
    DeviceError,
    DeviceProperties,
    DeviceReport,
    Diagnostic,
    DoctorReport,
    Error,
    Event,
    HealdError,
    HealdWarning,
    In,
    InOut,
    IntegerOverflowError,
    InvalidValueError,
    Kernel,
    KernelAttributes,
    KernelFault,
    LaunchConfig,
    LibraryReport,
    Linker,
    MemoryPool,
    MemoryStatistics,
    NotFoundError,
    ObjectCode,
    Out,
    OutOfBoundsError,
    OutOfMemoryError,
    Parameter,
    Program,
    ProgramOptions,
    SettingInfo,
    Signature,
    Stream,
    TypeMismatchError,
    UnavailableError,
    __version__,
    clear_compile_cache,
    compile_cache_directory,
    compile_cache_statistics,
    devices,
    doctor,
    launch,
    mem_alloc,
    memcpy_dtod,
    memcpy_dtod_async,
    memcpy_dtoh,
    memcpy_dtoh_async,
    memcpy_htod,
    memcpy_htod_async,
    set_package_folders,
    settings,
    why_no_gpu,
)
from heald._lazy import ExplainedKernel, Explanation, eval, explain
from heald._matmul import Matmul, deterministic
from heald._module import Module
from heald._pinned import pinned_array, pinned_empty, pinned_zeros
from heald._user_kernels import (
    ElementwiseKernel,
    FusedFunction,
    ReductionKernel,
    elementwise,
    fuse,
    reduction,
)

DeviceAllocation = Buffer

_install(Array)
_array_functions.install(Array)
# Where pip puts NVIDIA's libraries. Only remembered here; looked into when one is needed.
set_package_folders(
    [path for path in _sys.path if path.endswith(("site-packages", "dist-packages"))]
)


# Looked up when they are asked for: a program without Python kernels, transforms or random numbers
# pays nothing for them.
_MODULES = ("fft", "random")
_JIT_NAMES = (
    "JitError",
    "JitKernel",
    "cuda",
    "device_source",
    "guvectorize",
    "jit",
    "reduce",
    "scan",
    "vectorize",
)


def __getattr__(name: str) -> _Any:
    if name in _JIT_NAMES:
        from heald import _jit

        globals().update({each: getattr(_jit, each) for each in _JIT_NAMES})
        return globals()[name]
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"heald.{name}")
    if name == "FFT":
        return __getattr__("fft").FFT
    if name == "bfloat16":
        from heald._heald import dtype_from_name

        return dtype_from_name("bfloat16").type
    raise AttributeError(f"module 'heald' has no attribute {name!r}")


__all__ = [
    "FFT",  # noqa: F405
    "Array",
    "BlockSize",
    "BoundLaunch",
    "Buffer",
    "CacheStatistics",
    "CancelledError",
    "ClosedError",
    "CompileError",
    "Device",
    "DeviceAllocation",
    "DeviceError",
    "DeviceProperties",
    "DeviceReport",
    "Diagnostic",
    "DoctorReport",
    "ElementwiseKernel",
    "Error",
    "Event",
    "ExplainedKernel",
    "Explanation",
    "FusedFunction",
    "HealdError",
    "HealdWarning",
    "In",
    "InOut",
    "IntegerOverflowError",
    "InvalidValueError",
    "Kernel",
    "KernelAttributes",
    "KernelFault",
    "LaunchConfig",
    "LibraryReport",
    "Linker",
    "Matmul",
    "MemoryPool",
    "MemoryStatistics",
    "Module",
    "NotFoundError",
    "ObjectCode",
    "Out",
    "OutOfBoundsError",
    "OutOfMemoryError",
    "Parameter",
    "Program",
    "ProgramOptions",
    "ReductionKernel",
    "SettingInfo",
    "Signature",
    "Stream",
    "TypeMismatchError",
    "UnavailableError",
    "__version__",
    "array",
    "asarray",
    "asnumpy",
    "bool_",
    "clear_compile_cache",
    "compile_cache_directory",
    "compile_cache_statistics",
    "complex64",
    "complex128",
    "deterministic",
    "devices",
    "doctor",
    "elementwise",
    "empty",
    "empty_like",
    "epilogue",
    "eval",
    "explain",
    "fft",  # noqa: F405
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "full",
    "full_like",
    "fuse",
    "int8",
    "int16",
    "int32",
    "int64",
    "launch",
    "mem_alloc",
    "memcpy_dtod",
    "memcpy_dtod_async",
    "memcpy_dtoh",
    "memcpy_dtoh_async",
    "memcpy_htod",
    "memcpy_htod_async",
    "newaxis",
    "ones",
    "ones_like",
    "pinned_array",
    "pinned_empty",
    "pinned_zeros",
    "random",  # noqa: F405
    "reduction",
    "set_package_folders",
    "settings",
    "tuning",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "why_no_gpu",
    "zeros",
    "zeros_like",
]

__all__ += _array_functions.__all__
