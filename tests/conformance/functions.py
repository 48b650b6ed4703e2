"""The math functions of kernels: what they compute exactly, and over which arguments they are measured."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
from mpmath import mp, mpf

mp.prec = 140

Range = tuple[float, float] | tuple[float, float, str]  # "log": uniform exponents


@dataclasses.dataclass(frozen=True)
class Function:
    name: str  # in double precision
    exact: Callable[..., mpf]
    single: list[tuple[Range, ...]]  # argument ranges, one tuple per set of samples
    double: list[tuple[Range, ...]]
    single_name: str = (
        ""  # "" is name + "f"; functions of one precision leave the other's list empty
    )

    def named(self, dtype: type) -> str:
        return self.name if dtype == np.float64 else self.single_name or self.name + "f"

    def samples(self, dtype: type, count: int, rng: np.random.Generator) -> list[np.ndarray]:
        """Arrays of arguments, `count` numbers of each set."""
        sets = self.single if dtype == np.float32 else self.double
        columns: list[list[np.ndarray]] = [[] for _ in sets[0]]
        for ranges in sets:
            for column, (low, high, *log) in zip(columns, ranges):
                if log:
                    values = np.exp(rng.uniform(np.log(low), np.log(high), count))
                else:
                    values = rng.uniform(low, high, count)
                column.append(values.astype(dtype))
        return [np.concatenate(column) for column in columns]


def _erfcinv(q: mpf) -> mpf:
    if q > 1:
        return -_erfcinv(2 - q)
    if q > mpf("0.001"):
        return mp.erfinv(1 - q)
    y = mp.sqrt(-mp.log(q * mp.sqrt(-mp.log(q) * mp.pi)))
    for _ in range(30):
        e = mp.erfc(y)
        step = (mp.log(e) - mp.log(q)) * e * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
        y += step
        if abs(step) < abs(y) * mpf(2) ** -100:
            break
    return y


def _fmod(x: mpf, y: mpf) -> mpf:
    return mp.sign(x) * mp.fmod(abs(x), abs(y))


def _remainder(x: mpf, y: mpf) -> mpf:
    return x - y * mp.nint(x / y)


def _one(name, exact, single, double=None, **more) -> Function:
    """A function of one argument."""
    double = single if double is None else double
    return Function(name, exact, [(r,) for r in single], [(r,) for r in double], **more)


_positive32, _positive64 = (1e-37, 1e37, "log"), (1e-300, 1e300, "log")
_small32, _small64 = (1e-30, 1.0, "log"), (1e-290, 1.0, "log")

FUNCTIONS = [
    _one("sqrt", mp.sqrt, [_positive32], [_positive64]),
    _one("rsqrt", lambda x: 1 / mp.sqrt(x), [_positive32], [_positive64]),
    _one("cbrt", mp.cbrt, [_positive32], [_positive64]),
    _one("rcbrt", lambda x: 1 / mp.cbrt(x), [_positive32], [_positive64]),
    _one("exp", mp.exp, [(-87, 88), (-1, 1)], [(-700, 700), (-1, 1)]),
    _one("exp2", lambda x: mpf(2) ** x, [(-125, 127)], [(-1020, 1020)]),
    _one("exp10", lambda x: mpf(10) ** x, [(-37, 38)], [(-300, 300)]),
    _one("expm1", mp.expm1, [(-10, 80), _small32], [(-30, 700), _small64]),
    _one("log", mp.log, [_positive32, (0.5, 2)], [_positive64, (0.5, 2)]),
    _one("log2", lambda x: mp.log(x, 2), [_positive32, (0.5, 2)], [_positive64, (0.5, 2)]),
    _one("log10", mp.log10, [_positive32, (0.5, 2)], [_positive64, (0.5, 2)]),
    _one("log1p", mp.log1p, [(-0.99, 10), _small32], [(-0.99, 10), _small64]),
    _one("sin", mp.sin, [(-100, 100), (-1, 1), (-1e5, 1e5)]),
    _one("cos", mp.cos, [(-100, 100), (-1, 1), (-1e5, 1e5)]),
    _one("tan", mp.tan, [(-100, 100), (-1, 1)]),
    _one("sinpi", mp.sinpi, [(-3, 3), _small32], [(-3, 3), _small64]),
    _one("cospi", mp.cospi, [(-3, 3)]),
    _one("asin", mp.asin, [(-1, 1)]),
    _one("acos", mp.acos, [(-1, 1)]),
    _one("atan", mp.atan, [(-10, 10), _small32], [(-10, 10), _small64]),
    _one("sinh", mp.sinh, [(-85, 85), (-1, 1)], [(-700, 700), (-1, 1)]),
    _one("cosh", mp.cosh, [(-85, 85), (-1, 1)], [(-700, 700), (-1, 1)]),
    _one("tanh", mp.tanh, [(-9, 9), _small32], [(-20, 20), _small64]),
    _one("asinh", mp.asinh, [(-100, 100), _small32], [(-100, 100), _small64]),
    _one("acosh", mp.acosh, [(1, 100)]),
    _one("atanh", mp.atanh, [(-0.999, 0.999), _small32], [(-0.999, 0.999), _small64]),
    _one("erf", mp.erf, [(-4, 4), _small32], [(-6, 6), _small64]),
    _one("erfc", mp.erfc, [(-4, 9)], [(-6, 26)]),
    _one("erfinv", mp.erfinv, [(-0.99999, 0.99999), _small32[:1] + (0.5, "log")], [(-0.999999, 0.999999)]),
    _one("erfcinv", _erfcinv, [(0.01, 1.99), (1e-37, 0.5, "log")], [(0.01, 1.99), (1e-300, 0.5, "log")]),
    _one("erfcx", lambda x: mp.exp(x * x) * mp.erfc(x), [(-9, 30), (0, 3)], [(-26, 60), (0, 3)]),
    _one("normcdf", lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, [(-13, 6)], [(-37, 6), (-3, 3)], single_name="normcdff"),
    _one("normcdfinv", lambda p: -mp.sqrt(2) * _erfcinv(2 * p), [(0.01, 0.49), (1e-37, 0.4, "log")],
         [(0.01, 0.49), (1e-300, 0.4, "log")]),
    _one("tgamma", mp.gamma, [(0.1, 34), (-3.9, -3.1)], [(0.1, 170), (-3.9, -3.1)]),
    _one("lgamma", lambda x: mp.loggamma(x).real, [(0.01, 0.9), (2.1, 100)]),
    _one("j0", mp.j0, [(0.01, 2)]),
    _one("j1", mp.j1, [(0.01, 3)]),
    _one("y0", lambda x: mp.bessely(0, x), [(0.01, 0.7)]),
    _one("y1", lambda x: mp.bessely(1, x), [(0.01, 2)]),
    _one("cyl_bessel_i0", lambda x: mp.besseli(0, x), [(-80, 80), (-8.5, 8.5)]),
    _one("cyl_bessel_i1", lambda x: mp.besseli(1, x), [(-80, 80), (-8.5, 8.5)]),
    Function("pow", mp.power, [((0.01, 100, "log"), (-8, 8)), ((0.9, 1.1), (-300, 300))],
             [((1e-3, 1e3, "log"), (-40, 40)), ((0.9, 1.1), (-3000, 3000))]),
    Function("atan2", mp.atan2, [((-10, 10), (-10, 10))], [((-10, 10), (-10, 10))]),
    Function("hypot", mp.hypot, [((-1e3, 1e3), (-1e3, 1e3))], [((-1e3, 1e3), (-1e3, 1e3))]),
    Function("rhypot", lambda x, y: 1 / mp.hypot(x, y), [((-1e3, 1e3), (-1e3, 1e3))], [((-1e3, 1e3), (-1e3, 1e3))]),
    Function("norm3d", lambda x, y, z: mp.sqrt(x * x + y * y + z * z), [((-9, 9),) * 3], [((-9, 9),) * 3],
             single_name="norm3df"),
    Function("fmod", _fmod, [((-1e4, 1e4), (0.1, 10))], [((-1e4, 1e4), (0.1, 10))]),
    Function("remainder", _remainder, [((-1e4, 1e4), (0.1, 10))], [((-1e4, 1e4), (0.1, 10))]),
    Function("fma", lambda x, y, z: x * y + z, [((-4, 4),) * 3], [((-4, 4),) * 3]),
]  # fmt: skip


def source(dtype: type) -> str:
    """One kernel per function, named k_<function>, over arrays."""
    type_name = "float" if dtype == np.float32 else "double"
    text = []
    for function in FUNCTIONS:
        name, arity = function.named(dtype), len(function.single[0])
        inputs = ", ".join(f"const {type_name}* x{k}" for k in range(arity))
        call = ", ".join(f"x{k}[i]" for k in range(arity))
        text.append(
            f'extern "C" __global__ void k_{name}(int n, {inputs}, {type_name}* out) {{\n'
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"    if (i < n) out[i] = {name}({call});\n}}\n"
        )
    return "".join(text)


def exact_values(function: Function, arguments: list[np.ndarray]) -> list[mpf]:
    return [function.exact(*map(mpf, row)) for row in zip(*(a.tolist() for a in arguments))]


def worst_ulp(got: np.ndarray, exact: list[mpf]) -> tuple[float, int]:
    """The largest error in units of the last place, and where. Results past the type's range count
    only if they are not infinite."""
    info = np.finfo(got.dtype)
    digits, smallest = info.nmant + 1, info.minexp - info.nmant
    worst, where = 0.0, 0
    for i, (value, want) in enumerate(zip(got.tolist(), exact)):
        if not np.isfinite(value):
            error = 0.0 if abs(want) > mpf(float(info.max)) else float("inf")
        elif want == 0:
            error = 0.0 if value == 0 else float("inf")
        else:
            exponent = max(mp.frexp(want)[1] - digits, smallest)
            error = float(abs(mpf(value) - want) / mpf(2) ** exponent)
        if error > worst:
            worst, where = error, i
    return worst, where
