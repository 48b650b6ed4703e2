"""Shapes, joining, splitting and padding, beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from both import same_as_numpy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import heald as hd

CUBE = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
LINE = np.arange(7)

VIEWS = {
    "reshape": lambda xp, a: xp.reshape(a, (4, -1)),
    "reshape fortran": lambda xp, a: xp.reshape(a, (4, 6), order="F"),
    "ravel": lambda xp, a: xp.ravel(a),
    "ravel fortran": lambda xp, a: xp.ravel(a, "F"),
    "flatten": lambda xp, a: a.flatten(),
    "squeeze": lambda xp, a: xp.squeeze(a[None, :, :1]),
    "squeeze axis": lambda xp, a: xp.squeeze(a[None, :, :1], axis=(0, -2)),
    "squeeze long": lambda xp, a: xp.squeeze(a, axis=1),
    "expand_dims": lambda xp, a: xp.expand_dims(a, (0, -1)),
    "expand_dims beyond": lambda xp, a: xp.expand_dims(a, 9),
    "expand_dims twice": lambda xp, a: xp.expand_dims(a, (1, 1)),
    "moveaxis": lambda xp, a: xp.moveaxis(a, 0, -1),
    "moveaxis several": lambda xp, a: xp.moveaxis(a, (0, 2), (-1, 0)),
    "moveaxis odd": lambda xp, a: xp.moveaxis(a, (0, 1), 0),
    "rollaxis": lambda xp, a: xp.rollaxis(a, 2, 1),
    "swapaxes": lambda xp, a: xp.swapaxes(a, 0, -1),
    "swapaxes beyond": lambda xp, a: xp.swapaxes(a, 0, 3),
    "transpose": lambda xp, a: xp.transpose(a, (1, -1, 0)),
    "transpose repeated": lambda xp, a: xp.transpose(a, (1, 1, 0)),
    "transpose few": lambda xp, a: xp.transpose(a, (1, 0)),
    "matrix_transpose": lambda xp, a: xp.matrix_transpose(a),
    "mT": lambda xp, a: a.mT,
    "broadcast_to": lambda xp, a: xp.broadcast_to(a[:, :1], (5, 2, 3, 4)),
    "broadcast_to bad": lambda xp, a: xp.broadcast_to(a, (3, 4)),
    "flip": lambda xp, a: xp.flip(a),
    "flip axes": lambda xp, a: xp.flip(a, (0, -1)),
    "fliplr": lambda xp, a: xp.fliplr(a),
    "flipud": lambda xp, a: xp.flipud(a),
    "rot90": lambda xp, a: xp.rot90(a),
    "rot90 back": lambda xp, a: xp.rot90(a, -1, (1, 2)),
    "rot90 twice": lambda xp, a: xp.rot90(a, 2, (0, 2)),
    "rot90 bad": lambda xp, a: xp.rot90(a, 1, (1, 1)),
    "roll": lambda xp, a: xp.roll(a, 5),
    "roll axis": lambda xp, a: xp.roll(a, -1, 2),
    "roll axes": lambda xp, a: xp.roll(a, (1, 2), (0, 2)),
    "roll twice": lambda xp, a: xp.roll(a, 1, (1, 1)),
    "tile": lambda xp, a: xp.tile(a, (2, 1, 3)),
    "tile more": lambda xp, a: xp.tile(a, (2, 1, 1, 2)),
    "tile number": lambda xp, a: xp.tile(a, 2),
    "repeat": lambda xp, a: xp.repeat(a, 3, 1),
    "repeat flat": lambda xp, a: xp.repeat(a, 2),
    "repeat each": lambda xp, a: xp.repeat(a, [1, 0, 2], axis=1),
    "repeat bad": lambda xp, a: xp.repeat(a, [1, 2], axis=1),
    "repeat negative": lambda xp, a: xp.repeat(a, -1),
    "resize": lambda xp, a: xp.resize(a, (5, 7)),
    "resize smaller": lambda xp, a: xp.resize(a, 5),
    "atleast": lambda xp, a: [
        *xp.atleast_2d(a[0, 0], a[0]),
        xp.atleast_3d(a[0]),
        xp.atleast_1d(a[0, 0, 0]),
    ],
    "unstack": lambda xp, a: xp.unstack(a, axis=1),
    "delete": lambda xp, a: xp.delete(a, 1, 1),
    "delete several": lambda xp, a: xp.delete(a, [0, -1], axis=2),
    "delete slice": lambda xp, a: xp.delete(a, slice(0, None, 2)),
    "delete beyond": lambda xp, a: xp.delete(a, 9, 0),
    "insert": lambda xp, a: xp.insert(a, 1, 5, axis=1),
    "insert flat": lambda xp, a: xp.insert(a, [0, 5, 5], [1, 2, 3]),
    "insert rows": lambda xp, a: xp.insert(a, 1, a[:, 0], axis=1),
    "insert beyond": lambda xp, a: xp.insert(a, 9, 5, axis=0),
    "append": lambda xp, a: xp.append(a, a[:1], axis=0),
    "append flat": lambda xp, a: xp.append(a, [1, 2]),
    "array_split": lambda xp, a: xp.array_split(a, 3, axis=2),
    "array_split places": lambda xp, a: xp.array_split(a, [1, 9], axis=2),
    "split": lambda xp, a: xp.split(a, 2, axis=2),
    "split bad": lambda xp, a: xp.split(a, 3, axis=2),
    "hsplit": lambda xp, a: xp.hsplit(a, 3),
    "vsplit": lambda xp, a: xp.vsplit(a, 2),
    "dsplit": lambda xp, a: xp.dsplit(a, [1]),
    "trim_zeros": lambda xp, a: xp.trim_zeros(a[0, 0]),
    "real": lambda xp, a: [xp.real(a), a.imag],
    "view": lambda xp, a: [a.view("int32"), a.view("int16"), a[..., 0].view("uint32")],
    "nan_to_num": lambda xp, a: xp.nan_to_num(xp.log(a - 3)),
    "copies": lambda xp, a: [
        xp.copy(a),
        xp.ascontiguousarray(a.T),
        xp.asfortranarray(a),
        xp.copy(a, "F"),
    ],
    "sets": lambda xp, a: [
        xp.isin(a, [3, 7]),
        xp.isin(a, a[0] * 2, invert=True),
        xp.isin(a, []),
        xp.union1d(a, a * 3),
        xp.intersect1d(a, a * 3),
        xp.setdiff1d(a, a * 3),
        xp.setxor1d(a, a * 3),
    ],
    "parts": lambda xp, a: [
        xp.isreal(a),
        xp.iscomplex(a * 1j),
        xp.isposinf(1 / a),
        xp.isneginf(-1 / a),
    ],
    "size": lambda xp, a: [xp.size(a), xp.ndim(a), xp.size(a, 1)],
}


@pytest.mark.parametrize("name", VIEWS)
def test_other_shapes(device, name):
    @same_as_numpy(ulp=2)
    def body(xp):
        return VIEWS[name](xp, xp.asarray(CUBE))

    @same_as_numpy(ulp=2)
    def transposed(xp):
        a = xp.asarray(CUBE.transpose(2, 1, 0).copy()).transpose(2, 1, 0)
        return VIEWS[name](xp, a)

    body()
    if name != "view":
        transposed()


def test_reshape_copies(device):
    a = hd.zeros((2, 3))
    assert hd.reshape(a, (3, 2), copy=False).address == a.address
    assert hd.reshape(a, (3, 2), copy=True).address != a.address
    with pytest.raises(ValueError, match="copy"):
        hd.reshape(a.T, (6,), copy=False)


JOINS = {
    "concatenate": lambda xp, a: xp.concatenate((a, a[:1], a * 2)),
    "concatenate axis": lambda xp, a: xp.concatenate((a, a[:, :1]), axis=-2),
    "concatenate flat": lambda xp, a: xp.concatenate((a, a[0]), axis=None),
    "concatenate dtypes": lambda xp, a: xp.concatenate((a, a.astype("int64"))),
    "concatenate dtype": lambda xp, a: xp.concatenate((a, a), dtype="float64"),
    "concatenate cast": lambda xp, a: xp.concatenate((a, a), dtype="int8"),
    "concatenate shapes": lambda xp, a: xp.concatenate((a, a[:, :2])),
    "concatenate axes": lambda xp, a: xp.concatenate((a, a[0])),
    "concatenate nothing": lambda xp, a: xp.concatenate(()),
    "concatenate numbers": lambda xp, a: xp.concatenate((a[0, 0, 0], a[0, 0, 0])),
    "concatenate beyond": lambda xp, a: xp.concatenate((a, a), 3),
    "concat": lambda xp, a: xp.concat((a, a)),
    "stack": lambda xp, a: xp.stack((a, a + 1), axis=1),
    "stack last": lambda xp, a: xp.stack([a, a], axis=-1),
    "stack shapes": lambda xp, a: xp.stack([a, a[:1]]),
    "vstack": lambda xp, a: xp.vstack((a[0], a[0, 0])),
    "hstack": lambda xp, a: [xp.hstack((a, a)), xp.hstack((a[0, 0], a[0, 1]))],
    "dstack": lambda xp, a: xp.dstack((a[0], a[1])),
    "column_stack": lambda xp, a: xp.column_stack((a[0, 0], a[0].T)),
    "block": lambda xp, a: xp.block([[a[0], a[1]], [a[1], a[0]]]),
    "block of numbers": lambda xp, a: xp.block([a[0, 0], 7]),
}


@pytest.mark.parametrize("name", JOINS)
def test_joining(device, name):
    @same_as_numpy()
    def body(xp):
        return JOINS[name](xp, xp.asarray(CUBE))

    body()


PADS = [
    (1, {}), (((1, 2),) * 3, {"constant_values": 5}), (((0, 1), (2, 0), (1, 1)), {"constant_values": (3, 4)}),
    (2, {"mode": "edge"}), (2, {"mode": "wrap"}), (1, {"mode": "reflect"}), (3, {"mode": "symmetric"}),
    (2, {"mode": "linear_ramp", "end_values": 4}), (1, {"mode": "maximum"}), (2, {"mode": "minimum", "stat_length": 2}),
    ((1, 0), {"mode": "mean"}), (-1, {}), (1, {"mode": "nothing"}), (1.5, {}),
]  # fmt: skip


@pytest.mark.parametrize(("width", "options"), PADS, ids=str)
def test_pad(device, width, options):
    @same_as_numpy(ulp=2)
    def body(xp):
        return xp.pad(xp.asarray(CUBE), width, **options)

    body()


@settings(max_examples=100, deadline=None)
@given(hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4), st.data())
def test_laws(shape, data):
    """Views undo each other, whatever the shape."""
    host = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    with hd.Device("cpu"):
        a = hd.asarray(host)
        order = data.draw(st.permutations(range(len(shape))))
        back = np.argsort(order) if order else []
        assert (hd.asnumpy(hd.transpose(hd.transpose(a, order), back)) == host).all()
        assert (hd.asnumpy(hd.flip(hd.flip(a))) == host).all()
        if shape:
            axis = data.draw(st.integers(-len(shape), len(shape) - 1))
            shift = data.draw(st.integers(-9, 9))
            rolled = hd.roll(a, shift, axis)
            assert (hd.asnumpy(rolled) == np.roll(host, shift, axis)).all()
            parts = hd.array_split(a, 3, axis)
            assert (hd.asnumpy(hd.concatenate(parts, axis)) == host).all()


def test_broadcasting(device):
    @same_as_numpy()
    def body(xp):
        return [*xp.broadcast_arrays(xp.asarray(CUBE[0]), xp.asarray([[1], [2], [3]]), 5)]

    body()
    assert hd.broadcast_shapes((3, 1), (1, 4)) == (3, 4)


SELECTIONS = {
    "where": lambda xp, a: xp.where(a > 3, a, -1),
    "where places": lambda xp, a: xp.where(a > 15),
    "where half": lambda xp, a: xp.where(a > 3, a),
    "select": lambda xp, a: xp.select([a < 3, a > 9], [a, a * 10], 7),
    "piecewise": lambda xp, a: xp.piecewise(a, [a < 3, a > 9], [lambda x: -x, 5, 1]),
    "clip": lambda xp, a: [xp.clip(a, 3, 9), a.clip(None, 4), a.clip(min=8), xp.clip(a, a[0], 7)],
    "round": lambda xp, a: [xp.round(a / 7, 2), (a * 7).round(-1), xp.around(a / 4)],
    "round ints": lambda xp, a: [xp.round(a.astype(int) * 5, -1), xp.round(a.astype(int), 1)],
    "interp": lambda xp, a: xp.interp(a / 3, xp.asarray([1.0, 2, 5]), xp.asarray([3.0, -1, 0])),
    "interp sides": lambda xp, a: xp.interp(
        a, xp.asarray([1.0, 2, 5]), xp.asarray([3.0, -1, 0]), left=-9, right=9
    ),
    "interp period": lambda xp, a: xp.interp(
        a, xp.asarray([5.0, 1, 3]), xp.asarray([3.0, -1, 0]), period=6
    ),
    "diff": lambda xp, a: [xp.diff(a), xp.diff(a, 2, axis=0), xp.diff(a > 5, axis=1)],
    "diff ends": lambda xp, a: xp.diff(a, prepend=0, append=a[..., :1]),
    "ediff1d": lambda xp, a: xp.ediff1d(a, to_begin=-1, to_end=[7, 8]),
    "gradient": lambda xp, a: [*xp.gradient(a), xp.gradient(a * a, 2.0, axis=2, edge_order=2)],
    "gradient points": lambda xp, a: xp.gradient(a * a, xp.asarray([0.0, 1, 3, 4]), axis=2),
    "gradient short": lambda xp, a: xp.gradient(a[:1], axis=0),
    "trapezoid": lambda xp, a: [xp.trapezoid(a), xp.trapezoid(a, dx=2.0, axis=0)],
    "trapezoid points": lambda xp, a: xp.trapezoid(a, xp.asarray([0.0, 1, 3, 4])),
    "unwrap": lambda xp, a: xp.unwrap(a.astype("float64") * 2.5 % 6.283, axis=-1),
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_choosing_and_differences(device, name):
    @same_as_numpy(ulp=4)
    def body(xp):
        return SELECTIONS[name](xp, xp.asarray(CUBE))

    body()


def test_copyto(device):
    @same_as_numpy()
    def body(xp):
        a, b = xp.asarray(CUBE.copy()), xp.asarray(CUBE.copy())
        xp.copyto(a, 3)
        xp.copyto(b, a[0] * 2, where=b > 5)
        return a, b

    @same_as_numpy()
    def refused(xp):
        a = xp.arange(3)
        xp.copyto(a, xp.asarray([0.5, 1, 2]))
        return a

    body()
    refused()
