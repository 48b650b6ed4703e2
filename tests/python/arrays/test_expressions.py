"""Random expressions have the same bits fused, one operation at a time, and in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from both import assert_same
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import heald as hd
from heald._heald import evaluate

EXACT = ["add", "subtract", "multiply", "maximum", "minimum"]
REAL_ONE = ["negative", "absolute", "square", "floor", "rint", "sqrt"]
FUNCTIONS = ["sin", "exp", "tanh", "log1p", "arctan"]

Tree = Any  # a leaf's number, or (name, *trees)


def trees(two: list[str], one: list[str]) -> st.SearchStrategy[Tree]:
    leaves = st.integers(0, 3)
    return st.recursive(
        leaves,
        lambda below: st.one_of(
            st.tuples(st.sampled_from(two), below, below), st.tuples(st.sampled_from(one), below)
        ),
        max_leaves=8,
    )


def value(tree: Tree, xp: Any, leaves: list[Any], each: Any = lambda x: x) -> Any:
    if isinstance(tree, int):
        return leaves[tree]
    return each(getattr(xp, tree[0])(*[value(part, xp, leaves, each) for part in tree[1:]]))


def at_once(x: hd.Array) -> hd.Array:
    evaluate(x)
    return x


def check(tree: Tree, hosts: list[np.ndarray], against_numpy: bool) -> None:
    with hd.Device("cpu"):
        leaves = [hd.asarray(host) for host in hosts]
        fused = hd.asnumpy(value(tree, hd, leaves))
        assert_same(hd.asnumpy(value(tree, hd, leaves, at_once)), fused)
    if against_numpy:
        with np.errstate(all="ignore"):
            want = value(tree, np, hosts)
        # The sign of a zero from maximum and minimum is open.
        assert_same(fused + fused.dtype.type(0), want + want.dtype.type(0), 0)


few = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)


@few
@given(trees(EXACT, REAL_ONE), st.integers(0, 2**32 - 1), st.sampled_from(["f2", "f4", "f8"]))
def test_arithmetic(tree: Tree, seed: int, dtype: str):
    rng = np.random.default_rng(seed)
    shapes = [(5, 7), (7,), (5, 1), ()]
    check(tree, [rng.standard_normal(shape).astype(dtype) for shape in shapes], True)


@few
@given(trees([*EXACT, "bitwise_and", "floor_divide", "remainder"], ["negative", "invert"]),
       st.integers(0, 2**32 - 1), st.sampled_from(["i1", "u2", "i4", "i8"]))  # fmt: skip
def test_integers(tree: Tree, seed: int, dtype: str):
    rng = np.random.default_rng(seed)
    ends = np.iinfo(dtype)
    hosts = [rng.integers(ends.min, ends.max, (4, 9), dtype, endpoint=True) for _ in range(4)]
    check(tree, hosts, True)


@few
@given(trees([*EXACT, "divide", "hypot"], [*REAL_ONE, *FUNCTIONS]), st.integers(0, 2**32 - 1),
       st.sampled_from(["f2", "f4", "f8"]))  # fmt: skip
def test_functions_have_the_same_bits_fused_or_not(tree: Tree, seed: int, dtype: str):
    rng = np.random.default_rng(seed)
    check(tree, [rng.standard_normal(37).astype(dtype) for _ in range(4)], False)
