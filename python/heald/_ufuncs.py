"""Every universal function of NumPy 2, and functions that are rows of the same table."""

from __future__ import annotations

import math
from typing import Any

from heald._heald import Array, call_ufunc
from heald._ufunc import ufunc

absolute = ufunc("absolute", 1, "|a|")
arccos = ufunc("arccos", 1, "The angle from 0 to pi whose cosine is a")
arccosh = ufunc("arccosh", 1, "The number from 0 whose hyperbolic cosine is a")
arcsin = ufunc("arcsin", 1, "The angle from -pi/2 to pi/2 whose sine is a")
arcsinh = ufunc("arcsinh", 1, "The number whose hyperbolic sine is a")
arctan = ufunc("arctan", 1, "The angle from -pi/2 to pi/2 whose tangent is a")
arctanh = ufunc("arctanh", 1, "The number whose hyperbolic tangent is a")
bitwise_count = ufunc("bitwise_count", 1, "The number of ones in the bits of |a|")
cbrt = ufunc("cbrt", 1, "The cube root of a")
ceil = ufunc("ceil", 1, "The smallest whole number that is not below a")
conjugate = ufunc("conjugate", 1, "a with the sign of its imaginary part turned")
cos = ufunc("cos", 1, "The cosine of a (in radians)")
cosh = ufunc("cosh", 1, "The hyperbolic cosine of a")
deg2rad = ufunc("deg2rad", 1, "a * pi / 180")
degrees = ufunc("degrees", 1, "a * 180 / pi")
exp = ufunc("exp", 1, "e to the power a")
exp2 = ufunc("exp2", 1, "2 to the power a")
expm1 = ufunc("expm1", 1, "e to the power a, minus 1; exact near 0")
fabs = ufunc("fabs", 1, "|a| as a floating-point number")
floor = ufunc("floor", 1, "The largest whole number that is not above a")
invert = ufunc("invert", 1, "a with every bit turned; of bool, not a")
isfinite = ufunc("isfinite", 1, "Whether a is neither infinite nor NaN")
isinf = ufunc("isinf", 1, "Whether a is infinite")
isnan = ufunc("isnan", 1, "Whether a is NaN")
log = ufunc("log", 1, "The natural logarithm of a")
log10 = ufunc("log10", 1, "The logarithm of a to base 10")
log1p = ufunc("log1p", 1, "The natural logarithm of 1 + a; exact near 0")
log2 = ufunc("log2", 1, "The logarithm of a to base 2")
logical_not = ufunc("logical_not", 1, "Whether a is 0")
negative = ufunc("negative", 1, "-a")
positive = ufunc("positive", 1, "a")
rad2deg = ufunc("rad2deg", 1, "a * 180 / pi")
radians = ufunc("radians", 1, "a * pi / 180")
reciprocal = ufunc("reciprocal", 1, "1 / a; of integers the whole part, and 0 for 0")
rint = ufunc("rint", 1, "The whole number nearest to a, the even one of two")
sign = ufunc("sign", 1, "-1, 0 or 1 as a is below, at or above 0; a / |a| of a complex number")
signbit = ufunc("signbit", 1, "Whether the sign bit of a is set")
sin = ufunc("sin", 1, "The sine of a (in radians)")
sinh = ufunc("sinh", 1, "The hyperbolic sine of a")
spacing = ufunc("spacing", 1, "The distance from a to the next number away from 0")
sqrt = ufunc("sqrt", 1, "The square root of a")
square = ufunc("square", 1, "a * a")
tan = ufunc("tan", 1, "The tangent of a (in radians)")
tanh = ufunc("tanh", 1, "The hyperbolic tangent of a")
trunc = ufunc("trunc", 1, "a without its fraction")
add = ufunc("add", 2, "a + b", 0)
arctan2 = ufunc("arctan2", 2, "The angle of the point (b, a), from -pi to pi")
bitwise_and = ufunc("bitwise_and", 2, "a & b", -1)
bitwise_or = ufunc("bitwise_or", 2, "a | b", 0)
bitwise_xor = ufunc("bitwise_xor", 2, "a ^ b", 0)
copysign = ufunc("copysign", 2, "|a| with the sign of b")
divide = ufunc("divide", 2, "a / b, of integers as float64")
equal = ufunc("equal", 2, "a == b")
float_power = ufunc("float_power", 2, "a to the power b, in float64 at least")
floor_divide = ufunc("floor_divide", 2, "floor(a / b); of integers 0 if b is 0")
fmax = ufunc("fmax", 2, "The larger of a and b, the number where one is NaN")
fmin = ufunc("fmin", 2, "The smaller of a and b, the number where one is NaN")
fmod = ufunc("fmod", 2, "The remainder of a / b with the sign of a; of integers 0 if b is 0")
gcd = ufunc("gcd", 2, "The greatest common divisor of |a| and |b|", 0)
greater = ufunc("greater", 2, "a > b")
greater_equal = ufunc("greater_equal", 2, "a >= b")
heaviside = ufunc("heaviside", 2, "0, b or 1 as a is below, at or above 0")
hypot = ufunc("hypot", 2, "sqrt(a * a + b * b), without overflow on the way", 0)
lcm = ufunc("lcm", 2, "The least common multiple of |a| and |b|")
ldexp = ufunc("ldexp", 2, "a times 2 to the power b, an integer")
left_shift = ufunc("left_shift", 2, "a << b; 0 if b is not below the number of bits")
less = ufunc("less", 2, "a < b")
less_equal = ufunc("less_equal", 2, "a <= b")
logaddexp = ufunc("logaddexp", 2, "log(exp(a) + exp(b))", -math.inf)
logaddexp2 = ufunc("logaddexp2", 2, "log2(exp2(a) + exp2(b))", -math.inf)
logical_and = ufunc("logical_and", 2, "Whether neither a nor b is 0", True)
logical_or = ufunc("logical_or", 2, "Whether a or b is not 0", False)
logical_xor = ufunc("logical_xor", 2, "Whether one of a and b is 0", False)
maximum = ufunc("maximum", 2, "The larger of a and b, NaN where one is")
minimum = ufunc("minimum", 2, "The smaller of a and b, NaN where one is")
multiply = ufunc("multiply", 2, "a * b", 1)
nextafter = ufunc("nextafter", 2, "The number next to a in the direction of b")
not_equal = ufunc("not_equal", 2, "a != b")
power = ufunc("power", 2, "a to the power b; an integer to a negative integer power is an error")
remainder = ufunc(
    "remainder", 2, "a - floor(a / b) * b, with the sign of b; of integers 0 if b is 0"
)
right_shift = ufunc("right_shift", 2, "a >> b; beyond the number of bits 0, or -1 for a negative a")
subtract = ufunc("subtract", 2, "a - b")

