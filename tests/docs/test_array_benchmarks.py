"""benchmarks/arrays measures every row, and heald's results agree with the other libraries'."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import heald as hd

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "arrays" / "main.py"


@pytest.mark.parametrize("device", [device.name for device in hd.devices()])
def test_each_row_once(device):
    result = subprocess.run(
        [sys.executable, str(BENCHMARK), "--small", "--device", device],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    tables = re.findall(r"^\|---.*\n((?:\|.*\n)+)", result.stdout, re.MULTILINE)
    assert len(tables) == 2, result.stdout
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in tables[0].splitlines()]
    assert len(rows) >= 10
    for row in rows:
        assert re.fullmatch(r"[\d.e+]+ (µs|ms|s)", row[2]), row
    assert re.search(r"^heald \|", tables[1].replace("| ", "", 1)), tables[1]
