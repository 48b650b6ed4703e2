"""The devices that kernels run on: each kernel once on the CPU and once on the first GPU."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import heald as hd

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(params=["cpu", pytest.param("cuda:0", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest) -> Iterator[hd.Device]:
    """A device, made current."""
    if request.param != "cpu" and not any(d.kind == "cuda" for d in hd.devices()):
        pytest.skip("no usable GPU")
    with hd.Device(request.param) as chosen:
        yield chosen
