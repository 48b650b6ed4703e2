"""The array API standard: what the namespace says of itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heald._heald import Device, devices

__array_api_version__ = "2024.12"
_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")

e = math.e
inf = math.inf
nan = math.nan
pi = math.pi
euler_gamma = 0.57721566490153286060651209008240243104215933593992

_KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]


class ArrayNamespaceInfo:
    """What `hd.__array_namespace_info__()` gives: capabilities, devices and dtypes."""

    def capabilities(self) -> dict[str, Any]:
        """What the standard leaves open: masks and shapes that depend on data work, arrays have at
        most 64 axes."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": 64,
        }

    def default_device(self) -> Device:
        """The current device."""
        return Device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, np.dtype]:
        """The dtypes of Python's numbers, the same on every device."""
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype("int64"),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, np.dtype]:
        """The standard's dtypes by name, all or of a kind (a name or a tuple of names)."""
        if kind is None:
            names = _KINDS["bool"] + _KINDS["numeric"]
        elif isinstance(kind, tuple):
            names = tuple(name for one in kind for name in self._of_kind(one))
        else:
            names = self._of_kind(kind)
        return {name: np.dtype(name) for name in names}

    def devices(self) -> list[Device]:
        """Every device that can be used."""
        return list(devices())

    @staticmethod
    def _of_kind(kind: str) -> tuple[str, ...]:
        if kind not in _KINDS:
            raise ValueError(f"[dtypes] unsupported kind: {kind!r}")
        return _KINDS[kind]


def __array_namespace_info__() -> ArrayNamespaceInfo:
    """The standard's inspection of a namespace."""
    return ArrayNamespaceInfo()


def array_namespace(self: Any, *, api_version: str | None = None) -> Any:
    """The module heald. ValueError for a version of the standard that it does not follow."""
    import heald

    if api_version is not None and api_version not in _VERSIONS:
        raise ValueError(
            f"[__array_namespace__] version {api_version!r} of the array API is not supported: "
            f"heald follows {__array_api_version__}"
        )
    return heald


__all__ = [
    "__array_api_version__",
    "__array_namespace_info__",
    "e",
    "euler_gamma",
    "inf",
    "nan",
    "pi",
]
