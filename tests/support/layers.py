"""The picture of the layers of the package, drawn from the import contract; `nox -s generate` writes it.

The order comes from the contract in `pyproject.toml` that import-linter checks, and what each module is for from the
first sentence of its docstring. So the picture cannot say anything else than the code.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURE: Final = ROOT / "docs" / "contributing" / "layers.svg"
PACKAGE: Final = ROOT / "src" / "heartsrules"

__all__ = ["PICTURE", "picture"]

_ROW: Final = 30
_NAMES: Final = 290
_WIDTH: Final = 1020
_MOST: Final = 98
"""The most characters of a sentence that have room beside the names."""
_STYLE: Final = (
    "text { font: 14px system-ui, sans-serif; } .name { font: 13px ui-monospace, monospace; fill: #ffffff; } "
    ".says { fill: #7a7f87; } .even { fill: #35607a; } .odd { fill: #2b5068; }"
)


def layers() -> Iterator[list[str]]:
    """The modules of each layer, the uppermost first, as the contract has them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (contract,) = [each for each in contracts if each.get("containers") == ["heartsrules"]]
    for layer in contract["layers"]:
        yield re.findall(r"\w+", layer)


def sentence(module: str) -> str:
    """The first sentence of the docstring of a module or a package."""
    path = PACKAGE / f"{module}.py"
    if not path.exists():
        path = PACKAGE / module / "__init__.py"
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = re.split(r"(?<=[.])\s", " ".join(text.split("\n\n")[0].split()))[0].rstrip(".:;").replace("`", "")
    return first if len(first) <= _MOST else f"{first[:_MOST].rsplit(' ', 1)[0]} ..."


def picture() -> str:
    """The layers as SVG, legible on light and on dark pages."""
    rows = []
    at = 0
    for number, modules in enumerate(layers()):
        height = _ROW * len(modules)
        shade = "odd" if number % 2 else "even"
        rows.append(f'<rect class="{shade}" x="0" y="{at}" width="{_NAMES - 14}" height="{height - 3}" rx="4"/>')
        for place, module in enumerate(modules):
            line = at + place * _ROW + 19
            rows.append(f'<text class="name" x="12" y="{line}">{escape(module)}</text>')
            rows.append(f'<text class="says" x="{_NAMES}" y="{line}">{escape(sentence(module))}</text>')
        at += height
    title = "The layers of heartsrules: each module imports only from those below it in this picture"
    body = "\n".join(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {at}" width="{_WIDTH}" height="{at}" '
        f'role="img" aria-label="{title}">\n<title>{title}</title>\n<style>{_STYLE}</style>\n{body}\n</svg>\n'
    )
