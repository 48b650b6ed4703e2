"""Every way to launch, configurations, and what is refused."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import heald as hd

WHERE = """
__global__ void where(unsigned* out) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 10000 + thread;
}
__global__ void dynamic(int* out, int n) {
    extern __shared__ int shared[];
    shared[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = shared[n - 1 - threadIdx.x];
}
"""


@pytest.fixture
def where(device):
    return hd.Program(WHERE).compile().get_kernel("where")


def test_all_forms(device, add_one):
    x = hd.zeros(1000, "float32")
    stream = hd.Stream()
    add_one.launch(4, 256, (x, 1000))
    add_one.launch((4,), (256, 1), [x, 1000], None, 0)
    add_one.launch(grid=(4, 1, 1), block=(256, 1, 1), args=(x, 1000), stream=stream)
    add_one.launch(4, block=256, args=(x, 1000), shared_memory=128)
    add_one(x, 1000, grid=4, block=256)
    add_one(x, np.int32(1000), grid=(4, 1), block=(256, 1, 1), stream=stream)
    hd.launch(None, hd.LaunchConfig(4, 256), add_one, x, 1000)
    hd.launch(stream, hd.LaunchConfig(grid=(4,), block=256), add_one, x, 1000)
    add_one.bind(4, 256, (x, 1000))()
    add_one.bind(hd.LaunchConfig(4, 256), x, 1000, stream=stream).launch()
    assert (hd.asnumpy(x) == 10).all()


@pytest.mark.parametrize("grid", [1, (3,), (2, 3), (2, 3, 4)], ids=str)
@pytest.mark.parametrize("block", [1, 33, (8, 4), (4, 3, 5)], ids=str)
def test_grids_and_blocks(device, where, grid, block):
    blocks, threads = int(np.prod(grid)), int(np.prod(block))
    out = hd.full(blocks * threads, 7, "uint32")
    where.launch(grid, block, (out,))
    expected = (np.arange(blocks)[:, None] * 10000 + np.arange(threads)).ravel()
    np.testing.assert_array_equal(hd.asnumpy(out), expected)


def test_grid_defaults_to_one_block(device, where):
    out = hd.zeros(4, "uint32")
    where(out, block=4)
    assert out.tolist() == [0, 1, 2, 3]


def test_dynamic_shared_memory(device):
    kernel = hd.Program(WHERE).compile().get_kernel("dynamic")
    for n in (32, 1000):
        out = hd.zeros(n, "int32")
        kernel.launch(1, n, (out, n), shared_memory=4 * n)
        assert out.tolist() == list(range(n))[::-1]


def test_more_shared_memory_than_by_default(device):
    kernel = hd.Program(WHERE).compile().get_kernel("dynamic")
    most = kernel.attributes.max_dynamic_shared
    out = hd.zeros(64, "int32")
    kernel.launch(1, 64, (out, 64), shared_memory=most)
    assert out.tolist() == list(range(64))[::-1]
    with pytest.raises(ValueError, match="shared memory"):
        kernel.launch(1, 64, (out, 64), shared_memory=most + 1)


@pytest.mark.parametrize(
    ("grid", "block", "error", "text"),
    [
        (0, 1, ValueError, "grid"),
        ((1, 0), 1, ValueError, "grid"),
        (1, 0, ValueError, "block"),
        (1, 4096, ValueError, "block"),
        (1, (1024, 2), ValueError, "block"),
        (1, (1, 1, 65), ValueError, "block"),
        ((1, 1 << 17), 1, ValueError, "grid"),
        (1 << 33, 1, ValueError, "grid"),
        (-1, 1, ValueError, "grid"),
        (1, (-1, 2), ValueError, "block"),
        (1.5, 1, TypeError, "grid"),
        ((1, 1, 1, 1), 1, TypeError, "grid"),
        ((), 1, TypeError, "grid"),
        ("1", 1, TypeError, "grid"),
        (1, None, TypeError, "block"),
    ],
    ids=str,
)
def test_impossible_configurations(device, where, grid, block, error, text):
    out = hd.zeros(4, "uint32")
    with pytest.raises(error, match=text):
        where.launch(grid, block, (out,))
    where.launch(1, 4, (out,))
    assert out.tolist() == [0, 1, 2, 3]


def test_wrong_options(device, where):
    out = hd.zeros(4, "uint32")
    for use, text in (
        (lambda: where(out, grid=1), "block= is missing"),
        (lambda: where(out, grid=1, block=1, shared=4), "no option 'shared'"),
        (lambda: where.launch(1, 1, (out,), grid=1), "given twice"),
        (lambda: where.launch(1, 1, out), "tuple or list"),
        (lambda: where.launch(1, 1, (out,), None, 0, 1), "takes grid"),
        (lambda: hd.launch(None, where, out), "LaunchConfig"),
        (lambda: where.bind(1, 4, (out,))(out), "bound with its arguments"),
        (lambda: hd.Kernel(where, "where"), "ObjectCode"),
        (lambda: where.launch(1, 1, (out,), stream=3), "stream must be"),
    ):
        with pytest.raises(TypeError, match=text):
            use()
    with pytest.raises(ValueError, match="shared_memory"):
        where.launch(1, 1, (out,), shared_memory=-1)


def test_stream_of_another_device(gpu, cpu):
    with gpu:
        kernel = hd.Program(WHERE).compile().get_kernel("where")
        out = hd.zeros(4, "uint32")
        with pytest.raises(ValueError, match="stream"):
            kernel.launch(1, 4, (out,), stream=hd.Stream("cpu"))


def test_memory_of_another_device(gpu):
    kernel = hd.Program(WHERE).compile().get_kernel("where")
    with pytest.raises(ValueError, match=r"memory of cuda:0.*cpu.*to\("):
        kernel.launch(1, 4, (hd.zeros(4, "uint32", device="cpu"),))


def test_current_stream_is_used(device, add_one):
    x = hd.zeros(10, "float32")
    stream, go = hd.Stream(), threading.Event()
    with stream:
        stream.host_function(go.wait)
        add_one.launch(1, 32, (x, 10))
        assert not stream.done
        go.set()
        stream.synchronize()
    assert (hd.asnumpy(x) == 1).all()


def test_kernel_of_a_device_that_is_not_current(device):
    kernel = hd.Program(WHERE, device="cpu").compile().get_kernel("where")
    out = hd.zeros(4, "uint32", device="cpu")
    kernel.launch(1, 4, (out,))  # on the CPU's default stream
    assert out.tolist() == [0, 1, 2, 3]


def test_streams_order_their_memory(device, add_one):
    streams = [hd.Stream() for _ in range(4)]
    x = hd.zeros(100_000, "float32")
    for i in range(200):
        add_one.launch(400, 256, (x, 100_000), streams[i % 4])
    assert (hd.asnumpy(x) == 200).all()


def test_bound_launch_keeps_what_it_needs(device):
    bound, out = None, None
    kernel = (
        hd.Program(
            "__global__ void f(const int* x, int* y) { y[0] += x[threadIdx.x == 0 ? 3 : 0]; }"
        )
        .compile()
        .get_kernel("f")
    )
    x, out = hd.array(np.arange(4, dtype="i4")), hd.zeros(1, "int32")
    bound = kernel.bind(1, 1, (x, out))
    del x, kernel
    hd.zeros(4, "int32")
    for _ in range(10):
        bound()
    assert out.tolist() == [30]
    with pytest.raises(ValueError, match="cannot be bound"):
        add = hd.Module("__global__ void f(int* x) {}").get_function("f")
        add.bind(1, 1, (hd.Out(np.zeros(1, "i4")),))


def test_many_arguments(device):
    """More than fit the inline storage."""
    names = [f"p{i}" for i in range(60)]
    parameters = ", ".join(f"double {name}" for name in names)
    kernel = (
        hd.Program(
            f"__global__ void f(double* out, {parameters}) {{ *out = {' + '.join(names)}; }}"
        )
        .compile()
        .get_kernel("f")
    )
    out = hd.zeros(1)
    kernel.launch(1, 1, (out, *range(60)))
    assert out.item() == sum(range(60))


def test_no_arguments(device):
    hd.Module("__global__ void f() {}").get_function("f").launch(1, 1, ())
    hd.Module("__global__ void f() {}").get_function("f")(block=1)
    device.synchronize()


def test_launch_config():
    config = hd.LaunchConfig((2, 3), 64, shared_memory=100)
    assert (config.grid, config.block, config.shared_memory) == ((2, 3, 1), (64, 1, 1), 100)
    assert (config.cluster, config.cooperative) == (None, False)
    assert config == hd.LaunchConfig((2, 3, 1), (64,), 100)
    assert config != hd.LaunchConfig(1, 64)
    assert "grid=(2, 3, 1)" in repr(config)


def test_zero_size_arrays(device, add_one):
    for shape in ((0,), (0, 3)):
        add_one.launch(1, 32, (hd.zeros(shape, "float32"), 0))
    device.synchronize()


def test_cooperative_launch(device):
    program = hd.Program("""
#include <cooperative_groups.h>
__global__ void f(int* x, int* y) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    atomicAdd(x, 1);
    grid.sync();
    if (threadIdx.x == 0) y[blockIdx.x] = *x;
}
""")
    if not device.properties.cooperative_launch:
        with pytest.raises(hd.HealdError, match="grid"):
            program.compile()
        plain = hd.Module("__global__ void f() {}").get_function("f")
        with pytest.raises(hd.UnavailableError, match="cooperative"):
            plain.launch(1, 1, (), cooperative=True)
        return
    kernel = program.compile().get_kernel("f")
    x, y = hd.zeros(1, "int32"), hd.zeros(4, "int32")
    kernel.launch(4, 32, (x, y), cooperative=True)
    assert y.tolist() == [128] * 4


def test_index_past_2_31(device):
    """Views and kernels reach elements past 32-bit indices; most pages are never touched."""
    count = (1 << 31) + 100
    if device.memory_info[0] < 2 * count:
        pytest.skip("not enough memory")
    kernel = hd.Module(
        "__global__ void f(unsigned char* x, long long i) { x[i] = 7; }"
    ).get_function("f")
    x = hd.empty(count, "uint8")
    x[-20:] = 1
    kernel.launch(1, 1, (x, count - 10))
    assert x.size == count
    assert x[-12:-8].tolist() == [1, 1, 7, 1]
    rows = x.reshape(2, count // 2)
    assert rows[1, -10].item() == 7
    assert rows[:, -10:][1].tolist() == [7] + [1] * 9
