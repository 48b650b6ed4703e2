"""The network of examples/matmul learns the digits, the same way on every device."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "matmul"


def test_digits(monkeypatch, capsys):
    pytest.importorskip("sklearn")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    results = importlib.import_module("digits").main(["--epochs", "12"])
    assert "losses" in capsys.readouterr().out
    first = next(iter(results.values()))[0]
    for losses, right in results.values():
        assert losses[-1] < 0.1 * losses[0]
        assert right > 0.93
        # Rounding differs between devices, and grows with the steps.
        assert losses == pytest.approx(first, rel=1e-2)
