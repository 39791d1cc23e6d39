"""Self-contained HTML pages, each one file with its style, script and data.

Pages and pictures have the colours of the browser table, in the reader's light or dark theme: `THEMED` draws with CSS
variables of the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

import attrs

from heartsrules.base.errors import printable
from heartsrules.pictures.svg import DARK, LIGHT, Colours

_NAMES: Final = [field.name for field in attrs.fields(Colours)]
THEMED: Final = Colours(**{name: f"Theme{name}" for name in _NAMES})
"""The colours of the reader's theme, as markers that `themed` replaces with CSS variables."""
_THEMED: Final = re.compile(rf'="Theme({"|".join(_NAMES)})"')
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def _variables(colours: Colours) -> str:
    return " ".join([f"--{name}: {value};" for name, value in attrs.asdict(colours).items()])


_STYLE: Final = f"""
:root {{ color-scheme: light dark; {_variables(LIGHT)} --ground: light-dark(#f4f2ec, #0d1512);
  --sheet: light-dark(#fff, #182a23); --text: light-dark(#1c2420, #e8efeb); --muted: light-dark(#55615a, #a9b8b0);
  --rule: light-dark(#d8d5ca, #2d3d35); --focus: light-dark(#0b57d0, #8ab8ff); }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.4 system-ui, 'DejaVu Sans', sans-serif; }}
button {{ font: inherit; color: var(--text); background: var(--sheet); border: 1px solid var(--rule);
  border-radius: 8px; min-width: 44px; min-height: 44px; cursor: pointer; }}
:focus-visible {{ outline: 3px solid var(--focus); outline-offset: 1px; }}
"""


def html(text: str) -> str:
    """Escape text for HTML on one line, with unprintable characters as Python escapes."""
    return escape(printable(text))


def head_and_rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> tuple[str, list[str]]:
    """Write a table's head, if any, and its rows, whose first cells are headers."""
    columns = "".join([f'<th scope="col">{html(cell)}</th>' for cell in heads])
    lines: list[str] = []
    for name, *rest in rows:
        cells = "".join([f"<td>{html(cell)}</td>" for cell in rest])
        lines.append(f'<tr><th scope="row">{html(name)}</th>{cells}</tr>')
    return f"<thead><tr>{columns}</tr></thead>" if heads else "", lines


class Page(str):
    """An HTML document as a str, which notebooks show in a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        frame = 'style="width: 100%; height: 860px; border: 0" sandbox="allow-scripts" title="heartsrules"'
        return f'<iframe srcdoc="{escape(self)}" {frame}></iframe>\n'


def themed(picture: str) -> str:
    """Replace the colours of `THEMED` in a picture with CSS variables of the page."""
    return _THEMED.sub(r'="var(--\1)"', picture)


def make_page(
    title: str, body: str, *, style: str = "", script: str = "", data: Any = None, language: str = "en"
) -> Page:
    """Write a page.

    Args:
        body: the contents of `body`, as HTML.
        style: CSS rules, after the common ones: the variables of `THEMED`, buttons and the focus.
        script: JavaScript that runs after the body, with `data`, any JSON value.
    """
    # No text in the data may end its own element.
    known = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    return Page(
        f"""<!doctype html>
<html lang="{escape(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{html(title)}</title>
<style>{_STYLE}{style}</style>
</head>
<body>
{body}
<script>
"use strict";
const data = {known};
{script}</script>
</body>
</html>
"""
    )
