"""hd.random: the bits against published values, distributions against SciPy's, and that numbers
depend on nothing but the state and their place."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest
from scipy import stats

import heald as hd
from heald._heald import random_key

COUNT = 40_000
# A right generator fails a test of this many once in a million runs.
LEAST = 1e-6


def fetched(x: hd.Array) -> np.ndarray:
    return hd.asnumpy(x)


# Random123's known answers for philox4x32_10: counter, key, words.
KNOWN = [
    (0, 0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    (2**64 - 1, 2**64 - 1, 2**64 - 1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        0x299F31D0A4093822,
        0x0370734413198A2E,
        0x85A308D3243F6A88,
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("key", "stream", "position", "words"), KNOWN)
def test_known_answers(device, key, stream, position, words):
    source = hd.random.Philox(key=key, stream=stream, position=position)
    expected = [int(word, 16) for word in words.split()]
    assert fetched(source.random_raw(4)).tolist() == expected


def philox(key: int, stream: int, position: int, count: int) -> np.ndarray:
    """The same in NumPy's integers."""
    blocks = (position + np.arange((count + 3) // 4, dtype="uint64")).astype("uint64")
    low = np.uint64(0xFFFFFFFF)
    a, b = blocks & low, blocks >> np.uint64(32)
    c, d = (np.full_like(blocks, word) for word in (stream & 0xFFFFFFFF, stream >> 32))
    k, l = key & 0xFFFFFFFF, key >> 32
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
        high_p, high_q = p >> np.uint64(32), q >> np.uint64(32)
        a, b, c, d = high_q ^ b ^ np.uint64(k), q & low, high_p ^ d ^ np.uint64(l), p & low
        k, l = (k + 0x9E3779B9) & 0xFFFFFFFF, (l + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack([a, b, c, d], axis=1).ravel()[:count].astype("uint32")


def test_bits_of_every_dtype(device, rng):
    key, stream = (int(x) for x in rng.integers(2**63, size=2))
    words = philox(key, stream, 5, 4096)

    def drawn(name, dtype, *args):
        source = hd.random.Generator(hd.random.Philox(key=key, stream=stream, position=5))
        return fetched(getattr(source, name)(*args, size=999, dtype=dtype))

    pairs = words.view("uint64")[:999]
    assert np.array_equal(drawn("random", "float32"), (words[:999] >> 8) * np.float32(2**-24))
    assert np.array_equal(drawn("random", "float64"), (pairs >> np.uint64(11)) * 2.0**-53)
    halves = words.view("uint16")[:999]
    assert np.array_equal(drawn("random", "float16"), (halves >> 5) * np.float16(2**-11))
    assert np.array_equal(drawn("random", "bfloat16").astype("f4"), (halves >> 8) * 2.0**-8)
    # 2**32 and 2**64 numbers: every word is one.
    assert np.array_equal(drawn("integers", "uint32", 0, 2**32), words[:999])
    assert np.array_equal(drawn("integers", "uint64", 0, 2**64), pairs)
    assert np.array_equal(
        drawn("integers", "int8", -128, 128), (words[:999] >> 24).astype("i8") - 128
    )


@pytest.mark.parametrize("seed", [0, 1, 42, 2**32 + 5, 2**64 - 1])
def test_seeds_are_mixed_as_numpy_does(seed):
    assert random_key(seed) == int(np.random.SeedSequence(seed).generate_state(1, "uint64")[0])
    assert hd.random.default_rng(seed).bit_generator.state["state"]["key"] == random_key(seed)


def test_normal_numbers_of_their_bits(device):
    source = hd.random.Generator(hd.random.Philox(key=3))
    z = fetched(source.standard_normal(1000))
    pairs = philox(3, 0, 0, 2000).view("uint64")
    u = ((pairs[0::2] >> np.uint64(12)) + 0.5) * 2.0**-52
    turn = (pairs[1::2] >> np.uint64(11)) * 2.0**-53 * 2 * np.pi
    radius = np.sqrt(-2 * np.log(u))
    expected = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1).ravel()
    np.testing.assert_allclose(z, expected, rtol=1e-13, atol=1e-14)
    single = fetched(hd.random.Generator(hd.random.Philox(key=3)).standard_normal(1000, "float32"))
    words = philox(3, 0, 0, 1000).astype("float64")
    radius = np.sqrt(-2 * np.log((words[0::2] + 0.5) * 2.0**-32))
    turn = words[1::2] * 2.0**-32 * 2 * np.pi
    expected = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1).ravel()
    np.testing.assert_allclose(single, expected, rtol=1e-5, atol=2e-6)


# Distribution, arguments, SciPy's.
CONTINUOUS = [
    ("random", (), stats.uniform()),
    ("uniform", (-3.0, 5.0), stats.uniform(-3, 8)),
    ("standard_normal", (), stats.norm()),
    ("normal", (2.0, 0.5), stats.norm(2, 0.5)),
    ("lognormal", (0.2, 0.7), stats.lognorm(0.7, scale=np.exp(0.2))),
    ("standard_exponential", (), stats.expon()),
    ("exponential", (3.0,), stats.expon(scale=3)),
    ("standard_gamma", (0.03,), stats.gamma(0.03)),
    ("standard_gamma", (0.7,), stats.gamma(0.7)),
    ("gamma", (2.5, 3.0), stats.gamma(2.5, scale=3)),
    ("gamma", (900.0, 1.0), stats.gamma(900)),
    ("beta", (0.5, 0.3), stats.beta(0.5, 0.3)),
    ("beta", (4.0, 9.0), stats.beta(4, 9)),
    ("beta", (0.01, 0.02), stats.beta(0.01, 0.02)),
    ("chisquare", (3.0,), stats.chi2(3)),
    ("noncentral_chisquare", (3.0, 2.0), stats.ncx2(3, 2)),
    ("f", (4.0, 7.0), stats.f(4, 7)),
    ("standard_t", (5.0,), stats.t(5)),
    ("standard_cauchy", (), stats.cauchy()),
    ("laplace", (1.0, 2.0), stats.laplace(1, 2)),
    ("logistic", (1.0, 2.0), stats.logistic(1, 2)),
    ("gumbel", (1.0, 2.0), stats.gumbel_r(1, 2)),
    ("weibull", (1.7,), stats.weibull_min(1.7)),
    ("pareto", (2.5,), stats.lomax(2.5)),
    ("power", (3.0,), stats.powerlaw(3)),
    ("rayleigh", (2.0,), stats.rayleigh(scale=2)),
    ("triangular", (-1.0, 0.5, 2.0), stats.triang(0.5, loc=-1, scale=3)),
    ("wald", (1.5, 2.5), stats.invgauss(1.5 / 2.5, scale=2.5)),
]


@pytest.mark.parametrize(
    ("name", "args", "law"), CONTINUOUS, ids=[f"{row[0]}{row[1]}" for row in CONTINUOUS]
)
def test_continuous(device, rng, name, args, law):
    source = hd.random.default_rng(int(rng.integers(2**60)))
    x = fetched(getattr(source, name)(*args, size=COUNT))
    assert x.dtype == np.float64
    if name == "beta" and args[0] < 0.1:  # most of it rounds to 0 and 1
        x = x[(x > 1e-12) & (x < 1 - 1e-12)]
        low, high = law.cdf(1e-12), law.cdf(1 - 1e-12)
        assert stats.kstest(x, lambda q: (law.cdf(q) - low) / (high - low)).pvalue > LEAST
        return
    assert stats.kstest(x, law.cdf).pvalue > LEAST


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
def test_moments_of_narrow_dtypes(device, rng, name, dtype):
    source = hd.random.default_rng(int(rng.integers(2**60)))
    x = getattr(source, name)(COUNT, dtype)
    assert x.dtype == hd.zeros(1, dtype).dtype
    x = fetched(x).astype("f8")
    law = {"random": stats.uniform, "standard_normal": stats.norm}.get(name, stats.expon)()
    mean, variance = law.stats()
    # Half a step of the coarsest dtype, which rounds down in random().
    assert abs(x.mean() - mean) < 6 * np.sqrt(variance / COUNT) + 2.0**-9
    assert abs(x.var() / variance - 1) < 0.1
    if name == "random":
        assert x.min() >= 0 and x.max() < 1


COUNTS = [
    ("poisson", (0.3,), stats.poisson(0.3)),
    ("poisson", (7.0,), stats.poisson(7)),
    ("poisson", (10.0,), stats.poisson(10)),
    ("poisson", (345.6,), stats.poisson(345.6)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (40, 0.9), stats.binom(40, 0.9)),
    ("binomial", (100, 0.5), stats.binom(100, 0.5)),
    ("binomial", (1_000_000, 0.25), stats.binom(1_000_000, 0.25)),
    ("geometric", (0.35,), stats.geom(0.35)),
    ("negative_binomial", (4, 0.4), stats.nbinom(4, 0.4)),
    ("logseries", (0.6,), stats.logser(0.6)),
    ("integers", (3, 13), stats.randint(3, 13)),
]


@pytest.mark.parametrize(
    ("name", "args", "law"), COUNTS, ids=[f"{row[0]}{row[1]}" for row in COUNTS]
)
def test_counts(device, rng, name, args, law):
    source = hd.random.default_rng(int(rng.integers(2**60)))
    x = fetched(getattr(source, name)(*args, size=COUNT))
    assert x.dtype == np.int64
    # Chi-square over cells of about equal chance.
    edges = np.unique(law.ppf(np.linspace(0, 1, 41)[1:-1]))
    chances = np.diff(np.concatenate([[0], law.cdf(edges), [1]]))
    seen = np.bincount(np.searchsorted(edges, x), minlength=len(chances))
    kept = chances * COUNT > 5
    seen, chances = seen[kept], chances[kept]
    assert seen.sum() > 0.99 * COUNT
    expected = chances / chances.sum() * seen.sum()
    assert stats.chisquare(seen, expected).pvalue > LEAST


def test_many_small_ranges_are_even(device, rng):
    """A range just above half of 2^32, where a plain remainder would favour small numbers."""
    source = hd.random.default_rng(int(rng.integers(2**60)))
    top = 3 * 2**30
    x = fetched(source.integers(0, top, size=COUNT))
    assert stats.kstest(x, stats.uniform(0, top).cdf).pvalue > LEAST
    y = fetched(source.integers(-(2**62), 2**63, size=COUNT)).astype("f8")
    assert stats.kstest(y, stats.uniform(-(2.0**62), 3 * 2.0**62).cdf).pvalue > LEAST


DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_integers_reach_their_bounds(device, dtype):
    source = hd.random.default_rng(5)
    info = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    x = fetched(source.integers(info[0], info[1], size=20_000, dtype=dtype, endpoint=True))
    assert x.dtype == np.dtype(dtype)
    span = float(info[1]) - float(info[0])
    assert x.astype("f8").min() <= info[0] + span / 100
    assert x.astype("f8").max() >= info[1] - span / 100
    near = fetched(source.integers(info[1] - 1, info[1], size=100, dtype=dtype, endpoint=True))
    assert set(near.tolist()) == {info[1] - 1, info[1]} if dtype != "bool" else {False, True}


def test_fused_or_not_the_numbers_are_the_same(device):
    x = hd.arange(5000) * 0.5

    def source():
        return hd.random.default_rng(11)

    for name in ("random", "standard_normal", "standard_exponential"):
        alone = getattr(source(), name)(5000, "float32")
        hd.eval(alone)
        alone = fetched(alone)
        fused = fetched(x + getattr(source(), name)(5000, "float32"))
        assert np.array_equal(fused, fetched(x) + alone)
        shaped = fetched(getattr(source(), name)((50, 100), "float32"))
        assert np.array_equal(shaped.ravel(), alone)
        assert np.array_equal(fetched(getattr(source(), name)((50, 100), "float32").T), shaped.T)
        assert np.array_equal(
            fetched(getattr(source(), name)(5000, "float32")[7::-3]), alone[7::-3]
        )
        assert np.array_equal(fetched(getattr(source(), name)(777, "float32")), alone[:777])
    noisy = x.reshape(50, 100) + source().normal(size=100)
    assert np.array_equal(
        fetched(noisy), fetched(x).reshape(50, 100) + fetched(source().normal(size=100))
    )


def test_it_is_one_kernel(device):
    x = hd.zeros(1000, "float32")
    hd.eval(x)
    kernels = hd.explain(x + hd.random.default_rng(1).standard_normal(1000, "float32"))
    assert len(kernels) == 1
    assert (kernels[0].bytes_read, kernels[0].bytes_written) == (4000, 4000)


def test_array_parameters(device, rng):
    mean = np.array([[0.0], [1000.0]])
    source = hd.random.default_rng(int(rng.integers(2**60)))
    x = fetched(source.normal(hd.asarray(mean), hd.asarray([1.0, 2.0, 3.0]), size=(400, 2, 3)))
    assert x.shape == (400, 2, 3)
    np.testing.assert_allclose(x.mean(axis=0), mean + np.zeros(3), atol=1.2)
    lam = hd.asarray([0.0, 1.0, 50.0, 1e6])
    y = fetched(source.poisson(lam, size=(2000, 4))).mean(axis=0)
    np.testing.assert_allclose(y, fetched(lam), rtol=0.2)
    assert source.poisson(lam).shape == (4,)
    low, high = hd.asarray([0, 10, -5]), hd.asarray([1, 20, 5])
    z = fetched(source.integers(low, high, size=(5000, 3)))
    assert z.min(axis=0).tolist() == [0, 10, -5] and z.max(axis=0).tolist() == [0, 19, 4]
    assert (
        source.uniform(hd.asarray([1.0], dtype="float64"), 2.0, dtype="float32").dtype == "float32"
    )


def test_state_and_copies(device):
    source = hd.random.default_rng(9)
    source.normal(size=7)
    state = source.bit_generator.state
    restored = pickle.loads(pickle.dumps(source))
    first = fetched(source.random(9))
    assert np.array_equal(fetched(restored.random(9)), first)
    source.bit_generator.state = state
    assert np.array_equal(fetched(source.random(9)), first)
    assert source.bit_generator.state["state"]["position"] == state["state"]["position"] + 5
    assert not np.array_equal(fetched(source.random(9)), first)
    jumped = [
        fetched(hd.random.Generator(source.bit_generator.jumped(j)).random(9)) for j in (1, 2)
    ]
    assert not np.array_equal(*jumped)
    children = [fetched(child.random(1000)) for child in hd.random.default_rng(1).spawn(3)]
    assert len({child.tobytes() for child in children}) == 3
    again = [fetched(child.random(1000)) for child in hd.random.default_rng(1).spawn(3)]
    assert np.array_equal(children, again)
    advanced = hd.random.Philox(5).advance(10)
    assert np.array_equal(
        fetched(advanced.random_raw(8)), fetched(hd.random.Philox(5).random_raw(48))[40:]
    )


def test_threads_share_a_generator(device):
    source = hd.random.default_rng(2)
    found = []

    def work():
        for _ in range(20):
            found.append(fetched(source.integers(0, 2**63, size=50)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = np.concatenate(found)
    assert len(np.unique(together)) == len(together) == 4000
    alone = fetched(hd.random.default_rng(2).integers(0, 2**63, size=4000))
    assert np.array_equal(np.sort(together), np.sort(alone))


def test_orders(device, rng):
    source = hd.random.default_rng(int(rng.integers(2**60)))
    assert np.array_equal(np.sort(fetched(source.permutation(1000))), np.arange(1000))
    x = hd.arange(60).reshape(20, 3)
    rows = fetched(source.permutation(x))
    assert np.array_equal(rows[np.argsort(rows[:, 0])], fetched(x))
    assert np.array_equal(np.sort(fetched(source.permuted(x, axis=0)), axis=0), fetched(x))
    source.shuffle(x)
    assert np.array_equal(np.sort(fetched(x)[:, 0]), np.arange(20) * 3)
    # Every order of three comes equally often.
    rows = fetched(source.permuted(hd.zeros((6000, 3)) + hd.arange(3), axis=1)) @ [9, 3, 1]
    seen = np.unique(rows, return_counts=True)[1]
    assert len(seen) == 6 and stats.chisquare(seen).pvalue > LEAST


def test_choice(device, rng):
    source = hd.random.default_rng(int(rng.integers(2**60)))
    p = [0.1, 0.0, 0.5, 0.4]
    seen = np.bincount(fetched(source.choice(4, size=10_000, p=p)), minlength=4)
    assert seen[1] == 0 and stats.chisquare(seen[[0, 2, 3]], [1000, 5000, 4000]).pvalue > LEAST
    assert sorted(fetched(source.choice(10, 10, replace=False)).tolist()) == list(range(10))
    few = fetched(source.choice(4, 3, replace=False, p=p))
    assert sorted(few.tolist()) == [0, 2, 3]
    picked = fetched(source.choice(hd.asarray([[1, 2], [3, 4]]), 5, axis=1))
    assert picked.shape == (2, 5) and set(picked[0]) <= {1, 2}
    assert source.choice(3).shape == ()


def test_several_variables(device, rng):
    source = hd.random.default_rng(int(rng.integers(2**60)))
    cov = np.array([[2.0, 0.6], [0.6, 0.5]])
    x = fetched(source.multivariate_normal([1.0, -1.0], cov, size=20_000))
    np.testing.assert_allclose(x.mean(axis=0), [1, -1], atol=0.08)
    np.testing.assert_allclose(np.cov(x.T), cov, atol=0.15)
    counts = fetched(source.multinomial(20, [0.2, 0.3, 0.5], size=5000))
    assert (counts.sum(axis=1) == 20).all()
    np.testing.assert_allclose(counts.mean(axis=0), [4, 6, 10], rtol=0.05)
    shares = fetched(source.dirichlet([1.0, 2.0, 3.0], size=5000))
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(shares.mean(axis=0), [1 / 6, 2 / 6, 3 / 6], rtol=0.06)


def test_older_functions(device):
    hd.random.seed(4)
    first = fetched(hd.random.rand(2, 3))
    state = hd.random.get_state()
    second = fetched(hd.random.randn(5))
    hd.random.set_state(state)
    assert np.array_equal(fetched(hd.random.randn(5)), second)
    hd.random.seed(4)
    assert np.array_equal(fetched(hd.random.random_sample((2, 3))), first)
    assert fetched(hd.random.randint(5, size=100)).max() == 4
    assert len(hd.random.bytes(7)) == 7


def test_out_and_empty(device):
    source = hd.random.default_rng(1)
    x = hd.zeros((2, 5), "float32")
    assert source.random(out=x, dtype="float32") is x
    assert np.array_equal(fetched(x), fetched(hd.random.default_rng(1).random((2, 5), "float32")))
    assert source.normal(size=(0, 3)).shape == (0, 3)
    assert source.normal().shape == ()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda g: g.normal(0, -1), ValueError),
        (lambda g: g.random(-1), ValueError),
        (lambda g: g.random(3, dtype="int32"), TypeError),
        (lambda g: g.random((2, 2), out=hd.zeros(4)), ValueError),
        (lambda g: g.integers(5, 5), ValueError),
        (lambda g: g.integers(0, 300, dtype="uint8"), ValueError),
        (lambda g: g.integers(hd.asarray([4]), hd.asarray([4])), ValueError),
        (lambda g: g.integers(0, 5, dtype="float32"), TypeError),
        (lambda g: g.normal(hd.zeros(3), 1, size=2), ValueError),
        (lambda g: g.binomial(10, 1.5), ValueError),
        (lambda g: g.binomial(hd.asarray([1.5]), 0.5), TypeError),
        (lambda g: g.poisson(-1.0), ValueError),
        (lambda g: g.choice(5, 6, replace=False), ValueError),
        (lambda g: g.choice(2, p=[0.5, 0.6]), ValueError),
        (lambda g: g.choice(0), ValueError),
        (lambda g: g.multivariate_normal([0, 0], [[1, 2], [3, 4]]), ValueError),
        (lambda g: g.gamma(np.ones(3)), TypeError),  # a hidden transfer
        (lambda g: hd.random.Generator(np.random.PCG64(1)), TypeError),
        (lambda g: hd.random.Philox(key=2**64), ValueError),
    ],
)
def test_bad_arguments(device, call, error):
    with pytest.raises(error):
        call(hd.random.default_rng(0))
