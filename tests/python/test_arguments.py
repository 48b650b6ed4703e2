"""Typed launches: what each parameter takes, and the texts of what it refuses."""

from __future__ import annotations

import ctypes
import enum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heald as hd

CTYPE = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int",
    "int64": "long long", "uint8": "unsigned char", "uint16": "unsigned short",
    "uint32": "unsigned", "uint64": "unsigned long long", "float32": "float",
    "float64": "double",
}  # fmt: skip

STORES = "\n".join(
    f'extern "C" __global__ void store_{name}({ctype}* out, {ctype} value) {{ *out = value; }}'
    for name, ctype in CTYPE.items()
)


@pytest.fixture
def store(device):
    """store(dtype, value): what a kernel receives for a scalar argument."""
    code = hd.Program(STORES, name="store.cu").compile()

    def run(dtype, value):
        out = hd.zeros(1, dtype)
        code.get_kernel(f"store_{dtype}").launch(1, 1, (out, value))
        return hd.asnumpy(out)[0]

    return run


@pytest.fixture
def kernel(device):
    """The only kernel `f` of a source."""
    return lambda source: hd.Program(source, name="f.cu").compile().get_kernel("f")


class TestScalars:
    @pytest.mark.parametrize("dtype", [d for d in CTYPE if "int" in d])
    def test_python_ints(self, store, dtype):
        bounds = np.iinfo(dtype)
        for value in (0, 1, bounds.min, bounds.max):
            assert store(dtype, int(value)) == value
        for value in (int(bounds.min) - 1, int(bounds.max) + 1, 1 << 100, -(1 << 100)):
            with pytest.raises(ValueError, match="the range is"):
                store(dtype, value)

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_python_floats(self, store, dtype):
        for value in (0.0, -1.5, 0.1, 1e-40, float("inf"), 7, -3, True):
            assert store(dtype, value) == np.dtype(dtype).type(value)
        assert np.isnan(store(dtype, float("nan")))

    def test_floats_that_do_not_fit(self, store):
        with pytest.raises(ValueError, match="too large"):
            store("float32", 1e300)
        with pytest.raises(ValueError, match="too large"):
            store("float64", 10**400)

    def test_bools(self, store):
        assert store("bool", True)
        assert not store("bool", np.bool_(False))
        assert store("int32", True) == 1
        with pytest.raises(TypeError, match=r"pass bool\(2\)"):
            store("bool", 2)

    @pytest.mark.parametrize("given", list(CTYPE))
    @pytest.mark.parametrize("wanted", list(CTYPE))
    def test_numpy_scalars(self, store, given, wanted):
        value = np.dtype(given).type(1)
        if np.can_cast(given, wanted, "safe"):
            assert store(wanted, value) == 1
        else:
            with pytest.raises(TypeError, match="may change the value: pass np"):
                store(wanted, value)

    @pytest.mark.parametrize("wanted", ["int64", "float64", "uint64", "float32"])
    def test_numpy_extremes(self, store, wanted):
        for source in ("int8", "uint8", "int16", "int32", "uint32", "float32", "int64", "uint64"):
            if not np.can_cast(source, wanted, "safe"):
                continue
            limits = np.finfo(source) if source[0] == "f" else np.iinfo(source)
            for value in (limits.min, limits.max):
                value = np.dtype(source).type(value)
                assert store(wanted, value) == np.dtype(wanted).type(value)

    def test_half_scalars(self, store):
        for value in (0.0, -0.0, 1.5, 65504.0, 6e-8, -2.5, np.inf):
            assert store("float32", np.float16(value)) == np.float32(np.float16(value))
        assert np.isnan(store("float32", np.float16(np.nan)))

    def test_longlong_is_int64(self, store):
        assert store("int64", np.longlong(5)) == 5
        assert store("uint64", np.ulonglong(5)) == 5

    @pytest.mark.parametrize(
        ("make", "dtype"),
        [
            (ctypes.c_int, "int32"), (ctypes.c_uint, "uint32"), (ctypes.c_longlong, "int64"),
            (ctypes.c_size_t, "uint64"), (ctypes.c_short, "int16"), (ctypes.c_ubyte, "uint8"),
            (ctypes.c_float, "float32"), (ctypes.c_double, "float64"), (ctypes.c_bool, "bool"),
        ],
    )  # fmt: skip
    def test_ctypes(self, store, make, dtype):
        assert store(dtype, make(1)) == 1
        assert store("float64", ctypes.c_int(-3)) == -3
        with pytest.raises(TypeError, match="may change"):
            store("uint8", ctypes.c_double(1))

    def test_ints_of_other_classes(self, store):
        class Colour(enum.IntEnum):
            RED = 3

        class Index:
            def __index__(self):
                return 9

        assert store("int32", Colour.RED) == 3
        assert store("int32", Index()) == 9

    @pytest.mark.parametrize("value", ["1", None, [1], {}, object(), 1 + 2j, b"a"], ids=repr)
    def test_refused(self, store, value):
        for dtype in ("int32", "float32", "bool"):
            with pytest.raises(TypeError, match=r"argument 2 'value' of 'store_.*' is .*, got"):
                store(dtype, value)

    def test_arrays_are_no_scalars(self, store):
        for value in (np.array(1), np.ones(1, "i4")):
            with pytest.raises(TypeError, match="NumPy array.*item"):
                store("int32", value)
        with pytest.raises(TypeError, match="Array"):
            store("int32", hd.zeros(1, "int32"))

    def test_the_text(self, device, add_one):
        x = hd.zeros(4, "float32")
        with pytest.raises(TypeError) as error:
            add_one.launch(1, 4, (x, 1.5))
        assert str(error.value) == (
            "[Kernel.launch] argument 2 'n' of 'add_one' is int (4 bytes), got float 1.5: "
            "pass int(1.5) or change the parameter"
        )

    def test_half_parameters(self, kernel):
        f = kernel(
            "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
            "__global__ void f(float* out, __half h, __nv_bfloat16 b)"
            " { out[0] = __half2float(h); out[1] = __bfloat162float(b); }"
        )
        out = hd.zeros(2, "float32")
        for value in (1.0, 0.1, -2.75, 6e-8, 1 / 3, 65504.0):
            f.launch(1, 1, (out, value, value))
            half, bfloat = hd.asnumpy(out)
            assert half == np.float32(np.float16(value))
            ml_dtypes = pytest.importorskip("ml_dtypes")
            assert bfloat == np.float32(ml_dtypes.bfloat16(value))
            f.launch(1, 1, (out, np.float16(value), ml_dtypes.bfloat16(value)))
            assert hd.asnumpy(out).tolist() == [half, bfloat]
        with pytest.raises(ValueError, match="too large"):
            f.launch(1, 1, (out, 1e6, 0))


