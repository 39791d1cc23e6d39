"""This machine's network addresses, visitors' networks, and QR codes of URLs."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import closing, suppress
from io import BytesIO, StringIO
from typing import Final

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import segno

_ELSEWHERE: Final = ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255")
"""An address on the internet, for the default route, and one in each private network."""


def lan_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses in its networks, starting with the default route.

    This sends no data.
    """
    found: list[str] = []
    for elsewhere in _ELSEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking, suppress(OSError):
            asking.connect((elsewhere, 9))
            found.append(asking.getsockname()[0])
    return tuple([each for each in dict.fromkeys(found) if not each.startswith(("127.", "0."))])


def network_of(host: str) -> str:
    """Return the network that identifies a visitor: an IPv4 address, or the first 64 bits of an IPv6 address.

    Devices change the other 64 bits as they like.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::1:2")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def qr_text(url: str) -> str:
    """Draw a URL as a QR code of block characters, for a terminal with light text on a dark background."""
    text = StringIO()
    _code(url).terminal(text, compact=True, border=2)
    return text.getvalue()


def qr_svg(url: str) -> bytes:
    drawing = BytesIO()
    _code(url).save(drawing, kind="svg", xmldecl=False, nl=False, omitsize=True, border=3, dark="#000", light="#fff")
    return drawing.getvalue()


def qr_rows(url: str) -> list[str]:
    """Return the rows of a URL's QR code, in which `1` is dark."""
    return ["".join([str(cell) for cell in row]) for row in _code(url).matrix]


def _code(url: str) -> segno.QRCode:
    return segno.make(url, micro=False, error="m")
