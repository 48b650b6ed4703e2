"""heald and the libraries that it is measured beside, each behind the same few calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rows import Row

import heald as hd

Call = Callable[[], Any]
Arrays = tuple[np.ndarray, ...]


class Peer:
    """NumPy, and what the others have in common."""

    name = "NumPy"

    def __init__(self) -> None:
        self.module: Any = np

    def array(self, values: np.ndarray) -> Any:
        return values

    def to_numpy(self, result: Any) -> np.ndarray:
        return np.asarray(result)

    def finish(self) -> None:
        """Waits until everything that was begun is done."""

    def takes(self, row: Row) -> bool:
        """Whether the library has the row's computation."""
        return True

    def call(self, row: Row, arrays: tuple[Any, ...]) -> Call:
        """The row's computation on these arrays."""
        compute = row.compute
        return lambda: compute(self.module, *arrays)


class Heald(Peer):
    name = "heald"

    def __init__(self, device: str) -> None:
        self.module = hd
        self.device = hd.Device(device)

    def array(self, values: np.ndarray) -> Any:
        return hd.array(values, device=self.device)

    def to_numpy(self, result: Any) -> np.ndarray:
        return hd.asnumpy(result)

    def finish(self) -> None:
        self.device.synchronize()

    def call(self, row: Row, arrays: tuple[Any, ...]) -> Call:
        compute = row.compute
        if row.recorded:
            return lambda: compute(hd, *arrays)

        def evaluated() -> Any:
            result = compute(hd, *arrays)
            hd.eval(result)
            return result

        return evaluated


class Numexpr(Peer):
    name = "numexpr"

    def __init__(self, threads: int) -> None:
        import numexpr

        self.module = numexpr
        numexpr.set_num_threads(threads)

    def takes(self, row: Row) -> bool:
        return row.numexpr is not None

    def call(self, row: Row, arrays: tuple[Any, ...]) -> Call:
        text = row.numexpr
        names = dict(zip("xyz", arrays, strict=False))
        evaluate = self.module.evaluate
        return lambda: evaluate(text, local_dict=names, global_dict={})


class Torch(Peer):
    name = "PyTorch"

    def __init__(self, device: str, threads: int) -> None:
        import torch

        self.module = torch
        self.device = device
        torch.set_num_threads(threads)

    def array(self, values: np.ndarray) -> Any:
        return self.module.from_numpy(values).to(self.device)

    def to_numpy(self, result: Any) -> np.ndarray:
        return result.cpu().numpy()

    def finish(self) -> None:
        if self.device != "cpu":
            self.module.cuda.synchronize(self.device)

    def call(self, row: Row, arrays: tuple[Any, ...]) -> Call:
        compute = row.torch or row.compute
        return lambda: compute(self.module, *arrays)


class CompiledTorch(Torch):
    name = "torch.compile"

    def takes(self, row: Row) -> bool:
        return row.fused

    def call(self, row: Row, arrays: tuple[Any, ...]) -> Call:
        compute = row.torch or row.compute
        compiled = self.module.compile(lambda *inputs: compute(self.module, *inputs))
        return lambda: compiled(*arrays)


class Cupy(Peer):
    name = "CuPy"

    def __init__(self, device: str) -> None:
        import cupy

        self.module = cupy
        cupy.cuda.Device(int(device.partition(":")[2] or 0)).use()

    def array(self, values: np.ndarray) -> Any:
        return self.module.asarray(values)

    def to_numpy(self, result: Any) -> np.ndarray:
        return self.module.asnumpy(result)

    def finish(self) -> None:
        self.module.cuda.Device().synchronize()


class FusedCupy(Cupy):
    name = "cupy.fuse"

    def takes(self, row: Row) -> bool:
        return row.fused

    def call(self, row: Row, arrays: tuple[Any, ...]) -> Call:
        compute = row.compute

        def expression(x: Any, y: Any, z: Any) -> Any:
            return compute(self.module, x, y, z)

        fused = self.module.fuse()(expression)
        return lambda: fused(*arrays)


def open_peers(device: str, threads: int, compiled: bool) -> tuple[list[Peer], list[str]]:
    """The peers that can be imported here, heald first, and why each of the others cannot."""
    makers: list[tuple[str, Callable[[], Peer]]] = [("heald", lambda: Heald(device))]
    if device == "cpu":
        makers += [("NumPy", Peer), ("numexpr", lambda: Numexpr(threads))]
    else:
        makers += [("CuPy", lambda: Cupy(device)), ("cupy.fuse", lambda: FusedCupy(device))]
    makers.append(("PyTorch", lambda: Torch(device, threads)))
    if compiled:
        makers.append(("torch.compile", lambda: CompiledTorch(device, threads)))
    peers: list[Peer] = []
    missing: list[str] = []
    for name, make in makers:
        try:
            peers.append(make())
        except (ImportError, OSError) as error:  # OSError: a library that it needs is not there
            missing.append(f"{name} ({error})")
    return peers, missing
