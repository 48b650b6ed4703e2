"""Random numbers of many distributions from one source of bits."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from heald._arguments import cast, is_number
from heald._arrays import asnumpy
from heald._heald import Array, call_ufunc
from heald.random._continuous import Continuous
from heald.random._discrete import Discrete
from heald.random._orders import Orders
from heald.random._parameters import Parameters, float_dtype
from heald.random._philox import Philox


class Generator(Continuous, Discrete, Orders):
    """NumPy's Generator on heald's devices.

    The numbers are a function of the state before the call and of their place in the result:
    the same on every device, whatever they are fused with. They are recorded like other operations
    on arrays, and computed in the kernel that reads them. A call without `size` and with numbers
    for parameters gives an array without axes. The device is that of array parameters, else the
    current one unless `device` names another. Threads may share a Generator: each call takes
    numbers of its own.
    """

    def __init__(self, bit_generator: Philox) -> None:
        if not isinstance(bit_generator, Philox):
            raise TypeError(
                "[random.Generator] expected an hd.random.Philox, got "
                f"{type(bit_generator).__name__}: pass hd.random.default_rng(seed) a seed"
            )
        self._bit_generator = bit_generator

    @property
    def bit_generator(self) -> Philox:
        """The source of bits, whose `state` can be kept and assigned."""
        return self._bit_generator

    def spawn(self, n_children: int) -> list[Generator]:
        """New independent generators, as NumPy's."""
        return [Generator(child) for child in self._bit_generator.spawn(n_children)]

    def _draw(self, name: str, size: Any, dtype: Any, device: Any, *parameters: Any) -> Array:
        return self._bit_generator._sequence.draw(name, size, dtype, device, *parameters)

    def random(
        self,
        size: Any = None,
        dtype: Any = "float64",
        out: Array | None = None,
        *,
        device: Any = None,
    ) -> Array:
        """In [0, 1), each multiple of 2^-53 equally often (float32: of 2^-24, float16: of 2^-11,
        bfloat16: of 2^-8).

        >>> rng.random(3)
        """
        return self._simple("random", size, dtype, out, device)

    def standard_normal(
        self,
        size: Any = None,
        dtype: Any = "float64",
        out: Array | None = None,
        *,
        device: Any = None,
    ) -> Array:
        """Normally distributed with mean 0 and variance 1, by Box and Muller's method: up to 8.5
        (float64) or 6.7 from the mean."""
        return self._simple("standard_normal", size, dtype, out, device)

    def standard_exponential(
        self,
        size: Any = None,
        dtype: Any = "float64",
        method: str = "inv",
        out: Array | None = None,
        *,
        device: Any = None,
    ) -> Array:
        """Exponentially distributed with mean 1: -log(u). `method` may be "inv" or "zig", both of
        which mean that."""
        if method not in ("inv", "zig"):
            raise ValueError(f"[random.standard_exponential] unknown method {method!r}")
        return self._simple("standard_exponential", size, dtype, out, device)

    def _simple(self, name: str, size: Any, dtype: Any, out: Array | None, device: Any) -> Array:
        wanted = float_dtype(dtype, name)
        if out is None:
            return self._draw(name, () if size is None else size, wanted, device)
        if not isinstance(out, Array):
            raise TypeError(f"[random.{name}] out must be an hd.Array, got {type(out).__name__}")
        if out.dtype != wanted:
            raise TypeError(
                f"[random.{name}] out is of {out.dtype}, expected {wanted}: pass dtype={out.dtype}"
            )
        if size is not None and Parameters(name, size, None).size != out.shape:
            raise ValueError(f"[random.{name}] size {size} does not fit out, of shape {out.shape}")
        out[...] = self._draw(name, out.shape, wanted, out.device)
        return out

    def standard_gamma(
        self,
        shape: Any,
        size: Any = None,
        dtype: Any = "float64",
        out: Array | None = None,
        *,
        device: Any = None,
    ) -> Array:
        """Gamma distributed with scale 1 (Marsaglia and Tsang's method)."""
        given = Parameters("standard_gamma", size, device, shape=shape).not_negative("shape")
        wanted = float_dtype(dtype, "standard_gamma", ("float32", "float64"))
        at = given.size if out is None else out.shape
        result = self._draw("standard_gamma", at, wanted, given.device, given["shape"])
        if out is None:
            return result
        out[...] = result
        return out

    def _located(self, z: Array, given: Parameters, loc: str, scale: str) -> Array:
        """loc + scale * z in the dtype of z."""
        return self._shifted(self._shifted(z, "multiply", given[scale]), "add", given[loc])

    @staticmethod
    def _shifted(z: Array, operation: str, by: Any) -> Array:
        # A NumPy scalar or an array of float64 must not change the dtype that was asked for.
        if not is_number(by):
            return call_ufunc(operation, z, cast(by, z.dtype))
        by = float(by)
        if by == (1.0 if operation == "multiply" else 0.0):
            return z
        return call_ufunc(operation, z, by)

    def bytes(self, length: int) -> bytes:
        """`length` random bytes of the host."""
        count = operator.index(length)
        if count < 0:
            raise ValueError(f"[random.bytes] negative length {count}")
        words = asnumpy(self._draw("words", ((count + 3) // 4,), "uint32", None))
        return words.astype("<u4").tobytes()[:count]

    def __repr__(self) -> str:
        return f"Generator({self._bit_generator!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Generator, (self._bit_generator,)


def default_rng(seed: Any = None) -> Generator:
    """A Generator of a seed: None (the system's entropy), an int from 0, a sequence of ints, a
    numpy.random.SeedSequence, an hd.random.Philox, or a Generator, which is returned as it is.

    >>> hd.random.default_rng(42).integers(0, 10, size=5)
    """
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, Philox):
        return Generator(seed)
    if isinstance(seed, np.random.Generator):
        raise TypeError("[random.default_rng] got a numpy.random.Generator: pass a seed of it")
    return Generator(Philox(seed))
