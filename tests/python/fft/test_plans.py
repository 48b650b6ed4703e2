"""hd.FFT: plans with operations before and after the transform; filters and convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.signal

import heald as hd

RANDOM = np.random.default_rng(7)


def numbers(shape: Any, dtype: Any) -> np.ndarray:
    dtype = np.dtype(dtype)
    x = RANDOM.standard_normal(shape)
    return (x + 1j * RANDOM.standard_normal(shape) if dtype.kind == "c" else x).astype(dtype)


def assert_close(got: hd.Array, want: np.ndarray, bound: float = 1e-13) -> None:
    host = hd.asnumpy(got)
    assert host.shape == want.shape
    assert host.dtype.kind == want.dtype.kind
    error = np.linalg.norm((host - want).ravel())
    assert error <= bound * max(1e-30, np.linalg.norm(want.ravel()))


def test_without_callbacks(device: hd.Device) -> None:
    x = numbers((5, 12, 8), "c16")
    plan = hd.FFT(x.shape, "complex128", axes=(0, 2), norm="ortho")
    a = hd.asarray(x)
    assert_close(plan.execute(a), np.fft.fftn(x, axes=(0, 2), norm="ortho"))
    assert_close(plan(a, direction="inverse"), np.fft.ifftn(x, axes=(0, 2), norm="ortho"))
    assert plan.execute(a, out=a) is a
    assert_close(a, np.fft.fftn(x, axes=(0, 2), norm="ortho"))
    real = numbers((6, 9), "f4")
    half = hd.FFT(real.shape, "float32", axes=1, kind="r2c", n=(16,))
    assert half.result_shape == (6, 9)
    got = half.execute(hd.asarray(real))
    assert got.dtype == np.complex64
    assert_close(got, np.fft.rfft(real.astype("f8"), 16), 1e-6)
    back = hd.FFT((6, 9), "complex64", axes=1, kind="c2r")
    assert_close(back.execute(got), np.fft.irfft(hd.asnumpy(got).astype("c16")), 1e-6)


@pytest.mark.parametrize("rows", [1, 3, 700])
def test_prologue_and_epilogue(device: hd.Device, rows: int) -> None:
    """Fused and unfused agree; indices and operands are those of the whole, in parts or not."""
    x, window = numbers((rows, 500), "f8"), np.hanning(500)
    gain = numbers((rows, 1), "f8")
    plan = hd.FFT(
        x.shape,
        "float64",
        axes=(1,),
        kind="r2c",
        prologue=lambda v, i, w, g: v * w * g + i[0] + 2 * i[1],
        epilogue=lambda v, i, shift: hd.abs(v) + i[0] - i[1] + shift,
    )
    row, column = np.arange(rows)[:, None], np.arange(500)
    want = np.abs(np.fft.rfft(x * window * gain + row + 2 * column))
    shift = numbers((rows, 251), "f8")
    want = want + row - np.arange(251) + shift
    got = plan.execute(
        hd.asarray(x),
        prologue_operands=(hd.asarray(window), hd.asarray(gain)),
        epilogue_operands=(hd.asarray(shift),),
    )
    assert got.dtype == np.float64
    assert_close(got, want)
    out = hd.zeros((rows, 251), "float64")
    plan.execute(
        hd.asarray(x),
        out=out,
        prologue_operands=(hd.asarray(window), hd.asarray(gain)),
        epilogue_operands=(hd.asarray(shift),),
    )
    assert np.array_equal(hd.asnumpy(out), hd.asnumpy(got))


def test_only_one_of_them(device: hd.Device) -> None:
    x = numbers((40, 64, 64), "c8")
    phase = hd.FFT(
        x.shape, "complex64", axes=(1, 2), prologue=lambda v, i: v * (1 - 2 * (i[2] % 2))
    )
    want = np.fft.fft2(x.astype("c16") * (1 - 2 * (np.arange(64) % 2)))
    assert_close(phase.execute(hd.asarray(x)), want, 1e-6)
    out = hd.zeros(x.shape, "complex64")
    phase.execute(hd.asarray(x), out=out)
    assert_close(out, want, 1e-6)
    power = hd.FFT(x.shape, "complex64", axes=(1, 2), epilogue=lambda v, i: v.real**2 + v.imag**2)
    assert_close(power.execute(hd.asarray(x)), np.abs(np.fft.fft2(x.astype("c16"))) ** 2, 1e-6)


def test_whole_array_without_batch(device: hd.Device) -> None:
    x = numbers((30, 40), "c16")
    plan = hd.FFT(x.shape, epilogue=lambda v, i: v * (i[0] < 15))
    assert_close(plan.execute(hd.asarray(x)), np.fft.fft2(x) * (np.arange(30)[:, None] < 15))


def test_errors_of_plans(device: hd.Device) -> None:
    x = hd.zeros((4, 8), "c16")
    plan = hd.FFT((4, 8), "complex128")
    for wrong in (hd.zeros((4, 9), "c16"), hd.zeros((4, 8), "c8")):
        with pytest.raises(ValueError, match="the plan is for"):
            plan.execute(wrong)
    with pytest.raises(ValueError, match="direction"):
        plan.execute(x, direction="backward")
    with pytest.raises(ValueError, match="kind"):
        hd.FFT((4,), kind="r2r")
    with pytest.raises(ValueError, match="unique"):
        hd.FFT((4, 4), axes=(0, -2))
    with pytest.raises(TypeError, match="must be a function"):
        hd.FFT((4,), prologue=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="element by element"):
        hd.FFT((4, 8), epilogue=lambda v, i: hd.zeros((2, 4, 8), "c16")).execute(x)
    with pytest.raises(TypeError, match=r"must return an hd\.Array"):
        hd.FFT((4, 8), prologue=lambda v, i: 3).execute(x)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        hd.FFT((4, 8), prologue=lambda v, i: v * (1 // 0)).execute(x)


def test_explain(device: hd.Device) -> None:
    text = hd.FFT((8, 64), axes=(1,), epilogue=lambda v, i: v * 2).explain(device)
    assert "epilogue: one fused pass" in text
    assert ("cuFFT" if device.kind == "cuda" else "pass over 1 axis") in text


def test_filter(device: hd.Device) -> None:
    for dtype in ("c16", "f8"):
        x = numbers((3, 20, 31), dtype)
        transform, back = (np.fft.fftn, np.fft.ifftn) if dtype == "c16" else (None, None)
        if transform is None:
            h = numbers((20, 16), "c16")
            want = np.fft.irfftn(np.fft.rfftn(x, axes=(1, 2)) * h, (20, 31), (1, 2))
        else:
            h = numbers((20, 31), "c16")
            want = back(transform(x, axes=(1, 2)) * h, axes=(1, 2))
        a = hd.asarray(x)
        assert_close(hd.fft.filter(a, hd.asarray(h), axes=(1, 2)), want)
        out = hd.zeros(want.shape, want.dtype)
        assert hd.fft.filter(a, hd.asarray(h), axes=(1, 2), out=out) is out
        assert_close(out, want)
        assert np.array_equal(hd.asnumpy(a), x)


def test_next_fast_len() -> None:
    smooth = sorted(
        2**a * 3**b * 5**c * 7**d
        for a in range(16)
        for b in range(10)
        for c in range(7)
        for d in range(6)
    )
    for n in [*range(1, 3000), 10007, 65537 // 2]:
        assert hd.fft.next_fast_len(n) == next(k for k in smooth if k >= n)
    with pytest.raises(ValueError, match="positive"):
        hd.fft.next_fast_len(0)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolutions(device: hd.Device, mode: str) -> None:
    pairs: list[tuple[Any, Any, Any]] = [
        ((50,), (7,), None),
        ((7,), (50,), None),
        ((12, 15), (5, 4), None),
        ((3, 400), (3, 9), 1),
        ((3, 400), (1, 9), (1,)),
        ((1000, 2), (30, 2), 0),
    ]
    for first, second, axes in pairs:
        for dtype in ("f8", "c16"):
            a, b = numbers(first, dtype), numbers(second, dtype)
            for name in ("fftconvolve", "oaconvolve"):
                want = getattr(scipy.signal, name)(a, b, mode, axes)
                got = getattr(hd.fft, name)(hd.asarray(a), hd.asarray(b), mode, axes)
                assert_close(got, want, 1e-12)
    with pytest.raises(ValueError, match="mode"):
        hd.fft.fftconvolve(hd.zeros(4), hd.zeros(3), "most")


def test_results_may_go_where_operands_lie(device: hd.Device) -> None:
    """Parts of a batch must not overwrite what later parts read."""
    x = numbers((600, 512), "c16")
    window = numbers((600, 512), "c16")
    plan = hd.FFT(x.shape, "complex128", axes=1, prologue=lambda v, i, w: v * w)
    want = np.fft.fft(x * window, axis=1)
    a, w = hd.asarray(x), hd.asarray(window)
    assert_close(plan.execute(a, out=a, prologue_operands=(w,)), want)
    a = hd.asarray(x)
    assert_close(plan.execute(a, out=w, prologue_operands=(w,)), want)
    w = hd.asarray(window)
    assert_close(plan.execute(a, out=a[::-1], prologue_operands=(w,)), want)
    both = hd.asarray(np.concatenate([x, np.zeros((50, 512))]))
    assert_close(plan.execute(both[:600], out=both[50:], prologue_operands=(w,)), want)


def test_callbacks_see_parts(device: hd.Device) -> None:
    x = hd.asarray(numbers((600, 512), "c16"))
    for callback in (lambda v, i: v - v.mean(), lambda v, i: v / abs(v).max()):
        for where in ("prologue", "epilogue"):
            plan = hd.FFT(x.shape, "complex128", axes=1, **{where: callback})
            with pytest.raises(ValueError, match=f"the {where} reduces its values"):
                plan.execute(x)
    scale = hd.asarray(numbers(512, "f8"))
    plan = hd.FFT(x.shape, "complex128", axes=1, prologue=lambda v, i: v * scale.sum())
    assert_close(plan.execute(x), np.fft.fft(hd.asnumpy(x) * hd.asnumpy(scale).sum(), axis=1))
