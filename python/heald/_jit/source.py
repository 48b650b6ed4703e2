"""The source of a Python function: its tree, its place in a file, and what its names refer to."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import textwrap
import types
from typing import Any

from heald._jit.errors import JitError

MISSING = object()


class Source:
    """A function or lambda as a tree. Line numbers of nodes are those of the file."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function = function
        self.name = function.__qualname__.replace("<locals>.", "")
        self.filename = function.__code__.co_filename
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError) as problem:
            raise JitError(
                f"[hd.jit] the source of {self.name} is not to be had ({problem}): define it in a "
                "file or in a notebook cell"
            ) from None
        self.first = first
        text = "".join(lines)
        self.indent = len(lines[0]) - len(lines[0].lstrip())
        self._lines = lines
        self.node: ast.FunctionDef | ast.Lambda = (
            self._lambda(text) if function.__name__ == "<lambda>" else self._definition(text)
        )
        self.names = _closure(function)

    def line(self, number: int) -> str:
        at = number - self.first
        if 0 <= at < len(self._lines):
            return self._lines[at].rstrip("\n")
        return linecache.getline(self.filename, number).rstrip("\n")

    def look_up(self, name: str) -> Any:
        """A closed-over variable, a global or a builtin; MISSING if there is none."""
        if name in self.names:
            return self.names[name]
        scope = self.function.__globals__
        if name in scope:
            return scope[name]
        return getattr(builtins, name, MISSING)

    def _definition(self, text: str) -> ast.FunctionDef:
        tree = ast.parse(textwrap.dedent(text))
        ast.increment_lineno(tree, self.first - 1)
        node = tree.body[0]
        if not isinstance(node, ast.FunctionDef):
            kind = "an async function" if isinstance(node, ast.AsyncFunctionDef) else "no function"
            raise JitError(f"[hd.jit] {self.name} is {kind}: a kernel is a plain def")
        return node

    def _lambda(self, text: str) -> ast.Lambda:
        found = [n for n in ast.walk(_parse_part(text)) if isinstance(n, ast.Lambda)]
        code = self.function.__code__
        arguments = code.co_varnames[: code.co_argcount]
        fitting = [n for n in found if tuple(a.arg for a in n.args.args) == arguments]
        if len(fitting) > 1:
            fitting = [n for n in fitting if _same_code(n, code)] or fitting
        if len({ast.dump(n) for n in fitting}) != 1:
            raise JitError(
                f"[hd.jit] the lambda at {self.filename}:{self.first} cannot be told from others "
                "on its line: give each a line of its own, or use def"
            )
        ast.increment_lineno(fitting[0], self.first - 1)
        return fitting[0]


def _parse_part(text: str) -> ast.AST:
    """The tree of lines that need not be whole statements."""
    text = textwrap.dedent(text)
    for candidate in (text, f"({text.strip()})", text[text.find("lambda") :]):
        part = candidate
        while part:
            try:
                return ast.parse(part)
            except SyntaxError:
                if candidate is not text and not candidate.startswith("("):
                    part = part[:-1]
                else:
                    break
    raise JitError("[hd.jit] the source of a lambda cannot be read: use def")


def _same_code(node: ast.Lambda, code: types.CodeType) -> bool:
    made = compile(ast.Expression(node), "", "eval").co_consts[0]
    return made.co_code == code.co_code and made.co_consts == code.co_consts


def _closure(function: types.FunctionType) -> dict[str, Any]:
    result = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            result[name] = cell.cell_contents
        except ValueError:  # not assigned yet: a function that calls itself is
            result[name] = function if name == function.__name__ else MISSING
    return result
