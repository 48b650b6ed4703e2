"""Programs, object codes, kernels' names, templates, linking, the compile cache."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import heald as hd

SCALE = """
template <class T, int n>
__global__ void scale(T* x, T by) { for (int i = 0; i < n; ++i) x[i] *= by; }

__global__ void plain(int* x) { x[threadIdx.x] = threadIdx.x; }

namespace deep { __global__ void inside(int* x) { *x = 5; } }

extern "C" __global__ void c_name(int* x) { *x = 6; }
"""


def run(kernel: hd.Kernel, count: int = 4, dtype: object = np.int32, *more: object) -> list:
    x = hd.ones(count, dtype)
    kernel.launch(1, count, (x, *more))
    return x.tolist()


def test_names(device):
    code = hd.Program(SCALE, name="scale.cu").compile(names=["scale<float, 4>"])
    assert run(code.get_kernel("plain")) == [0, 1, 2, 3]
    assert run(hd.Kernel(code, "deep::inside"), 1) == [5]
    assert run(code.get_kernel("c_name"), 1) == [6]
    x = hd.ones(4, "float32")
    code.get_kernel("scale<float, 4>").launch(1, 1, (x, 3))
    assert x.tolist() == [3] * 4
    assert code.get_kernel("plain").name == "plain"
    assert "plain" in repr(code.get_kernel("plain"))


def test_instance_asked_for_later(device):
    code = hd.Program(SCALE).compile()
    x = hd.ones(2, "float64")
    code.get_kernel("scale<double, 2>").launch(1, 1, (x, 2.5))
    assert x.tolist() == [2.5, 2.5]


def test_instance_with_mutable_globals_must_be_named(device):
    source = "__device__ int n; template <class T> __global__ void f(T* x) { *x = n++; }"
    code = hd.Program(source).compile()
    with pytest.raises(hd.HealdError, match="name"):
        code.get_kernel("f<int>")
    assert run(hd.Program(source).compile(names="f<int>").get_kernel("f<int>"), 1) == [0]


def test_unknown_kernel_suggests(device):
    code = hd.Program(SCALE).compile()
    with pytest.raises(LookupError, match="plain") as error:
        code.get_kernel("plane")
    assert isinstance(error.value, hd.NotFoundError)
    assert run(code.get_kernel("plain")) == [0, 1, 2, 3]


def test_overloads_are_listed(device):
    code = hd.Program(
        "__global__ void f(int* x) { *x = 1; } __global__ void f(float* x) { *x = 2; }"
    ).compile()
    with pytest.raises(hd.HealdError, match=r"(?s)f\(.*f\("):
        code.get_kernel("f")


@pytest.mark.parametrize("source", ["", "// nothing", "int host() { return 1; }"])
def test_source_without_kernels(device, source):
    with pytest.raises(hd.HealdError, match="kernel|empty"):
        hd.Program(source).compile().get_kernel("f")


def test_compile_error(device):
    source = "// line 1\n__global__ void f(float* x) {\n    x[0] = undefined_name;\n}\n"
    with pytest.raises(hd.CompileError) as info:
        hd.Program(source, name="mine.cu").compile()
    error = info.value
    assert isinstance(error, RuntimeError)
    first = next(d for d in error.diagnostics if d.severity == "error")
    assert (first.file, first.line) == ("mine.cu", 3)
    if device.kind == "cpu":
        assert first.column == 12
    assert "undefined_name" in first.message
    assert "undefined_name" in error.log
    assert "mine.cu" in str(error)
    assert "mine.cu:3" in repr(first)
    assert run(hd.Program(SCALE).compile().get_kernel("plain"), 2) == [0, 1]


def test_error_in_a_template_instance(device):
    source = "template <class T>\n__global__ void f(T* x) {\n x->no_such(); }"
    with pytest.raises(hd.CompileError) as info:
        hd.Program(source, name="mine.cu").compile(names=["f<int>"])
    assert ("mine.cu", 3) in {(d.file, d.line) for d in info.value.diagnostics}


def test_warnings_are_kept(device):
    source = "__global__ void f(int* x) {\n#warning look here\n *x = 1; }"
    code = hd.Program(source, name="warn.cu").compile()
    assert "look here" in code.log
    assert any("look here" in w.message and w.severity == "warning" for w in code.warnings)
    with pytest.raises(hd.CompileError):
        hd.Program(source, options=hd.ProgramOptions(warnings_as_errors=True)).compile()


class TestOptions:
    SOURCE = '#include "value.h"\n__global__ void f(int* x) { *x = VALUE + MORE; }'

    def result(self, **options):
        program = hd.Program(self.SOURCE, options=hd.ProgramOptions(**options))
        return run(program.compile().get_kernel("f"), 1)[0]

    @pytest.mark.parametrize(
        "defines",
        [["MORE=2"], "MORE=2", ("MORE=2",), {"MORE": 2}, ["MORE=1 + 1"], {"MORE": "(1 + 1)"}],
        ids=str,
    )
    def test_defines(self, device, defines):
        assert self.result(defines=defines, headers={"value.h": "#define VALUE 40"}) == 42

    @pytest.mark.parametrize("kind", [str, pathlib.Path, lambda p: [str(p)], lambda p: (p,)])
    def test_include_paths(self, device, tmp_path, kind):
        folder = tmp_path / "with space é"
        folder.mkdir()
        (folder / "value.h").write_text("#define VALUE 1")
        assert self.result(defines="MORE=0", include_paths=kind(folder)) == 1

    def test_dictionary_of_options(self, device):
        code = hd.Program(
            "__global__ void f(int* x) { *x = N; }", options={"defines": {"N": 3}}
        ).compile()
        assert run(code.get_kernel("f"), 1) == [3]

    def test_language_standard(self, device):
        source = "__global__ void f(long long* x) { *x = __cplusplus; }"
        for standard, value in ("c++17", 201703), ("c++20", 202002):
            options = hd.ProgramOptions(standard=standard)
            kernel = hd.Program(source, options=options).compile().get_kernel("f")
            assert run(kernel, 1, np.int64) == [value]

    @pytest.mark.parametrize(
        "bad",
        [{"defines": 3}, {"include_paths": [1]}, {"headers": ["a.h"]}, {"no_such": 1}],
        ids=str,
    )
    def test_wrong_types(self, device, bad):
        with pytest.raises(TypeError):
            hd.ProgramOptions(**bad)

    def test_unknown_standard(self, device):
        with pytest.raises((hd.CompileError, ValueError), match=r"c\+\+95"):
            self.result(standard="c++95", headers={"value.h": ""})

    def test_options_can_be_read_and_set(self):
        options = hd.ProgramOptions(fast_math=True)
        options.max_registers = 32
        assert (options.fast_math, options.max_registers) == (True, 32)

    def test_contraction(self, device):
        source = "__global__ void f(float* x) { x[0] = x[1] * x[2] + x[3]; }"
        a = np.float32(1 + 2**-12)
        values = np.array([0, a, a, -(a * a)], np.float32)
        for contract, expected in (True, True), (False, False):
            options = hd.ProgramOptions(contract=contract)
            x = hd.array(values)
            hd.Program(source, options=options).compile().get_kernel("f").launch(1, 1, (x,))
            assert (x[0].item() != 0) == expected


class TestObjectCode:
    def test_file_round_trip(self, device, tmp_path):
        code = hd.Program(SCALE).compile()
        for name in ("code.bin", "größe mit leerzeichen.bin"):
            path = tmp_path / name
            path.write_bytes(code.code)
            for given in (str(path), path, bytes(path)):
                loaded = hd.ObjectCode.from_file(given)
                assert loaded.format == code.format
                assert run(loaded.get_kernel("c_name"), 1) == [6]

    def test_facts(self, device):
        code = hd.Program(SCALE, name="scale.cu").compile()
        assert code.format == ("cpu" if device.kind == "cpu" else "cubin")
        assert code.name == "scale.cu"
        assert isinstance(code.code, bytes)
        assert "plain" in code.kernel_names
        assert "scale.cu" in repr(code)

    def test_missing_file(self, device, tmp_path):
        with pytest.raises(FileNotFoundError):
            hd.ObjectCode.from_file(tmp_path / "none.cubin")

    @pytest.mark.parametrize("content", [b"", b"not code", b"HEALDCPU", b"\x7fELF"])
    def test_damaged_files(self, device, tmp_path, content):
        path = tmp_path / "bad"
        path.write_bytes(content)
        with pytest.raises(hd.HealdError):
            hd.ObjectCode.from_file(path).get_kernel("f")

    @pytest.mark.parametrize("cut", [0.3, 0.9, 0.999])
    def test_truncated_code(self, device, cut):
        data = hd.Program(SCALE).compile().code
        with pytest.raises(hd.HealdError):
            hd.ObjectCode.from_bytes(data[: int(len(data) * cut)]).get_kernel("c_name")

    def test_closing(self, device):
        with hd.Program(SCALE).compile() as code:
            kernel = code.get_kernel("plain")
        assert code.closed
        for use in (lambda: code.get_kernel("plain"), lambda: code.code, lambda: code.format):
            with pytest.raises(hd.ClosedError):
                use()
        assert run(kernel, 2) == [0, 1]  # the kernel keeps what it needs
        with kernel:
            pass
        assert kernel.closed
        with pytest.raises(hd.ClosedError):
            run(kernel)

    def test_other_target(self, gpu):
        program = hd.Program(SCALE)
        for target in ("cubin", "ptx"):
            code = program.compile(target)
            assert code.format == target
            assert run(code.get_kernel("c_name"), 1) == [6]
        with pytest.raises(ValueError):
            program.compile("nonsense")

    def test_targets_of_the_gpu_on_the_cpu(self, cpu):
        with pytest.raises(hd.HealdError, match="ptx"):
            hd.Program(SCALE).compile("ptx")


def test_linking(device):
    options = hd.ProgramOptions(relocatable=True)
    a = hd.Program("__device__ int twice(int x) { return 2 * x; }", options=options).compile()
    b = hd.Program(
        "extern __device__ int twice(int); __global__ void f(int* x) { *x = twice(21); }",
        options=options,
    ).compile()
    for inputs in ((a, b), ([a, b],)):
        kernel = hd.Linker(*inputs).link().get_kernel("f")
        assert run(kernel, 1) == [42]
    with pytest.raises(TypeError, match="ObjectCode"):
        hd.Linker(a, "text")


def test_linking_with_a_missing_function(device):
    """Named at the link step, or where the code is first needed."""
    options = hd.ProgramOptions(relocatable=True)
    b = hd.Program(
        "extern __device__ int nowhere(int); __global__ void f(int* x) { *x = nowhere(1); }",
        options=options,
    ).compile()
    with pytest.raises(hd.HealdError, match="nowhere"):
        run(hd.Linker(b).link().get_kernel("f"), 1)


def test_globals(device):
    code = hd.Program(
        "__constant__ float weights[3]; __device__ int counter;\n"
        "__global__ void f(float* x) { x[0] = weights[2]; counter += 1; }"
    ).compile()
    weights = code.get_global("weights")
    assert weights.size == 12
    weights.copy_from(np.array([1, 2, 3], np.float32))
    counter = code.get_global("counter")
    counter.copy_from(np.array([41], np.int32))
    assert run(code.get_kernel("f"), 1, np.float32) == [3]
    assert counter.copy_to_host(np.empty(1, np.int32)) == [42]
    with pytest.raises(LookupError, match="weights"):
        code.get_global("weight")


def test_attributes_and_occupancy(device):
    kernel = (
        hd.Program(
            "__global__ void f(float* x) { __shared__ float s[256]; s[threadIdx.x] = x[0];\n"
            "__syncthreads(); x[threadIdx.x] = s[255 - threadIdx.x]; }"
        )
        .compile()
        .get_kernel("f")
    )
    attributes = kernel.attributes
    assert attributes.static_shared >= 1024
    assert attributes.max_threads_per_block >= 256
    assert attributes.max_dynamic_shared > 0
    assert kernel.max_active_blocks(256) >= 1
    assert kernel.max_active_blocks((16, 16), shared_memory=1024) >= 1
    assert 0 < kernel.occupancy(256) <= 1
    size = kernel.suggest_block_size()
    assert 1 <= size.block <= attributes.max_threads_per_block
    assert size.grid >= 1
    assert kernel.device == device


def test_signature(device):
    kernel = (
        hd.Program(
            "struct P { int a; float b; };\n"
            "__global__ void f(const float* x, double* y, void* v, P p, unsigned n, bool b) {}"
        )
        .compile()
        .get_kernel("f")
    )
    signature = kernel.signature
    assert signature.exact
    assert len(signature) == 6
    kinds = [p.kind for p in signature.parameters]
    assert kinds == ["pointer", "pointer", "pointer", "record", "scalar", "scalar"]
    assert [p.size for p in signature.parameters] == [8, 8, 8, 8, 4, 1]
    assert signature.parameters[0].is_const
    assert not signature.parameters[1].is_const
    assert signature.parameters[2].is_void
    assert signature.parameters[0].dtype == np.float32
    assert signature.parameters[4].dtype == np.uint32
    assert "float" in str(signature)


def test_written_signatures():
    signature = hd.Signature("(const float *x, int n, unsigned long long, double* restrict out)")
    assert [p.dtype for p in signature.parameters] == [
        np.float32, np.int32, np.uint64, np.float64,
    ]  # fmt: skip
    assert [p.name for p in signature.parameters] == ["x", "n", "", "out"]
    assert [p.is_const for p in signature.parameters] == [True, False, False, False]
    assert len(hd.Signature("()")) == 0
    with pytest.raises(ValueError, match="flaot"):
        hd.Signature("(flaot x)")


class TestCache:
    def test_second_compile_is_a_hit(self, device):
        source = f"__global__ void f(int* x) {{ *x = 1; }} // {np.random.default_rng().random()}"
        hd.Program(source).compile()
        before = hd.compile_cache_statistics()
        hd.Program(source).compile()
        after = hd.compile_cache_statistics()
        assert after.memory_hits + after.disk_hits == before.memory_hits + before.disk_hits + 1
        assert after.misses == before.misses

    def test_options_and_headers_are_part_of_the_key(self, device):
        def value(header, define):
            options = hd.ProgramOptions(headers={"v.h": header}, defines=define)
            source = '#include "v.h"\n__global__ void f(int* x) { *x = V + D; }'
            return run(hd.Program(source, options=options).compile().get_kernel("f"), 1)[0]

        assert value("#define V 1", "D=10") == 11
        assert value("#define V 2", "D=10") == 12
        assert value("#define V 1", "D=20") == 21

    def test_changed_include_compiles_again(self, device, tmp_path):
        header = tmp_path / "v.h"
        program = hd.Program(
            '#include "v.h"\n__global__ void f(int* x) { *x = V; }',
            options=hd.ProgramOptions(include_paths=tmp_path),
        )
        for value in (1, 2):
            header.write_text(f"#define V {value}\n")
            assert run(program.compile().get_kernel("f"), 1) == [value]

    def test_without_cache(self, device):
        options = hd.ProgramOptions(use_cache=False)
        before = hd.compile_cache_statistics()
        for _ in range(2):
            hd.Program("__global__ void f(int* x) {}", options=options).compile()
        assert hd.compile_cache_statistics().memory_hits == before.memory_hits

    def test_directory(self):
        assert hd.compile_cache_directory()

    def test_second_process_does_not_compile(self, run_python, tmp_path):
        script = """