def test_count(device, add_one):
    x = hd.zeros(4, "float32")
    for arguments in ((), (x,), (x, 1, 2)):
        with pytest.raises(TypeError, match=r"'add_one' takes 2 arguments .*got"):
            add_one.launch(1, 1, arguments)


class TestPointers:
    @pytest.fixture
    def f(self, kernel):
        return kernel("__global__ void f(const float* x, float* y, void* any) { if (y) *y = 1; }")

    def test_arrays_and_buffers(self, f):
        x, y = hd.zeros(3, "float32"), hd.zeros(3, "float32")
        f.launch(1, 1, (x, y, hd.zeros(2, "int8")))
        assert y.tolist() == [1, 0, 0]
        typed = hd.Buffer.from_host(np.zeros(3, "f4"))
        f.launch(1, 1, (typed, typed, typed))
        untyped = hd.mem_alloc(100)
        f.launch(1, 1, (untyped, untyped, untyped))
        f.launch(1, 1, (x, y[1:], None))
        assert y.tolist() == [1, 1, 0]

    def test_null(self, f):
        f.launch(1, 1, (None, None, None))
        f.launch(1, 1, (None, ctypes.c_void_p(0), ctypes.c_void_p(None)))

    def test_address_of_ones_own(self, f):
        y = hd.zeros(2, "float32")
        f.launch(1, 1, (None, ctypes.c_void_p(y.address + 4), None))
        assert y.tolist() == [0, 1]

    def test_wrong_dtype(self, f):
        good = hd.zeros(3, "float32")
        for bad in (hd.zeros(3), hd.zeros(3, "int32"), hd.Buffer.from_host(np.zeros(3))):
            with pytest.raises(TypeError, match=r"'y' of 'f' is float ?\*, got .*convert"):
                f.launch(1, 1, (good, bad, None))

    def test_bare_numpy_arrays(self, f):
        with pytest.raises(TypeError) as error:
            f.launch(1, 1, (np.zeros(3, "f4"), None, None))
        for hint in ("hd.In(x)", "hd.Out(x)", "hd.InOut(x)", "hd.array(x)"):
            assert hint in str(error.value)

    def test_non_contiguous_arrays(self, f):
        x = hd.zeros((4, 4), "float32")
        for view in (x[:, ::2], x.T, x[::-1], x[:, 1:]):
            with pytest.raises(ValueError, match="non-contiguous.*copy"):
                f.launch(1, 1, (view, None, None))
            f.launch(1, 1, (view.copy(), None, None))
        f.launch(1, 1, (x[1:3], x[2], None))

    def test_read_only(self, f, device):
        frozen = np.zeros(3, "f4")
        frozen.flags.writeable = False
        if device.kind == "cuda":
            pytest.skip("read-only memory is made from NumPy on the CPU")
        x = hd.asarray(frozen, copy=False)
        f.launch(1, 1, (x, None, None))
        for arguments in ((None, x, None), (None, None, x)):
            with pytest.raises(ValueError, match="read-only"):
                f.launch(1, 1, arguments)

    @pytest.mark.parametrize("bad", [0, 12345, 1.5, "x", [1], np.int64(0), np.float32(1)], ids=repr)
    def test_no_pointers(self, f, bad):
        with pytest.raises(TypeError, match="'x' of 'f'"):
            f.launch(1, 1, (bad, None, None))

    def test_closed_buffer(self, f):
        buffer = hd.mem_alloc(16)
        buffer.close()
        with pytest.raises(hd.ClosedError):
            f.launch(1, 1, (buffer, None, None))

    def test_char_takes_both_signs(self, kernel):
        f = kernel("__global__ void f(char* x) { *x = 1; }")
        for dtype in ("int8", "uint8"):
            x = hd.zeros(1, dtype)
            f.launch(1, 1, (x,))
            assert x.tolist() == [1]

    def test_vector_pointers_take_their_elements(self, kernel):
        f = kernel("__global__ void f(float4* x) { x->w = 4; }")
        x = hd.zeros((1, 4), "float32")
        f.launch(1, 1, (x,))
        assert x.tolist() == [[0, 0, 0, 4]]


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_double)]


