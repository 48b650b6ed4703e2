"""Products of matrices: every dtype, layout, size and epilogue against float64."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import heald as hd

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = ["float32", "float64", "float16", "bfloat16", "complex64", "complex128"]
SIZES = [(1, 1, 1), (2, 3, 1), (1, 17, 5), (31, 1, 16), (16, 32, 48), (64, 64, 64), (65, 129, 97)]


def dtype_of(name: str) -> np.dtype[Any]:
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


def random(rng: np.random.Generator, shape: Any, dtype: str = "float32") -> np.ndarray:
    kind = dtype_of(dtype)
    if kind.kind in "iu":
        ends = np.iinfo(kind)
        return rng.integers(max(ends.min, -100), min(ends.max, 100), shape, endpoint=True).astype(
            kind
        )
    values = rng.standard_normal(shape)
    if kind.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(kind)


def wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def check_close(got: Any, a: np.ndarray, b: np.ndarray, want: np.ndarray, slope: float = 1) -> None:
    """The bound of Higham (2002), section 3.5: k units of roundoff of sum |a||b|, and the
    rounding of the result."""
    host = hd.asnumpy(got)
    assert host.shape == want.shape
    k = a.shape[-1]
    unit = float(ml_dtypes.finfo(host.dtype).eps)
    sums = 2.0**-24 if host.dtype.itemsize == 2 or host.dtype == np.complex64 else unit / 2
    parts = 4 if host.dtype.kind == "c" else 1
    magnitude = np.abs(wide(a)) @ np.abs(wide(b))
    bound = slope * ((k + 2) * parts * sums * magnitude + unit * (np.abs(want) + magnitude * 1e-7))
    error = np.abs(wide(host) - want)
    assert np.all(error <= bound + 1e-300), float(np.max(error / (bound + 1e-300)))


@pytest.mark.parametrize("name", FLOATS)
def test_products(device: hd.Device, rng: np.random.Generator, name: str) -> None:
    for m, n, k in SIZES:
        a, b = random(rng, (m, k), name), random(rng, (k, n), name)
        got = hd.matmul(hd.asarray(a), hd.asarray(b))
        assert got.dtype == a.dtype
        check_close(got, a, b, wide(a) @ wide(b))


@pytest.mark.parametrize("name", ["int8", "uint8", "int32", "int64", "uint16", "bool"])
def test_integers_are_exact(device: hd.Device, rng: np.random.Generator, name: str) -> None:
    for m, n, k in SIZES:
        if name == "bool":
            a, b = rng.random((m, k)) > 0.5, rng.random((k, n)) > 0.5
        else:
            a, b = random(rng, (m, k), name), random(rng, (k, n), name)
        np.testing.assert_array_equal(hd.asnumpy(hd.asarray(a) @ hd.asarray(b)), a @ b)


def test_int8_with_int32_result(device: hd.Device, rng: np.random.Generator) -> None:
    a, b = random(rng, (33, 200), "int8"), random(rng, (200, 47), "int8")
    plan = hd.Matmul((33, 200), (200, 47), dtype="int8", out_dtype="int32")
    got = hd.asnumpy(plan(hd.asarray(a), hd.asarray(b)))
    assert got.dtype == np.int32
    np.testing.assert_array_equal(got, a.astype(np.int32) @ b.astype(np.int32))


LAYOUTS = {
    "c": lambda x: x,
    "f": lambda x: hd.asarray(np.asfortranarray(hd.asnumpy(x))),
    "transposed": lambda x: x.mT.copy().mT,
    "sliced": lambda x: hd.concatenate([x, x], axis=-1)[..., : x.shape[-1]],
    "columns apart": lambda x: hd.repeat(x, 2, axis=-1)[..., ::2],
    "rows backwards": lambda x: x[..., ::-1, :].copy()[..., ::-1, :],
    "backwards": lambda x: x[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
}


@pytest.mark.parametrize("name", ["float32", "float64", "bfloat16", "complex64"])
def test_layouts(device: hd.Device, rng: np.random.Generator, name: str) -> None:
    a, b = random(rng, (18, 35), name), random(rng, (35, 20), name)
    want = wide(a) @ wide(b)
    for first, second in itertools.product(LAYOUTS.values(), LAYOUTS.values()):
        x, y = first(hd.asarray(a)), second(hd.asarray(b))
        check_close(x @ y, a, b, want)


@pytest.mark.parametrize("name", ["float32", "float64", "bfloat16"])
def test_batches(device: hd.Device, rng: np.random.Generator, name: str) -> None:
    shapes = [
        ((5, 7, 6), (5, 6, 4)),
        ((5, 7, 6), (6, 4)),
        ((7, 6), (5, 6, 4)),
        ((3, 1, 7, 6), (1, 4, 6, 2)),
        ((2, 3, 7, 6), (3, 6, 4)),
        ((2, 1, 3, 16, 16), (5, 1, 16, 16)),
        ((6,), (4, 6, 3)),
        ((4, 3, 6), (6,)),
        ((6,), (6, 3)),
        ((0, 7, 6), (6, 4)),
        ((3, 0, 6), (6, 4)),
        ((3, 5, 0), (0, 4)),
    ]
    for left, right in shapes:
        a, b = random(rng, left, name), random(rng, right, name)
        want = wide(a) @ wide(b)
        check_close(hd.asarray(a) @ hd.asarray(b), a, b, want)
    a, b = random(rng, (4, 5, 6, 7), name), random(rng, (4, 5, 7, 3), name)
    x, y = hd.asarray(a)[::-1, ::2], hd.asarray(b)[:, :3]
    check_close(x @ y, a[::-1, ::2], b[:, :3], wide(a[::-1, ::2]) @ wide(b[:, :3]))
    zero = hd.broadcast_to(hd.asarray(a[0, 0]), (9, 6, 7))
    check_close(
        zero @ hd.asarray(b[0, 0]), a[0, 0], b[0, 0], np.stack([wide(a[0, 0]) @ wide(b[0, 0])] * 9)
    )


def test_alpha_beta_c_and_out(device: hd.Device, rng: np.random.Generator) -> None:
    for name in ("float32", "float64", "complex64"):
        a, b, c = (random(rng, s, name) for s in ((20, 30), (30, 10), (20, 10)))
        plan = hd.Matmul((20, 30), (30, 10), dtype=name)
        x, y, z = hd.asarray(a), hd.asarray(b), hd.asarray(c)
        for alpha, beta in ((1, 1), (0.5, -2), (2, 0)):
            want = alpha * (wide(a) @ wide(b)) + beta * wide(c)
            got = plan.execute(x, y, c=z, alpha=alpha, beta=beta)
            np.testing.assert_allclose(hd.asnumpy(got), want, atol=2e-4)
            np.testing.assert_array_equal(hd.asnumpy(z), c)
        out = hd.full((20, 10), np.nan, name)
        assert plan.execute(x, y, out=out) is out
        check_close(out, a, b, wide(a) @ wide(b))
        # In place.
        assert plan(x, y, c=z, beta=3, out=z) is z
        np.testing.assert_allclose(hd.asnumpy(z), wide(a) @ wide(b) + 3 * wide(c), atol=2e-4)


def test_beta_zero_does_not_read_c(device: hd.Device) -> None:
    x = hd.ones((8, 8), "float32")
    nan = hd.full((8, 8), np.nan, "float32")
    got = hd.Matmul(x, x).execute(x, x, c=nan, beta=0, out=nan)
    np.testing.assert_array_equal(hd.asnumpy(got), 8)


def test_out_that_overlaps_an_operand(device: hd.Device, rng: np.random.Generator) -> None:
    a, b = random(rng, (24, 24)), random(rng, (24, 24))
    x = hd.asarray(a)
    hd.matmul(x, hd.asarray(b), out=x)
    check_close(x, a, b, wide(a) @ wide(b))


def gelu(x: np.ndarray) -> np.ndarray:
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def erf(x: np.ndarray) -> np.ndarray:
    import math

    return np.vectorize(math.erf)(x)


EPILOGUES: dict[str, tuple[Any, Any]] = {
    "scale": (lambda e: e.scale(0.5), lambda x, o: x * 0.5),
    "bias": (lambda e: e.bias(), lambda x, o: x + o["bias"]),
    "row bias": (lambda e: e.bias((37, 1)), lambda x, o: x + o["bias"]),
    "matrix bias": (lambda e: e.bias((37, 29)), lambda x, o: x + o["bias"]),
    "residual": (lambda e: e.residual(), lambda x, o: x + o["residual"]),
    "relu": (lambda e: e.relu(), lambda x, o: np.maximum(x, 0)),
    "gelu": (lambda e: e.gelu(), lambda x, o: gelu(x)),
    "gelu_erf": (lambda e: e.gelu("none"), lambda x, o: x / 2 * (1 + erf(x / 2**0.5))),
    "silu": (lambda e: e.silu(), lambda x, o: x * sigmoid(x)),
    "sigmoid": (lambda e: e.sigmoid(), lambda x, o: sigmoid(x)),
    "tanh": (lambda e: e.tanh(), lambda x, o: np.tanh(x)),
    "leaky_relu": (lambda e: e.leaky_relu(0.1), lambda x, o: np.where(x > 0, x, 0.1 * x)),
    "clamp": (lambda e: e.clamp(-1, 0.5), lambda x, o: np.clip(x, -1, 0.5)),
    "row_scale": (lambda e: e.row_scale(), lambda x, o: x * o["row_scale"]),
    "column_scale": (lambda e: e.column_scale(), lambda x, o: x * o["column_scale"]),
    "function": (
        lambda e: e.function(lambda x, gate: x / (1 + hd.exp(-x)) * gate, gate=(37, 29)),
        lambda x, o: x * sigmoid(x) * o["gate"],
    ),
    "chain": (
        lambda e: [e.scale(2), e.bias(), e.gelu(), e.residual(), e.tanh(), e.column_scale()],
        lambda x, o: np.tanh(gelu(2 * x + o["bias"]) + o["residual"]) * o["column_scale"],
    ),
}


def operands_of(case: str, rng: np.random.Generator, dtype: str) -> dict[str, np.ndarray]:
    m, n = 37, 29
    shapes = {
        "bias": {"row bias": (m, 1), "matrix bias": (m, n)}.get(case, (n,)),
        "residual": (m, n),
        "row_scale": (m, 1),
        "column_scale": (n,),
        "gate": (m, n),
    }
    wanted = {
        "bias": ["bias"],
        "row bias": ["bias"],
        "matrix bias": ["bias"],
        "function": ["gate"],
        "chain": ["bias", "residual", "column_scale"],
    }.get(case, [case] if case in shapes else [])
    return {name: random(rng, shapes[name], dtype) for name in wanted}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16", "float64"])
@pytest.mark.parametrize("case", list(EPILOGUES))
def test_epilogues(
    device: hd.Device, rng: np.random.Generator, case: str, dtype: str, exact: bool
) -> None:
    make, reference = EPILOGUES[case]
    a, b = random(rng, (37, 23), dtype), random(rng, (23, 29), dtype)
    operands = operands_of(case, rng, dtype)
    plan = hd.Matmul((37, 23), (23, 29), dtype=dtype, epilogue=make(hd.epilogue), exact=exact)
    got = plan.execute(
        hd.asarray(a), hd.asarray(b), **{name: hd.asarray(x) for name, x in operands.items()}
    )
    assert got.dtype == dtype_of(dtype)
    x = wide(a) @ wide(b)
    want = reference(x, {name: wide(value) for name, value in operands.items()})
    unit = float(ml_dtypes.finfo(dtype_of(dtype)).eps)
    # Slopes of the functions are at most 1.13, of the chain 2.26; factors are below 5. The sum
    # is rounded once, the result once.
    magnitude = np.abs(wide(a)) @ np.abs(wide(b)) + 4
    sums = max(unit / 2 if dtype == "float64" else 2.0**-24, 0) * 25 * magnitude
    rounding = 0 if exact else unit * np.abs(x)
    bound = 12 * (sums + rounding) + 2 * unit * np.abs(want) + 2e-6 * (unit > 1e-12)
    error = np.abs(wide(hd.asnumpy(got)) - want)
    assert np.all(error <= bound), float(np.max(error / bound))


def test_nan_and_infinity_pass(device: hd.Device) -> None:
    a = np.array([[np.nan, 1.0], [np.inf, 1.0], [-np.inf, 1.0], [0.0, 1.0]], np.float32)
    b = np.eye(2, dtype=np.float32)[:, :1] * np.float32(1)
    for member, want in (
        ("relu", [np.nan, np.inf, 0, 0]),
        ("sigmoid", [np.nan, 1, 0, 0.5]),
        ("tanh", [np.nan, 1, -1, 0]),
    ):
        got = hd.asnumpy(hd.matmul(hd.asarray(a), hd.asarray(b), activation=member))
        np.testing.assert_allclose(got[:, 0], want, atol=1e-6)


def test_training_outputs(device: hd.Device, rng: np.random.Generator) -> None:
    a, b, bias = random(rng, (16, 8)), random(rng, (8, 12)), random(rng, (12,))
    x, y = hd.asarray(a), hd.asarray(b)
    e = hd.epilogue
    forward = hd.Matmul(x, y, epilogue=[e.bias(), e.relu_aux()])
    value, outputs = forward(x, y, bias=hd.asarray(bias))
    pre = wide(a) @ wide(b) + bias
    np.testing.assert_allclose(hd.asnumpy(value), np.maximum(pre, 0), atol=1e-5)
    np.testing.assert_array_equal(hd.asnumpy(outputs["relu_aux"]), pre > 0)
    g, w = random(rng, (16, 5)), random(rng, (5, 12))
    backward = hd.Matmul((16, 5), (5, 12), dtype="float32", epilogue=[e.drelu(), e.bias_gradient()])
    value, more = backward(hd.asarray(g), hd.asarray(w), relu_aux=outputs["relu_aux"])
    want = np.where(pre > 0, wide(g) @ wide(w), 0)
    np.testing.assert_allclose(hd.asnumpy(value), want, atol=1e-5)
    np.testing.assert_allclose(hd.asnumpy(more["bias_gradient"]), want.sum(0), atol=1e-4)
    with pytest.raises(hd.InvalidValueError, match="relu_aux"):
        backward(hd.asarray(g), hd.asarray(w), relu_aux=hd.zeros((16, 11), bool))
    with pytest.raises(hd.TypeMismatchError, match="bools"):
        backward(hd.asarray(g), hd.asarray(w), relu_aux=hd.zeros((16, 12), "float32"))

    forward = hd.Matmul(x, y, epilogue=[e.gelu_aux()])
    value, outputs = forward(x, y)
    pre = wide(a) @ wide(b)
    np.testing.assert_allclose(hd.asnumpy(value), gelu(pre), atol=1e-5)
    backward = hd.Matmul((16, 5), (5, 12), dtype="float32", epilogue=e.dgelu())
    value = backward(hd.asarray(g), hd.asarray(w), gelu_aux=outputs["gelu_aux"])
    step = 1e-5
    slope = (gelu(pre + step) - gelu(pre - step)) / (2 * step)
    np.testing.assert_allclose(hd.asnumpy(value), wide(g) @ wide(w) * slope, atol=1e-4)
    value, outputs = hd.Matmul(x, y, epilogue=e.amax())(x, y)
    np.testing.assert_allclose(hd.asnumpy(outputs["amax"]), np.abs(pre).max(), rtol=1e-5)


def test_dropout(device: hd.Device) -> None:
    x = hd.ones((256, 4), "float32")
    y = hd.ones((4, 512), "float32")
    plan = hd.Matmul(x, y, epilogue=hd.epilogue.dropout(0.25, seed=7))
    value = hd.asnumpy(plan(x, y))
    assert set(np.unique(value)) == {np.float32(0), np.float32(4 / 0.75)}
    # Four standard deviations of a binomial.
    assert abs(np.mean(value == 0) - 0.25) < 4 * np.sqrt(0.25 * 0.75 / value.size)
    np.testing.assert_array_equal(value, hd.asnumpy(plan(x, y)))
    other = hd.Matmul(x, y, epilogue=hd.epilogue.dropout(0.25, seed=8))
    assert np.mean(hd.asnumpy(other(x, y)) != value) > 0.3


def test_prologue_and_conjugates(device: hd.Device, rng: np.random.Generator) -> None:
    a, b = random(rng, (9, 7)), random(rng, (7, 5))
    x, y = hd.asarray(a), hd.asarray(b)
    plan = hd.Matmul(x, y, prologue_a=lambda v: v * 2, prologue_b=lambda v: hd.maximum(v, 0))
    check_close(plan(x, y), 2 * a, b, wide(2 * a) @ np.maximum(wide(b), 0))
    for name in ("complex64", "complex128"):
        a, b = random(rng, (9, 7), name), random(rng, (7, 5), name)
        for order in ("C", "F"):
            x, y = hd.asarray(np.array(a, order=order)), hd.asarray(np.array(b, order=order))
            plan = hd.Matmul(x, y, conjugate_a=True, conjugate_b=True)
            check_close(plan(x, y), a, b, wide(a).conj() @ wide(b).conj())


@pytest.mark.parametrize("multiply", ["float16", "bfloat16"])
def test_multiply_in_16_bits(device: hd.Device, rng: np.random.Generator, multiply: str) -> None:
    a, b = random(rng, (40, 64)), random(rng, (64, 24))
    plan = hd.Matmul((40, 64), (64, 24), dtype="float32", multiply=multiply)
    got = plan(hd.asarray(a), hd.asarray(b))
    assert got.dtype == np.float32
    narrow = dtype_of(multiply)
    left, right = a.astype(narrow), b.astype(narrow)
    check_close(got, left, right, wide(left) @ wide(right))


def test_accumulate_in_float64(device: hd.Device, rng: np.random.Generator) -> None:
    a, b = random(rng, (5, 3000)), random(rng, (3000, 6))
    plan = hd.Matmul((5, 3000), (3000, 6), dtype="float32", accumulate="float64")
    want = (wide(a) @ wide(b)).astype(np.float32)
    np.testing.assert_array_max_ulp(hd.asnumpy(plan(hd.asarray(a), hd.asarray(b))), want, 1)


def test_short_floats_with_a_wide_result(device: hd.Device, rng: np.random.Generator) -> None:
    for name in ("float16", "bfloat16"):
        a, b = random(rng, (30, 50), name), random(rng, (50, 20), name)
        plan = hd.Matmul((30, 50), (50, 20), dtype=name, out_dtype="float32")
        check_close(plan(hd.asarray(a), hd.asarray(b)), a, b, wide(a) @ wide(b))


def test_errors(device: hd.Device) -> None:
    e = hd.epilogue
    x = hd.ones((4, 5), "float32")
    y = hd.ones((5, 6), "float32")
    with pytest.raises(ValueError, match=r"\(4, 5\) and \(6, 5\)"):
        hd.Matmul((4, 5), (6, 5), dtype="float32")
    with pytest.raises(TypeError, match="dtype"):
        hd.Matmul((4, 5), (5, 6))
    with pytest.raises(ValueError, match=r"'bias' has shape \(5,\)"):
        hd.Matmul(x, y, epilogue=e.bias((5,)))
    plan = hd.Matmul(x, y, epilogue=e.bias())
    with pytest.raises(ValueError, match="needs the operand 'bias'"):
        plan(x, y)
    with pytest.raises(ValueError, match=r"'bias' has shape \(5,\), expected \(6,\)"):
        plan(x, y, bias=hd.ones(5, "float32"))
    with pytest.raises(ValueError, match="no operand 'gate'"):
        plan(x, y, bias=hd.ones(6, "float32"), gate=x)
    with pytest.raises(ValueError, match=r"'b' has shape \(4, 5\), planned was \(5, 6\)"):
        plan(x, x, bias=hd.ones(6, "float32"))
    with pytest.raises(TypeError, match="'a' is float64, planned was float32"):
        plan(x.astype("float64"), y, bias=hd.ones(6, "float32"))
    with pytest.raises(ValueError, match=r"'out' has shape"):
        plan(x, y, bias=hd.ones(6, "float32"), out=hd.ones((4, 5), "float32"))
    with pytest.raises(TypeError, match="numpy"):
        plan(np.ones((4, 5), "float32"), y, bias=hd.ones(6, "float32"))
    with pytest.raises(ValueError, match="two epilogue operands are called 'bias'"):
        hd.Matmul(x, y, epilogue=[e.bias(), e.bias()])
    with pytest.raises(ValueError, match="multiply must be"):
        hd.Matmul(x, y, multiply="float8")
    with pytest.raises(TypeError, match="for float32 operands"):
        hd.Matmul((4, 5), (5, 6), dtype="float64", multiply="bfloat16")
    with pytest.raises(ValueError, match="no activation is called 'swoosh'"):
        hd.matmul(x, y, activation="swoosh")
    plan.close()
    with pytest.raises(hd.ClosedError):
        plan(x, y, bias=hd.ones(6, "float32"))


def test_cpu_lacks_tf32(cpu: hd.Device) -> None:
    with pytest.raises(hd.UnavailableError, match="cpu has no tf32"):
        hd.Matmul((4, 5), (5, 6), dtype="float32", multiply="tf32")


def test_threads_share_a_plan(device: hd.Device, rng: np.random.Generator) -> None:
    a, b = random(rng, (60, 70)), random(rng, (70, 50))
    plan = hd.Matmul((60, 70), (70, 50), dtype="float32", epilogue=hd.epilogue.relu())
    want = np.maximum(wide(a) @ wide(b), 0)
    failures = []

    def work() -> None:
        with device:
            for _ in range(20):
                got = hd.asnumpy(plan(hd.asarray(a), hd.asarray(b)))
                if not np.allclose(got, want, atol=1e-4):
                    failures.append(np.abs(got - want).max())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_streams_are_ordered(device: hd.Device, rng: np.random.Generator) -> None:
    a = random(rng, (200, 200))
    x = hd.asarray(a)
    first, second = hd.Stream(device), hd.Stream(device)
    with first:
        y = x @ x
    with second:
        z = y @ x
    with first:
        w = z + y
    want = wide(a) @ wide(a) @ wide(a) + wide(a) @ wide(a)
    np.testing.assert_allclose(hd.asnumpy(w), want, rtol=1e-3, atol=0.3)


def test_large_products(device: hd.Device, rng: np.random.Generator) -> None:
    for m, n, k in ((513, 1027, 300), (4097, 16, 33), (16, 4097, 33)):
        a, b = random(rng, (m, k)), random(rng, (k, n))
        bias = random(rng, (n,))
        got = hd.matmul(hd.asarray(a), hd.asarray(b), bias=hd.asarray(bias), activation="relu")
        check_close(got, a, b, np.maximum(wide(a) @ wide(b) + bias, 0), slope=2)


def test_explanation(cpu: hd.Device) -> None:
    plan = hd.Matmul(
        (64, 64),
        (64, 64),
        dtype="float32",
        epilogue=[hd.epilogue.relu(), hd.epilogue.dropout(0, 1)],
    )
    text = plan.explain()
    assert "(64, 64) float32 @ (64, 64) float32 -> (64, 64) float32 on cpu" in text
    assert "in one pass over the result: " in text
    assert "dropout" in text
