"""Choices of algorithms that plans measured: kept in heald's cache folder by device, library
version and problem, and taken by later plans and processes."""

from __future__ import annotations

import os

from heald import _heald


def save(path: str | os.PathLike[str]) -> None:
    """Writes every choice to a file. DeviceError if that cannot be written."""
    _heald.tuning_save(os.fspath(path))


def load(path: str | os.PathLike[str]) -> int:
    """Adds the choices of such a file; how many. NotFoundError if it is not there."""
    return _heald.tuning_load(os.fspath(path))


def clear() -> None:
    """Forgets every choice, on disk as well."""
    _heald.tuning_clear()


def count() -> int:
    """How many choices are known."""
    return _heald.tuning_count()


__all__ = ["clear", "count", "load", "save"]
