"""The picture of the rooms of the package, drawn from the import contract; `nox -s generate` writes it.

The rows come from the contract in `pyproject.toml` that import-linter checks, the arrows from the imports themselves
(those that follow from others are left out), and what each room is for from the first sentence of its docstring.
"""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from support import reference

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURE: Final = ROOT / "docs" / "contributing" / "rooms.svg"
PACKAGE: Final = ROOT / "src" / "heartsrules"

__all__ = ["PICTURE", "arrows", "picture", "rows"]

_COLUMNS: Final = {"apps": 1, "testing": 2, "pictures": 1, "formats": 1, "messages": 1, "chance": 1}
"""Columns of the rooms that are not in the first one."""
_WIDTH: Final = 310
_HEIGHT: Final = 64
_ACROSS: Final = 356
_DOWN: Final = 96
_STYLE: Final = (
    "text { font: 12px system-ui, sans-serif; fill: #ffffff; } .name { font: bold 15px ui-monospace, monospace; } "
    "rect { fill: #35607a; } path { stroke: #7a8794; stroke-width: 2; fill: none; } marker path { fill: #7a8794; }"
)


def rows() -> list[list[str]]:
    """The rooms of each line of the contract, the uppermost line first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [each for each in project["tool"]["importlinter"]["contracts"] if each["name"] == "rooms"]
    found = [[name for name in re.findall(r"\w+", line) if not name.startswith("_")] for line in contract["layers"]]
    return [line for line in found if line]


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """Which room imports from which, without the arrows that follow from others."""
    direct: dict[str, set[str]] = {room: set() for line in rows() for room in line}
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and room in direct:
                module = (node.module or "").split(".")
                if module[0] == "heartsrules":
                    direct[room] |= {module[1]} if len(module) > 1 else {alias.name for alias in node.names}
    for room, others in direct.items():
        others &= set(direct) - {room}

    def reached(room: str) -> set[str]:
        found = set(direct[room])
        for other in direct[room]:
            found |= reached(other)
        return found

    return frozenset(
        (room, other)
        for room, others in direct.items()
        for other in others
        if not any(other in reached(between) for between in others)
    )


def sentence(room: str) -> str:
    """The first sentence of the docstring of a room."""
    text = ast.get_docstring(reference.tree(f"heartsrules.{room}")) or ""
    return reference.first_sentence(text).rstrip(".").replace("`", "")


def picture() -> str:
    """The rooms as SVG, legible on light and on dark pages."""
    places = {room: (_COLUMNS.get(room, 0), row) for row, line in enumerate(rows()) for room in line}
    parts = []
    for room, other in sorted(arrows()):
        (column, row), (to_column, to_row) = places[room], places[other]
        x, y = column * _ACROSS + _WIDTH // 2, row * _DOWN + _HEIGHT
        end_x, end_y = to_column * _ACROSS + _WIDTH // 2, to_row * _DOWN - 7
        if column != to_column and to_row > row + 1:
            # Down its own column, and then into the side of the other room.
            side = to_column * _ACROSS + (_WIDTH + 7 if to_column < column else -7)
            parts.append(f'<path d="M{x} {y} V{to_row * _DOWN + _HEIGHT // 2} H{side}" marker-end="url(#head)"/>')
        else:
            parts.append(f'<path d="M{x} {y} L{end_x} {end_y}" marker-end="url(#head)"/>')
    for room, (column, row) in places.items():
        x, y = column * _ACROSS, row * _DOWN
        parts.append(f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>')
        parts.append(f'<text class="name" x="{x + 12}" y="{y + 20}">{escape(room)}</text>')
        for number, text in enumerate(textwrap.wrap(sentence(room), 44, max_lines=2, placeholder=" ...")):
            parts.append(f'<text x="{x + 12}" y="{y + 38 + 16 * number}">{escape(text)}</text>')
    title = "The rooms of heartsrules: each imports only from rooms that its arrows lead to"
    width, height = 2 * _ACROSS + _WIDTH, len(rows()) * _DOWN - (_DOWN - _HEIGHT)
    head = (
        '<marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="5" markerHeight="5" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z"/></marker>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}">\n<title>{title}</title>\n<style>{_STYLE}</style>\n<defs>{head}</defs>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
