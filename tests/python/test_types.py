"""The type stub names what the compiled module has, and the other way round."""

from __future__ import annotations

import ast
from pathlib import Path

import heald as hd
from heald import _heald

STUB = Path(hd.__file__).with_name("_heald.pyi")


def stub_members() -> dict[str, set[str]]:
    """Names of the module ("") and of each class."""
    members: dict[str, set[str]] = {"": set()}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef):
            members[""].add(node.name)
            names = members[node.name] = set()
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    names.add(item.name)
                elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    names.add(item.target.id)
        elif isinstance(node, ast.FunctionDef):
            members[""].add(node.name)
    return members


def is_public(name: str) -> bool:
    return not name.startswith("_")


def test_module_and_stub_name_the_same():
    members = stub_members()
    stub = {name for name in members[""] if is_public(name)} | {"Error"}
    compiled = {name for name in dir(_heald) if is_public(name)}
    assert stub == compiled


def test_classes_and_stub_name_the_same():
    for name, names in stub_members().items():
        if not is_public(name) or not name:
            continue
        cls = getattr(_heald, name)
        if issubclass(cls, BaseException):
            continue
        compiled = {member for member in vars(cls) if is_public(member)}
        assert {member for member in names if is_public(member)} == compiled, name
        # Special methods of the stub exist (the buffer protocol's are seen by Python 3.12).
        for member in names - {"__buffer__", "__release_buffer__"}:
            assert hasattr(cls, member), f"{name}.{member}"


def test_every_public_function_is_documented():
    for name in hd.__all__:
        value = getattr(hd, name)
        if callable(value) and getattr(value, "__module__", "").startswith("heald"):
            assert value.__doc__, name
