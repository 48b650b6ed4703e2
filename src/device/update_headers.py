#!/usr/bin/env python3
"""Writes headers.txt from the files of this folder; --check fails if it is out of date."""

import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
HEAD = """\
# The headers that kernels may include: "include name = file", files relative to this folder.
# [always] is served in every compile. [std] replaces the C and C++ libraries while the source needs
# no real system header; once it does, HEALD_SYSTEM_HEADERS is defined and only [always] is served.
# Written by update_headers.py.
"""


def text() -> str:
    always, bare = [], []
    for path in sorted(p for p in FOLDER.rglob("*") if p.is_file()):
        name = path.relative_to(FOLDER).as_posix()
        if name.startswith("std/"):
            bare.append(f"{name[len('std/') :]} = {name}")
        elif name.startswith("cuda/") or name.endswith(".h"):
            always.append(f"{name} = {name}")
    return "\n".join([HEAD, "[always]", *always, "", "[std]", *bare, ""])


def main() -> int:
    target = FOLDER / "headers.txt"
    if "--check" in sys.argv[1:]:
        return 0 if target.read_text() == text() else "headers.txt is out of date"
    target.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
