"""A table's log: the events of its moves, and the changes at its seats."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import attrs

from heartsrules import Event, Seat, redact

_KEPT: Final = 200
"""Maximum number of entries in memory, more than a deal has, so that taking a move back leaves the log full."""
_SHOWN: Final = 60
"""Maximum number of entries sent to a page."""

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
    """An announcement to the whole table."""

    code: NoteCode
    seat: Seat
    name: str = ""
    """The player, newcomer or failed program after the change."""
    before: str = ""
    """The seat's player before the change."""
    why: str = ""
    """The reason.

    For a bot that plays for someone it is `away`, `host` or `vote`. For a newcomer it is `open`, `consent`, or
    `together` if the first cards are dealt again.
    """


@attrs.frozen
class Entry:
    """A note, or a move's events."""

    ply: int
    """The number of moves made before it."""
    deal: int
    events: tuple[Event, ...] = ()
    """The full events, which `Log.seen_by` redacts."""
    note: Note | None = None


class Log:
    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=_KEPT)

    def add(self, entry: Entry) -> None:
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
        """Return the latest entries, redacted for a seat, and for a spectator in the deals before `since`."""
        return [
            attrs.evolve(entry, events=redact(entry.events, seat if entry.deal >= since else None))
            for entry in list(self._entries)[-_SHOWN:]
        ]
