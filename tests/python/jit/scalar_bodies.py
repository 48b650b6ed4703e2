"""Functions of numbers, a body each, by the kinds of numbers that they take."""

# ruff: noqa: E731, B007
from __future__ import annotations

import cmath
import math
from collections import namedtuple

import numpy as np

INTEGERS: list = []
REALS: list = []
COMPLEX: list = []
MIXED: list = []


def integers(f):
    INTEGERS.append(f)
    return f


def reals(f):
    REALS.append(f)
    return f


def complexes(f):
    COMPLEX.append(f)
    return f


def mixed(f):
    MIXED.append(f)
    return f


Pair = namedtuple("Pair", "first second")
SCALE = 3
TABLE = np.array([5, -7, 11, 13], np.int32)
WEIGHTS = np.array([0.5, 0.25, 2.0], np.float32)


def twice(v):
    return v + v


def add_or_default(a, b=5, *, c=2):
    return a + b * c


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


# Integers
@integers
def add(x, y):
    return x + y


@integers
def subtract(x, y):
    return x - y


@integers
def multiply(x, y):
    return x * y


@integers
def floor_divide(x, y):
    return x // y


@integers
def remainder(x, y):
    return x % y


@integers
def both_divisions(x, y):
    q, r = divmod(x, y)
    return q * y + r


@integers
def true_divide(x, y):
    return x / y


@integers
def divide_by_constant(x, y):
    return x // 7 + y % 5


@integers
def divide_by_negative(x, y):
    return np.int64(x) // -3 if y > 0 else np.int64(x) % -3


@integers
def shift_left(x, y):
    return x << (y & 7)


@integers
def shift_right(x, y):
    return x >> (y & 7)


@integers
def shift_far(x, y):
    return x << (y & 127)


@integers
def shift_right_far(x, y):
    return x >> (y & 127)


@integers
def bits(x, y):
    return (x & y) | (x ^ (y | 1))


@integers
def inverted(x, y):
    return ~x ^ y


@integers
def negated(x, y):
    return -x + y


@integers
def positive(x, y):
    return +x - y


@integers
def weak_add(x, y):
    return x + 3


@integers
def weak_multiply(x, y):
    return 2 * x - 1 * y


@integers
def square(x, y):
    return x**2


@integers
def cube(x, y):
    return x**3


@integers
def compare(x, y):
    return x < y


@integers
def compare_equal(x, y):
    return x == y or x != 3


@integers
def compare_weak(x, y):
    return x > 300


@integers
def compare_negative(x, y):
    return x >= -1


@integers
def compare_chain(x, y):
    return -5 < x <= y < 100


@integers
def compare_float(x, y):
    return x < 2.5


@integers
def absolute(x, y):
    return abs(x)


@integers
def largest(x, y):
    return max(x, y)


@integers
def smallest_of_three(x, y):
    return min(x, y, 4)


@integers
def to_float(x, y):
    return float(x) * 0.5


@integers
def to_bool(x, y):
    return bool(x) and not bool(y)


@integers
def choose(x, y):
    return x if x > y else y


@integers
def cast_narrow(x, y):
    return np.int8(x)


@integers
def cast_unsigned(x, y):
    return np.uint16(x) + np.uint16(1)


@integers
def cast_wide(x, y):
    return np.int64(x) * np.int64(y)


@integers
def cast_float32(x, y):
    return np.float32(x) / np.float32(3)


@integers
def gcd(x, y):
    return np.gcd(x, y)


@integers
def bitcount(x, y):
    return np.bitwise_count(x)


@integers
def loop_sum(x, y):
    s = 0
    for k in range(10):
        s += x
    return s


@integers
def loop_wide(x, y):
    s = np.int64(0)
    for k in range(3, 20, 4):
        s += k * y
    return s


@integers
def while_halves(x, y):
    n = 0
    v = int(x)
    while v > 1:
        v //= 2
        n += 1
    return n


@integers
def collatz(x, y):
    n = int(x) & 63
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
        if steps > 500:
            break
    return steps


@integers
def augmented(x, y):
    v = x
    v += y
    v -= 1
    v *= 2
    v ^= y
    v |= 1
    v &= 119
    return v


@integers
def table_item(x, y):
    return TABLE[int(x) & 3] + TABLE[-1]


@integers
def tuple_item(x, y):
    return (3, 1, 4, 1)[int(x) & 3]


