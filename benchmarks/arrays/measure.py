"""Times the rows, the libraries in turn, and prints medians as a Markdown table."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Arrays, Call, Peer
from rows import Row

SAMPLES = 4096  # of a result, compared between the libraries


@dataclass
class Effort:
    seconds: float  # one timing lasts about this long
    repeats: int  # timings of each library
    warm_up: float  # seconds before the first timing
    best: bool = False  # the best of the timings instead of their median: the machine is not quiet


def seconds_per_call(call: Call, finish: Callable[[], None], count: int) -> float:
    finish()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    finish()
    return (time.perf_counter() - begin) / count


def warm_up(call: Call, finish: Callable[[], None], seconds: float) -> float:
    """Calls for at least `seconds`, so that background compilation is done; a call's time."""
    begin = time.perf_counter()
    while True:
        one = seconds_per_call(call, finish, 1)
        if time.perf_counter() - begin >= seconds:
            return one


def measure(calls: dict[str, tuple[Call, Callable[[], None]]], effort: Effort) -> dict[str, float]:
    """Seconds of a call of each library: medians, measured in turn, over and over, so that a
    machine that changes its speed meets all alike."""
    counts = {}
    for name, (call, finish) in calls.items():
        one = warm_up(call, finish, effort.warm_up)
        counts[name] = max(1, min(20_000, int(effort.seconds / max(one, 1e-7))))
    times: dict[str, list[float]] = {name: [] for name in calls}
    enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(effort.repeats):
            for name, (call, finish) in calls.items():
                times[name].append(seconds_per_call(call, finish, counts[name]))
    finally:
        if enabled:
            gc.enable()
    typical = min if effort.best else statistics.median
    return {name: typical(list_) for name, list_ in times.items()}


def sample(peer: Peer, result: Any) -> np.ndarray:
    """Some elements of a result, on the host."""
    flat = result.reshape(-1)
    return peer.to_numpy(flat[:: max(1, flat.shape[0] // SAMPLES)]).astype(np.float64)


def agree(first: np.ndarray, other: np.ndarray, elements: int) -> bool:
    """Within what sums in another order may differ in float32."""
    if first.shape != other.shape:
        return False
    return np.allclose(first, other, rtol=1e-5 + 1e-7 * elements**0.5, atol=1e-5)


def readable(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{1e6 * seconds:.3g} µs"
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def judge(row: Row, times: dict[str, float]) -> str:
    """The row's goal and whether it is reached."""
    if not row.goal:
        return ""
    value, unit = row.goal.split()
    if unit == "x":
        peers = [times[name] for name in row.against if name in times]
        if not peers:
            return f"≥ {value} ×: no peer"
        reached = min(peers) / times["heald"] >= float(value)
        return f"≥ {value} × {' and '.join(row.against)}: {'yes' if reached else 'no'}"
    limit = float(value) * {"us": 1e-6, "ms": 1e-3}[unit]
    reached = times["heald"] <= limit
    return f"≤ {value} {unit.replace('us', 'µs')}: {'yes' if reached else 'no'}"


class Table:
    """Prints a row as soon as it is measured; a library that fails leaves its cell empty."""

    def __init__(self, peers: list[Peer], effort: Effort, bandwidth: float = 0) -> None:
        """`bandwidth` in bytes/s, of a copy in the same run: the floor of a row is its traffic at
        that speed."""
        self.peers = peers
        self.effort = effort
        self.bandwidth = bandwidth
        self.failures: list[str] = []
        self._held: dict[tuple[str, int], tuple[np.ndarray, Any]] = {}
        names = [peer.name for peer in peers]
        print(f"| what | shape | {' | '.join(names)} | floor | peer / heald | goal |")
        print(f"|---|---|{'---|' * len(names)}---|---|---|", flush=True)

    def arrays_of(self, peer: Peer, arrays: Arrays) -> tuple[Any, ...]:
        """A peer's copies, kept while rows want the same."""
        for values in arrays:
            key = peer.name, id(values)
            if key not in self._held:
                self._held[key] = values, peer.array(values)
        return tuple(self._held[peer.name, id(values)][1] for values in arrays)

    def calls(self, row: Row, arrays: Arrays) -> dict[str, tuple[Call, Callable[[], None]]]:
        calls = {}
        samples: dict[str, np.ndarray] = {}
        wanted = {id(values) for values in arrays}
        self._held = {key: pair for key, pair in self._held.items() if key[1] in wanted}
        for peer in self.peers:
            if not peer.takes(row):
                continue
            try:
                call = peer.call(row, self.arrays_of(peer, arrays))
                samples[peer.name] = sample(peer, call())
                calls[peer.name] = call, peer.finish
            except Exception as error:  # the others' figures are still wanted
                text = str(error).strip().partition("\n")[0][:200]
                self.failures.append(f"{row.name}: {peer.name}: {type(error).__name__}: {text}")
        first = samples.get("heald")
        for name, other in samples.items():
            if first is not None and not agree(first, other, arrays[0].size):
                self.failures.append(f"{row.name}: heald and {name} differ")
        return calls

    def add(self, row: Row, arrays: Arrays) -> None:
        times = measure(self.calls(row, arrays), self.effort)
        cells = [readable(times[p.name]) if p.name in times else "" for p in self.peers]
        floor = readable(row.traffic / self.bandwidth) if row.traffic and self.bandwidth else ""
        ratio, goal = "", ""
        if "heald" in times:
            peers = {name: t for name, t in times.items() if name != "heald"}
            if peers:
                best = min(peers, key=peers.__getitem__)
                ratio = f"{peers[best] / times['heald']:.2f} ({best})"
            goal = judge(row, times)
        shape = " × ".join(str(extent) for extent in row.shape)
        print(f"| {row.name} | {shape} | {' | '.join(cells)} | {floor} | {ratio} | {goal} |",
              flush=True)  # fmt: skip