divmod = ufunc(
    "divmod", 2, "(floor_divide(a, b), remainder(a, b))", rows=("floor_divide", "remainder")
)
frexp = ufunc(
    "frexp",
    1,
    "(m, e) with a = m * 2**e and 0.5 <= |m| < 1",
    rows=("frexp_significand", "frexp_exponent"),
)
modf = ufunc("modf", 1, "(fraction, whole part) of a", rows=("modf_fraction", "modf_whole"))

abs = absolute
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_not = invert
bitwise_right_shift = right_shift
conj = conjugate
mod = remainder
pow = power
true_divide = divide


def angle(z: Any, deg: bool = False) -> Array:
    """The angle of a complex number, from -pi to pi, in radians, or degrees if `deg`.

    >>> hd.angle(hd.full(1, -1.0)).tolist()
    [3.141592653589793]
    """
    result = call_ufunc("angle", z)
    return call_ufunc("multiply", result, 180 / math.pi) if deg else result


def i0(x: Any) -> Array:
    """The modified Bessel function of the first kind of order 0; of integers in float64.

    >>> hd.i0(hd.zeros(1)).tolist()
    [1.0]
    """
    return call_ufunc("i0", x)


def sinc(x: Any) -> Array:
    """sin(pi x) / (pi x), 1 at 0; of integers in float64.

    >>> hd.sinc(hd.zeros(1)).tolist()
    [1.0]
    """
    return call_ufunc("sinc", x)


__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "angle",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "divmod",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "i0",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "modf",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinc",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
    "ufunc",
]
