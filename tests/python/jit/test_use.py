"""Kernels as objects: arguments by name, threads, redefinition, fork, other libraries' arrays."""

from __future__ import annotations

import linecache
import os
import threading

import numpy as np
import pytest

import heald as hd

cuda = hd.cuda


@hd.jit
def scale(x, factor=2, *, offset=0):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * factor + offset


def test_default_and_keyword_arguments(device):
    x = hd.ones(3, dtype=np.float32)
    scale[1, 32](x)
    scale[1, 32](x, offset=1)
    scale[1, 32](x, factor=np.float32(3))
    np.testing.assert_array_equal(hd.asnumpy(x), [15, 15, 15])


def test_forall_and_streams(device):
    x = hd.ones(1000, dtype=np.float32)
    stream = hd.Stream()
    scale.forall(1000, stream=stream)(x, 3)
    scale[4, 256, stream](x, 2)
    stream.synchronize()
    assert (hd.asnumpy(x) == 6).all()


def test_host_arguments(device):
    x = np.ones(5)
    scale[1, 32](hd.InOut(x), 4.0)
    np.testing.assert_array_equal(x, np.full(5, 4.0))


def test_one_version_for_each_signature(device):
    @hd.jit
    def kernel(x, n):
        x[0] = n

    x = hd.zeros(4, dtype=np.int64)
    kernel[1, 1](x, 1)
    kernel[1, 1](x, 100)
    assert len(kernel.versions) == 1
    kernel[1, 1](x, -5)
    kernel[1, 1](x[::2], 1)
    kernel[1, 1](x, 2.0)
    assert len(kernel.versions) == 4
    kernel[1, 1](x, 2**40)
    assert hd.asnumpy(x)[0] == 2**40


def test_large_launches_have_wide_indices(device):
    @hd.jit
    def kernel(out):
        i = cuda.grid(1)
        if i == 0:
            out[0] = cuda.gridsize(1)

    out = hd.zeros(1, dtype=np.int64)
    kernel[2, 32](out)
    assert hd.asnumpy(out)[0] == 64
    assert "long long" not in kernel.source().split("__global__")[1].split(")")[0].replace(
        "long long* out", ""
    )


def test_facts_about_the_code(device):
    x = hd.ones(3, dtype=np.float32)
    scale[1, 32](x)
    assert "__global__ void scale" in scale.source()
    assert scale.registers >= 0
    assert 0 <= scale.occupancy(128) <= 1
    assert isinstance(scale.kernel(), hd.Kernel)
    assert "scale" in repr(scale) and scale.__doc__ is None


def test_threads(device):
    @hd.jit
    def kernel(x, k):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += k

    failures = []

    def work(k):
        try:
            x = hd.zeros(100, dtype=np.float32 if k % 2 else np.float64)
            for _ in range(20):
                kernel[1, 128](x, k)
            assert (hd.asnumpy(x) == 20 * k).all()
        except BaseException as failure:
            failures.append(failure)

    with device:
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures
    assert len({str(v.types) for v in kernel.versions}) == len(kernel.versions)


def test_redefined_in_a_cell(device):
    """Cells of a notebook have file names of their own in linecache; a global that is another
    object at the next definition is another constant."""
    scope = {"hd": hd}
    results = []
    for k, body in enumerate(("x[0] + 1", "x[0] * 10")):
        name = f"<cell {k}>"
        text = f"@hd.jit\ndef cell(x):\n    x[0] = {body}\n"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), scope)
        x = hd.full(1, 5, dtype=np.int32)
        scope["cell"][1, 1](x)
        results.append(int(x[0]))
    assert results == [6, 50]


def test_no_source(device):
    scope = {"hd": hd}
    exec("@hd.jit\ndef kernel(x):\n    x[0] = 1\n", scope)
    with pytest.raises(hd.JitError, match="source of kernel is not to be had"):
        scope["kernel"][1, 1](hd.zeros(1))


FACTOR = 3


def test_recompile_sees_new_constants(device, monkeypatch):
    @hd.jit
    def kernel(x):
        x[0] = FACTOR

    x = hd.zeros(1, dtype=np.int32)
    kernel[1, 1](x)
    monkeypatch.setitem(globals(), "FACTOR", 7)
    kernel[1, 1](x)
    assert int(x[0]) == 3
    kernel.recompile()
    kernel[1, 1](x)
    assert int(x[0]) == 7


def test_recursion_of_a_closure(device):
    def power(b, n):
        return 1 if n == 0 else b * power(b, n - 1)

    @hd.jit
    def kernel(x):
        x[0] = power(2, 10)

    x = hd.zeros(1, dtype=np.int32)
    kernel[1, 1](x)
    assert int(x[0]) == 1024


