#!/usr/bin/env python3
"""Checks that a wheel carries what it needs: every library that its own libraries name is in it, or
is one that every Linux with Python has.

    tools/check_wheel.py dist/heald-*.whl
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# The C and C++ runtime, as in the manylinux policies.
SYSTEM = re.compile(
    r"^(ld-linux-.*|lib(c|m|mvec|dl|rt|pthread|util|stdc\+\+|gcc_s|z))\.so(\.\d+)*$"
)
REQUIRED = (
    "heald/__init__.py", "heald/lib/libheald.so", "heald/lib/libheald_cpu_compiler.so",
    *(f"heald/lib/heald_kernels.x86-64-v{level}.bin" for level in (3, 4)),
    "heald/include/heald/heald.hpp", "heald/lib/cmake/heald/heald-config.cmake",
)  # fmt: skip


def dynamic(path: Path) -> tuple[list[str], list[str]]:
    """Names of needed libraries, and the run path's entries."""
    text = subprocess.run(
        ["readelf", "-d", path], capture_output=True, text=True, check=True
    ).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    paths = [
        entry
        for found in re.findall(r"\((?:RUN|R)PATH\).*\[(.*)\]", text)
        for entry in found.split(":")
    ]
    return needed, paths


def problems_of(root: Path) -> list[str]:
    libraries = [
        path
        for path in root.rglob("*.so*")
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"
    ]
    names = {path.name for path in libraries}
    problems = [f"{name} is missing" for name in REQUIRED if not (root / name).exists()]
    for path in libraries:
        relative = path.relative_to(root)
        needed, paths = dynamic(path)
        problems += [
            f"{relative} needs {name}, which the wheel does not carry"
            for name in needed
            if name not in names and not SYSTEM.match(name)
        ]
        problems += [
            f"{relative} looks for libraries in {entry}"
            for entry in paths
            if not entry.startswith("$ORIGIN")
        ]
        where = {(path.parent / entry.replace("$ORIGIN", ".")).resolve() for entry in paths}
        problems += [
            f"{relative} does not find {name} in the wheel"
            for name in needed
            if name in names
            and path.parent not in where
            and not any((folder / name).exists() for folder in where)
        ]
    return problems


def main() -> int:
    failed = False
    for wheel in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
            problems = problems_of(Path(folder))
        size = Path(wheel).stat().st_size / 2**20
        print(f"{Path(wheel).name}: {size:.1f} MiB, {len(problems)} problems")
        for problem in problems:
            print("  " + problem)
        failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
