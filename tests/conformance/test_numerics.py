"""The error of every math function, on every device present, against what docs/numerics.md states."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mpmath")

import measure_numerics

import heald as hd

STATED = measure_numerics.read_table(measure_numerics.PAGE.read_text())


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=["float", "double"])
def test_errors_are_as_stated(device: hd.Device, dtype: type) -> None:
    precision = "float" if dtype == np.float32 else "double"
    seed = int(np.random.default_rng().integers(2**31))
    # The table holds the worst of 4000 samples per set. New ones may find a slightly worse one.
    wrong = []
    for name, error in measure_numerics.errors(device, dtype, 100, seed).items():
        stated = float(STATED[name][f"{precision} {device.kind}"])
        if error > 1.25 * stated + 0.5:
            wrong.append(f"{name}: {error:.2f} ulp, stated {stated}")
    assert not wrong, f"seed {seed}: " + "; ".join(wrong)
