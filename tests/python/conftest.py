"""What the tests share. `device` runs a test once on the CPU and once on the first GPU; where there
is none, the second is a visible skip."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import heald as hd

sys.path.insert(0, str(Path(__file__).parent))

# Repetitions of the long tests: HEALD_TEST_SCALE=100 runs a million launches.
SCALE = float(os.environ.get("HEALD_TEST_SCALE", "1"))


def _gpu_count() -> int:
    return sum(device.kind == "cuda" for device in hd.devices())


@pytest.fixture(params=["cpu", pytest.param("cuda:0", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest) -> Iterator[hd.Device]:
    """A device, made current."""
    if request.param != "cpu" and not _gpu_count():
        pytest.skip("no usable GPU")
    with hd.Device(request.param) as chosen:
        yield chosen


@pytest.fixture
def cpu() -> Iterator[hd.Device]:
    with hd.Device("cpu") as chosen:
        yield chosen


@pytest.fixture
def gpu() -> Iterator[hd.Device]:
    if not _gpu_count():
        pytest.skip("no usable GPU")
    with hd.Device("cuda:0") as chosen:
        yield chosen


@pytest.fixture
def two_gpus() -> tuple[hd.Device, hd.Device]:
    if _gpu_count() < 2:
        pytest.skip("needs two GPUs")
    return hd.Device("cuda:0"), hd.Device("cuda:1")


@pytest.fixture
def rng() -> np.random.Generator:
    """Fresh numbers at every run; the seed is shown when the test fails."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    return np.random.default_rng(seed)


@pytest.fixture
def scaled() -> Callable[[int], int]:
    return lambda count: max(1, int(count * SCALE))


@pytest.fixture
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script in a Python of its own, with the same heald."""

    def run(
        script: str, *, timeout: float = 120, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        package = str(Path(hd.__file__).parent.parent)
        environment = {**os.environ, **(env or {})}
        environment["PYTHONPATH"] = os.pathsep.join(
            [package, *environment.get("PYTHONPATH", "").split(os.pathsep)]
        )
        return subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            timeout=timeout,
            env=environment,
            check=False,
        )

    return run


ADD_ONE = """
extern "C" __global__ void add_one(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1.0f;
}
"""


@pytest.fixture
def add_one(device: hd.Device) -> hd.Kernel:
    return hd.Program(ADD_ONE, name="add_one.cu").compile().get_kernel("add_one")
