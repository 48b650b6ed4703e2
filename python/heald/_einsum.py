"""Sums of products written with letters for axes."""

from __future__ import annotations

import math
from typing import Any

from heald import _heald
from heald._arguments import array_arguments, cast, common_dtype, dtype_argument, into
from heald._creation import diagonal
from heald._heald import Array, call_ufunc
from heald._manipulation import moveaxis
from heald._products import _product

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(
    subscripts: Any,
    /,
    *operands: Any,
    out: Array | None = None,
    dtype: Any = None,
    optimize: Any = True,
    **_: Any,
) -> Array:
    """A sum of products by the letters of the operands' axes, as numpy.einsum: "ij,jk->ik" is a
    matrix product, "ii" a trace, "...i->..." a sum over the last axis. Operands are contracted two
    by two, in an order that keeps the intermediate results small unless optimize=False.

    >>> float(hd.einsum("i,i", hd.ones(3), hd.ones(3)))
    3.0
    """
    text, items = _as_text(subscripts, operands)
    arrays = array_arguments(items, "einsum")
    inputs, output = _parsed(text, arrays)
    wanted = common_dtype(*arrays) if dtype is None else dtype_argument(dtype)
    terms = [
        _without_repeats(cast(x, wanted), letters)
        for x, letters in zip(arrays, inputs, strict=True)
    ]
    _check_lengths(terms)
    while len(terms) > 1:
        i, j = _next_pair(terms, output) if optimize else (0, 1)
        second, first = terms.pop(j), terms.pop(i)
        others = set(output).union(*[letters for _, letters in terms])
        terms.insert(0, _contract(first, second, others))
    x, letters = terms[0]
    x, letters = _sum_out(x, letters, set(output))
    return into(x.transpose([letters.index(c) for c in output]) if output else x, out, "einsum")


def _as_text(subscripts: Any, operands: Any) -> tuple[str, list[Any]]:
    if isinstance(subscripts, str):
        return subscripts.replace(" ", ""), list(operands)
    # einsum(x, [0, 1], y, [1, 2], [0, 2])
    everything = [subscripts, *operands]
    output = everything.pop() if len(everything) % 2 else None

    def letters(numbers: Any) -> str:
        return "".join("..." if n is Ellipsis else _LETTERS[n] for n in numbers)

    text = ",".join(letters(numbers) for numbers in everything[1::2])
    return text if output is None else f"{text}->{letters(output)}", everything[0::2]


def _parsed(text: str, arrays: list[Array]) -> tuple[list[str], str]:
    """Letters of every operand and of the result, with letters in place of "..."."""
    left, arrow, right = text.partition("->")
    parts = left.split(",")
    if len(parts) != len(arrays):
        raise ValueError(
            f"[einsum] {len(arrays)} operands for {len(parts)} terms of subscripts {text!r}"
        )
    unused = [c for c in _LETTERS if c not in text]
    most = max(
        [x.ndim - len(part) + 3 for part, x in zip(parts, arrays, strict=True) if "..." in part],
        default=0,
    )
    spare = "".join(unused[:most])
    inputs = []
    for part, x in zip(parts, arrays, strict=True):
        named = part.replace("...", "")
        bad = [c for c in named if c not in _LETTERS]
        if bad:
            raise ValueError(
                f"[einsum] invalid subscript {bad[0]!r} in einstein sum subscripts string, "
                "subscripts must be letters"
            )
        count = x.ndim - len(named)
        if count < 0 or ("..." not in part and count != 0):
            raise ValueError(
                f"[einsum] operand has {x.ndim} axes, its subscripts {part!r} name {len(named)}"
            )
        inputs.append(part.replace("...", spare[len(spare) - count :] if count else ""))
    if arrow:
        output = right.replace("...", spare)
        if len(set(output)) != len(output):
            raise ValueError(f"[einsum] output subscripts {right!r} include a letter twice")
        missing = [c for c in output if all(c not in part for part in inputs) and c not in spare]
        if missing:
            raise ValueError(
                f"[einsum] einstein sum subscripts string included output subscript {missing[0]!r} "
                "which never appeared in an input"
            )
        return inputs, "".join(c for c in output if any(c in part for part in inputs))
    everything = left.replace("...", "").replace(",", "")
    once = sorted(c for c in set(everything) if everything.count(c) == 1)
    return inputs, spare + "".join(once)


