"""Continuous distributions, of uniform, normal, exponential and gamma distributed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from heald._arguments import array_argument
from heald._heald import Array, call_ufunc
from heald.random._parameters import Parameters, float_dtype


def _ufunc(name: str, *operands: Any) -> Any:
    return call_ufunc(name, *operands)


class Continuous:
    """Methods of Generator. `dtype` is the one of the result; parameters broadcast."""

    def _draw(self, name: str, size: Any, dtype: Any, device: Any, *parameters: Any) -> Array:
        raise NotImplementedError

    def _located(self, z: Array, given: Parameters, loc: str, scale: str) -> Array:
        raise NotImplementedError

    def _shifted(self, z: Array, operation: str, by: Any) -> Array:
        raise NotImplementedError

    def _of(self, name: str, given: Parameters, dtype: Any, *parameters: Any) -> Array:
        wanted = float_dtype(dtype, given.name)
        return self._draw(name, given.size, wanted, given.device, *parameters)

    def _positive(self, given: Parameters, dtype: Any) -> Array:
        """Uniform in (0, 1]."""
        return 1 - self._of("random", given, dtype)

    def uniform(
        self,
        low: Any = 0.0,
        high: Any = 1.0,
        size: Any = None,
        *,
        dtype: Any = "float64",
        device: Any = None,
    ) -> Array:
        """low + (high - low) * u for u in [0, 1). Rounding may give `high`.

        >>> rng.uniform(-1, 1, size=1000)
        """
        given = Parameters("uniform", size, device, low=low, high=high).finite("low", "high")
        width = given["high"] - given["low"]
        u = self._of("random", given, dtype)
        return self._shifted(self._shifted(u, "multiply", width), "add", given["low"])

    def normal(
        self,
        loc: Any = 0.0,
        scale: Any = 1.0,
        size: Any = None,
        *,
        dtype: Any = "float64",
        device: Any = None,
    ) -> Array:
        """Normally distributed with mean `loc` and standard deviation `scale`.

        >>> rng.normal(2.0, 0.5, size=(3, 4))
        """
        given = Parameters("normal", size, device, loc=loc, scale=scale).not_negative("scale")
        return self._located(self._of("standard_normal", given, dtype), given, "loc", "scale")

    def lognormal(
        self,
        mean: Any = 0.0,
        sigma: Any = 1.0,
        size: Any = None,
        *,
        dtype: Any = "float64",
        device: Any = None,
    ) -> Array:
        """exp of a normally distributed number."""
        given = Parameters("lognormal", size, device, mean=mean, sigma=sigma).not_negative("sigma")
        z = self._of("standard_normal", given, dtype)
        return _ufunc("exp", self._located(z, given, "mean", "sigma"))

    def exponential(
        self, scale: Any = 1.0, size: Any = None, *, dtype: Any = "float64", device: Any = None
    ) -> Array:
        """Exponentially distributed with mean `scale`."""
        given = Parameters("exponential", size, device, scale=scale).not_negative("scale")
        z = self._of("standard_exponential", given, dtype)
        return self._shifted(z, "multiply", given["scale"])

    def gamma(
        self,
        shape: Any,
        scale: Any = 1.0,
        size: Any = None,
        *,
        dtype: Any = "float64",
        device: Any = None,
    ) -> Array:
        """Gamma distributed."""
        given = Parameters("gamma", size, device, shape=shape, scale=scale)
        given.not_negative("shape", "scale")
        wanted = float_dtype(dtype, "gamma", ("float32", "float64"))
        z = self._draw("standard_gamma", given.size, wanted, given.device, given["shape"])
        return self._shifted(z, "multiply", given["scale"])

    def beta(
        self, a: Any, b: Any, size: Any = None, *, dtype: Any = "float64", device: Any = None
    ) -> Array:
        """Beta distributed: x / (x + y) of two gamma distributed numbers, by their logarithms."""
        given = Parameters("beta", size, device, a=a, b=b).positive("a", "b")
        wanted = float_dtype(dtype, "beta", ("float32", "float64"))
        return self._draw("beta", given.size, wanted, given.device, given["a"], given["b"])

    def _chisquare(self, given: Parameters, df: Any) -> Array:
        return 2.0 * self._of("standard_gamma", given, "float64", df / 2)

    def chisquare(self, df: Any, size: Any = None, *, device: Any = None) -> Array:
        """The sum of `df` squares of normally distributed numbers."""
        given = Parameters("chisquare", size, device, df=df).positive("df")
        return self._chisquare(given, given["df"])

    def noncentral_chisquare(
        self, df: Any, nonc: Any, size: Any = None, *, device: Any = None
    ) -> Array:
        """chisquare(df + 2 * poisson(nonc / 2))."""
        given = Parameters("noncentral_chisquare", size, device, df=df, nonc=nonc)
        given.positive("df").not_negative("nonc")
        more = self._draw("poisson", given.size, "int64", given.device, given["nonc"] / 2)
        return self._chisquare(given, given["df"] + 2.0 * more)

    def f(self, dfnum: Any, dfden: Any, size: Any = None, *, device: Any = None) -> Array:
        """The ratio of two chi-square distributed numbers, each over its degrees of freedom."""
        given = Parameters("f", size, device, dfnum=dfnum, dfden=dfden).positive("dfnum", "dfden")
        above = self._chisquare(given, given["dfnum"]) / given["dfnum"]
        return above / (self._chisquare(given, given["dfden"]) / given["dfden"])

    def standard_t(self, df: Any, size: Any = None, *, device: Any = None) -> Array:
        """Student's t with `df` degrees of freedom."""
        given = Parameters("standard_t", size, device, df=df).positive("df")
        z = self._of("standard_normal", given, "float64")
        return z / _ufunc("sqrt", self._chisquare(given, given["df"]) / given["df"])

    def standard_cauchy(
        self, size: Any = None, *, dtype: Any = "float64", device: Any = None
    ) -> Array:
        """The ratio of two normally distributed numbers."""
        given = Parameters("standard_cauchy", size, device)
        above = self._of("standard_normal", given, dtype)
        return above / self._of("standard_normal", given, dtype)

    def laplace(
        self,
        loc: Any = 0.0,
        scale: Any = 1.0,
        size: Any = None,
        *,
        dtype: Any = "float64",
        device: Any = None,
    ) -> Array:
        """Exponentially distributed to both sides of `loc`: the difference of two such numbers."""
        given = Parameters("laplace", size, device, loc=loc, scale=scale).not_negative("scale")
        one = self._of("standard_exponential", given, dtype)
        z = one - self._of("standard_exponential", given, dtype)
        return self._located(z, given, "loc", "scale")

    def logistic(
        self,
        loc: Any = 0.0,
        scale: Any = 1.0,
        size: Any = None,
        *,
        dtype: Any = "float64",
        device: Any = None,
    ) -> Array:
        """log(u / (1 - u)): the log of the ratio of two exponentially distributed numbers."""
        given = Parameters("logistic", size, device, loc=loc, scale=scale).not_negative("scale")
        one = self._of("standard_exponential", given, dtype)
        z = _ufunc("log", one / self._of("standard_exponential", given, dtype))
        return self._located(z, given, "loc", "scale")

    def gumbel(
        self,
        loc: Any = 0.0,
        scale: Any = 1.0,
        size: Any = None,
        *,
        dtype: Any = "float64",
        device: Any = None,
    ) -> Array:
        """loc - scale * log(e) for an exponentially distributed e."""
        given = Parameters("gumbel", size, device, loc=loc, scale=scale).not_negative("scale")
        z = -_ufunc("log", self._of("standard_exponential", given, dtype))
        return self._located(z, given, "loc", "scale")

    def weibull(self, a: Any, size: Any = None, *, device: Any = None) -> Array:
        """e ** (1 / a) for an exponentially distributed e."""
        given = Parameters("weibull", size, device, a=a).positive("a")
        return _ufunc("power", self._of("standard_exponential", given, "float64"), 1 / given["a"])

    def pareto(self, a: Any, size: Any = None, *, device: Any = None) -> Array:
        """expm1(e / a) for an exponentially distributed e: Pareto's II, or Lomax', distribution."""
        given = Parameters("pareto", size, device, a=a).positive("a")
        return _ufunc("expm1", self._of("standard_exponential", given, "float64") / given["a"])

    def power(self, a: Any, size: Any = None, *, device: Any = None) -> Array:
        """u ** (1 / a) for u in (0, 1]."""
        given = Parameters("power", size, device, a=a).positive("a")
        return _ufunc("power", self._positive(given, "float64"), 1 / given["a"])

    def rayleigh(self, scale: Any = 1.0, size: Any = None, *, device: Any = None) -> Array:
        """scale * sqrt(2 e) for an exponentially distributed e."""
        given = Parameters("rayleigh", size, device, scale=scale).not_negative("scale")
        root = _ufunc("sqrt", 2.0 * self._of("standard_exponential", given, "float64"))
        return self._shifted(root, "multiply", given["scale"])

    def triangular(
        self, left: Any, mode: Any, right: Any, size: Any = None, *, device: Any = None
    ) -> Array:
        """With a density that rises from `left` to `mode` and falls to `right`."""
        given = Parameters("triangular", size, device, left=left, mode=mode, right=right)
        left, mode, right = given["left"], given["mode"], given["right"]
        if not any(isinstance(x, Array) for x in (left, mode, right)) and not (
            left <= mode <= right and left < right
        ):
            raise ValueError(
                f"[random.triangular] expected left <= mode <= right and left < right, got {left}, "
                f"{mode}, {right}"
            )
        u = self._of("random", given, "float64")
        width = right - left
        rising = left + _ufunc("sqrt", u * (width * (mode - left)))
        falling = right - _ufunc("sqrt", (1 - u) * (width * (right - mode)))
        return _ufunc("where", u * width <= mode - left, rising, falling)

    def wald(self, mean: Any, scale: Any, size: Any = None, *, device: Any = None) -> Array:
        """Inverse Gaussian (Michael, Schucany and Haas' method)."""
        given = Parameters("wald", size, device, mean=mean, scale=scale).positive("mean", "scale")
        mean, scale = given["mean"], given["scale"]
        half = mean / (2 * scale)
        y = self._of("standard_normal", given, "float64")
        y = mean * y * y
        x = mean + half * (y - _ufunc("sqrt", y * (4 * scale + y)))
        u = self._of("random", given, "float64")
        return _ufunc("where", u * (mean + x) <= mean, x, mean * mean / x)

    def dirichlet(self, alpha: Any, size: Any = None, *, device: Any = None) -> Array:
        """Rows of gamma distributed numbers over their sum; shape `size` + (len(alpha),)."""
        alpha = array_argument(alpha, "dirichlet", device)
        if alpha.ndim != 1:
            raise ValueError(f"[random.dirichlet] alpha must have one axis, got {alpha.ndim}")
        given = Parameters("dirichlet", () if size is None else size, alpha.device)
        shape = (*given.size, alpha.size)
        z = self._draw("standard_gamma", shape, "float64", alpha.device, alpha)
        return z / z.sum(axis=-1, keepdims=True)

    def multivariate_normal(
        self, mean: Any, cov: Any, size: Any = None, *, device: Any = None
    ) -> Array:
        """Rows with that mean and covariance, which are small and of the host: numbers or NumPy
        arrays of shapes (n,) and (n, n). The result has shape `size` + (n,)."""
        import heald

        mean, cov = np.asarray(mean, "float64"), np.asarray(cov, "float64")
        if mean.ndim != 1 or cov.shape != (mean.size, mean.size):
            raise ValueError(
                "[random.multivariate_normal] mean and cov must have shapes (n,) and (n, n), got "
                f"{mean.shape} and {cov.shape}"
            )
        if not np.allclose(cov, cov.T, rtol=1e-8, atol=1e-8):
            raise ValueError("[random.multivariate_normal] cov is not symmetric")
        values, vectors = np.linalg.eigh(cov)
        if values.size and values.min() < -1e-8 * max(1.0, abs(values).max()):
            raise ValueError("[random.multivariate_normal] cov has a negative eigenvalue")
        factor = vectors * np.sqrt(np.maximum(values, 0))
        given = Parameters("multivariate_normal", () if size is None else size, device)
        z = self._draw("standard_normal", (*given.size, mean.size), "float64", device)
        where = z.device
        rows = z.reshape(-1, mean.size) @ heald.asarray(factor.T.copy(), device=where)
        return rows.reshape(z.shape) + heald.asarray(mean, device=where)
