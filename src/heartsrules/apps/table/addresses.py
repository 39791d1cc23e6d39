"""Where this machine can be reached, and such an address as a QR code."""

from __future__ import annotations

import socket
from contextlib import closing, suppress
from io import BytesIO, StringIO
from typing import Final

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import segno

_ELSEWHERE: Final = ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255")
"""An address of the internet, by which the usual way out is found, and one of each private network."""


def lan_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine in its networks, the one of the usual way out first.

    For each of a few addresses elsewhere the system is asked which of its own it would use to reach it. A datagram
    socket that is connected sends nothing, so nobody is asked and nobody is told.
    """
    found: list[str] = []
    for elsewhere in _ELSEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking, suppress(OSError):
            asking.connect((elsewhere, 9))
            found.append(asking.getsockname()[0])
    return tuple([each for each in dict.fromkeys(found) if not each.startswith(("127.", "0."))])


def qr_text(url: str) -> str:
    """An address as a QR code of block characters, for a terminal with light letters on a dark ground."""
    text = StringIO()
    _code(url).terminal(text, compact=True, border=2)
    return text.getvalue()


def qr_svg(url: str) -> bytes:
    """An address as a QR code: a drawing in SVG."""
    drawing = BytesIO()
    _code(url).save(drawing, kind="svg", xmldecl=False, nl=False, omitsize=True, border=3, dark="#000", light="#fff")
    return drawing.getvalue()


def qr_rows(url: str) -> list[str]:
    """An address as a QR code: a row of characters for each of its rows, in which `1` is dark."""
    return ["".join([str(cell) for cell in row]) for row in _code(url).matrix]


def _code(url: str) -> segno.QRCode:
    return segno.make(url, micro=False, error="m")
