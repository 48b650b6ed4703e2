"""The programs in examples/ do what they say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import heald as hd

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

# Largest differences from float64 that float32 arithmetic in these steps explains: a few rounding
# errors (2^-24 of the result's size) per operation on the longest chain, and for the water 300
# steps of them.
BOUNDS = {
    "bilateral filter, 9 x 9": 2e-6,
    "to bytes": 1 / 255,  # a tie may round either way
    "histogram": 0,
    "equalise": 1e-6,
    "hill shading": 2e-6,
    "water, 3 streams": 3e-4,
}


@pytest.fixture
def demo(monkeypatch):
    pytest.importorskip("matplotlib")
    pytest.importorskip("rich")
    monkeypatch.syspath_prepend(str(EXAMPLES / "demo"))
    import demo

    return demo


@pytest.mark.parametrize("device", [device.name for device in hd.devices()])
def test_demo(demo, device, tmp_path, capsys):
    picture = tmp_path / "demo.png"
    rows = demo.main(["--device", device, "--output", str(picture), "--repeat", "1"])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "bilateral filter" in capsys.readouterr().out
    assert {row.kernel for row in rows} == set(BOUNDS)
    for row in rows:
        assert row.scale > 0
        assert row.difference <= BOUNDS[row.kernel] * row.scale, row


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_script(script, tmp_path):
    result = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr


def build(source: Path, folder: Path, *options: str) -> None:
    for tool in "cmake", "ninja":
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    configure = ["cmake", "-S", str(source), "-B", str(folder), "-G", "Ninja", *options]
    for command in configure, ["cmake", "--build", str(folder)]:
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr


def cmake_package() -> Path:
    """The folder of heald-config.cmake: of the wheel, or of the build that Python imports."""
    module = Path(hd.__file__).parent
    for folder in module, module.parents[1]:
        package = folder / "lib/cmake/heald"
        if (package / "heald-config.cmake").exists():
            return package
    pytest.skip("heald was built without its CMake package")


def test_cpp_program(tmp_path):
    build(EXAMPLES / "cpp", tmp_path, f"-Dheald_DIR={cmake_package()}")
    result = subprocess.run([str(tmp_path / "saxpy")], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "1000000 elements, y[10] = 21" in result.stdout
    assert "argument 1 'n' of 'saxpy<float>'" in result.stdout


def test_extension_module(tmp_path):
    pytest.importorskip("nanobind")
    build(
        EXAMPLES / "extension", tmp_path, f"-Dheald_DIR={cmake_package()}",
        f"-DPython_EXECUTABLE={sys.executable}",
    )  # fmt: skip
    code = """
import heald as hd, numpy as np, my_kernels
x = np.random.default_rng(1).random(1000, np.float32)
with hd.Stream() as stream:
    y = my_kernels.smooth(hd.array(x))
    assert isinstance(y, hd.Array), type(y)
    result = hd.asnumpy(y)
padded = np.pad(x, 1, mode="edge")
np.testing.assert_allclose(result, padded[:-2] / 4 + x / 2 + padded[2:] / 4, rtol=1e-6)
try:
    my_kernels.smooth(hd.array(x.astype(np.float64)))
except TypeError as error:
    assert "[smooth] argument 1" in str(error)
else:
    raise AssertionError("float64 was taken")
"""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
    }
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert result.returncode == 0, result.stderr


def test_references_are_right():
    """The demo's NumPy code against results that are known otherwise."""
    sys.path.insert(0, str(EXAMPLES / "demo"))
    try:
        import numpy_reference as reference
    finally:
        sys.path.pop(0)
    rng = np.random.default_rng(7)
    image = rng.random((3, 12, 17))
    flat = np.full_like(image, 0.25)
    np.testing.assert_allclose(reference.bilateral(flat, 3, 0.1, 5.0), flat)
    # Without regard to colour it is a Gaussian filter, which keeps a ramp's middle.
    ramp = np.broadcast_to(np.arange(17.0), image.shape)
    np.testing.assert_allclose(reference.bilateral(ramp, 2, 0.1, 0.0)[:, :, 4:-4], ramp[:, :, 4:-4])
    # Ground that rises to the east at 45 degrees faces a light in the west at 45 degrees.
    west, up = np.radians(270), np.radians(45)
    level = reference.hill_shade(np.zeros((5, 5)), 1, 1, west, up)
    np.testing.assert_allclose(level, np.sin(up))
    slope = np.broadcast_to(np.arange(5.0), (5, 5))
    np.testing.assert_allclose(reference.hill_shade(slope, 1, 1, west, up)[:, 1:-1], 1)
    np.testing.assert_allclose(reference.hill_shade(-slope, 1, 1, west, up)[:, 1:-1], 0, atol=1e-9)
    # Water is neither made nor lost but by rain and at the border.
    basin = np.pad(np.zeros((6, 8)), 1, constant_values=100.0)
    depth = np.zeros_like(basin)
    depth[1:-1, 1:-1] = rng.random((6, 8))
    after = reference.water_step(basin, depth, 0.0, 0.2)
    np.testing.assert_allclose(after.sum(), depth.sum())
    assert after.min() >= 0
