"""What kernels may call besides their own functions: tables of handlers, by the Python object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from heald._jit.ufuncs import arity

if TYPE_CHECKING:
    from heald._jit.value import Value

Handler = Callable[[Any, Any], "Value"]
_handlers: dict[Any, Handler] = {}
_loaded = False


def handles(*objects: Any) -> Callable[[Handler], Handler]:
    """Registers a handler for calls of these objects."""

    def register(handler: Handler) -> Handler:
        for thing in objects:
            _handlers[thing] = handler
        return handler

    return register


def find_handler(thing: Any) -> Handler | None:
    global _loaded
    if not _loaded:
        from heald._jit import (  # noqa: F401
            intrinsics_builtin,
            intrinsics_cuda,
            intrinsics_math,
            intrinsics_memory,
            intrinsics_random,
        )

        _loaded = True
    try:
        found = _handlers.get(thing)
    except TypeError:  # not hashable
        return None
    if found is not None:
        return found
    name = getattr(thing, "__name__", None)
    is_ufunc = isinstance(thing, np.ufunc) or type(thing).__module__.startswith("heald")
    if is_ufunc and isinstance(name, str) and arity(name) is not None:
        return lambda fn, call: _ufunc(fn, call, name)
    return None


def _ufunc(fn: Any, call: Any, name: str) -> Value:
    count = arity(name)
    if len(call.arguments) != count or call.keywords:
        fn.refuse(
            call.node, f"{name} takes {count} operands in a kernel, got {len(call.arguments)}"
        )
    return fn.call_loop(name, call.arguments, call.node)
