"""Reads the examples out of Markdown pages.

A ```python block runs; an ```output block right after it is what it has to print, where `...`
stands for anything. The blocks of a page in docs/ go on from each other; in the README each stands
alone. ```python needs=torch runs where that module is installed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```\s*?$", re.MULTILINE | re.DOTALL)


@dataclass
class Example:
    page: Path
    line: int  # of the first line of code
    code: str
    output: str | None
    needs: str | None = None  # a module that may be missing


@dataclass
class Block:
    language: str
    text: str
    line: int  # of the first line of text
    options: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[3], text.count("\n", 0, match.start(3)) + 1, match[2])
        for match in FENCE.finditer(text)
    ]


def examples(page: Path) -> list[Example]:
    found: list[Example] = []
    previous = None
    for block in blocks(page):
        if block.language == "python":
            needs = re.search(r"needs=(\w+)", block.options)
            found.append(Example(page, block.line, block.text, None, needs and needs[1]))
        elif block.language == "output":
            assert previous is not None and previous.language == "python", (
                f"{page.name}:{block.line}: output without an example before it"
            )
            found[-1].output = block.text
        previous = block
    return found


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