def _without_repeats(x: Array, letters: str) -> tuple[Array, str]:
    """A letter that an operand has twice: the diagonal."""
    for c in dict.fromkeys(letters):
        while letters.count(c) > 1:
            i = letters.index(c)
            j = letters.index(c, i + 1)
            if x.shape[i] != x.shape[j]:
                raise ValueError(
                    f"[einsum] dimensions in operand for collapsing index {c!r} don't match: "
                    f"{x.shape[i]} and {x.shape[j]}"
                )
            x = moveaxis(diagonal(x, 0, i, j), -1, i)
            letters = letters[:j] + letters[j + 1 :]
    return x, letters


def _check_lengths(terms: list[tuple[Array, str]]) -> None:
    lengths: dict[str, int] = {}
    for x, letters in terms:
        for c, n in zip(letters, x.shape, strict=True):
            known = lengths.setdefault(c, n)
            if known == 1:
                lengths[c] = n
            elif n not in (1, known):
                raise ValueError(
                    f"[einsum] operands could not be broadcast together: {c!r} has lengths {known} "
                    f"and {n}"
                )


def _next_pair(terms: list[tuple[Array, str]], output: str) -> tuple[int, int]:
    """The pair whose product is smallest."""
    best = (math.inf, 0, 1)
    for i in range(len(terms)):
        for j in range(i + 1, len(terms)):
            others = set(output).union(
                *[letters for k, (_, letters) in enumerate(terms) if k not in (i, j)]
            )
            lengths: dict[str, int] = {}
            for x, letters in (terms[i], terms[j]):
                for c, n in zip(letters, x.shape, strict=True):
                    lengths[c] = max(n, lengths.get(c, 1))
            size = math.prod(n for c, n in lengths.items() if c in others)
            best = min(best, (size, i, j))
    return best[1], best[2]


def _sum_out(x: Array, letters: str, keep: set[str]) -> tuple[Array, str]:
    axes = tuple(k for k, c in enumerate(letters) if c not in keep)
    if not axes:
        return x, letters
    name = "logical_or" if x.dtype.kind == "b" else "add"
    x = _heald.reduce_array(name, x, axes, False, x.dtype)
    return x, "".join(c for c in letters if c in keep)


def _contract(a: tuple[Array, str], b: tuple[Array, str], others: set[str]) -> tuple[Array, str]:
    """The product of two terms, summed over the letters that nothing else needs."""
    (x, left), (y, right) = a, b
    # Lengths of 1 against longer ones are summed or kept with the other operand's.
    x, left = _drop_ones(x, left, y, right)
    y, right = _drop_ones(y, right, x, left)
    x, left = _sum_out(x, left, others | set(right))
    y, right = _sum_out(y, right, others | set(left))
    batch = [c for c in left if c in right and c in others]
    summed = [c for c in left if c in right and c not in others]
    rows = [c for c in left if c not in right]
    columns = [c for c in right if c not in left]
    if not summed:
        order = batch + rows + columns
        return call_ufunc("multiply", _aligned(x, left, order), _aligned(y, right, order)), "".join(
            order
        )
    length = dict(zip(left, x.shape, strict=True))
    length.update(zip(right, y.shape, strict=True))
    size = lambda names: math.prod(length[c] for c in names)  # noqa: E731
    sizes = [length[c] for c in batch]
    p = x.transpose([left.index(c) for c in batch + rows + summed])
    q = y.transpose([right.index(c) for c in batch + summed + columns])
    p = p.reshape((*sizes, size(rows), size(summed)))
    q = q.reshape((*sizes, size(summed), size(columns)))
    result = _product(p, q)
    shape = tuple(length[c] for c in batch + rows + columns)
    return result.reshape(shape), "".join(batch + rows + columns)


def _drop_ones(x: Array, letters: str, other: Array, others: str) -> tuple[Array, str]:
    drop = [
        k
        for k, c in enumerate(letters)
        if x.shape[k] == 1 and c in others and other.shape[others.index(c)] != 1
    ]
    if not drop:
        return x, letters
    x = x[tuple(0 if k in drop else slice(None) for k in range(x.ndim))]
    return x, "".join(c for k, c in enumerate(letters) if k not in drop)


def _aligned(x: Array, letters: str, order: list[str]) -> Array:
    """Axes in that order, with length 1 for letters that it does not have."""
    present = [c for c in order if c in letters]
    x = x.transpose([letters.index(c) for c in present]) if present else x
    lengths = iter(x.shape)
    return x.reshape(tuple(next(lengths) if c in letters else 1 for c in order))


__all__ = ["einsum"]
