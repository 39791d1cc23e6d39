"""The log of a table: the events of its moves, and what has become of its seats."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import attrs

from heartsrules import Event, Seat, redact

_KEPT: Final = 200
"""Limit of entries in memory. A deal has fewer, so that a move taken back leaves the log full."""
_SHOWN: Final = 60
"""Limit of entries that a page is sent."""

NoteCode: TypeAlias = Literal[
    "seat-asked",
    "seat-declined",
    "seat-withdrawn",
    "seat-taken",
    "seat-left",
    "seat-returned",
    "stand-in",
    "back",
    "host",
    "near",
    "player-failed",
]


@attrs.frozen
class Note:
    """An announcement to everybody at the table."""

    code: NoteCode
    seat: Seat
    name: str = ""
    """Who plays, waits, or has failed, after the change."""
    before: str = ""
    """Who played there before it."""
    why: str = ""
    """The reason: for a stand-in `away`, `host` or `vote`; for a newcomer `open`, `consent`, or `together` if the
    first cards are dealt again."""


@attrs.frozen
class Entry:
    """A move's events, or a note."""

    ply: int
    """Number of moves made before it."""
    deal: int
    events: tuple[Event, ...] = ()
    """In full; `Log.seen_by` redacts them."""
    note: Note | None = None


class Log:
    """The latest entries of a table."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=_KEPT)

    def add(self, entry: Entry) -> None:
        """Append an entry."""
        self._entries.append(entry)

    def merge(self, notes: Iterable[Entry]) -> None:
        """Insert stored notes among the events."""
        entries = [*notes, *self._entries]
        self._entries = deque(sorted(entries, key=lambda entry: (entry.ply, entry.note is None)), _KEPT)

    def take_back(self, ply: int) -> None:
        """Remove the events of all moves from a ply on. Notes stay."""
        kept = [entry for entry in self._entries if entry.ply < ply or entry.note is not None]
        self._entries = deque([attrs.evolve(entry, ply=min(entry.ply, ply)) for entry in kept], _KEPT)

    def seen_by(self, seat: Seat | None, since: int) -> list[Entry]:
        """The latest entries, redacted for a seat in the deals from `since` on, and for a spectator in earlier ones."""
        return [
            attrs.evolve(entry, events=redact(entry.events, seat if entry.deal >= since else None))
            for entry in list(self._entries)[-_SHOWN:]
        ]
