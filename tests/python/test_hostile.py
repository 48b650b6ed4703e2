"""Arguments, sources and moments that are meant to break things end in an error that can be read."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
import weakref

import numpy as np
import pytest

import heald as hd

SURROGATE = "a\udc80"  # a str that has no UTF-8
KERNEL = 'extern "C" __global__ void k(int* x) { %s }'


@pytest.fixture
def code(device):
    return hd.Program(KERNEL % "x[threadIdx.x] += 1;").compile()


class TestText:
    @pytest.mark.parametrize(
        "call",
        [
            lambda: hd.Program(SURROGATE),
            lambda: hd.Program("", name=SURROGATE),
            lambda: hd.Program("", options={"defines": SURROGATE}),
            lambda: hd.Program("", options={"defines": {SURROGATE: 1}}),
            lambda: hd.Program("", options={"defines": {"A": SURROGATE}}),
            lambda: hd.Program("", options={"include_paths": [SURROGATE]}),
            lambda: hd.Program("", options={"headers": {SURROGATE: ""}}),
            lambda: hd.Program("", options={"headers": {"a.h": SURROGATE}}),
            lambda: hd.Program("").compile(SURROGATE),
            lambda: hd.Program("").compile(names=SURROGATE),
            lambda: hd.Module(SURROGATE),
            lambda: hd.Device(SURROGATE),
            lambda: hd.zeros(3, SURROGATE),
            lambda: hd.zeros(3, device=SURROGATE),
            lambda: hd.Buffer(3, kind=SURROGATE),
            lambda: hd.Signature(SURROGATE),
        ],
    )
    def test_that_utf8_cannot_write(self, cpu, call):
        with pytest.raises((ValueError, TypeError)) as error:
            call()
        assert "std::" not in str(error.value)

    def test_objects_in_messages(self, device):
        class Shown:
            def __init__(self, text):
                self.text = text

            def __repr__(self):
                if isinstance(self.text, Exception):
                    raise self.text
                return self.text

        for text in (SURROGATE, "x" * 1_000_000, RuntimeError("no")):
            for call in (hd.zeros, lambda x: hd.zeros(3, x), lambda x: hd.LaunchConfig(x, 1)):
                with pytest.raises(TypeError) as error:
                    call(Shown(text))
                assert 20 < len(str(error.value)) < 600

    def test_bytes_that_are_no_text(self, cpu):
        with pytest.raises(TypeError):
            hd.Program(b"\xff\0")
        with pytest.raises(ValueError, match="zero byte"):
            hd.Program("int a;\0").compile()


class TestObjects:
    def test_lengths_that_change_the_list(self, device, code):
        class Shrinks:
            def __index__(self):
                shape.clear()
                return 1

        kernel = code.get_kernel("k")
        shape = []
        for use in (
            lambda: kernel.launch(shape, 1, (hd.zeros(4, "int32"),)),
            lambda: hd.zeros(shape),
        ):
            shape[:] = [Shrinks(), 1, 1]
            try:
                use()
            except (TypeError, ValueError):
                pass

    def test_items_that_change_the_dict(self, cpu):
        class Name:
            def __str__(self):
                defines.clear()
                gc.collect()
                return "A"

        defines = {Name(): Name(), Name(): "1", "B": 2}
        hd.ProgramOptions(defines=defines)

    @pytest.mark.filterwarnings("ignore:nanobind")
    def test_uninitialised(self, device, code):
        kernel = code.get_kernel("k")
        for cls in (hd.Array, hd.Buffer, hd.In, hd.InOut, hd.Out, hd.Stream):
            raw = cls.__new__(cls)
            with pytest.raises((TypeError, ValueError, RuntimeError)):
                kernel.launch(1, 1, (raw,))
        with pytest.raises((BufferError, TypeError)):
            memoryview(hd.Array.__new__(hd.Array))
        with pytest.raises((TypeError, RuntimeError)):
            kernel.launch(1, 1, (hd.zeros(4, "int32"),), hd.Stream.__new__(hd.Stream))

    def test_ctypes_that_lie_about_their_size(self, device):
        class Wide(ctypes.c_char):
            _type_ = "d"

        kernel = hd.Program('extern "C" __global__ void k(double x) {}').compile().get_kernel("k")
        with pytest.raises(TypeError):
            kernel.launch(1, 1, (Wide(b"a"),))

    def test_interfaces_of_themselves(self, device, code):
        class Itself:
            @property
            def __cuda_array_interface__(self):
                return self

        class Raises:
            def __init__(self, error):
                self.error = error

            def __dlpack__(self, **_):
                raise self.error

            def __dlpack_device__(self):
                return (1, 0)

        with pytest.raises((TypeError, ValueError)):
            code.get_kernel("k").launch(1, 1, (Itself(),))
        for error in (ZeroDivisionError("mine"), KeyboardInterrupt()):
            with pytest.raises(type(error)):
                hd.from_dlpack(Raises(error))
            with pytest.raises(type(error)):
                code.get_kernel("k").launch(1, 1, (Raises(error),))

    def test_cycles_through_host_functions(self, device):
        class Node:
            def __call__(self):
                pass

        node = Node()
        node.stream = hd.Stream()
        node.itself = node
        node.stream.host_function(node)
        node.stream.synchronize()
        gone = weakref.ref(node)
        del node
        deadline = time.monotonic() + 10
        while gone() is not None and time.monotonic() < deadline:
            gc.collect()
            time.sleep(0.01)
        assert gone() is None

    def test_a_host_function_that_raises_what_cannot_be_shown(self, device):
        class Silent(Exception):
            def __str__(self):
                raise RuntimeError("no text")

        def fail():
            raise Silent

        stream = hd.Stream()
        stream.host_function(fail)
        with pytest.raises((Silent, hd.HealdError)):
            stream.synchronize()
        stream.synchronize()


def test_closing_a_buffer_that_others_copy(device):
    """Ends in an error or in a copy, never in a crash."""
    buffers = [hd.Buffer(4096)]
    end = time.monotonic() + 1.0
    failures = []

    def work(i):
        host = np.zeros(4096, "u1")
        with device, hd.Stream() as stream:
            while time.monotonic() < end:
                buffer = buffers[0]
                try:
                    if i == 0:
                        buffers[0] = hd.Buffer(4096)
                        buffer.close()
                    elif i % 3 == 0:
                        buffer.fill(1, 1, stream)
                    elif i % 3 == 1:
                        buffer.copy_to_host(host, stream)
                    else:
                        buffer.copy_from(host, stream)
                except (hd.ClosedError, ValueError):
                    pass
                except BaseException as error:
                    failures.append(error)
                    return

    threads = [threading.Thread(target=work, args=(i,)) for i in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


class TestSources:
    @pytest.fixture(autouse=True)
    def on_cpu(self, cpu):
        pass

    @staticmethod
    def run(body):
        x = hd.ones(4, "int32")
        code = hd.Program(KERNEL % body, options={"use_cache": False}).compile()
        code.get_kernel("k").launch(1, 1, (x,))
        return x[0].item()

    @pytest.mark.parametrize(
        ("body", "value"),
        [
            ("x[0] = " + "+".join(["x[1]"] * 20_000) + ";", 20_000),
            ("x[0] = " + "!" * 50_000 + "x[1];", 1),
            ("x[0] = " * 10_000 + "5;", 5),
            ("if (x[1]) " * 300 + "x[0] = 9;", 9),
        ],
        ids=["sum", "unary", "assignment", "if"],
    )
    def test_deep_nesting(self, body, value):
        assert self.run(body) == value

    def test_too_deep_nesting_is_an_error(self, run_python):
        script = f"""