@integers
def swap(x, y):
    a, b = x, y
    a, b = b, a
    return a - b


@integers
def tuple_loop(x, y):
    s = x
    for part in (y, x, y):
        s = s + part
    return s


@integers
def truthiness(x, y):
    return 1 if x else 2


@integers
def or_value(x, y):
    return x or y


@integers
def and_value(x, y):
    return x and y


@integers
def membership(x, y):
    return x in (1, 2, 5)


@integers
def not_member(x, y):
    return x not in (0, 7)


@integers
def closure_constant(x, y):
    return x * SCALE


@integers
def calls_function(x, y):
    return twice(x) + twice(twice(y))


@integers
def keyword_call(x, y):
    return add_or_default(x, c=3) + add_or_default(y, 1)


@integers
def recursion(x, y):
    return factorial(int(x) & 7)


@integers
def tree_recursion(x, y):
    return fib(int(y) & 7)


@integers
def mutual_recursion(x, y):
    return is_even(int(x) & 15)


@integers
def nested(x, y):
    def inner(a):
        return a * 2 + y

    return inner(x) - inner(1)


@integers
def nonlocal_counter(x, y):
    count = 0

    def bump(k):
        nonlocal count
        count += k

    bump(2)
    for k in range(3):
        bump(k)
    return count + x


@integers
def a_lambda(x, y):
    f = lambda a, b=2: a * b
    return f(x) + f(y, 3)


@integers
def for_else(x, y):
    for k in range(5):
        if k == x:
            r = 10
            break
    else:
        r = 20
    return r


@integers
def nested_loops(x, y):
    n = 0
    for i in range(5):
        for j in range(i, 5):
            if (i + j) % 3 == 0:
                continue
            if j > 3:
                break
            n += i * j
    return n + x


@integers
def backwards(x, y):
    s = 0
    for k in range(10, 0, -3):
        s = s * 2 + k
    return s + x


@integers
def step_from_argument(x, y):
    s = 0
    step = (int(y) & 3) + 1
    for k in range(0, 20, step):
        s += k
    return s


@integers
def last_of_loop(x, y):
    k = 0
    for k in range(int(x) & 7):
        pass
    return k


@integers
def changed_in_loop(x, y):
    s = 0
    for k in range(4):
        k *= 10
        s += k
    return s


@integers
def early_return(x, y):
    for k in range(10):
        if k * k > x:
            return k
    return -1


@integers
def pair_fields(x, y):
    p = Pair(x, second=y)
    return p.first - p[1] + len(p)


@integers
def many_results(x, y):
    def parts(a, b):
        return a + b, a - b

    s, d = parts(x, y)
    return s * d


@integers
def enumerated(x, y):
    s = 0
    for k, v in enumerate((x, y, x)):
        s = s + k * v
    return s


@integers
def zipped(x, y):
    s = 0
    for a, b in zip((1, 2, 3), (x, y, x)):
        s = s + a * b
    return s


@integers
def starred(x, y):
    t = (x, y)
    return twice(*t[:1]) + (*t, 1)[2]


@integers
def conditional_nested(x, y):
    return 1 if x > 5 else 2 if x > 0 else 3 if y > 0 else 4


@integers
def xorshift(x, y):
    v = np.uint32(x) + np.uint32(1)
    v ^= v << np.uint32(13)
    v ^= v >> np.uint32(17)
    v ^= v << np.uint32(5)
    return v


@integers
def wide_hash(x, y):
    h = np.uint64(14695981039346656037)
    h = (h ^ np.uint64(int(x) & 255)) * np.uint64(1099511628211)
    return h


@integers
def while_else(x, y):
    k = 0
    while k < 5:
        if k == y:
            break
        k += 1
    else:
        k = 100
    return k


@integers
def reversed_range(x, y):
    s = 0
    for k in reversed(range(5)):
        s = 10 * s + k
    return s


@integers
def round_to_tens(x, y):
    return round(int(x), -1)


@integers
def bool_sum(x, y):
    return (x > 1) + (y > 1)


@integers
def constant_folding(x, y):
    return x + (1 << 5) // 3 - 2**3


# Reals
@reals
def f_add(x, y):
    return x + y


@reals
def f_subtract_multiply(x, y):
    return (x - y) * 2


@reals
def f_divide(x, y):
    return x / y


@reals
def f_floor_divide(x, y):
    return x // y


