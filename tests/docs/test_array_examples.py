"""The programs in examples/arrays compute with heald, on every device, what they do with NumPy."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import heald as hd

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "arrays"

# Largest differences from NumPy in float32, as shares of the largest result. Prices: log(spot /
# strike) / deviation is off by 2^-24 / 0.03 at most, which moves a price by that times 0.4 spot.
# Centres: a pixel between two centres may go to either, one in some thousands. Waves: a few
# rounding errors in each of 450 steps.
BOUNDS = {"black_scholes": 5e-6, "k_means": 1e-4, "shallow_water": 450 * 4 * 2.0**-24}
PICTURES = {"k_means", "shallow_water"}


def test_all_are_here():
    programs = {path.stem for path in EXAMPLES.glob("*.py")} - {"comparison"}
    assert programs == set(BOUNDS)


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_program(name, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    arguments = ["--repeat", "1"]
    picture = tmp_path / "picture.png"
    if name in PICTURES:
        pytest.importorskip("matplotlib")
        arguments += ["--output", str(picture)]
    rows = importlib.import_module(name).main(arguments)
    assert name not in PICTURES or picture.read_bytes().startswith(b"\x89PNG")
    assert [row.where for row in rows[1:]] == [f"heald on {d.name}" for d in hd.devices()]
    printed = capsys.readouterr().out
    for row in rows:
        assert row.where in printed
        assert row.scale > 0
        assert row.difference <= BOUNDS[name] * row.scale, row
