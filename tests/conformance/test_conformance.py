"""Runs the conformance kernels on every device, from Python, against references in NumPy."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import heald as hd

sys.path.insert(0, str(Path(__file__).parent))

import kernel_file
import reference

DEVICES = ["cpu", pytest.param("cuda:0", marks=pytest.mark.gpu)]
FILES = sorted(kernel_file.FOLDER.glob("*.cu"))


@pytest.fixture(params=DEVICES)
def device(request):
    if request.param != "cpu" and not any(d.kind == "cuda" for d in hd.devices()):
        pytest.skip("no usable GPU")
    with hd.Device(request.param) as chosen:
        yield chosen


def run(file: kernel_file.KernelFile) -> dict[str, object]:
    """The arguments after all launches, as the device left them."""
    values = file.values()
    on_device = {
        name: hd.Buffer.from_host(value)
        for name, value in values.items()
        if isinstance(value, np.ndarray)
    }
    code = hd.Program(file.source, name=file.path.name).compile(names=file.kernel_names)
    for launch in file.launches:
        kernel = code.get_kernel(launch.kernel)
        arguments = [on_device.get(name, as_argument(values[name])) for name in launch.arguments]
        kernel.launch(launch.grid, launch.block, arguments, shared_memory=launch.shared)
    hd.Device().synchronize()
    for name, buffer in on_device.items():
        buffer.copy_to_host(values[name])
    return values


def as_argument(value: object) -> object:
    """Structures come as bytes: a record of that size."""
    if isinstance(value, bytes):
        return np.frombuffer(value, np.dtype((np.void, len(value))))[0]
    return value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_kernel(device, path, capfd):
    seed = int.from_bytes(os.urandom(4), "little")
    file = kernel_file.read(path, seed)
    expected = reference.expected(file.name, file.values())
    values = run(file)
    problems = [
        kernel_file.difference(file, name, values[name], np.asarray(wanted))
        for name, wanted in expected.items()
    ]
    printed = capfd.readouterr().out.splitlines()
    missing = [line for line in file.prints if line not in printed]
    assert not any(problems), f"seed {seed}: {[p for p in problems if p]}"
    assert not missing, f"not printed: {missing}"


def test_there_are_kernels():
    assert len(FILES) >= 40
