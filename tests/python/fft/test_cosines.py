"""Sine and cosine transforms beside SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.fft

import heald as hd

RANDOM = np.random.default_rng(9)


@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_types(device: hd.Device, name: str, kind: int) -> None:
    x = RANDOM.standard_normal((3, 7, 10))
    function, reference = getattr(hd.fft, name), getattr(scipy.fft, name)
    for norm in (None, "backward", "ortho", "forward"):
        for axis in (0, 1, -1):
            for n in (None, 2, 5, 12):
                want = reference(x, kind, n, axis, norm)
                got = hd.asnumpy(function(hd.asarray(x), kind, n, axis, norm))
                assert got.shape == want.shape
                assert np.linalg.norm(got - want) <= 1e-13 * np.linalg.norm(want)
    single = function(hd.asarray(x.astype("f4")), kind)
    assert single.dtype == np.float32
    want = reference(x.astype("f4").astype("f8"), kind)
    assert np.linalg.norm(hd.asnumpy(single) - want) <= 2e-6 * np.linalg.norm(want)


def test_errors(device: hd.Device) -> None:
    with pytest.raises(ValueError, match="type must be"):
        hd.fft.dct(hd.zeros(4), 5)
    with pytest.raises(TypeError, match="real input"):
        hd.fft.dst(hd.zeros(4, "c16"))
    with pytest.raises(ValueError, match="norm"):
        hd.fft.idct(hd.zeros(4), norm="both")
    with pytest.raises(ValueError, match="fewer than 2"):
        hd.fft.dct(hd.zeros(1), 1)
