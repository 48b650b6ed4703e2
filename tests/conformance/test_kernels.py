"""Every conformance kernel, on every device present, against its NumPy reference."""

from __future__ import annotations

import kernel_file
import numpy as np
import pytest
import reference

import heald as hd


def _run(device: hd.Device, file: kernel_file.KernelFile) -> dict[str, np.ndarray]:
    """The arrays after the launches of the file."""
    names = [name for name in file.kernel_names if "<" in name]
    code = hd.Program(file.source, name=file.path.name).compile(names=names)
    values = file.values()
    on_device = {
        name: hd.array(value)
        if isinstance(value, np.ndarray)
        else np.frombuffer(value, f"V{len(value)}")[0]
        if isinstance(value, bytes)
        else value
        for name, value in values.items()
    }
    for launch in file.launches:
        arguments = [on_device[name] for name in launch.arguments]
        code.get_kernel(launch.kernel).launch(
            launch.grid, launch.block, arguments, shared_memory=launch.shared
        )
    device.synchronize()
    return {n: hd.asnumpy(on_device[n]) for n, v in values.items() if isinstance(v, np.ndarray)}


@pytest.mark.parametrize("path", sorted(kernel_file.FOLDER.glob("*.cu")), ids=lambda p: p.stem)
def test_kernel(device: hd.Device, path, capfd: pytest.CaptureFixture[str]) -> None:
    seed = int(np.random.default_rng().integers(2**31))
    file = kernel_file.read(path, seed)
    with np.errstate(all="ignore"):
        expected = reference.expected(file.name, file.values())
    got = _run(device, file)
    wrong = [
        kernel_file.difference(file, name, got[name], value) for name, value in expected.items()
    ]
    assert not any(wrong), f"seed {seed}: " + "; ".join(w for w in wrong if w)
    untouched = [
        n
        for n, a in file.arguments.items()
        if isinstance(a.value, np.ndarray) and n not in expected
    ]
    for name in untouched:
        np.testing.assert_array_equal(got[name], file.arguments[name].value)
    if file.prints:
        printed = capfd.readouterr().out.splitlines()
        assert sorted(line for line in printed if line) == sorted(file.prints)


def test_every_kernel_has_inputs_and_a_reference() -> None:
    for file in kernel_file.read_all():
        assert file.launches, file.name
        used = {name for launch in file.launches for name in launch.arguments}
        assert used == set(file.arguments), file.name
        with np.errstate(all="ignore"):
            expected = reference.expected(file.name, file.values())
        written = {n for n, a in file.arguments.items() if a.role in ("out", "inout")}
        assert set(expected) == written, file.name
