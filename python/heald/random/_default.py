"""Functions on one generator of the process, as NumPy's older ones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from heald._heald import Array
from heald.random._generator import Generator, default_rng

_lock = threading.Lock()
_generator: Generator | None = None


def _default() -> Generator:
    global _generator
    with _lock:
        if _generator is None:
            _generator = default_rng()
        return _generator


def seed(seed: Any = None) -> None:
    """Begins the sequence of the functions of this module anew."""
    global _generator
    fresh = default_rng(seed)
    with _lock:
        _generator = fresh


def get_state() -> dict[str, Any]:
    """The state of this module's functions, for set_state()."""
    return _default().bit_generator.state


def set_state(state: dict[str, Any]) -> None:
    """What get_state() gave."""
    _default().bit_generator.state = state


def _of_default(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        return getattr(_default(), name)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Generator.{name} of this module's generator."
    return function


beta = _of_default("beta")
binomial = _of_default("binomial")
bytes = _of_default("bytes")
chisquare = _of_default("chisquare")
choice = _of_default("choice")
exponential = _of_default("exponential")
gamma = _of_default("gamma")
geometric = _of_default("geometric")
gumbel = _of_default("gumbel")
laplace = _of_default("laplace")
logistic = _of_default("logistic")
lognormal = _of_default("lognormal")
multinomial = _of_default("multinomial")
multivariate_normal = _of_default("multivariate_normal")
normal = _of_default("normal")
pareto = _of_default("pareto")
permutation = _of_default("permutation")
poisson = _of_default("poisson")
random = _of_default("random")
random_sample = _of_default("random")
rayleigh = _of_default("rayleigh")
shuffle = _of_default("shuffle")
standard_cauchy = _of_default("standard_cauchy")
standard_exponential = _of_default("standard_exponential")
standard_gamma = _of_default("standard_gamma")
standard_normal = _of_default("standard_normal")
standard_t = _of_default("standard_t")
triangular = _of_default("triangular")
uniform = _of_default("uniform")
weibull = _of_default("weibull")


def rand(*shape: int) -> Array:
    """Uniform in [0, 1), with these extents."""
    return _default().random(shape)


def randn(*shape: int) -> Array:
    """Normally distributed, with these extents."""
    return _default().standard_normal(shape)


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = "int64") -> Array:
    """Integers from `low` to below `high`."""
    return _default().integers(low, high, size, dtype)
