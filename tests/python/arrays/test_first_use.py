"""A first evaluation does not wait for a compiler: kernels that heald brings, or single operations
while a fused kernel is compiled in the background, with the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heald as hd
from heald import _heald


def _run(program: str, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HEALD_CACHE_DIR": str(folder), "HEALD_DEVICE": "cpu", **settings}
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


EXPRESSIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "chain": lambda m, x, y: x * y + y * m.sin(x),
    "branches": lambda m, x, y: m.where(x > y, m.exp(x) - 1, m.sqrt(y * y + 1)),
    "reduced": lambda m, x, y: (x * y - m.cos(x)).sum(axis=-1),
    "mean and variance": lambda m, x, y: ((x - y.mean()) ** 2).mean(),
    "extremes": lambda m, x, y: m.maximum(x, y).max() - m.minimum(x, y + 2).min(),
    "positions": lambda m, x, y: (x * 3 - y * y).argmax(axis=0),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_the_answer_is_the_same_before_and_after_the_kernel_is_there(
    cpu: hd.Device, name: str, dtype: str, rng: np.random.Generator
) -> None:
    x, y = (hd.array(rng.standard_normal((64, 999)).astype(dtype)) for _ in range(2))
    before = EXPRESSIONS[name](hd, x, y)
    hd.eval(before)
    _heald.finish_background()
    after = EXPRESSIONS[name](hd, x, y)
    assert hd.asnumpy(before).tobytes() == hd.asnumpy(after).tobytes()
    assert before.dtype == after.dtype


def test_results_do_not_depend_on_the_way_of_evaluation(tmp_path: Path) -> None:
    program = """
import hashlib, numpy as np, heald as hd
x, y = (hd.array(np.random.default_rng(seed).standard_normal((300, 1001), dtype=np.float32)) for seed in (1, 2))
total = hashlib.sha256()
for f in (lambda: x * y + hd.sin(x) / (2 + y * y), lambda: (x * y).sum(axis=0), lambda: hd.exp(-x).mean(),
          lambda: hd.hypot(x, y)[::3, ::-2] + 1, lambda: x.T.copy() * 2 - y.T):
    for _ in range(2):
        total.update(hd.asnumpy(f()).tobytes())
print(total.hexdigest())
"""
    answers = {}
    for way in ("eager", "wait", "off"):
        done = _run(program, tmp_path / way, HEALD_FUSION=way)
        assert done.returncode == 0, done.stderr
        answers[way] = done.stdout
    assert len(set(answers.values())) == 1, answers


def test_common_operations_need_no_compiler(tmp_path: Path) -> None:
    maps = Path("/proc/self/maps").read_text().splitlines()
    libraries = {Path(line.split()[-1]) for line in maps if "libheald.so" in line}
    if not any(list(library.parent.glob("heald_kernels.*.bin")) for library in libraries):
        pytest.skip("this build has no kernels compiled beforehand")
    program = """
import numpy as np, heald as hd
x = hd.array(np.arange(1000, dtype=np.float32)); n = hd.array(np.arange(1000))
print(float((x * 2 + hd.sqrt(x))[100]), int(n.sum()), int((n > 500).sum()), float(x.max()), float((x / n.astype("float32"))[7]))
try:
    hd.Program("__global__ void f() {}").compile()
except hd.UnavailableError:
    print("no compiler")
"""
    done = _run(program, tmp_path, HEALD_CPU_COMPILER_PATH="/nowhere")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["210.0 499500 499 999.0 1.0", "no compiler"]


def test_a_process_may_exit_while_kernels_are_compiled(tmp_path: Path) -> None:
    program = """
import sys, heald as hd
x = hd.ones(1000)
for k in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
    hd.eval(hd.sin(x) * k + hd.cos(x) ** (k + 2) - x)
    hd.eval((hd.exp(x) * (x + k)).sum() if k % 2 else hd.log(x + k) * x * x)
"""
    for attempt in range(4):
        done = _run(program, tmp_path / str(attempt))
        assert (done.returncode, done.stderr) == (0, "")


def test_a_forked_child_compiles_for_itself(tmp_path: Path) -> None:
    program = """
import os, heald as hd
x = hd.ones(1000)
hd.eval(hd.sin(x) * 2 + x)
child = os.fork()
value = float((hd.sin(x) * 2 + x)[0]), float((hd.cos(x) * 3 - x).sum())
hd._heald.finish_background()
assert value == (float((hd.sin(x) * 2 + x)[0]), float((hd.cos(x) * 3 - x).sum()))
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    done = _run(program, tmp_path)
    assert done.returncode == 0, done.stderr


def test_an_unknown_way_of_fusion_is_reported(tmp_path: Path) -> None:
    done = _run("import heald as hd; print(float(hd.ones(3).sum()))", tmp_path, HEALD_FUSION="now")
    assert done.stdout == "3.0\n"
    assert "HEALD_FUSION is 'now': expected eager, wait or off" in done.stderr
