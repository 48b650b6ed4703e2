"""Reads the conformance kernels: CUDA C++ files whose header says how to launch and check them.

Header lines start with `//@`:

    arg n = int32(1000)                     a scalar (any NumPy scalar type)
    arg x = in float32[n, 4] uniform(-1, 1) an input; sizes are expressions of earlier scalars
    arg y = inout int32[n] zeros()          read and written
    arg z = out float64[2 * n]              written; starts as poison, so unwritten elements show
    arg s = in bytes struct('<2fi', 1, 2, 3) a struct by value, packed by struct.pack
    launch f<<<grid, block, shared>>>(n, x) one launch; lines run in order; names as in `names=`
    compare z ulp=2                         or rtol= atol=; without it results are equal to the bit
    prints text                             a line that printf writes, in any order

Generators: uniform(low, high), integers(low, high), arange(start, step), values(a, b, …) repeated,
zeros(), full(value).
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
import struct
import zlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "kernels"


@dataclasses.dataclass
class Argument:
    name: str
    role: str  # "scalar", "struct", "in", "inout", "out"
    value: object  # NumPy scalar, bytes or array


@dataclasses.dataclass
class Launch:
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    arguments: list[str]


@dataclasses.dataclass
class KernelFile:
    path: pathlib.Path
    source: str
    arguments: dict[str, Argument] = dataclasses.field(default_factory=dict)
    launches: list[Launch] = dataclasses.field(default_factory=list)
    compare: dict[str, dict[str, float]] = dataclasses.field(default_factory=dict)
    prints: list[str] = dataclasses.field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def kernel_names(self) -> list[str]:
        return list(dict.fromkeys(launch.kernel for launch in self.launches))

    def values(self) -> dict[str, object]:
        """Every argument's initial value; arrays are copies."""
        return {
            name: a.value.copy() if isinstance(a.value, np.ndarray) else a.value
            for name, a in self.arguments.items()
        }


def _poison(dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    return (
        np.frombuffer(b"\xab" * int(np.prod(shape) * dtype.itemsize), dtype).reshape(shape).copy()
    )


def _generate(
    rng: np.random.Generator, dtype: np.dtype, shape: tuple[int, ...], text: str
) -> np.ndarray:
    count = int(np.prod(shape))

    def integers(low: int, high: int) -> np.ndarray:
        if low >= -(2**63) and high <= 2**63:
            return rng.integers(low, high, count, dtype=np.int64)
        return rng.integers(low, high, count, dtype=np.uint64)

    made = eval(  # the files are ours
        text,
        {
            "uniform": lambda low, high: rng.uniform(low, high, count),
            "integers": integers,
            "arange": lambda start, step: start + step * np.arange(count),
            "values": lambda *v: np.resize(np.array(v, dtype=dtype), count),
            "zeros": lambda: np.zeros(count),
            "full": lambda v: np.full(count, v),
            "inf": float("inf"),
            "nan": float("nan"),
        },
    )
    return np.asarray(made).astype(dtype).reshape(shape)


def _tuple(value: object) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, tuple) else (int(value),)


def read(path: pathlib.Path, seed: int = 1) -> KernelFile:
    """The kernel of one file, with inputs that depend on the seed and the file's name."""
    rng = np.random.default_rng([seed, zlib.crc32(path.stem.encode())])
    file = KernelFile(path, path.read_text())
    scalars: dict[str, object] = {}
    for line in file.source.splitlines():
        if not line.startswith("//@ "):
            continue
        word, _, rest = line[4:].partition(" ")
        if word == "arg":
            name, _, how = (part.strip() for part in rest.partition("="))
            role, _, spec = how.partition(" ")
            if role not in ("in", "inout", "out"):
                scalars[name] = value = eval("np." + how, {"np": np})
                file.arguments[name] = Argument(name, "scalar", value)
            elif spec.startswith("bytes "):
                packed = eval(spec[len("bytes ") :], {"struct": struct.pack})
                file.arguments[name] = Argument(name, "struct", packed)
            else:
                match = re.fullmatch(r"(\w+)\[(.*?)\]\s*(.*)", spec)
                dtype = np.dtype(match[1])
                shape = _tuple(eval(match[2], {}, {k: int(v) for k, v in scalars.items()}))
                value = (
                    _generate(rng, dtype, shape, match[3]) if match[3] else _poison(dtype, shape)
                )
                file.arguments[name] = Argument(name, role, value)
        elif word == "launch":
            match = re.fullmatch(r"(.*?)<<<(.*)>>>\((.*)\)", rest)
            grid, block, *shared = eval(
                f"({match[2]},)", {}, {k: int(v) for k, v in scalars.items()}
            )
            names = [n.strip() for n in match[3].split(",") if n.strip()]
            file.launches.append(
                Launch(match[1], _tuple(grid), _tuple(block), shared[0] if shared else 0, names)
            )
        elif word == "compare":
            name, *bounds = rest.split()
            file.compare[name] = {k: float(v) for k, v in (b.split("=") for b in bounds)}
        elif word == "prints":
            file.prints.append(rest)
        else:
            raise ValueError(f"{path.name}: unknown header line '{line}'")
    return file


def read_all() -> list[KernelFile]:
    return [read(path) for path in sorted(FOLDER.glob("*.cu"))]


def ulp_distance(actual: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Steps between floats of one type; equal values and NaN against NaN are 0 apart."""
    bits = np.dtype(f"i{actual.dtype.itemsize}")
    a, e = (
        x.view(bits).astype(np.int64)
        for x in (np.ascontiguousarray(actual), np.ascontiguousarray(expected))
    )
    lowest = np.iinfo(bits).min
    a, e = (np.where(x < 0, lowest - x, x) for x in (a, e))
    return np.where(np.isnan(actual) & np.isnan(expected), 0, np.abs(a - e))


def difference(file: KernelFile, name: str, actual: np.ndarray, expected: np.ndarray) -> str | None:
    """None if the result is within the file's bound, else what is wrong."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return f"{name}: {actual.dtype}{actual.shape} against {expected.dtype}{expected.shape}"
    bound = file.compare.get(name, {})
    if actual.dtype.kind != "f":
        bad = actual != expected
    elif "ulp" in bound:
        bad = ulp_distance(actual, expected) > bound["ulp"]
    elif bound:
        close = np.isclose(
            actual, expected, rtol=bound.get("rtol", 0), atol=bound.get("atol", 0), equal_nan=True
        )
        bad = ~close
    else:
        bad = (ulp_distance(actual, expected) != 0) & ~((actual == 0) & (expected == 0))
    if not bad.any():
        return None
    at = tuple(int(i[0]) for i in np.nonzero(bad))
    return f"{name}{list(at)}: {actual[at]!r}, expected {expected[at]!r} ({int(bad.sum())} of {bad.size} differ)"