@reals
def f_remainder(x, y):
    return x % y


@reals
def f_divmod(x, y):
    q, r = divmod(x, y)
    return q + r


@reals
def f_negative(x, y):
    return -x - +y


@reals
def f_square(x, y):
    return x**2 + y**3


@reals
def f_inverse_power(x, y):
    return (x * x + 1.0) ** -2


@reals
def f_root_power(x, y):
    return abs(x) ** 0.5


@reals
def f_power(x, y):
    return abs(x) ** y


@reals
def f_compare(x, y):
    return x < y


@reals
def f_chain(x, y):
    return -1 < x < y


@reals
def f_int_compare(x, y):
    return x > 1


@reals
def f_choose(x, y):
    return x if x > 0 else y


@reals
def f_min_max(x, y):
    return min(x, y) + 2 * max(x, y, 0.5)


@reals
def f_abs(x, y):
    return abs(x) - abs(y)


@reals
def f_round(x, y):
    return round(float(x))


@reals
def f_round_digits(x, y):
    return round(float(x), 2)


@reals
def f_int(x, y):
    return int(x) + int(y)


@reals
def f_floor_ceil(x, y):
    return math.floor(x) * 10 + math.ceil(y)


@reals
def f_trunc(x, y):
    return math.trunc(float(x)) - np.trunc(y)


@reals
def f_sqrt(x, y):
    return np.sqrt(abs(x)) + np.sqrt(y * y)


@reals
def f_exp_log(x, y):
    return np.log(np.exp(x) + 1) + np.log1p(abs(y))


@reals
def f_expm1(x, y):
    return np.expm1(x) + np.exp2(y)


@reals
def f_logs(x, y):
    return np.log2(abs(x) + 1) - np.log10(abs(y) + 1)


@reals
def f_trig(x, y):
    return np.sin(x) * np.cos(y) + np.tan(x / 4)


@reals
def f_inverse_trig(x, y):
    return np.arctan(x) + np.arctan2(x, y)


@reals
def f_arcs(x, y):
    return np.arcsin(x / (abs(x) + 3)) + np.arccos(y / (abs(y) + 2))


@reals
def f_hyperbolic(x, y):
    return np.tanh(x) + np.sinh(y / 4) + np.cosh(x / 4)


@reals
def f_inverse_hyperbolic(x, y):
    return np.arcsinh(x) + np.arccosh(abs(y) + 1)


@reals
def f_hypot(x, y):
    return np.hypot(x, y)


@reals
def f_copysign(x, y):
    return np.copysign(x, y)


@reals
def f_fmod(x, y):
    return np.fmod(x, y)


@reals
def f_maximum(x, y):
    return np.maximum(x, y) - np.minimum(x, 1)


@reals
def f_clip(x, y):
    return np.clip(x, -0.5, 0.5)


@reals
def f_where(x, y):
    return np.where(x > y, x, y)


@reals
def f_sign(x, y):
    return np.sign(x) + np.sign(y)


@reals
def f_isnan(x, y):
    return np.isnan(x / (y - y))


@reals
def f_isfinite(x, y):
    return np.isfinite(x) and not np.isinf(y)


@reals
def f_rint(x, y):
    return np.rint(x) + np.floor(y) - np.ceil(x)


@reals
def f_cbrt(x, y):
    return np.cbrt(x)


@reals
def f_angles(x, y):
    return np.deg2rad(x) + np.degrees(y)


@reals
def f_logaddexp(x, y):
    return np.logaddexp(x, y)


@reals
def f_weak_sum(x, y):
    s = 0.0
    for k in range(5):
        s += x * k
    return s


@reals
def f_weak_int_start(x, y):
    s = 0
    s += x
    s -= y
    return s


@reals
def f_harmonic(x, y):
    s = 0.0
    for k in range(1, 8):
        s = s + x / k
    return s


@reals
def f_newton(x, y):
    a = abs(x) + 1
    r = a
    for _ in range(6):
        r = 0.5 * (r + a / r)
    return r


@reals
def f_horner(x, y):
    r = 0.0
    for c in (0.5, -1.25, 2.0, 3.0):
        r = r * x + c
    return r


@reals
def f_weights(x, y):
    s = x * WEIGHTS[0]
    for k in range(1, 3):
        s += WEIGHTS[k] * y
    return s


