"""Every kernel of kernels.py, against the same function run by Python threads of the reference."""

from __future__ import annotations

import numpy as np
import pytest

import heald as hd
from jit import reference
from jit.kernels import KERNELS


def on_device(value, strided):
    if isinstance(value, tuple):
        items = [on_device(item, strided) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if not isinstance(value, np.ndarray):
        return value
    if not strided:
        return hd.array(value)
    # Every second element of the last axis of an array twice as long, in reverse.
    wide = np.zeros((*value.shape[:-1], 2 * value.shape[-1]), value.dtype)
    wide[..., ::-2] = value
    return hd.array(wide)[..., ::-2]


def compare(value, got):
    if isinstance(value, tuple):
        for a, b in zip(value, got):
            compare(a, b)
    elif isinstance(value, np.ndarray):
        result = hd.asnumpy(got)
        if value.dtype.kind in "fc":
            eps = np.finfo(value.dtype).eps
            np.testing.assert_allclose(result, value, rtol=64 * eps, atol=64 * eps)
        else:
            np.testing.assert_array_equal(result, value)


@pytest.mark.parametrize("strided", [False, True], ids=["contiguous", "strided"])
@pytest.mark.parametrize("row", KERNELS, ids=lambda row: row[0].__name__)
def test_kernel(device, rng, row, strided):
    function, make = row
    blocks, threads, arguments = make(rng)
    given = tuple(on_device(argument, strided) for argument in arguments)
    hd.jit(function)[blocks, threads](*given)
    reference.run(function, blocks, threads, *arguments)
    compare(arguments, given)
