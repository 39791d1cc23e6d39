"""HTML pages that stand alone: one file each, with style, script and data inside and nothing from elsewhere.

Their pictures follow the light or dark theme of the reader: `THEMED` draws in variables of the style of a page.
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
"""The colours of the reader's theme, to draw with. `themed` makes them variables of a page."""
_THEMED: Final = re.compile(rf'="Theme({"|".join(_NAMES)})"')
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def _variables(colours: Colours) -> str:
    """Colours as variables of CSS."""
    return " ".join([f"--{name}: {value};" for name, value in attrs.asdict(colours).items()])


_STYLE: Final = f"""
:root {{ color-scheme: light dark; {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--felt); color: var(--ink); font: 16px/1.4 system-ui, 'DejaVu Sans', sans-serif; }}
button {{ font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 8px;
  min-width: 44px; min-height: 44px; cursor: pointer; }}
:focus-visible {{ outline: 3px solid var(--accent); outline-offset: 1px; }}
"""


def html(text: str) -> str:
    """Escape a text for HTML, on one line: unprintable characters become Python escapes."""
    return escape(printable(text))


def head_and_rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> tuple[str, list[str]]:
    """Write the head and the rows of a table. The first cell of a row is its header. Without heads there is no head."""
    columns = "".join([f'<th scope="col">{html(cell)}</th>' for cell in heads])
    lines: list[str] = []
    for name, *rest in rows:
        cells = "".join([f"<td>{html(cell)}</td>" for cell in rest])
        lines.append(f'<tr><th scope="row">{html(name)}</th>{cells}</tr>')
    return f"<thead><tr>{columns}</tr></thead>" if heads else "", lines


class Page(str):
    """An HTML document: a str that notebooks show in a frame of its own."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        frame = 'style="width: 100%; height: 860px; border: 0" sandbox="allow-scripts" title="heartsrules"'
        return f'<iframe srcdoc="{escape(self)}" {frame}></iframe>\n'


def themed(picture: str) -> str:
    """A picture that was drawn in `THEMED`, with variables of the style of a page for colours."""
    return _THEMED.sub(r'="var(--\1)"', picture)


def make_page(
    title: str, body: str, *, style: str = "", script: str = "", data: Any = None, language: str = "en"
) -> Page:
    """Write a page.

    Args:
        title: the title, any text.
        body: what is inside `body`, as HTML.
        style: rules of CSS, after those of all pages: the variables of `THEMED`, buttons and the focus.
        script: JavaScript, which runs after the body. It finds the data as `data`.
        data: what the script works on, as far as JSON can say it.
        language: the tag of the language that it is written in.
    """
    # No text of the data may end the element that holds it.
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