@reals
def f_while(x, y):
    v = abs(x) + 1.0
    n = 0
    while v < 100.0 and n < 50:
        v *= 1.5
        n += 1
    return n


@reals
def f_float32(x, y):
    return np.float32(x) + np.float32(y)


@reals
def f_float64(x, y):
    return np.float64(x) * y


@reals
def f_float16(x, y):
    return np.float16(x) * np.float16(0.3)


@reals
def f_modf(x, y):
    rest, whole = np.modf(x)
    return rest + 2 * whole


@reals
def f_ternary_chain(x, y):
    return (x > 0) * 2 + (y > 0)


@reals
def f_logical(x, y):
    return (x > 0 and y > 0) or (x < -1)


@reals
def f_not(x, y):
    return not x > y


@reals
def f_nested_call(x, y):
    def sq(v):
        return v * v

    return np.sqrt(sq(x) + sq(y))


@reals
def f_capture(x, y):
    scale = y + 1
    g = lambda v: v * scale
    return g(x) + g(2)


@reals
def f_tuple_math(x, y):
    p = (x + y, x - y)
    q = (p[1], p[0])
    return q[0] * p[0]


@reals
def f_series(x, y):
    term = 1.0
    total = 1.0
    k = 1
    while k < 12:
        term *= x / k
        total += term
        k += 1
    return total


@reals
def f_constants(x, y):
    return x * math.pi + y * np.pi - math.e


@reals
def f_inf(x, y):
    return min(x, math.inf) + max(y, -np.inf)


@reals
def f_mixed_types(x, y):
    return x * np.int32(3) + np.float32(1)


@reals
def f_bool_arithmetic(x, y):
    return x * (y > 0)


@reals
def f_reciprocal(x, y):
    return np.reciprocal(x + 10) + np.square(y)


@reals
def f_heaviside(x, y):
    return np.heaviside(x, 0.5)


@reals
def f_float_power(x, y):
    return np.float_power(abs(x), 1.5)


@reals
def f_ldexp(x, y):
    return np.ldexp(x, 3)


@reals
def f_signbit(x, y):
    return np.signbit(x)


@reals
def f_nextafter(x, y):
    return np.nextafter(x, y)


# Complex numbers
@complexes
def c_add(x, y):
    return x + y


@complexes
def c_multiply(x, y):
    return x * y - y


@complexes
def c_divide(x, y):
    return x / (y + 3)


@complexes
def c_parts(x, y):
    return x.real * y.imag


@complexes
def c_abs(x, y):
    return abs(x)


@complexes
def c_conjugate(x, y):
    return np.conj(x) * x


@complexes
def c_weak(x, y):
    return x * 2 + 1j


@complexes
def c_square(x, y):
    return x**2


@complexes
def c_sqrt(x, y):
    return np.sqrt(x)


@complexes
def c_exp(x, y):
    return np.exp(x / 4)


@complexes
def c_log(x, y):
    return np.log(x + 3)


@complexes
def c_sin(x, y):
    return np.sin(x / 2)


@complexes
def c_angle(x, y):
    return np.angle(x)


@complexes
def c_equal(x, y):
    return x == y or x != 0


@complexes
def c_truth(x, y):
    return 1 if x else 0


@complexes
def c_build(x, y):
    return complex(x.real, y.imag)


@complexes
def c_cmath(x, y):
    return cmath.sqrt(complex(x)) + cmath.exp(complex(y) / 4)


@complexes
def c_julia(x, y):
    z = x
    n = 0
    while n < 20 and abs(z) < 2:
        z = z * z + 0.3
        n += 1
    return n


@complexes
def c_negative(x, y):
    return -x + (+y)


@complexes
def c_real_mix(x, y):
    return x * y.real + np.float32(2)


# An integer and a real
@mixed
def m_add(x, y):
    return x + y


@mixed
def m_divide(x, y):
    return x / (y + 100)


@mixed
def m_power(x, y):
    return y ** (x % 3)


@mixed
def m_compare(x, y):
    return x < y


@mixed
def m_choose(x, y):
    return x if y > 0 else y


@mixed
def m_local(x, y):
    v = x
    v = v + y
    return v


@mixed
def m_scale(x, y):
    return 2 * x + 0.5 * y


@mixed
def m_max(x, y):
    return max(x, y)


@mixed
def m_int_of(x, y):
    return x + int(y)


@mixed
def m_floor_divide(x, y):
    return x // (abs(y) + 1)
