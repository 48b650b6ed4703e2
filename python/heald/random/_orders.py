"""Random orders and choices."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from heald._arguments import array_argument, is_number, one_axis
from heald._arrays import asarray
from heald._heald import Array
from heald._indexing import take, take_along_axis
from heald._sorting import argsort, searchsorted
from heald._sync import hidden_sync
from heald.random._integers import Integers
from heald.random._parameters import shape_of


class Orders(Integers):
    """Methods of Generator. An order is that of as many random 64-bit keys."""

    def _draw(self, name: str, size: Any, dtype: Any, device: Any, *parameters: Any) -> Array:
        raise NotImplementedError

    def _order(self, count: int, device: Any) -> Array:
        return argsort(self._draw("words", (count,), "uint64", device))

    def permutation(self, x: Any, axis: int = 0, *, device: Any = None) -> Array:
        """The numbers below an int `x`, or the entries of `x` along an axis, in a random order.

        >>> rng.permutation(10)
        """
        if is_number(x):
            return self._order(operator.index(x), device)
        x = array_argument(x, "permutation", device)
        axis = one_axis(axis, x.ndim)
        return take(x, self._order(x.shape[axis], x.device), axis=axis)

    def permuted(self, x: Any, *, axis: int | None = None, out: Array | None = None) -> Array:
        """Each row along `axis` in an order of its own; without an axis, all elements."""
        x = array_argument(x, "permuted")
        keys = self._draw("words", x.shape, "uint64", x.device)
        if axis is None:
            result = take(x.ravel(), argsort(keys.ravel())).reshape(x.shape)
        else:
            axis = one_axis(axis, x.ndim)
            result = take_along_axis(x, argsort(keys, axis=axis), axis)
        if out is None:
            return result
        out[...] = result
        return out

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Brings the entries of an array along an axis, or of a list, into a random order."""
        if isinstance(x, list):
            order = np.asarray(self._order(len(x), "cpu").tolist(), dtype=int)
            x[:] = [x[i] for i in order]
            return
        if not isinstance(x, Array):
            raise TypeError(
                f"[random.shuffle] expected an hd.Array or a list, got {type(x).__name__}"
            )
        axis = one_axis(axis, x.ndim)
        x[...] = take(x, self._order(x.shape[axis], x.device), axis=axis)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
        *,
        device: Any = None,
    ) -> Array:
        """Entries of `a` along an axis, or numbers below an int `a`; with chances `p`, which must
        sum to 1 (that is looked at: a wait). `replace=False` takes none twice.

        >>> rng.choice(5, size=3, replace=False)
        """
        whole = is_number(a)
        source = None if whole else array_argument(a, "choice", device)
        if source is not None:
            device, axis = source.device, one_axis(axis, source.ndim)
            count = source.shape[axis]
        else:
            count = operator.index(a)
        shape = () if size is None else shape_of(size)
        wanted = int(np.prod(shape, dtype=object)) if shape else 1
        if count <= 0 and wanted > 0:
            raise ValueError("[random.choice] a must not be empty, and a number above 0")
        places = self._places(count, shape, wanted, replace, p, device)
        if source is None:
            return places
        return take(source, places, axis=axis)

    def _places(
        self, count: int, shape: tuple[int, ...], wanted: int, replace: bool, p: Any, device: Any
    ) -> Array:
        chances = None if p is None else self._chances(p, count, device)
        if replace:
            if chances is None:
                return self.integers(0, max(count, 1), shape, device=device)
            total = chances.cumsum()
            u = self._draw("random", shape, "float64", chances.device)
            return searchsorted(total / total[-1], u.ravel(), side="right").reshape(shape)
        if wanted > count:
            raise ValueError(f"[random.choice] cannot take {wanted} of {count} without replacement")
        if chances is None:
            return self._order(count, device)[:wanted].reshape(shape)
        # Efraimidis and Spirakis: the first in order of exponential numbers over chances.
        hidden_sync("random.choice")
        if int((chances > 0).sum()) < wanted:
            raise ValueError(f"[random.choice] fewer than {wanted} chances are above 0")
        e = self._draw("standard_exponential", (count,), "float64", chances.device)
        return argsort(e / chances)[:wanted].reshape(shape)

    def _chances(self, p: Any, count: int, device: Any) -> Array:
        chances = asarray(p, dtype="float64", device=device)
        if chances.shape != (count,):
            raise ValueError(f"[random.choice] p has shape {chances.shape}, a has {count} entries")
        hidden_sync("random.choice")
        if not bool((chances >= 0).all()):
            raise ValueError("[random.choice] probabilities must not be negative or NaN")
        if abs(float(chances.sum()) - 1.0) > 1e-8 * max(1, count) ** 0.5:
            raise ValueError("[random.choice] probabilities do not sum to 1")
        return chances
