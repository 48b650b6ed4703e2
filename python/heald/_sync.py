"""Where the host would wait for a device without being asked to."""

from __future__ import annotations

from _thread import _local  # `threading` itself is slow to import
from typing import Any

from heald._heald import HealdError


class SyncError(HealdError, RuntimeError):
    """A hidden wait or transfer inside `with hd.allow_sync(False)`. Also a RuntimeError."""


class _State(_local):
    allowed = True


_state = _State()


class allow_sync:
    """`with hd.allow_sync(False):` raises SyncError, in this thread, where a hidden wait or
    transfer would happen: float(x), bool(x), x.item(), printing, pickling, nonzero and masks.
    hd.asnumpy(x), hd.array(numpy) and synchronize() are asked for, and work. Indices that are on
    the device are checked there, and the next wait raises IndexError for a bad one.

    >>> with hd.allow_sync(False):
    ...     y = x * 2
    """

    def __init__(self, allowed: bool) -> None:
        self._allowed = bool(allowed)
        self._before: list[bool] = []

    def __enter__(self) -> allow_sync:
        self._before.append(_state.allowed)
        _state.allowed = self._allowed
        return self

    def __exit__(self, *_: Any) -> None:
        _state.allowed = self._before.pop()


def sync_allowed() -> bool:
    return _state.allowed


def hidden_sync(operation: str) -> None:
    """Called where `operation` is about to wait; raises SyncError if that is not allowed."""
    if not _state.allowed:
        raise SyncError(
            f"[{operation}] would wait for the device, inside hd.allow_sync(False): fetch the "
            "value with hd.asnumpy(x) where a wait is meant"
        )


__all__ = ["SyncError", "allow_sync"]