class TestRecords:
    SOURCE = (
        "struct Pair { int a; double b; };\n"
        "__global__ void f(double* out, Pair p) { out[0] = p.a; out[1] = p.b; }"
    )

    def test_ctypes_and_numpy(self, kernel):
        f = kernel(self.SOURCE)
        out = hd.zeros(2)
        f.launch(1, 1, (out, Pair(3, 2.5)))
        assert out.tolist() == [3, 2.5]
        dtype = np.dtype([("a", "i4"), ("b", "f8")], align=True)
        f.launch(1, 1, (out, np.array((7, -1.5), dtype)[()]))
        assert out.tolist() == [7, -1.5]

    def test_wrong_size(self, kernel):
        f = kernel(self.SOURCE)
        packed = np.array((7, -1.5), [("a", "i4"), ("b", "f8")])[()]
        with pytest.raises(TypeError, match=r"'p' of 'f'.*12 bytes.*align"):
            f.launch(1, 1, (hd.zeros(2), packed))

    @pytest.mark.parametrize("bad", [1, 2.5, (3, 2.5), None, np.float64(1)], ids=repr)
    def test_no_records(self, kernel, bad):
        with pytest.raises(TypeError, match="'p' of 'f'"):
            kernel(self.SOURCE).launch(1, 1, (hd.zeros(2), bad))

    def test_complex(self, kernel):
        f = kernel(
            "__global__ void f(float2* out, float2 a, double2 b)"
            " { out[0] = a; out[1] = make_float2(b.x, b.y); }"
        )
        out = hd.zeros(2, "complex64")
        f.launch(1, 1, (out, 1 + 2j, 3 - 4j))
        assert out.tolist() == [1 + 2j, 3 - 4j]
        f.launch(1, 1, (out, np.complex64(5j), np.complex128(6)))
        assert out.tolist() == [5j, 6]


