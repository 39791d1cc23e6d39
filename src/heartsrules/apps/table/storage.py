"""The storage of a server's tables, each in parts with a JSON document."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import Deal, Move, Rules, Seat, State
from heartsrules.apps.table.log import Entry, Note
from heartsrules.apps.table.messages import TableConfig
from heartsrules.apps.table.protocol import Hints
from heartsrules.apps.table.seats import TableSeat
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.game import Game

T = TypeVar("T")

_log: Final = logging.getLogger("heartsrules.apps.table")
AT_ONCE: Final = 200
"""Number of stored moves replayed before other tasks run."""

Part: TypeAlias = tuple[str, int | None, bytes]
"""A part of a table: its kind, its number from 0, or None for the next one, and its document."""
Life: TypeAlias = Literal["new", "active", "over"]
"""What has become of a table."""


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


class Storage(Protocol):
    """A storage of tables. Its methods raise `StorageError`."""

    async def start(self) -> None:
        """Open the storage."""

    async def stop(self) -> None:
        """Close the storage, after storing everything that it was given."""

    def write(self, table: str, parts: Iterable[Part], life: Life | None = None) -> Awaitable[None]:
        """Store parts of a table.

        A move must be new. Any other part replaces the one of the same kind and number.
        """
        ...

    def read(self, table: str, made: Callable[[Iterable[tuple[str, int, bytes]]], T]) -> Awaitable[T]:
        """Call a function with the parts of a table, by kind and number, and return its result."""
        ...

    async def take_back(self, table: str, ply: int) -> None:
        """Delete the moves from a ply on."""

    async def forget(self, before: int, finished_before: int, kept: Collection[str]) -> int:
        """Delete old tables, and return their number.

        Args:
            before: delete the tables without activity since then, in seconds since 1970.
            finished_before: delete the tables whose match ended before then.
            kept: tables to keep in any case.
        """
        ...

    async def open(self, table: str, config: TableConfig, seats: Sequence[TableSeat], started: bool) -> None:
        plain = [("host", config.host), ("away", config.away), ("hints", config.hints), ("game", config.game)]
        parts = [("rules", 0, to_json(config.rules)), *[(name, 0, _encode(value)) for name, value in plain]]
        if config.start is not None:
            parts.append(("start", 0, to_json(config.start)))
        await self.write(table, [*parts, *_seated(enumerate(seats), started)], "new")

    async def seat(self, table: str, seats: Iterable[tuple[Seat, TableSeat]], started: bool = False) -> None:
        """Store the new states of some seats, and whether the game has begun."""
        await self.write(table, _seated(seats, started), "active")

    async def host(self, table: str, host: Seat | None) -> None:
        await self.write(table, [("host", 0, _encode(host))])

    async def append(self, table: str, ply: int, move: Move, finished: bool) -> None:
        """Store the move made after `ply` moves."""
        life: Life | None = "over" if finished else "active" if isinstance(move, Deal) else None
        await self.write(table, [("move", ply, to_json(move))], life)

    def note(self, table: str, ply: int, deal: int, note: Note) -> None:
        """Store a note of the log, without waiting for it. A failure is logged."""
        written = self.write(table, [("note", None, _encode(_StoredNote(ply, deal, note)))])
        asyncio.ensure_future(written).add_done_callback(_log_failure)

    async def load(self, table: str) -> Kept | None:
        """Return a stored table, or None.

        Raises:
            InvalidWire: a stored document cannot be read.
            UnreadableTable: another part cannot be read.
        """
        return await self.read(table, _kept)


class _StoredNote(msgspec.Struct):
    ply: int
    deal: int
    note: Note


_encode: Final = msgspec.json.encode
_DECODERS: Final[dict[str, Callable[[bytes], Any]]] = {
    "rules": lambda document: from_json(document, Rules),
    "host": msgspec.json.Decoder(Seat | None).decode,
    "away": msgspec.json.Decoder(int | None).decode,
    "hints": msgspec.json.Decoder(Hints).decode,
    "game": msgspec.json.Decoder(str).decode,
    "start": lambda document: from_json(document, State),
    "started": msgspec.json.Decoder(bool).decode,
    "seat": msgspec.json.Decoder(TableSeat).decode,
    "move": lambda document: from_json(document, Move),
    "note": msgspec.json.Decoder(_StoredNote).decode,
}


def _seated(seats: Iterable[tuple[Seat, TableSeat]], started: bool) -> Iterator[Part]:
    for seat, state in seats:
        yield "seat", seat, _encode(attrs.evolve(state, stand_in=False))
    if started:
        yield "started", 0, _encode(True)


def _kept(parts: Iterable[tuple[str, int, bytes]]) -> Kept | None:
    found: dict[str, list[Any]] = {kind: [] for kind in _DECODERS}
    for kind, number, document in parts:
        if kind in found and number != len(found[kind]):
            raise UnreadableTable(f"a {kind} is missing")
        try:
            found[kind].append(_DECODERS[kind](document))
        except (KeyError, msgspec.MsgspecError, UnicodeDecodeError):
            raise UnreadableTable(f"a part of kind {kind}") from None
    if not found["rules"]:
        return None
    names = [field.name for field in attrs.fields(TableConfig)]
    config = TableConfig(**{name: found[name][0] for name in names if found[name]})
    notes = [Entry(each.ply, each.deal, note=each.note) for each in found["note"]]
    return _consistent(Kept(config, bool(found["started"]), tuple(found["seat"]), tuple(found["move"]), tuple(notes)))


def _consistent(kept: Kept) -> Kept:
    config, players = kept.config, kept.config.rules.players
    faults = {
        "the host": config.host is not None and not 0 <= config.host < players,
        "the time after which a bot plays": config.away is not None and config.away < 0,
        "the start": config.start is not None and config.start.rules != config.rules,
        "the number of seats": len(kept.seats) != players,
        "the people": any([(seat.kind == "person") != (seat.holder is not None) for seat in kept.seats]),
        "a note": any([entry.note is None or not 0 <= entry.note.seat < players for entry in kept.notes]),
    }
    if any(faults.values()):
        raise UnreadableTable(", ".join([name for name, is_wrong in faults.items() if is_wrong]))
    return kept


async def stored_game(kept: Kept) -> Game:
    """Replay the match of a stored table, letting other tasks run meanwhile."""
    game = Game.start(kept.config.rules) if kept.config.start is None else Game(kept.config.start)
    for made, move in enumerate(kept.moves):
        game = game.play(move)
        if made % AT_ONCE == 0:
            await asyncio.sleep(0)
    return game


def _log_failure(future: asyncio.Future[None]) -> None:
    if not future.cancelled() and future.exception() is not None:
        _log.error("a note could not be stored", exc_info=future.exception())
