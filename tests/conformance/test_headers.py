"""Every header that kernels may include on the CPU stands alone and next to real system headers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heald as hd

LISTED = (Path(__file__).resolve().parents[2] / "src" / "device" / "headers.txt").read_text()
NAMES = [
    line.split(" = ")[0]
    for line in LISTED.splitlines()
    if " = " in line and not line.startswith("#")
]
PUBLIC = [name for name in NAMES if not name.startswith("heald_device/")]

# Calls whose declarations come from several headers at once, ours and the system's.
BODY = """
__global__ void f(int n, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = fmaxf(sqrtf(fabsf(x[i])), sinf(x[i])) + min(i, 3) + abs(-2) + floor(1.5);
    y[i] = v + __popc(i) + pow(2.0, 3) + round(x[i]) + fmin(1.0f, 2.0f) + exp(0.0f) + sqrt(4);
}
"""


def _expected(x: np.ndarray) -> np.ndarray:
    i = np.arange(x.size)
    popcount = np.array([bin(k).count("1") for k in i])
    v = np.maximum(np.sqrt(np.abs(x)), np.sin(x)) + np.minimum(i, 3) + 2 + 1
    return v + popcount + 8 + np.copysign(np.floor(np.abs(x) + 0.5), x) + 1 + 1 + 2


def _run(source: str, standard: str = "c++20") -> None:
    x = np.random.default_rng().uniform(-9, 9, 100).astype(np.float32)
    with hd.Device("cpu") as device:
        y = hd.empty(x.size, np.float32)
        code = hd.Program(source, options=hd.ProgramOptions(standard=standard)).compile()
        code.get_kernel("f").launch(1, 128, (x.size, hd.array(x), y))
        device.synchronize()
        np.testing.assert_allclose(hd.asnumpy(y), _expected(x.astype(np.float64)), rtol=1e-5)


@pytest.mark.parametrize("name", PUBLIC)
def test_header_stands_alone(name: str) -> None:
    _run(f"#include <{name}>\n#include <{name}>\n{BODY}")


def test_all_together() -> None:
    _run("".join(f"#include <{name}>\n" for name in PUBLIC) + BODY)


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
@pytest.mark.parametrize(
    "names",
    [
        ["algorithm", "cmath"],
        ["math.h", "stdlib.h", "string.h"],
        ["complex", "tuple", "array"],
        ["vector", "iostream"],
    ],
    ids="+".join,
)
def test_system_headers(names: list[str], standard: str) -> None:
    if not Path("/usr/include/c++").is_dir():
        pytest.skip("no C++ library installed")
    includes = [*names, "cuda_fp16.h", "cooperative_groups.h"]
    _run("".join(f"#include <{name}>\n" for name in includes) + BODY, standard)
