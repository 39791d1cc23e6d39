"""The interface of a server's table storage."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Final, Protocol, get_args

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import Move, Seat
from heartsrules.apps.table.log import Entry, Note
from heartsrules.apps.table.messages import TableConfig
from heartsrules.apps.table.protocol import Hints
from heartsrules.apps.table.seats import TableSeat
from heartsrules.play.game import Game

AT_ONCE: Final = 200
"""Number of stored moves replayed before other tasks run."""


class StorageError(Exception):
    """Something could not be stored or read."""


class UnreadableTable(Exception):
    """A stored table has an unreadable part, or parts that contradict each other. The message names no card."""


@attrs.frozen
class Kept:
    """A stored table."""

    config: TableConfig
    started: bool
    seats: tuple[TableSeat, ...]
    moves: tuple[Move, ...]
    notes: tuple[Entry, ...]


def readable(kept: Kept) -> Kept:
    """Return a stored table if its parts are consistent.

    Raises:
        UnreadableTable: they are not.
    """
    config, players = kept.config, kept.config.rules.players
    faults = {
        "the host": config.host is not None and not 0 <= config.host < players,
        "the time after which a bot plays": config.away is not None and config.away < 0,
        "who may have hints": config.hints not in get_args(Hints),
        "the start": config.start is not None and config.start.rules != config.rules,
        "the number of seats": len(kept.seats) != players,
        "the people": any([(seat.kind == "person") != (seat.holder is not None) for seat in kept.seats]),
        "a note": any([entry.note is None or not 0 <= entry.note.seat < players for entry in kept.notes]),
    }
    if any(faults.values()):
        raise UnreadableTable(", ".join([name for name, is_wrong in faults.items() if is_wrong]))
    return kept


class Storage(Protocol):
    """A storage of tables. Its methods raise `StorageError`."""

    async def start(self) -> None:
        """Open the storage."""

    async def stop(self) -> None:
        """Close the storage, after storing everything that it was given."""

    async def open(self, table: str, config: TableConfig, seats: Sequence[TableSeat], started: bool) -> None:
        """Store a new table."""

    async def seat(self, table: str, seats: Sequence[tuple[Seat, TableSeat]], started: bool = False) -> None:
        """Store the new states of some seats, and whether the game has begun."""

    async def host(self, table: str, host: Seat | None) -> None:
        """Store a new host."""

    async def append(self, table: str, ply: int, move: Move, finished: bool) -> None:
        """Store the move made after `ply` moves."""

    async def take_back(self, table: str, ply: int) -> None:
        """Delete the moves from a ply on."""

    def note(self, table: str, ply: int, deal: int, note: Note) -> None:
        """Store a note of the log, without waiting for it. A failure is logged."""

    async def forget(self, before: int, finished_before: int, kept: Collection[str]) -> int:
        """Delete old tables, and return their number.

        Args:
            before: delete the tables without activity since then, in seconds since 1970.
            finished_before: delete the tables whose match ended before then.
            kept: tables to keep in any case.
        """
        ...

    async def load(self, table: str) -> Kept | None:
        """Return a stored table, or None.

        Raises:
            InvalidWire: a stored document cannot be read.
            UnreadableTable: another part cannot be read.
        """
        ...


async def stored_game(kept: Kept) -> Game:
    """Replay the match of a stored table, letting other tasks run meanwhile."""
    game = Game.start(kept.config.rules) if kept.config.start is None else Game(kept.config.start)
    for made, move in enumerate(kept.moves):
        game = game.play(move)
        if made % AT_ONCE == 0:
            await asyncio.sleep(0)
    return game


class _StoredNote(msgspec.Struct):
    ply: int
    deal: int
    note: Note


_write: Final = msgspec.json.Encoder()
_read_note: Final = msgspec.json.Decoder(_StoredNote)


def note_document(ply: int, deal: int, note: Note) -> bytes:
    return _write.encode(_StoredNote(ply, deal, note))


def stored_entry(document: bytes) -> Entry:
    """Decode a stored note to a log entry."""
    stored = _read_note.decode(document)
    return Entry(stored.ply, stored.deal, note=stored.note)
