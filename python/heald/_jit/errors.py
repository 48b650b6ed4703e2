"""What a user is told when a kernel cannot be compiled: file, line, the expression underlined."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NoReturn

from heald._heald import CompileError

if TYPE_CHECKING:
    from heald._jit.source import Source


class JitError(CompileError):
    """A Python function that is no kernel. `filename` and `lineno` say where."""

    filename: str | None = None
    lineno: int | None = None


def refuse(source: Source, node: ast.AST | None, message: str) -> NoReturn:
    """Raises JitError: `message`, then the line with what is wrong in it underlined."""
    text, line = message, None
    if node is not None and hasattr(node, "lineno"):
        line = node.lineno
        text = f"{message}\n{_excerpt(source, node)}"
    error = JitError(f"[hd.jit] {source.name}: {text}")
    error.filename = source.filename
    error.lineno = line
    raise error


def _excerpt(source: Source, node: ast.AST) -> str:
    line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
    end_line = getattr(node, "end_lineno", None) or line
    end_column = getattr(node, "end_col_offset", None)
    shown = source.line(line)
    # Columns of the tree are bytes of UTF-8.
    start = len(shown.encode()[: column + source.indent].decode(errors="ignore"))
    if end_line == line and end_column is not None:
        stop = len(shown.encode()[: end_column + source.indent].decode(errors="ignore"))
    else:
        stop = len(shown.rstrip())
    margin = len(shown) - len(shown.lstrip())
    underline = " " * (start - margin) + "^" * max(1, stop - start)
    return (
        f'  File "{source.filename}", line {line}, in {source.name}\n'
        f"    {shown.strip()}\n    {underline}"
    )