@settings(max_examples=60, deadline=None)
@given(
    values=st.tuples(
        st.booleans(), st.integers(-128, 127), st.integers(0, 2**16 - 1),
        st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**64 - 1),
        st.floats(width=32), st.floats(),
    )
)  # fmt: skip
def test_any_values_arrive(values):
    source = """
struct Out { double f64; unsigned long long u64; float f32; int i32; unsigned short u16;
             signed char i8; bool b; };
__global__ void f(Out* out, bool b, signed char i8, unsigned short u16, int i32,
                  unsigned long long u64, float f32, double f64) {
    out->b = b; out->i8 = i8; out->u16 = u16; out->i32 = i32; out->u64 = u64;
    out->f32 = f32; out->f64 = f64;
}"""
    dtype = np.dtype(
        [("f64", "f8"), ("u64", "u8"), ("f32", "f4"), ("i32", "i4"), ("u16", "u2"), ("i8", "i1"),
         ("b", "?")], align=True,
    )  # fmt: skip
    with hd.Device("cpu"):
        kernel = hd.Program(source).compile().get_kernel("f")
        out = np.zeros(1, dtype)
        kernel(hd.Out(out), *values, block=1)
    arrived = [out[0][name] for name in ("b", "i8", "u16", "i32", "u64", "f32", "f64")]
    for value, got in zip(values, arrived, strict=True):
        assert got == value or (got != got and value != value)


class TestSizesOnly:
    """Code that comes without types: a cubin made elsewhere, here one that lost its names."""

    @pytest.fixture
    def code(self, gpu):
        source = 'extern "C" __global__ void f(float* x, int n, float v) { x[n] = v; }'
        cubin = hd.Program(source).compile("cubin").code
        return hd.ObjectCode.from_bytes(cubin)

    def test_typed_scalars_are_needed(self, code):
        f = code.get_kernel("f")
        x = hd.zeros(3, "float32")
        f.launch(1, 1, (x, np.int32(1), ctypes.c_float(2.5)))
        assert x.tolist() == [0, 2.5, 0]
        if f.signature.exact:
            return
        with pytest.raises(TypeError, match="only sizes"):
            f.launch(1, 1, (x, 1, 2.5))
        with pytest.raises(TypeError, match="sizes must agree"):
            f.launch(1, 1, (x, np.int64(1), np.float32(1)))

    def test_signature_given(self, code):
        f = code.get_kernel("f", signature="(float* x, int n, float v)")
        x = hd.zeros(3, "float32")
        f.launch(1, 1, (x, 2, 7))
        assert x.tolist() == [0, 0, 7]
        with pytest.raises(ValueError, match="does not fit"):
            code.get_kernel("f", signature="(float* x, int n)")
