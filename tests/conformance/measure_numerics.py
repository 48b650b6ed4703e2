#!/usr/bin/env python3
"""Measures the error of every math function on this machine's devices and writes the table of
docs/numerics.md. Columns of devices that are not here keep their figures. The CPU's column is the worst
over instruction sets: run again with --worst under HEALD_CPU_TARGET=x86-64-v2 and x86-64-v3.

    python tests/conformance/measure_numerics.py [--samples N] [--worst]
"""

from __future__ import annotations

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import functions
import numpy as np

import heald as hd

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "numerics.md"
COLUMNS = ("float cpu", "float cuda", "double cpu", "double cuda")
MARK = "| function | " + " | ".join(COLUMNS) + " |"


def errors(device: hd.Device, dtype: type, samples: int, seed: int) -> dict[str, float]:
    """The worst error in ulp per function (by its double precision name)."""
    rng = np.random.default_rng(seed)
    found = {}
    with device:
        code = hd.Program(functions.source(dtype), name="functions.cu").compile()
        for function in functions.FUNCTIONS:
            arguments = function.samples(dtype, samples, rng)
            inputs = [hd.array(a) for a in arguments]
            out = hd.empty(arguments[0].size, dtype)
            kernel = code.get_kernel("k_" + function.named(dtype))
            kernel.launch(-(-out.size // 256), 256, (out.size, *inputs, out))
            exact = functions.exact_values(function, arguments)
            found[function.name] = functions.worst_ulp(hd.asnumpy(out), exact)[0]
    return found


def read_table(text: str) -> dict[str, dict[str, str]]:
    rows = {}
    for line in text.partition(MARK)[2].splitlines()[2:]:
        if not line.startswith("| "):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[name.strip("`")] = dict(zip(COLUMNS, cells))
    return rows


def write_table(text: str, rows: dict[str, dict[str, str]]) -> str:
    lines = [MARK, "|---|" + "---|" * len(COLUMNS)]
    for function in functions.FUNCTIONS:
        cells = rows.get(function.name, {})
        lines.append(
            f"| `{function.name}` | " + " | ".join(cells.get(c, "") for c in COLUMNS) + " |"
        )
    before, found, after = text.partition(MARK)
    if not found:
        return text.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n"
    rest = after.splitlines()[1:]
    while rest and rest[0].startswith("|"):
        rest.pop(0)
    return before + "\n".join(lines + rest) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--samples", type=int, default=4000, help="per function and set of arguments"
    )
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--worst", action="store_true", help="keep larger figures of the table")
    options = parser.parse_args()
    rows = read_table(PAGE.read_text())
    kinds = {device.kind: device for device in reversed(hd.devices())}
    for kind, device in kinds.items():
        for dtype, precision in ((np.float32, "float"), (np.float64, "double")):
            for name, error in errors(device, dtype, options.samples, options.seed).items():
                row = rows.setdefault(name, {})
                stated = float(row.get(f"{precision} {kind}") or 0) if options.worst else 0.0
                row[f"{precision} {kind}"] = f"{max(error, stated):.2f}"
                print(f"{kind} {precision} {name}: {error:.3f}")
    PAGE.write_text(write_table(PAGE.read_text(), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
