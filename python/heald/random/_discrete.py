"""Distributions of counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald._arguments import cast, host_argument
from heald._heald import Array, call_ufunc
from heald._joining import stack
from heald.random._parameters import Parameters


class Discrete:
    """Methods of Generator; results are of int64."""

    def _draw(self, name: str, size: Any, dtype: Any, device: Any, *parameters: Any) -> Array:
        raise NotImplementedError

    def poisson(self, lam: Any = 1.0, size: Any = None, *, device: Any = None) -> Array:
        """Events in a time in which `lam` are expected (below 10 by search, else Hörmann's PTRS).

        >>> rng.poisson(3.5, size=10)
        """
        given = Parameters("poisson", size, device, lam=lam).not_negative("lam").finite("lam")
        given._expect(("lam",), lambda x: x < 9.2e18, "below 9.2e18")
        return self._draw("poisson", given.size, "int64", given.device, given["lam"])

    def binomial(self, n: Any, p: Any, size: Any = None, *, device: Any = None) -> Array:
        """Successes of `n` trials with chance `p` (few by search, else Hörmann's BTRS)."""
        given = Parameters("binomial", size, device, n=n, p=p).not_negative("n").chances("p")
        return self._draw("binomial", given.size, "int64", given.device, given["n"], given["p"])

    def geometric(self, p: Any, size: Any = None, *, device: Any = None) -> Array:
        """Trials until the first success, at least 1."""
        given = Parameters("geometric", size, device, p=p).chances("p", above_zero=True)
        e = self._draw("standard_exponential", given.size, "float64", given.device)
        rate = -_log1p(-given["p"])
        return cast(call_ufunc("maximum", call_ufunc("ceil", e / rate), 1.0), "int64")

    def negative_binomial(self, n: Any, p: Any, size: Any = None, *, device: Any = None) -> Array:
        """Failures before the `n`-th success: poisson(gamma(n, (1 - p) / p))."""
        given = Parameters("negative_binomial", size, device, n=n, p=p)
        given.positive("n").chances("p", above_zero=True)
        z = self._draw("standard_gamma", given.size, "float64", given.device, given["n"])
        mean = z * ((1 - given["p"]) / given["p"])
        return self._draw("poisson", given.size, "int64", given.device, mean)

    def logseries(self, p: Any, size: Any = None, *, device: Any = None) -> Array:
        """With chances in proportion to p**k / k, from k = 1 (Kemp's method)."""
        given = Parameters("logseries", size, device, p=p).chances("p", below_one=True)
        p = given["p"]
        v = 1 - self._draw("random", given.size, "float64", given.device)
        u = 1 - self._draw("random", given.size, "float64", given.device)
        q = -call_ufunc("expm1", _log1p(-p) * u)
        k = call_ufunc("floor", 1 + call_ufunc("log", v) / call_ufunc("log", q))
        return cast(call_ufunc("where", v >= p, 1.0, call_ufunc("maximum", k, 1.0)), "int64")

    def multinomial(self, n: Any, pvals: Any, size: Any = None, *, device: Any = None) -> Array:
        """How often each of the outcomes, with chances `pvals`, occurs in `n` trials: shape `size`
        + (len(pvals),). `pvals` has one axis, and its values are needed at the call."""
        chances = host_argument(pvals, "multinomial", "float64")
        if chances.ndim != 1 or chances.size == 0:
            raise ValueError("[random.multinomial] pvals must have one axis, and elements")
        if (chances < 0).any() or (chances > 1).any() or chances[:-1].sum() > 1 + 1e-12:
            raise ValueError("[random.multinomial] pvals must be chances with a sum of 1")
        given = Parameters("multinomial", size, device, n=n).not_negative("n")
        rest, left = given["n"], 1.0
        counts = []
        for chance in chances[:-1]:
            p = min(1.0, max(0.0, chance / left)) if left > 0 else 0.0
            counts.append(self._draw("binomial", given.size, "int64", given.device, rest, p))
            rest, left = rest - counts[-1], left - chance
        if not counts:
            counts.append(self._draw("binomial", given.size, "int64", given.device, rest, 1.0))
        else:
            counts.append(rest)
        return stack(counts, axis=-1)


def _log1p(x: Any) -> Any:
    if isinstance(x, Array):
        return call_ufunc("log1p", cast(x, "float64"))
    with np.errstate(divide="ignore"):
        return float(np.log1p(x))