def test_fork(cpu):
    x = hd.ones(3, dtype=np.float32)
    scale[1, 32](x)
    child = os.fork()
    if child == 0:
        try:
            y = hd.ones(3, dtype=np.float64)
            scale[1, 32](y, 5)
            os._exit(0 if (hd.asnumpy(y) == 5).all() else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


def test_dlpack_arguments(cpu):
    jax = pytest.importorskip("jax")

    @hd.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i] * 2

    out = hd.zeros(4, dtype=np.float32)
    kernel[1, 32](jax.numpy.arange(4, dtype="float32"), out)
    np.testing.assert_array_equal(hd.asnumpy(out), [0, 2, 4, 6])


def test_device_source(device):
    source = hd.device_source(
        "__device__ float third(const float* x, int n) { return n > 2 ? x[2] : 0.0f; }\n"
        "__device__ void put(float* x, float value) { x[0] = value; }",
        name="third",
    )
    put = hd.device_source(
        "__device__ inline void put_first(float* x, float value) { x[0] = value; }"
    )

    @hd.jit
    def kernel(x, out):
        out[1] = source(x, x.size)
        put(out, 9)

    out = hd.zeros(2, dtype=np.float32)
    kernel[1, 1](hd.array(np.arange(4, dtype=np.float32)), out)
    np.testing.assert_array_equal(hd.asnumpy(out), [9, 2])
    with pytest.raises(ValueError, match="no function"):
        hd.device_source("int x;")
    with pytest.raises(TypeError, match="only be called in a kernel"):
        put(1, 2)


def test_wraparound_and_debug(device):
    @hd.jit(wraparound=True, debug=True)
    def kernel(x, i):
        x[i - 1] = 5

    x = hd.zeros(4, dtype=np.int32)
    kernel[1, 1](x, 0)
    np.testing.assert_array_equal(hd.asnumpy(x), [0, 0, 0, 5])


def test_debug_checks_indices(cpu):
    @hd.jit(debug=True)
    def kernel(x, i):
        x[i] = 5

    with pytest.raises(hd.Error, match="assert"):
        kernel[1, 1](hd.zeros(4), 4)
        cpu.default_stream.synchronize()


def test_ordered_across_streams(device):
    """Arrays that are only read do not wait for each other; what is written is seen."""
    first, second = hd.Stream(), hd.Stream()
    x = hd.ones(1 << 16, dtype=np.float32)
    for _ in range(20):
        scale.forall(x.size, stream=first)(x, 2)
        scale.forall(x.size, stream=second)(x, 0.5)
    first.synchronize()
    second.synchronize()
    assert (hd.asnumpy(x) == 1).all()


def test_mandelbrot_example(device, monkeypatch, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    folder = os.path.join(os.path.dirname(__file__), "..", "..", "..", "examples", "jit")
    monkeypatch.syspath_prepend(folder)
    import mandelbrot

    picture = tmp_path / "picture.png"
    image = mandelbrot.main(["--size", "90", "--output", str(picture), "--device", device.name])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "points in" in capsys.readouterr().out
    # Inside (-0.2, 0); the corner takes three turns.
    assert image[30, int((-0.2 + 2.1) * 30)] == 200 and image[0, 0] == 3


def test_records(device):
    @hd.jit
    def kernel(settings, out):
        out[0] = settings.scale * settings["count"]
        out[1] = settings.flag

    dtype = np.dtype([("flag", "?"), ("scale", "f4"), ("count", "i8")], align=True)
    for layout in (dtype, np.dtype([(n, dtype[n]) for n in dtype.names])):
        out = hd.zeros(2, dtype=np.float32)
        kernel[1, 1](np.array((True, 1.5, 4), layout)[()], out)
        np.testing.assert_array_equal(hd.asnumpy(out), [6, 1])


def test_grid_synchronisation(device):
    """The heat equation in one launch: all blocks take a step, then wait for each other."""

    @hd.jit
    def steps(a, b, count):
        grid = cuda.cg.this_grid()
        i = cuda.grid(1)
        for _ in range(count):
            if 0 < i < a.size - 1:
                b[i] = a[i] + 0.25 * (a[i - 1] - 2 * a[i] + a[i + 1])
            grid.sync()
            if 0 < i < a.size - 1:
                a[i] = b[i]
            grid.sync()

    x = np.zeros(256)
    x[100] = 1
    a, b = hd.array(x), hd.zeros(256)
    try:
        steps[4, 64](a, b, 30)
        device.default_stream.synchronize()
    except (hd.UnavailableError, hd.CompileError) as refused:
        assert device.kind == "cpu"
        pytest.skip(f"the CPU has no barrier over the grid: {refused}")
    for _ in range(30):
        x[1:-1] += 0.25 * (x[:-2] - 2 * x[1:-1] + x[2:])
    np.testing.assert_allclose(hd.asnumpy(a), x, atol=1e-15)


def test_empty_kernel(device):
    @hd.jit
    def kernel(a, x, out):
        pass

    x = hd.ones(3)
    kernel[1, 1](2.0, x, x)
    assert (hd.asnumpy(x) == 1).all()
