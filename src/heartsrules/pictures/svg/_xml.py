"""SVG elements as text, with user input escaped and uniform numbers."""

from __future__ import annotations

import re
from html import escape
from typing import Final

SVG: Final = "http://www.w3.org/2000/svg"
FONT: Final = "system-ui, 'DejaVu Sans', sans-serif"
"""The reader's own font family."""
_FORBIDDEN: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Picture(str):
    """An SVG document as a str, which notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def number(value: float) -> str:
    """Write a number with at most two decimals.

    >>> number(1.5), number(3.0), number(-0.001), number(1 / 3)
    ('1.5', '3', '0', '0.33')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def plain(text: str) -> str:
    """Escape text for XML on one line, replacing forbidden characters.

    >>> plain('<b> & "\\x00"')
    '&lt;b&gt; &amp; &quot;\\ufffd&quot;'
    """
    return escape(_FORBIDDEN.sub("\ufffd", " ".join(text.split())))


def element(tag: str, *inside: str, **attributes: str | float | None) -> str:
    """Write an element without attributes that are None, where `inside` is XML.

    >>> element("rect", width=60, rx=None, stroke_width=1.5)
    '<rect width="60" stroke-width="1.5"/>'
    """
    given = "".join(
        [
            f' {name.replace("_", "-")}="{plain(value) if isinstance(value, str) else number(value)}"'
            for name, value in attributes.items()
            if value is not None
        ]
    )
    return f"<{tag}{given}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{given}/>"


def group(x: float, y: float, *inside: str, scale: float = 1) -> str:
    scaled = "" if scale == 1 else f" scale({number(scale)})"
    return element("g", *inside, transform=f"translate({number(x)} {number(y)}){scaled}")


def words(
    text: str, x: float, y: float, colour: str, *, size: float = 12, bold: bool = False, anchor: str | None = None
) -> str:
    """Write a line of text with its baseline at y and its start, middle or end at x."""
    weight = "700" if bold else None
    return element("text", plain(text), x=x, y=y, fill=colour, font_size=size, font_weight=weight, text_anchor=anchor)


def fitting(text: str, most: float, size: float) -> str:
    """Shorten text to an approximate width, counting wide letters twice."""
    room = most / (0.64 * size)
    shown = " ".join(text.split())
    width = 0.0
    for place, letter in enumerate(shown):
        width += 1.8 if ord(letter) >= 0x1100 else 1
        if width > room:
            return f"{shown[: max(place - 1, 1)].rstrip()}\N{HORIZONTAL ELLIPSIS}"
    return shown


def picture(size: tuple[float, float], width: float | None, title: str, says: str, *body: str) -> Picture:
    """Write a whole document.

    Args:
        size: the width and the height of the contents, in their own units.
        width: the width in pixels. Defaults to a pixel for each unit.
        title: the title for assistive technology.
        says: the description for assistive technology, empty if the title is enough.
    """
    shown = size[0] if width is None else width
    heads = [element("title", plain(title))]
    if says:
        heads.append(element("desc", plain(says)))
    lines = "\n".join([*heads, *body])
    drawn = element(
        "svg",
        f"\n{lines}\n",
        xmlns=SVG,
        viewBox=f"0 0 {number(size[0])} {number(size[1])}",
        width=shown,
        height=size[1] * shown / size[0],
        role="img",
        aria_label=title,
        font_family=FONT,
        stroke_linecap="round",
        stroke_linejoin="round",
    )
    return Picture(f"{drawn}\n")
