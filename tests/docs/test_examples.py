"""Every example in the README and in docs/ runs and prints what the page says."""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import re

import pytest
from pages import FENCE, ROOT, Example, blocks, examples, pages

import heald as hd


def run(example: Example, namespace: dict) -> None:
    if example.needs and importlib.util.find_spec(example.needs) is None:
        return
    # Blank lines before the code make line numbers those of the page.
    code = compile("\n" * (example.line - 1) + example.code, str(example.page), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    if example.output is None:
        return
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    matches = doctest.OutputChecker().check_output(example.output, printed.getvalue(), flags)
    assert matches, (
        f"{example.page.relative_to(ROOT)}:{example.line}\n"
        f"--- the page says\n{example.output}--- it prints\n{printed.getvalue()}"
    )


def test_pages_are_found():
    assert len(examples(ROOT / "README.md")) >= 5
    assert len(pages()) >= 10


@pytest.mark.parametrize(
    "example", examples(ROOT / "README.md"), ids=lambda example: f"line {example.line}"
)
def test_readme(example):
    run(example, {"__name__": "readme"})


@pytest.mark.parametrize("page", pages()[1:], ids=lambda page: page.stem)
def test_page(page, tmp_path, monkeypatch):
    found = examples(page)
    if not found:
        pytest.skip("no Python examples on this page")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": page.stem}
    for example in found:
        run(example, namespace)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    text = re.sub(r"`[^`]+`", "", FENCE.sub("", page.read_text(encoding="utf-8")))
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_cpp_is_quoted_from_examples(page):
    """C++ on a page is part of a program in examples/, which is built and run."""
    programs = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").rglob("*.cpp")]
    for block in blocks(page):
        if block.language == "cpp":
            lines = [line.strip() for line in block.text.strip().splitlines()]
            text = "\n".join(lines)
            assert any(
                text in "\n".join(line.strip() for line in program.splitlines())
                for program in programs
            ), f"{page.name}:{block.line} is not in examples/"


def test_every_setting_is_documented():
    text = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(HEALD_\w+)`", text)) == {row.name for row in hd.settings()}
