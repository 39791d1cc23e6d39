"""A socket at a table, with its queue of outgoing messages."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from heartsrules import Seat
from heartsrules.apps.table.messages import Refused, refused_message
from heartsrules.apps.table.protocol import Pace
from heartsrules.play.sheet import ScoreSheet

_QUEUED: Final = 256
"""Maximum number of messages queued for a page that does not read them."""


class PageGone(Exception):
    """The page at the other end of a socket has gone."""


class Socket(Protocol):
    """A page's socket."""

    async def receive(self) -> str | None:
        """Return the next message, or None if the page has gone. Raise `Refused` if it is not text."""

    async def send(self, text: str) -> None:
        """Send a message, or raise `PageGone`."""

    async def close(self, code: int) -> None:
        """Close the socket, unless the page has closed it already."""


class Connection:
    """A socket at a table.

    Attributes:
        link: the table's link, or empty if others cannot reach the page.
        seat: the seat that it plays, or None if it watches.
        sheet: the last score sheet that it was sent, or None.
        broken: whether it has been cut off because it did not read.
    """

    def __init__(self, socket: Socket, language: str = "en", link: str = "") -> None:
        self.language = language
        self.link = link
        self.seat: Seat | None = None
        self.waits_for: Seat | None = None
        self.token: str | None = None
        self.pace: Pace = "usual"
        self.reviewing = False
        self.sheet: ScoreSheet | None = None
        self.broken = False
        self._socket = socket
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_QUEUED)

    def send(self, message: bytes) -> None:
        """Queue a message. A page that does not read is cut off, and receives everything when it reconnects."""
        self._put(message)

    def refuse(self, refused: Refused, number: int | None = None, ply: int | None = None) -> None:
        """Queue a refusal, in the page's language."""
        self.send(refused_message(refused, number, ply, self.language))

    def end(self) -> None:
        """Close the socket once all queued messages have been sent."""
        self._put(None)

    def _put(self, message: bytes | None) -> None:
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            self.broken = True

    async def write(self) -> None:
        """Send queued messages until `end`."""
        while (message := await self._queue.get()) is not None and not self.broken:
            try:
                await self._socket.send(message.decode())
            except PageGone:
                return  # the reader of the socket notices too
        await self._socket.close(1013 if self.broken else 1000)
