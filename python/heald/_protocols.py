"""NumPy's own functions called with heald arrays: np.sin(x) and np.concatenate([x, y]) stay on the
device, by `__array_ufunc__` and `__array_function__`."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald._heald import Array

# NumPy's name for something that heald has under another.
_FUNCTIONS = {
    "around": "round",
    "round_": "round",
    "amax": "max",
    "amin": "min",
    "product": "prod",
    "cumproduct": "cumprod",
    "sometrue": "any",
    "alltrue": "all",
}


def _refuse_host_arrays(name: str, values: Any) -> None:
    for value in values:
        if isinstance(value, np.ndarray) and value.ndim > 0:
            raise TypeError(
                f"[{name}] mixes an hd.Array with a numpy.ndarray of shape {value.shape}, which "
                "would be a hidden transfer: pass hd.asarray(x), or hd.asnumpy(y) for a result "
                "in NumPy"
            )


def _array_ufunc(self: Array, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    import heald

    name = ufunc.__name__
    outputs = kwargs.get("out", ())
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    _refuse_host_arrays(name, [*inputs, *outputs])
    if name in ("matmul", "vecdot"):
        if method != "__call__":
            return NotImplemented
        if "out" in kwargs:
            (kwargs["out"],) = outputs
        return getattr(heald, name)(*inputs, **kwargs)
    function = getattr(heald, name, None)
    if function is None:
        return NotImplemented
    if "out" in kwargs and len(outputs) == 1:
        kwargs["out"] = outputs[0]
    call = function if method == "__call__" else getattr(function, method, None)
    if call is None:
        return NotImplemented
    return call(*inputs, **kwargs)


def _leaves(value: Any, depth: int = 0) -> Any:
    if isinstance(value, (list, tuple)) and depth < 3:
        for item in value:
            yield from _leaves(item, depth + 1)
    elif isinstance(value, dict):
        yield from _leaves(list(value.values()), depth + 1)
    else:
        yield value


def _array_function(self: Array, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    import heald

    if not all(issubclass(one, (Array, np.ndarray)) for one in types):
        return NotImplemented
    name = func.__name__
    module = (func.__module__ or "").removeprefix("numpy").lstrip(".")
    place: Any = heald
    if module and not module.startswith("_"):
        place = getattr(heald, module.split(".")[0], None)
    function = getattr(place, _FUNCTIONS.get(name, name), None) if place is not None else None
    if function is None:
        raise TypeError(
            f"[{func.__module__}.{name}] heald has no such function for hd.Array: pass "
            "hd.asnumpy(x)"
        )
    # Places and shapes may come from the host, whatever they stand for.
    if name not in _HOST_ARGUMENTS:
        _refuse_host_arrays(name, _leaves([args, kwargs]))
    return function(*args, **kwargs)


_HOST_ARGUMENTS = {
    "take",
    "put",
    "delete",
    "insert",
    "repeat",
    "pad",
    "split",
    "array_split",
    "compress",
    "extract",
    "place",
    "quantile",
    "percentile",
    "nanquantile",
    "nanpercentile",
    "histogram",
    "take_along_axis",
    "put_along_axis",
}


def install(cls: Any) -> None:
    """Gives the compiled class NumPy's protocols."""
    cls.__array_ufunc__ = _array_ufunc
    cls.__array_function__ = _array_function
