"""What users are told: the file, the line, the expression underlined, the types that met."""

from __future__ import annotations

import numpy as np
import pytest

import heald as hd

cuda = hd.cuda


def compile_error(function, *arguments):
    with pytest.raises(hd.JitError) as caught:
        hd.jit(function)[1, 1](*arguments)
    return caught.value


@pytest.fixture
def x(cpu):
    return hd.zeros((4, 4), dtype=np.float32)


def test_place_of_an_error(x):
    def kernel(x):
        i = cuda.grid(1)
        x[i, i * 0.5] = 1

    error = compile_error(kernel, x)
    first = kernel.__code__.co_firstlineno
    assert error.filename == __file__
    assert error.lineno == first + 2
    lines = str(error).splitlines()
    assert "an index must be an int, got float: convert it with int(" in lines[0]
    assert lines[1].strip().startswith(f'File "{__file__}", line {first + 2}')
    assert lines[2].strip() == "x[i, i * 0.5] = 1"
    assert lines[3].strip() == "^" * len("x[i, i * 0.5]")


def returns(x):
    return x[0, 0]


def adds_arrays(x):
    x[0, 0] = x + 1


def too_many_indices(x):
    x[0, 0, 0] = 1


def unknown_name(x):
    x[0, 0] = undefined_name  # noqa: F821


def a_list(x):
    y = [1, 2]
    x[0, 0] = y[0]


def a_dict(x):
    y = {1: 2}
    x[0, 0] = y[1]


def comprehension(x):
    x[0, 0] = sum(v for v in (1, 2))


def a_class(x):
    class A:
        pass


def a_try(x):
    try:
        x[0, 0] = 1
    finally:
        pass


def a_raise(x):
    raise ValueError


def an_import(x):
    import math

    x[0, 0] = math.pi


def two_types(x):
    v = 1
    if x[0, 0] > 0:
        v = (1, 2)
    x[0, 0] = v


def complex_to_real(x):
    x[0, 0] = 1j * x[1, 1]


def literal_that_does_not_fit(x):
    v = np.int8(3)
    x[0, 0] = v + 1000


def string_number(x):
    x[0, 0] = "one"


def truth_of_an_array(x):
    if x:
        x[0, 0] = 1


def never_assigned(x):
    if x[0, 0] > 0:
        x[0, 0] = later  # noqa: F821
        later = later + 1  # noqa: F821, F841


def wrong_count(x):
    def f(a, b):
        return a + b

    x[0, 0] = f(1)


def not_a_function(x):
    x[0, 0] = x(1)


def runtime_shared_shape(x):
    part = cuda.shared.array(x.shape[0], hd.float32)
    part[0] = 1


def negative_power(x):
    v = np.int32(2)
    x[0, 0] = v**-1


def print_array(x):
    print(x)


def shared_dtype(x):
    part = cuda.shared.array(3, "floaty")
    part[0] = 1


def attribute(x):
    x[0, 0] = x.nothing


def store_to_tuple(x):
    t = (1, 2)
    t[0] = 3


def keyword(x):
    x[0, 0] = abs(v=1)


def float_bits(x):
    x[0, 0] = x[0, 0] & 1


ROWS = {
    returns: "returns nothing.*@hd.fuse",
    adds_arrays: "works on elements, such as x",
    too_many_indices: "3 indices for an array of 2",
    unknown_name: "'undefined_name' is not defined",
    a_list: "lists cannot be used.*local.array",
    a_dict: "dictionaries cannot be used",
    comprehension: "generator expressions cannot be used",
    a_class: "classes cannot be used",
    a_try: "try cannot be used",
    a_raise: "raise cannot be used",
    an_import: "import cannot be used",
    two_types: "'v' would be int in one place and tuple",
    complex_to_real: "complex64 does not convert to float32",
    literal_that_does_not_fit: "1000 does not fit int8",
    string_number: "cannot be str",
    truth_of_an_array: "truth of array",
    never_assigned: "'later' cannot be told",
    wrong_count: "misses the argument b",
    not_a_function: "cannot be called",
    runtime_shared_shape: "shape of shared and local memory is known when",
    negative_power: "negative integer powers",
    print_array: "print.. shows numbers",
    shared_dtype: "a dtype is expected",
    attribute: "no attribute 'nothing'",
    store_to_tuple: "cannot be stored into",
    keyword: "abs",
    float_bits: "bitwise_and of float32 and int",
}


@pytest.mark.parametrize("function", ROWS, ids=lambda f: f.__name__)
def test_refused(x, function):
    error = compile_error(function, x)
    import re

    assert re.search(ROWS[function], str(error)), str(error)
    assert error.lineno is not None and error.lineno > function.__code__.co_firstlineno
    assert "^" in str(error)


def test_wrong_arguments(x):
    @hd.jit
    def kernel(x, n):
        x[0, 0] = n

    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        kernel[1, 1](x)
    with pytest.raises(TypeError, match="too many positional"):
        kernel[1, 1](x, 1, 2)
    with pytest.raises(TypeError, match=r"hd.In\(x\), hd.Out\(x\) or hd.InOut"):
        kernel[1, 1](np.zeros((2, 2)), 1)
    with pytest.raises(TypeError, match="argument of type dict"):
        kernel[1, 1](x, {})
    with pytest.raises(OverflowError, match="64 bits"):
        kernel[1, 1](x, 2**70)
    with pytest.raises(TypeError, match="launch it as kernel"):
        kernel(x, 1)
    with pytest.raises(TypeError, match="blocks, threads"):
        kernel[1](x, 1)
    with pytest.raises(TypeError, match="no option"):
        hd.jit(lambda x: None, fast=True)


def test_read_only_arrays(cpu):
    @hd.jit
    def kernel(x, out):
        out[0] = x[0]

    fixed = np.ones(3, np.float32)
    fixed.flags.writeable = False
    shared = hd.from_dlpack(fixed) if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else None
    if shared is None or not shared.read_only:
        pytest.skip("this NumPy gives no read-only tensors")
    out = hd.zeros(1, dtype=np.float32)
    kernel[1, 1](shared, out)
    assert hd.asnumpy(out)[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        kernel[1, 1](out, shared)
