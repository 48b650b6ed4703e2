"""Tensors of "another library", made with ctypes: every field of the protocols can be set."""

from __future__ import annotations

import collections
import ctypes
from typing import Any

import numpy as np


class DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

# Producers whose tensors a consumer still has: they must outlive it.
_exported: set[Producer] = set()
# A deleter must not free itself while it runs.
_deleted: collections.deque[Producer] = collections.deque(maxlen=8)

CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Producer:
    """Exports a NumPy array's memory. `deleted` counts calls of the deleter."""

    def __init__(self, array: np.ndarray, **fields: Any) -> None:
        self.array = array
        self.fields = fields
        self.versioned = fields.pop("versioned", False)
        self.device = fields.pop("device", (1, 0))
        self.deleted = 0
        self.calls: list[dict[str, Any]] = []
        self._kept: list[Any] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **keywords: Any) -> Any:
        self.calls.append(keywords)
        if "max_version" in keywords and not self.versioned:
            raise TypeError("unexpected keyword max_version")  # as an old library does
        return self.capsule()

    def capsule(self) -> Any:
        kind = DLManagedTensorVersioned if self.versioned else DLManagedTensor
        managed = kind()
        self._fill(managed.tensor)
        managed.deleter = DELETER(self._delete)
        if self.versioned:
            managed.major, managed.minor = self.fields.get("version", (1, 0))
            managed.flags = self.fields.get("flags", 0)
        self._kept.append(managed)
        _exported.add(self)
        name = b"dltensor_versioned" if self.versioned else b"dltensor"
        return _new_capsule(ctypes.addressof(managed), name, None)

    def _delete(self, _: int) -> None:
        self.deleted += 1
        _deleted.append(self)
        _exported.discard(self)

    def _fill(self, tensor: DLTensor) -> None:
        x, fields = self.array, self.fields
        shape = tuple(fields.get("shape", x.shape))
        default = tuple(s // x.itemsize for s in x.strides)
        strides = fields.get("strides", default)
        tensor.data = fields.get("data", x.ctypes.data)
        tensor.device = DLDevice(*self.device)
        tensor.ndim = len(shape)
        tensor.dtype = DLDataType(
            *fields.get("dtype", (CODES.get(x.dtype.kind, 3), x.itemsize * 8, 1))
        )
        tensor.shape = self._integers(shape)
        tensor.strides = None if strides is None else self._integers(strides)
        tensor.byte_offset = fields.get("byte_offset", 0)

    def _integers(self, values: tuple[int, ...]) -> Any:
        array = (ctypes.c_int64 * max(len(values), 1))(*values)
        self._kept.append(array)
        return array


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_get_name = ctypes.pythonapi.PyCapsule_GetName
_get_name.restype = ctypes.c_char_p
_get_name.argtypes = [ctypes.py_object]


def read_capsule(capsule: Any) -> DLManagedTensor | DLManagedTensorVersioned:
    """The struct in an unused capsule of any producer."""
    name = _get_name(capsule)
    kind = DLManagedTensorVersioned if name == b"dltensor_versioned" else DLManagedTensor
    return kind.from_address(_get_pointer(capsule, name))
