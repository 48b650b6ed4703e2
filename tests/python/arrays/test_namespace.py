"""NumPy's protocols, methods, waits that can be forbidden, and the array API's namespace."""

from __future__ import annotations

import copy
import operator
import pickle
import threading

import numpy as np
import pytest
from both import same_as_numpy

import heald as hd


class TestProtocols:
    def test_ufuncs_stay(self, device):
        x = hd.asarray([0.5, 1.0])
        for result in (
            np.sin(x),
            np.add(x, 1),
            np.multiply(2, x),
            np.add.reduce(x),
            np.float64(2) * x,
        ):
            assert isinstance(result, hd.Array)
            assert result.device == device
        np.testing.assert_allclose(
            hd.asnumpy(np.multiply.outer(x, x)), np.outer([0.5, 1], [0.5, 1])
        )
        np.testing.assert_allclose(hd.asnumpy(np.matmul(x, x)), 1.25)

    def test_functions_stay(self, device):
        x = hd.arange(6.0).reshape(2, 3)
        for result in (
            np.concatenate([x, x]), np.sum(x), np.mean(x, axis=1), np.reshape(x, (3, 2)), np.where(x > 1, x, 0),
            np.take(x, [0, 1]), np.stack((x, x)), np.tensordot(x, x.T, 1), np.sort(x), np.zeros_like(x), np.clip(x, 1, 2),
        ):  # fmt: skip
            assert isinstance(result, hd.Array)
            assert result.device == device
        assert np.shape(x) == (2, 3)
        assert np.ndim(x) == 2

    @pytest.mark.parametrize(
        "call",
        [
            lambda x, y: x + y, lambda x, y: y + x, lambda x, y: np.add(y, x), lambda x, y: y @ x, lambda x, y: x @ y,
            lambda x, y: np.concatenate([x, y]), lambda x, y: hd.concatenate([x, y]), lambda x, y: hd.where(x > 0, x, y),
            lambda x, y: operator.iadd(y, x), lambda x, y: operator.iadd(x, y), lambda x, y: x < y, lambda x, y: hd.dot(x, y),
        ],
    )  # fmt: skip
    def test_ndarrays_are_refused(self, device, call):
        with pytest.raises(TypeError, match="asarray|unsupported|NotImplemented"):
            call(hd.ones(3), np.ones(3))

    def test_what_heald_lacks(self, device):
        with pytest.raises(TypeError, match="asnumpy"):
            np.apply_over_axes(np.sum, hd.ones((2, 2)), 0)

    def test_out_of_a_ufunc(self, device):
        x, y = hd.ones(2), hd.zeros(2)
        assert np.add(x, x, out=y) is y
        assert hd.asnumpy(y).tolist() == [2, 2]


class TestMethods:
    def test_conversions(self, device):
        assert operator.index(hd.asarray(3)) == 3
        assert [10, 20, 30][hd.asarray(1)] == 20
        assert 3 in hd.arange(5)
        assert 9 not in hd.arange(5)
        with pytest.raises(TypeError):
            operator.index(hd.asarray(1.5))
        with pytest.raises(TypeError):
            operator.index(hd.asarray([1]))

    def test_beside_numpy(self, device):
        @same_as_numpy(ulp=2)
        def body(xp):
            a = xp.asarray(np.array([[3.0, 1, 2], [0, -5, 4]]))
            b = a.copy()
            b.sort(axis=0)
            c = xp.asarray(np.array([1 + 2j, 3 - 1j]))
            c.real = 5
            return (
                a.sum(), a.mean(0), a.argsort(), a.flatten("F"), a.swapaxes(0, 1), a.repeat(2), a.round(), a.take([1]),
                a.clip(0, 2), a.squeeze(), a.dot(a.T), a.cumsum(), a.cumprod(1), a.astype("int8"), b, c, c.imag, c.conj(),
                *a.nonzero(), a.max(), a.std(), a.var(1), a.all(), a.any(0), a.prod(), a.ravel(), *divmod(a, 2), c.real,
            )  # fmt: skip

        body()

    def test_casting_rules(self, device):
        @same_as_numpy()
        def body(xp):
            return xp.asarray([1.5]).astype("int8", casting="safe")

        body()
        x = hd.ones(2)
        assert x.astype("float64", copy=False) is x
        assert x.astype("float64") is not x

    def test_matrix_in_place(self, device):
        x = hd.asarray([[1.0, 2], [3, 4]])
        x @= hd.asarray([[0.0, 1], [1, 0]])
        assert x.tolist() == [[2, 1], [4, 3]]

    def test_pickles_and_copies(self, device):
        for dtype in ("float32", "bfloat16", "bool", "complex128"):
            x = hd.asarray([0, 1, 1], dtype)[::-1]
            for other in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), copy.copy(x)):
                assert other.dtype == x.dtype
                assert other.device == x.device
                assert hd.asnumpy(other).tolist() == hd.asnumpy(x).tolist()

    def test_printing_what_is_pending(self, device):
        assert str(hd.arange(3) * 2) == "[0 2 4]"
        assert "complex64" in repr(hd.asarray([1j], "complex64"))


