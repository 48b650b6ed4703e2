"""hd.fft's functions beside NumPy's and a direct sum in float64."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heald as hd

SIZES = [1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 30, 49, 64, 97, 100, 125, 127, 210, 243, 251, 1000, 1009]
ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"]
NORMS = [None, "backward", "ortho", "forward"]
RANDOM = np.random.default_rng(5)


def numbers(shape: Any, dtype: Any) -> np.ndarray:
    dtype = np.dtype(dtype)
    x = RANDOM.standard_normal(shape)
    if dtype.kind == "c":
        return (x + 1j * RANDOM.standard_normal(shape)).astype(dtype)
    return (x * 10).astype(dtype)


def eps(dtype: Any) -> float:
    return float(np.finfo(dtype).eps)


def assert_close(got: hd.Array | np.ndarray, want: np.ndarray, points: int, dtype: Any) -> None:
    """The relative L2 error of a transform: 5 eps log2(n); `want` is in double precision."""
    got = hd.asnumpy(got)
    assert got.shape == want.shape
    assert got.dtype == np.dtype(dtype)
    size = np.linalg.norm(want.ravel())
    error = np.linalg.norm((got - want).ravel())
    assert error <= 5 * eps(dtype) * max(1, np.log2(points)) * size + 1e-300


def takes_real(name: str) -> bool:
    return name in ("rfft", "ihfft", "rfftn", "rfft2")


def result_dtype(name: str, single: bool) -> str:
    if name in ("irfft", "hfft", "irfftn", "irfft2"):
        return "float32" if single else "float64"
    return "complex64" if single else "complex128"


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 13, 30, 64, 97])
@pytest.mark.parametrize("sign", [-1, 1])
def test_direct_sum(device: hd.Device, n: int, sign: int) -> None:
    x = numbers((3, n), "complex128")
    j = np.arange(n)
    exact = x @ np.exp(sign * 2j * np.pi * ((j[:, None] * j) % n) / n)
    for dtype in ("complex64", "complex128"):
        if sign < 0:
            got = hd.fft.fft(hd.asarray(x.astype(dtype)))
        else:
            got = hd.fft.ifft(hd.asarray(x.astype(dtype)), norm="forward")
        want = exact
        if dtype == "complex64":
            want = x.astype(dtype) @ np.exp(sign * 2j * np.pi * ((j[:, None] * j) % n) / n)
        assert_close(got, want, n, dtype)


@pytest.mark.parametrize("name", ONE_AXIS)
@pytest.mark.parametrize("single", [True, False])
def test_sizes(device: hd.Device, name: str, single: bool) -> None:
    for n in [*SIZES, 1 << 15]:
        length = n // 2 + 1 if name in ("irfft", "hfft") else n
        kind = "f" if takes_real(name) else "c"
        x = numbers((2, length), kind + ("4" if kind == "f" else "8"))
        wide = x.astype(kind + ("8" if kind == "f" else "16"))
        want = getattr(np.fft, name)(wide, n)
        got = getattr(hd.fft, name)(hd.asarray(x if single else wide), n)
        assert_close(got, want, n, result_dtype(name, single))


@pytest.mark.parametrize("name", ONE_AXIS)
def test_n_axis_norm_out(device: hd.Device, name: str) -> None:
    x = numbers((5, 6, 9), "f8" if takes_real(name) else "c16")
    for axis in (0, 1, 2, -1, -2, -3):
        for n in (None, 1, 4, 6, 13):
            for norm in NORMS:
                want = getattr(np.fft, name)(x, n, axis, norm)
                got = getattr(hd.fft, name)(hd.asarray(x), n, axis, norm)
                assert_close(got, want, 16, result_dtype(name, False))
                out = hd.full(want.shape, np.nan, want.dtype)
                assert getattr(hd.fft, name)(hd.asarray(x), n, axis, norm, out) is out
                assert_close(out, want, 16, result_dtype(name, False))


@pytest.mark.parametrize("name", SEVERAL)
def test_several_axes(device: hd.Device, name: str) -> None:
    x = numbers((4, 3, 5, 6), "f8" if takes_real(name) else "c16")
    dtype = result_dtype(name, False)
    for axes in [(0, 1), (3, 0), (-1, -2), (2,), (1, 3, 0), (3, 2, 1, 0), None]:
        if axes is None and name.endswith("2"):
            continue
        count = len(axes) if axes else 4
        for s in (None, tuple(range(4, 4 + count)), tuple([-1] * (count - 1) + [7])):
            for norm in ("backward", "ortho", "forward"):
                chosen = axes if axes is not None or s is None else tuple(range(4))
                want = getattr(np.fft, name)(x, s, chosen, norm)
                got = getattr(hd.fft, name)(hd.asarray(x), s, axes, norm)
                assert_close(got, want, 1000, dtype)


def test_five_axes(device: hd.Device) -> None:
    x = numbers((3, 4, 2, 5, 6), "c8")
    for axes in [(0, 1, 2, 3, 4), (4, 0, 2, 1), (1, 4, 3)]:
        assert_close(
            hd.fft.fftn(hd.asarray(x), axes=axes),
            np.fft.fftn(x.astype("c16"), axes=axes),
            720,
            "complex64",
        )
    real = numbers((3, 4, 2, 5, 6), "f8")
    assert_close(hd.fft.rfftn(hd.asarray(real)), np.fft.rfftn(real), 720, "complex128")
    half = numbers((3, 4, 2, 5, 4), "c16")
    assert_close(hd.fft.irfftn(hd.asarray(half)), np.fft.irfftn(half), 720, "float64")


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft"])
def test_strides(device: hd.Device, name: str) -> None:
    x = numbers((12, 10, 14), "f8" if takes_real(name) else "c16")
    on_device = hd.asarray(x)
    dtype = result_dtype(name, False)
    function, reference = getattr(hd.fft, name), getattr(np.fft, name)
    keys: list[Any] = [
        np.s_[::2, 1:-1, ::-1],
        np.s_[::-1, ::3, 2:],
        np.s_[3, :, ::2],
        np.s_[:, None, 4],
    ]
    for key in keys:
        for axis in (0, -1):
            before = hd.asnumpy(on_device)
            assert_close(
                function(on_device[key], axis=axis), reference(x[key], axis=axis), 14, dtype
            )
            assert np.array_equal(hd.asnumpy(on_device), before)
    assert_close(function(on_device.T), reference(x.T), 14, dtype)
    spread = hd.broadcast_to(on_device[0, 0], (3, 14))
    assert_close(function(spread), reference(np.broadcast_to(x[0, 0], (3, 14))), 14, dtype)
    want = reference(x, axis=1)
    wide = hd.full((*want.shape[:2], want.shape[2] * 2), -7, dtype)
    function(on_device, axis=1, out=wide[..., ::-2])
    assert_close(wide[..., ::-2], want, 14, dtype)
    assert (hd.asnumpy(wide)[..., ::2] == -7).all()


def test_odd_rows_are_unaligned(device: hd.Device) -> None:
    """Rows of complex64 of odd length begin between the places that vectors like."""
    for shape in [(1001, 33), (401, 127), (2, 3, 7, 9)]:
        x = numbers(shape, "c8")
        assert_close(hd.fft.fft(hd.asarray(x)), np.fft.fft(x.astype("c16")), shape[-1], "complex64")
        flat = hd.asarray(np.concatenate([numbers(1, "c8"), x.ravel()]))[1:].reshape(shape)
        assert_close(hd.fft.fft(flat), np.fft.fft(x.astype("c16")), shape[-1], "complex64")


def test_real_input_of_complex_transforms(device: hd.Device) -> None:
    for dtype in ("bool", "int8", "uint16", "int64", "float16", "float32", "float64"):
        x = numbers((4, 10), dtype)
        want = np.fft.fft(x.astype("f8"))
        single = dtype in ("float16", "float32")
        assert_close(hd.fft.fft(hd.asarray(x)), want, 10, result_dtype("fft", single))
        assert_close(
            hd.fft.irfft(hd.asarray(x)),
            np.fft.irfft(x.astype("f8")),
            18,
            result_dtype("irfft", single),
        )
    bfloat16 = hd.asarray([1.0, 2.0, 3.0], "bfloat16")
    assert_close(hd.fft.fft(bfloat16), np.fft.fft([1.0, 2.0, 3.0]), 3, "complex64")


def test_pending_input(device: hd.Device) -> None:
    x = numbers((6, 16), "c16")
    a = hd.asarray(x)
    assert_close(hd.fft.fft(a * 2 + 1), np.fft.fft(x * 2 + 1), 16, "complex128")
    assert_close(hd.fft.ifft(hd.fft.fft(a) * 3), x * 3, 256, "complex128")


def test_in_place(device: hd.Device) -> None:
    for shape, axes in [((7, 32), (1,)), ((64, 48), (0, 1)), ((40, 30, 20), (0, 2))]:
        x = numbers(shape, "c16")
        a = hd.asarray(x)
        assert hd.fft.fftn(a, axes=axes, out=a) is a
        assert_close(a, np.fft.fftn(x, axes=axes), 4096, "complex128")
        hd.fft.ifftn(a, axes=axes, out=a)
        assert_close(a, x, 4096, "complex128")
    x = numbers(40, "c16")
    a = hd.asarray(x)
    hd.fft.fft(a[:32], out=a[8:])  # overlaps itself
    assert_close(a[8:], np.fft.fft(x[:32]), 32, "complex128")
    assert np.array_equal(hd.asnumpy(a[:8]), x[:8])


def test_hermitian_input_need_not_be(device: hd.Device) -> None:
    """The imaginary parts of DC and Nyquist do not count, and the input is never destroyed."""
    for n in (*range(1, 40), 64, 100, 128, 256, 1000, 1024, 1 << 16):
        x = numbers((3, n // 2 + 1), "c16") + 100j
        a = hd.asarray(x)
        assert_close(hd.fft.irfft(a, n), np.fft.irfft(x, n), n, "float64")
        assert np.array_equal(hd.asnumpy(a), x)
    for shape, s in [((8, 5), None), ((6, 9, 17), None), ((5, 7, 5), (5, 7, 9)), ((64, 65), None)]:
        x = numbers(shape, "c16") + 100j
        a = hd.asarray(x)
        axes = None if s is None else (0, 1, 2)
        assert_close(hd.fft.irfftn(a, s, axes), np.fft.irfftn(x, s, axes), 4096, "float64")
        assert np.array_equal(hd.asnumpy(a), x)


@pytest.mark.parametrize(
    "shape", [(1 << 20,), (300, 400), (33, 500, 64), (2, 512, 512), (1 << 17, 3), (3, 1 << 16)]
)
def test_large(device: hd.Device, shape: tuple[int, ...]) -> None:
    points = int(np.prod(shape))
    x = numbers(shape, "c8")
    a = hd.asarray(x)
    spectrum = hd.fft.fftn(a)
    assert_close(spectrum, np.fft.fftn(x.astype("c16")), points, "complex64")
    assert_close(hd.fft.ifftn(spectrum), x.astype("c16"), points**2, "complex64")
    real = x.real.copy()
    half = hd.fft.rfftn(hd.asarray(real))
    assert_close(half, np.fft.rfftn(real.astype("f8")), points, "complex64")
    assert_close(hd.fft.irfftn(half, shape, tuple(range(len(shape)))), real.astype("f8"),
                 points**2, "float32")  # fmt: skip
    assert_close(hd.fft.fft(a, axis=0, norm="ortho"),
                 np.fft.fft(x.astype("c16"), axis=0, norm="ortho"), points, "complex64")  # fmt: skip


def test_empty_batches(device: hd.Device) -> None:
    for name in (*ONE_AXIS, *SEVERAL):
        shape = (0, 4, 6)
        dtype = "f8" if takes_real(name) else "c16"
        axes = {} if name in ONE_AXIS else {"axes": (1, 2)}
        want = getattr(np.fft, name)(np.zeros(shape, dtype), **axes)
        got = getattr(hd.fft, name)(hd.zeros(shape, dtype), **axes)
        assert (got.shape, got.dtype) == (want.shape, want.dtype)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda f, x: f.fft(x, 0), ValueError, "Invalid number of FFT data points"),
        (lambda f, x: f.fft(x, -1), ValueError, "Invalid number of FFT data points"),
        (lambda f, x: f.fft(x[:, :0]), ValueError, "Invalid number of FFT data points"),
        (lambda f, x: f.irfft(x[:, :1]), ValueError, "Invalid number of FFT data points"),
        (lambda f, x: f.fft(x, axis=2), IndexError, "axis 2"),
        (lambda f, x: f.fft(x, axis=-3), IndexError, "axis -3"),
        (lambda f, x: f.fft(x, norm="both"), ValueError, "Invalid norm value"),
        (lambda f, x: f.fftn(x, (2, 3), (0,)), ValueError, "different lengths"),
        (lambda f, x: f.rfft(x), TypeError, "real"),
        (lambda f, x: f.fft(x[0, 0]), IndexError, "axis"),
    ],
)
def test_errors(device: hd.Device, call: Any, kind: type, words: str) -> None:
    x = numbers((3, 4), "c16")
    with pytest.raises(kind):
        call(np.fft, x)
    with pytest.raises((kind, ValueError) if kind is IndexError else kind) as caught:
        call(hd.fft, hd.asarray(x))
    assert words.lower() in str(caught.value).lower()


def test_errors_of_heald(device: hd.Device) -> None:
    x = hd.zeros((3, 4), "c16")
    with pytest.raises(ValueError, match="unique"):
        hd.fft.fftn(x, axes=(0, 1, -1))
    with pytest.raises(ValueError, match="out has shape"):
        hd.fft.fft(x, out=hd.zeros((3, 5), "c16"))
    with pytest.raises(TypeError, match="same_kind"):
        hd.fft.fft(x, out=hd.zeros((3, 4), "f8"))
    with pytest.raises(TypeError, match=r"numpy\.ndarray"):
        hd.fft.fft(np.zeros(4))


def test_out_of_another_precision(device: hd.Device) -> None:
    x = numbers((5, 8), "c16")
    out = hd.zeros((5, 8), "c8")
    hd.fft.fft(hd.asarray(x), out=out)
    assert_close(out, np.fft.fft(x), 8, "complex64")


def test_numpy_functions_stay_in_heald(device: hd.Device) -> None:
    x = numbers((4, 6), "f8")
    for name in ("fft", "rfft", "ifft2", "fftn", "fftshift", "ihfft"):
        got = getattr(np.fft, name)(hd.asarray(x))
        assert isinstance(got, hd.Array)
        want = getattr(np.fft, name)(x)
        assert_close(got, want, 24, want.dtype)


def test_frequencies_and_shifts(device: hd.Device) -> None:
    for n in (1, 2, 5, 8):
        for d in (1.0, 0.25):
            assert np.allclose(hd.asnumpy(hd.fft.fftfreq(n, d)), np.fft.fftfreq(n, d), 1e-15)
            assert np.allclose(hd.asnumpy(hd.fft.rfftfreq(n, d)), np.fft.rfftfreq(n, d), 1e-15)
    x = numbers((4, 5, 6), "f8")
    for axes in (None, 0, (1, 2), -1):
        for name in ("fftshift", "ifftshift"):
            got = getattr(hd.fft, name)(hd.asarray(x), axes)
            assert np.array_equal(hd.asnumpy(got), getattr(np.fft, name)(x, axes))
    with pytest.raises(ValueError, match="integer"):
        hd.fft.fftfreq(2.5)


@settings(max_examples=25, deadline=None)
@given(
    shape=st.lists(st.integers(1, 12), min_size=1, max_size=3),
    single=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_laws(shape: list[int], single: bool, seed: int) -> None:
    """Round trip, Parseval, linearity, shift theorem."""
    rng = np.random.default_rng(seed)
    dtype = "complex64" if single else "complex128"
    bound = 20 * eps(dtype) * max(1, np.log2(np.prod(shape)))

    def make() -> np.ndarray:
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)

    def size(x: np.ndarray) -> float:
        return float(np.linalg.norm(np.asarray(x, "c16").ravel()))

    with hd.Device("cpu"):
        x, y = make(), make()
        a, b = hd.asarray(x), hd.asarray(y)
        spectrum = hd.asnumpy(hd.fft.fftn(a))
        assert size(hd.asnumpy(hd.fft.ifftn(hd.fft.fftn(a))) - x) <= bound * size(x)
        assert abs(size(spectrum) ** 2 / np.prod(shape) - size(x) ** 2) <= 2 * bound * size(x) ** 2
        both = hd.asnumpy(hd.fft.fftn(a * 2 + b))
        parts = 2 * spectrum + hd.asnumpy(hd.fft.fftn(b))
        assert size(both - parts) <= bound * (2 * size(spectrum) + size(parts))
        n = shape[-1]
        rolled = hd.asnumpy(hd.fft.fft(hd.roll(a, 3, -1)))
        phase = np.exp(-2j * np.pi * 3 * np.arange(n) / n)
        straight = hd.asnumpy(hd.fft.fft(a))
        assert size(rolled - straight * phase) <= 2 * bound * size(straight)
        real = hd.asarray(x.real.copy())
        half = hd.asnumpy(hd.fft.rfft(real))
        assert size(half - hd.asnumpy(hd.fft.fft(real))[..., : n // 2 + 1]) <= bound * size(half)


def test_from_several_threads(device: hd.Device) -> None:
    """First plans made at the same moment, and one plan used from several threads."""
    hd.fft.cache.clear()
    x = numbers((64, 360), "c16")
    want = np.fft.fft(x)
    failures: list[BaseException] = []
    start = threading.Barrier(8)

    def work(n: int) -> None:
        try:
            start.wait()
            with device, hd.Stream(device):
                for _ in range(5):
                    assert_close(hd.fft.fft(hd.asarray(x)), want, 360, "complex128")
                    assert_close(hd.fft.fft(hd.asarray(x), n), np.fft.fft(x, n), 360, "complex128")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(300 + k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_cache(device: hd.Device) -> None:
    hd.fft.cache.clear()
    x = hd.zeros((3, 50), "c16")
    before = hd.fft.cache.info()
    hd.fft.fft(x)
    hd.fft.fft(x)
    after = hd.fft.cache.info()
    assert (after.size, after.hits - before.hits, after.misses - before.misses) == (1, 1, 1)
    try:
        hd.fft.cache.limit(2)
        for n in (10, 11, 12, 13):
            hd.fft.fft(x, n)
        assert hd.fft.cache.info().size == 2
        hd.fft.cache.limit(0)
        assert_close(hd.fft.fft(x + 1), np.fft.fft(np.ones((3, 50))), 50, "complex128")
        assert hd.fft.cache.info().size == 0
    finally:
        hd.fft.cache.limit(before.limit)
    with pytest.raises(ValueError, match="negative"):
        hd.fft.cache.limit(-1)