import heald as hd
with hd.Device("cpu"):
    k = hd.Program("__global__ void f(int* x) { *x = 5; }").compile().get_kernel("f")
    x = hd.zeros(1, "int32")
    k.launch(1, 1, (x,))
    print(x.item(), hd.compile_cache_statistics().disk_hits,
          any("heald_cpu_compiler" in line for line in open("/proc/self/maps")))
"""
        env = {"HEALD_CACHE_DIR": str(tmp_path)}
        first = run_python(script, env=env)
        assert first.stdout.split() == ["5", "0", "True"], first.stderr
        second = run_python(script, env=env)
        assert second.stdout.split() == ["5", "1", "False"], second.stderr

    def test_damaged_cache_files_are_not_read(self, run_python, tmp_path):
        script = """
import heald as hd
with hd.Device("cpu"):
    k = hd.Program("__global__ void f(int* x) { *x = 5; }").compile().get_kernel("f")
    x = hd.zeros(1, "int32")
    k.launch(1, 1, (x,))
    print(x.item(), hd.compile_cache_statistics().disk_hits)
"""
        env = {"HEALD_CACHE_DIR": str(tmp_path)}
        assert run_python(script, env=env).stdout.split() == ["5", "0"]
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert files
        for path in files:
            path.write_bytes(path.read_bytes()[:-20])
        again = run_python(script, env=env)
        assert again.stdout.split() == ["5", "0"], again.stderr