WAITS = {
    "float": lambda x: float(x[0]),
    "bool": lambda x: bool(x[0] > 0),
    "int": lambda x: int(x[0]),
    "index": lambda x: operator.index(hd.arange(3)[0]),
    "item": lambda x: x[0].item(),
    "print": lambda x: str(x),
    "repr": lambda x: x.tolist(),
    "contains": lambda x: 1 in x,
    "mask": lambda x: x[x > 0],
    "nonzero": lambda x: hd.nonzero(x),
    "pickle": lambda x: pickle.dumps(x),
    "bincount": lambda x: hd.bincount(x.astype(int)),
}


class TestAllowSync:
    @pytest.mark.parametrize("name", WAITS)
    def test_hidden_waits(self, device, name):
        x = hd.arange(3.0)
        wait = WAITS[name]
        wait(x)
        with hd.allow_sync(False), pytest.raises(hd.SyncError, match="allow_sync"):
            wait(x)
        wait(x)

    def test_what_does_not_wait(self, device):
        x = hd.arange(6.0).reshape(2, 3)
        with hd.allow_sync(False):
            y = hd.sum(x * 2, axis=0) + x[[0, 1], [1, 2]][0] + x[:, ::-1][0]
            x[x > 2] = 0
            z = hd.concatenate([x, x]) @ hd.ones(3)
            assert hd.asnumpy(y).tolist() == [9, 12, 15]
            assert hd.asnumpy(z).tolist() == [3, 0, 3, 0]
            with hd.allow_sync(True):
                assert float(y[0]) == 9

    def test_other_threads(self, device):
        found = []
        with hd.allow_sync(False):
            thread = threading.Thread(target=lambda: found.append(float(hd.ones(()))))
            thread.start()
            thread.join()
        assert found == [1.0]


class TestArrayApi:
    def test_namespace(self, device):
        x = hd.ones(2)
        assert x.__array_namespace__() is hd
        assert x.__array_namespace__(api_version="2024.12") is hd
        assert hd.__array_api_version__ == "2024.12"
        with pytest.raises(ValueError, match=r"2012\.12"):
            x.__array_namespace__(api_version="2012.12")

    def test_info(self, device):
        info = hd.__array_namespace_info__()
        assert info.capabilities()["boolean indexing"]
        assert info.default_device() == device
        assert info.default_dtypes()["real floating"] == np.float64
        assert set(info.dtypes(kind="real floating")) == {"float32", "float64"}
        assert set(info.dtypes(kind=("bool", "unsigned integer"))) >= {"bool", "uint8"}
        assert device in info.devices()
        with pytest.raises(ValueError, match="kind"):
            info.dtypes(kind="prime")

    def test_to_device(self, device):
        x = hd.arange(3)
        assert x.to_device(device) is x
        assert x.to_device("cpu").device == hd.Device("cpu")
        assert hd.ones((2, 3)).mT.shape == (3, 2)

    def test_every_public_name_is_there(self):
        missing = [name for name in hd.__all__ if not hasattr(hd, name)]
        assert missing == []
        assert len(hd.__all__) == len(set(hd.__all__))


def test_two_devices(gpu):
    x, y = hd.ones(3, device="cpu"), hd.ones(3, device=gpu)
    for call in (
        lambda: x + y,
        lambda: hd.concatenate([x, y]),
        lambda: hd.matmul(x.reshape(1, 3), y.reshape(3, 1)),
        lambda: x[hd.asarray([0], device=gpu)],
        lambda: operator.setitem(x, [0, 1], y[:2]),
    ):
        with pytest.raises(ValueError, match=r"cpu.*cuda:0|cuda:0.*cpu"):
            call()
