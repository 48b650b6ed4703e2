#!/usr/bin/env python3
"""Checks that layers include only what they may, and that every header stands on its own.

tools/check_layers.py              include rules
tools/check_layers.py --compile    also compiles each header alone (g++ -fsyntax-only)
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# folder -> folders whose headers its files may include, itself aside. The longest match counts.
LAYERS = {
    "include/heald": [],
    "src/base": ["include/heald"],
    "src/core": ["include/heald", "src/base"],
    "src/memory": ["include/heald", "src/base", "src/core"],
    # What a compile takes and gives (core/code.hpp, compile.hpp) is data of both its sides.
    "src/jit": ["include/heald", "src/base", "src/core/code.hpp", "src/core/compile.hpp"],
    "src/jit/nvrtc": ["include/heald", "src/base", "src/core/code.hpp", "src/jit"],
    # The plug-in is loaded at run time: it may know the engine's interfaces, never its state.
    "src/jit/cpu": ["include/heald", "src/base", "src/jit", "src/backend/cpu/kernel_abi.hpp"],
    "src/device": [],
    "src/backend/cpu": [
        "include/heald",
        "src/base",
        "src/core",
        "src/memory",
        "src/jit",
        # The plug-in's interface and the data that go through it.
        "src/jit/cpu/plugin.hpp",
        "src/jit/cpu/unit.hpp",
        "src/jit/cpu/variant.hpp",
    ],
    "src/backend/cuda": [
        "include/heald",
        "src/base",
        "src/core",
        "src/memory",
        "src/jit",
        "src/jit/nvrtc",
    ],
    "src/backend": [
        "include/heald",
        "src/base",
        "src/core",
        "src/memory",
        "src/jit",
        "src/backend/cpu",
        "src/backend/cuda",
    ],
    "src/array": ["include/heald", "src/base", "src/core", "src/memory", "src/jit"],
    "src/plan": ["include/heald", "src/base", "src/core", "src/memory", "src/jit", "src/array"],
    # A program of the build, that no layer knows.
    "src/aot": [
        "include/heald",
        "src/base",
        "src/core",
        "src/memory",
        "src/jit",
        "src/array",
        "src/backend/cpu/code.hpp",
    ],
    "python/src": ["include/heald", "src/base", "src/core", "src/memory", "src/plan", "src/array"],
}

# Headers of these libraries may be included only in these folders.
LIBRARIES = {
    r"(llvm|clang|llvm-c|lld)/": ["src/jit/cpu"],
    r"nanobind/|Python\.h": ["python/src"],
    r"(cuda|nvrtc|nvJitLink|cublas|cufft)\w*\.h": [],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of(path: str) -> str | None:
    fitting = [layer for layer in LAYERS if path == layer or path.startswith(layer + "/")]
    return max(fitting, key=len, default=None)


def is_inside(path: str, places: list[str]) -> bool:
    return any(path == place or path.startswith(place + "/") for place in places)


def target_of(name: str) -> str | None:
    """The repository path of an included name; None for headers of others."""
    if name.startswith("heald/"):
        return "include/" + name
    if name.startswith(("src/", "python/src/")):
        return name
    return None


def check_file(path: Path) -> list[str]:
    relative = path.relative_to(ROOT).as_posix()
    layer = layer_of(relative)
    if layer is None or layer == "src/device":
        return []
    problems = []
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        quote, name = match.groups()
        where = f"{relative}:{text.count(chr(10), 0, match.start(2)) + 1}"
        target = target_of(name)
        if target is None:
            for pattern, places in LIBRARIES.items():
                if re.match(pattern, name) and not is_inside(relative, places):
                    problems.append(f"{where}: {name} is not for this layer")
            if quote == '"' and (path.parent / name).exists():
                problems.append(f'{where}: include "{name}" by its path from the root')
            continue
        other = layer_of(target)
        if other != layer and not is_allowed(target, other, LAYERS[layer]):
            problems.append(f"{where}: {layer} may not include {target}")
        elif not (ROOT / target).exists() and "embedded" not in target:
            problems.append(f"{where}: {target} does not exist")
    return problems


def is_allowed(target: str, layer: str | None, allowed: list[str]) -> bool:
    return target in allowed or layer in allowed


def sources() -> list[Path]:
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "include",
            "src",
            "python/src",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    return [
        ROOT / name
        for name in listed
        if name.endswith((".hpp", ".cpp", ".h")) and (ROOT / name).exists()
    ]


def compile_alone(header: Path) -> str | None:
    command = [
        os.environ.get("CXX", "g++"),
        "-std=c++20",
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        f"-I{ROOT / 'include'}",
        f"-I{ROOT}",
        "-x",
        "c++",
        "-include",
        str(header),
        "/dev/null",
    ]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return None
    return f"{header.relative_to(ROOT)} does not compile alone:\n{result.stderr.strip()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compile", action="store_true", help="also compile each header alone")
    arguments = parser.parse_args()

    files = sources()
    problems = [problem for file in files for problem in check_file(file)]
    headers = []
    if arguments.compile:
        # Headers of LLVM and nanobind take seconds each; their own translation units check them.
        headers = [
            file
            for file in files
            if file.suffix == ".hpp"
            and layer_of(file.relative_to(ROOT).as_posix())
            not in (None, "src/jit/cpu", "src/device", "python/src")
        ]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            problems += [problem for problem in pool.map(compile_alone, headers) if problem]
    print("\n".join(problems), end="\n" if problems else "")
    print(f"layers: {len(files)} files, {len(headers)} headers compiled, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
