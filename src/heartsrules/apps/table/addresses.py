"""Addresses of this machine in its networks, networks of visitors, and URLs as QR codes."""

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
"""An address of the internet, for the default route, and one of each private network."""


def lan_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine in its networks, that of the default route first.

    A datagram socket is connected to each of a few addresses, and asked for its own. Connecting it sends nothing.
    """
    found: list[str] = []
    for elsewhere in _ELSEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking, suppress(OSError):
            asking.connect((elsewhere, 9))
            found.append(asking.getsockname()[0])
    return tuple([each for each in dict.fromkeys(found) if not each.startswith(("127.", "0."))])


def network_of(host: str) -> str:
    """The network by which a visitor is recognized: an IPv4 address, or the first 64 bits of an IPv6 address.

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
    """A URL as a QR code of block characters, for a terminal with light letters on a dark ground."""
    text = StringIO()
    _code(url).terminal(text, compact=True, border=2)
    return text.getvalue()


def qr_svg(url: str) -> bytes:
    """A URL as a QR code in SVG."""
    drawing = BytesIO()
    _code(url).save(drawing, kind="svg", xmldecl=False, nl=False, omitsize=True, border=3, dark="#000", light="#fff")
    return drawing.getvalue()


def qr_rows(url: str) -> list[str]:
    """A URL as a QR code: a string for each row, in which `1` is dark."""
    return ["".join([str(cell) for cell in row]) for row in _code(url).matrix]


def _code(url: str) -> segno.QRCode:
    return segno.make(url, micro=False, error="m")
