"""One socket at a table, with the queue of messages to be sent on it."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from heartsrules import Seat
from heartsrules.apps.table.messages import Refused, refused_message
from heartsrules.apps.table.protocol import Pace
from heartsrules.play.sheet import ScoreSheet

_QUEUED: Final = 256
"""Limit of messages queued for a page that does not read them."""


class PageGone(Exception):
    """The page at the other end of a socket has gone."""


class Socket(Protocol):
    """A socket of a page."""

    async def receive(self) -> str | None:
        """The next message; None: the page has gone. It raises `Refused` for one that is not text."""

    async def send(self, text: str) -> None:
        """Send a message, or raise `PageGone`."""

    async def close(self, code: int) -> None:
        """Close the socket, unless the page has closed it already."""


class Connection:
    """One socket at a table.

    Attributes:
        language: the language of its page.
        seat: the seat that it plays; None: it watches.
        waits_for: the seat that it will play once it may; None: it waits for none.
        token: the key with which it came; None: without one.
        pace: how fast its person wants the bots to play.
        reviewing: whether its person looks at a review.
        sheet: the score sheet that it was sent last; None: none yet.
        broken: whether it has been cut off, since it did not read.
    """

    def __init__(self, socket: Socket, language: str = "en") -> None:
        self.language = language
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
        """Queue a message. A page that does not read is cut off; when it reconnects it is told everything."""
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            self.broken = True

    def refuse(self, refused: Refused, number: int | None = None, ply: int | None = None) -> None:
        """Queue a refusal, in the language of the page."""
        self.send(refused_message(refused, number, ply, self.language))

    def end(self) -> None:
        """Close the socket once all queued messages have been sent."""
        try:
            self._queue.put_nowait(None)
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
