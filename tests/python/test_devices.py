"""Devices, their properties, and which one is current."""

from __future__ import annotations

import pickle
import threading

import pytest

import heald as hd


def test_cpu_is_always_there():
    assert hd.Device("cpu") in hd.devices()
    assert hd.devices()[-1].kind == "cpu"


def test_properties(device):
    properties = device.properties
    assert properties.name
    assert properties.architecture.startswith("sm_" if device.kind == "cuda" else "x86-64")
    assert properties.warp_size == 32
    assert properties.max_threads_per_block >= 1024
    assert properties.max_block[0] >= 1024
    assert properties.multiprocessor_count >= 1
    assert properties.total_memory > 0
    free, total = device.memory_info
    assert 0 < free <= total


def test_names_and_equality(device):
    assert hd.Device(device.name) == device
    assert hash(hd.Device(device.name)) == hash(device)
    assert hd.Device(device) == device
    assert device != "cpu"
    assert device.name in repr(device)
    assert str(device) == device.name
    assert pickle.loads(pickle.dumps(device)) == device


def test_with_makes_current_and_nests(device):
    before = hd.Device()
    with hd.Device("cpu") as cpu:
        assert hd.Device() == cpu
        with device:
            assert hd.Device() == device
        assert hd.Device() == cpu
    assert hd.Device() == before


def test_current_device_is_per_thread(cpu):
    seen = []
    stream = hd.Stream("cpu")
    with stream:
        thread = threading.Thread(target=lambda: seen.append(hd.Stream.current()))
        thread.start()
        thread.join()
        assert hd.Stream.current() == stream
    assert seen[0] != stream


def test_missing_gpu_says_why():
    if hd.why_no_gpu() == "":
        pytest.skip("there is a GPU")
    with pytest.raises(hd.UnavailableError, match="cuda:0") as error:
        hd.Device("cuda:0")
    assert isinstance(error.value, RuntimeError)


@pytest.mark.parametrize("name", ["gpu", "cuda:x", "cpu:1", ""])
def test_unknown_names(name):
    with pytest.raises(hd.HealdError):
        hd.Device(name)


def test_wrong_type():
    with pytest.raises(TypeError, match="hd.Device or a name"):
        hd.Device(3.5)


def test_choice_by_environment(run_python):
    result = run_python("import heald as hd; print(hd.Device())", env={"HEALD_DEVICE": "cpu"})
    assert result.stdout.strip() == "cpu", result.stderr


def test_no_visible_gpu_is_silent(run_python):
    result = run_python(
        "import heald as hd; print(hd.Device())",
        env={"CUDA_VISIBLE_DEVICES": "", "HEALD_DEVICE": ""},
    )
    assert result.stdout.strip() == "cpu"
    assert result.stderr == ""


def test_peer_access(two_gpus):
    first, second = two_gpus
    assert isinstance(first.can_access(second), bool)
    x = hd.full(1000, 5, "int32", device=first)
    assert (hd.asnumpy(x.to(second)) == 5).all()
