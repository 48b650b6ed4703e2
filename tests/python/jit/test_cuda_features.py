"""Warps, intrinsics and what else hd.cuda has, against their meaning."""

from __future__ import annotations

import numpy as np
import pytest

import heald as hd

cuda = hd.cuda
ALL = 0xFFFFFFFF


def launch(function, *arguments, threads=32, blocks=1):
    given = [hd.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    hd.jit(function)[blocks, threads](*given)
    return [hd.asnumpy(a) if isinstance(a, hd.Array) else a for a in given]


@pytest.mark.parametrize("dtype", ["int32", "float32", "int64", "float64", "int16", "complex64"])
def test_shuffles(device, dtype):
    def kernel(x, out):
        i = cuda.grid(1)
        out[0, i] = cuda.shfl_sync(ALL, x[i], 5)
        out[1, i] = cuda.shfl_down_sync(ALL, x[i], 1)
        out[2, i] = cuda.shfl_up_sync(ALL, x[i], 2)
        out[3, i] = cuda.shfl_xor_sync(ALL, x[i], 3)

    x = np.arange(100, 132).astype(dtype)
    _, out = launch(kernel, x, np.zeros((4, 32), dtype))
    lanes = np.arange(32)
    np.testing.assert_array_equal(out[0], x[5])
    np.testing.assert_array_equal(out[1], x[np.minimum(lanes + 1, 31)])
    np.testing.assert_array_equal(out[2], x[np.where(lanes < 2, lanes, lanes - 2)])
    np.testing.assert_array_equal(out[3], x[lanes ^ 3])


def test_warp_sum(device, rng):
    def kernel(x, out):
        i = cuda.grid(1)
        v = x[i]
        step = 16
        while step > 0:
            v += cuda.shfl_down_sync(ALL, v, step)
            step //= 2
        if cuda.laneid == 0:
            out[i // cuda.warpsize] = v

    x = rng.integers(0, 100, 64).astype(np.int32)
    _, out = launch(kernel, x, np.zeros(2, np.int32), threads=64)
    np.testing.assert_array_equal(out, x.reshape(2, 32).sum(1))


def test_votes_and_matches(device, rng):
    def kernel(x, out, masks):
        i = cuda.grid(1)
        out[0, i] = cuda.all_sync(ALL, x[i] >= 0)
        out[1, i] = cuda.any_sync(ALL, x[i] > 2)
        out[2, i] = cuda.eq_sync(ALL, x[i] > 2)
        masks[0, i] = cuda.ballot_sync(ALL, x[i] == 1)
        masks[1, i] = cuda.match_any_sync(ALL, x[i])
        mask, same = cuda.match_all_sync(ALL, x[i])
        masks[2, i] = mask
        out[3, i] = same
        masks[3, i] = cuda.activemask()

    x = rng.integers(0, 4, 32).astype(np.int32)
    x[:4] = range(4)
    _, out, masks = launch(kernel, x, np.zeros((4, 32), np.int32), np.zeros((4, 32), np.uint32))

    def mask(test):
        return sum(1 << k for k in range(32) if test[k])

    assert out[:, 0].tolist() == [1, 1, 0, 0]
    assert masks[0, 0] == mask(x == 1)
    assert masks[1].tolist() == [mask(x == v) for v in x]
    assert (masks[2] == 0).all() and (masks[3] == ALL).all()


def test_barriers_that_count(device):
    def kernel(out):
        t = cuda.threadIdx.x
        out[0, t] = cuda.syncthreads_count(t % 3 == 0)
        out[1, t] = cuda.syncthreads_and(t >= 0)
        out[2, t] = cuda.syncthreads_or(t == 70)
        cuda.syncwarp()
        cuda.threadfence()
        cuda.threadfence_block()

    (out,) = launch(kernel, np.zeros((3, 64), np.int32), threads=64)
    assert (out[0] == 22).all() and (out[1] == 1).all() and (out[2] == 0).all()


def test_bits(device):
    def kernel(x, y, out):
        i = cuda.grid(1)
        if i < x.size:
            out[0, i] = cuda.popc(x[i])
            out[1, i] = cuda.clz(x[i])
            out[2, i] = cuda.ffs(x[i])
            out[3, i] = cuda.brev(x[i])
            out[4, i] = cuda.popc(y[i])
            out[5, i] = cuda.clz(y[i])
            out[6, i] = cuda.ffs(y[i])

    x = np.array([0, 1, 2, 3, 0x80000000, 0xF0F0], np.uint32)
    y = x.astype(np.uint64) << np.uint64(20)
    *_, out = launch(kernel, x, y, np.zeros((7, 6), np.int64))
    assert out[0].tolist() == [0, 1, 1, 2, 1, 8]
    assert out[1].tolist() == [32 - int(v).bit_length() for v in x]
    assert out[2].tolist() == [(int(v) & -int(v)).bit_length() for v in x]
    assert out[3].tolist() == [int(f"{v:032b}"[::-1], 2) for v in x]
    assert out[4].tolist() == [int(v).bit_count() for v in y]
    assert out[5].tolist() == [64 - int(v).bit_length() for v in y]
    assert out[6].tolist() == [(int(v) & -int(v)).bit_length() for v in y]


def test_mathematics(device, rng):
    def kernel(x, out):
        i = cuda.grid(1)
        out[0, i] = cuda.fma(x[i], 2.0, 1.0)
        out[1, i] = cuda.rsqrt(abs(x[i]) + 1)
        out[2, i] = cuda.cbrt(x[i])
        out[3, i] = cuda.selp(x[i] > 0, 1.0, -1.0)

    x = rng.standard_normal(32)
    _, out = launch(kernel, x, np.zeros((4, 32)))
    np.testing.assert_allclose(out[0], x * 2 + 1)
    np.testing.assert_allclose(out[1], 1 / np.sqrt(np.abs(x) + 1), rtol=1e-12)
    np.testing.assert_allclose(out[2], np.cbrt(x))
    np.testing.assert_array_equal(out[3], np.where(x > 0, 1, -1))


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_atomics(device, rng, dtype):
    def kernel(x, out):
        i = cuda.grid(1)
        cuda.atomic.add(out, 0, x[i])
        cuda.atomic.sub(out, 1, x[i])
        cuda.atomic.max(out, 2, x[i])
        cuda.atomic.min(out, 3, x[i])
        old = cuda.atomic.exch(out, 4, x[i])
        cuda.atomic.add(out, 5, old)

    x = rng.integers(1, 50, 128).astype(dtype)
    out = np.array([0, 100, 0, 100, 7, 0], dtype)
    _, out = launch(kernel, x, out, threads=64, blocks=2)
    total = x.sum(dtype=dtype)
    assert out[0] == total
    assert out[1] == np.array(100, dtype) - total
    assert out[2] == x.max() and out[3] == x.min()
    # Every value is seen once by the next one but the last, which stays.
    assert out[5] == total + np.array(7, dtype) - out[4]


def test_compare_and_swap(device):
    def kernel(lock, total):
        old = cuda.atomic.cas(lock, 0, 0, cuda.grid(1) + 1)
        if old == 0:
            cuda.atomic.add(total, 0, 1)

    lock, total = launch(kernel, np.zeros(1, np.int32), np.zeros(1, np.int32), threads=64)
    assert total[0] == 1 and 1 <= lock[0] <= 64


def test_dynamic_shared_memory(device):
    @hd.jit
    def kernel(x, out):
        seen = cuda.shared.array(0, hd.float32)
        t = cuda.threadIdx.x
        seen[t] = x[t]
        cuda.syncthreads()
        out[t] = seen[31 - t]

    x = hd.array(np.arange(32, dtype=np.float32))
    out = hd.zeros(32, dtype=np.float32)
    kernel[1, 32, None, 128](x, out)
    np.testing.assert_array_equal(hd.asnumpy(out), np.arange(32)[::-1])


def test_random_numbers(device):
    @hd.jit
    def kernel(seed, uniform, normal):
        i = cuda.grid(1)
        state = cuda.random.state(seed, i)
        for k in range(uniform.shape[1]):
            uniform[i, k] = cuda.random.uniform_float32(state)
        for k in range(uniform.shape[1]):
            normal[i, k] = cuda.random.normal_float64(state)

    def run(seed):
        uniform = hd.zeros((256, 64), dtype=np.float32)
        normal = hd.zeros((256, 64), dtype=np.float64)
        kernel[2, 128](seed, uniform, normal)
        return hd.asnumpy(uniform), hd.asnumpy(normal)

    uniform, normal = run(1234)
    assert uniform.min() >= 0 and uniform.max() < 1
    # Five deviations of the means of 16384 numbers.
    assert abs(uniform.mean() - 0.5) < 5 * 12**-0.5 / 128
    assert abs(normal.mean()) < 5 / 128 and abs(normal.std() - 1) < 5 / 128 / 2**0.5
    assert len(np.unique(uniform)) > 16000
    again, _ = run(1234)
    np.testing.assert_array_equal(uniform, again)
    assert not np.array_equal(uniform, run(1235)[0])


def test_philox_known_answers(device):
    """Random123's vectors of Philox 4x32-10: counter and key of zeros, and of ones."""

    @hd.jit
    def kernel(out):
        state = cuda.random.state(0, 0)
        for k in range(4):
            out[k] = cuda.random.uint32(state)

    out = hd.zeros(4, dtype=np.uint32)
    kernel[1, 1](out)
    assert [hex(v) for v in hd.asnumpy(out)] == [
        "0x6627e8d5",
        "0xe169c58d",
        "0xbc57ac4c",
        "0x9b00dbd8",
    ]


def test_prints(device, capfd):
    @hd.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < 2:
            print("i", i, x[i], f"half {x[i] / 2:.3f} 100%", sep=", ")
            print((i, True), end="!\n")

    kernel[1, 2](hd.array(np.array([1.5, -2.0], np.float32)))
    device.default_stream.synchronize()
    printed = capfd.readouterr().out.splitlines()
    assert sorted(printed) == sorted(
        ["i, 0, 1.5, half 0.750 100%", "i, 1, -2, half -1.000 100%", "(0, True)!", "(1, True)!"]
    )


def test_only_in_kernels():
    with pytest.raises(RuntimeError, match="only be called in a kernel"):
        cuda.grid(1)
    with pytest.raises(RuntimeError, match="only in a kernel"):
        _ = cuda.threadIdx.x
