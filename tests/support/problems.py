"""The places of the sources where problems are made, as their syntax trees show them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["name_called", "sentences_made"]


def name_called(node: ast.Call) -> str:
    """The name of the function, or of the method of whatever object; `Problem` for a class method of that."""
    function = node.func
    if isinstance(function, ast.Attribute):
        owner = function.value
        return "Problem" if isinstance(owner, ast.Name) and owner.id == "Problem" else function.attr
    return function.id if isinstance(function, ast.Name) else ""


def sentences_made(module: Path) -> Iterator[str]:
    """The keys of the sentences of every `Problem.of` and `Problem.at` whose code and detail are written out."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr in ("of", "at") and name_called(node) == "Problem":
            words = [each.value for each in (node.args[0], *node.args[2:]) if isinstance(each, ast.Constant)]
            if len(words) == len(node.args) - 1:
                yield ".".join(["problem", *map(str, words)])