import heald as hd
hd.Device("cpu").__enter__()
source = '''{KERNEL}'''
for _ in range(2):
    try:
        hd.Program(source % ("x[0] = " + "!" * 700_000 + "1;")).compile()
    except hd.CompileError as error:
        print("nested too deeply" in str(error))
x = hd.ones(4, "int32")
hd.Program(source % "x[0] = 8;").compile().get_kernel("k").launch(1, 1, (x,))
print(x[0].item())
"""
        result = run_python(script)
        assert result.stdout.split() == ["True", "True", "8"], result.stderr

    @pytest.mark.parametrize(
        "what", ["crash", "llvm_fatal_error", "parser_crash", "overflow_stack"]
    )
    def test_pragmas_that_crash_clang(self, what):
        assert self.run(f"x[0] = 3; }}\n#pragma clang __debug {what}\nvoid __device__ f() {{") == 3

    def test_an_undefined_variable_is_named(self):
        source = "extern __device__ int v; " + KERNEL % "x[0] = v;"
        with pytest.raises(hd.NotFoundError, match="'v'"):
            hd.Program(source).compile().get_kernel("k").launch(1, 1, (hd.ones(4, "int32"),))

    @pytest.mark.parametrize("where", ["__FILE__", '"k.cu"', "<k.cu>"])
    def test_recursive_includes(self, where):
        source = f"#include {where}\n" + KERNEL % ""
        with pytest.raises(hd.CompileError, match="nested too deeply|not found"):
            hd.Program(source, name="k.cu").compile()
        with pytest.raises(hd.CompileError, match="nested too deeply"):
            hd.Program('#include "k.h"', options={"headers": {"k.h": '#include "k.h"'}}).compile()

    def test_endless_templates(self):
        for source in (
            "template<class T> struct P {}; template<class T> struct A : A<P<T>> {}; A<int> a;",
            "template<class T> __device__ auto f(T t) { return f(&t); } __global__ void k() { f(1); }",
            "constexpr int f(int n) { return f(n + 1); } constexpr int a = f(0);",
        ):
            with pytest.raises(hd.CompileError):
                hd.Program(source).compile()

    def test_thousands_of_kernels(self):
        source = "\n".join(f"__global__ void k{i}(int* x) {{ *x = {i}; }}" for i in range(2000))
        code = hd.Program(source, options={"use_cache": False}).compile()
        assert len(code.kernel_names) == 2000
        x = hd.ones(1, "int32")
        code.get_kernel("k1999").launch(1, 1, (x,))
        assert x.item() == 1999

    @pytest.mark.parametrize("size", ["1 << 30", "1ull << 40"])
    def test_large_frames_and_shared_memory(self, size):
        with pytest.raises(hd.KernelFault, match="stack"):
            self.run(f"volatile char b[{size}]; b[x[0]] = 1; x[1] = b[x[2]];")
        with pytest.raises(hd.CompileError, match="__shared__"):
            self.run(f"__shared__ char b[{size}]; b[x[0]] = 1; x[1] = b[x[2]];")
        assert self.run("x[0] = 4;") == 4
