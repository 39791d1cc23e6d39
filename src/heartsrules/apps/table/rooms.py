"""A server's rooms: those with people or work to do. All other tables wait in the store."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Iterable
from typing import Final

from heartsrules import IllegalMove, InvalidState, Seat, Violation
from heartsrules.apps.table.bots import LEVELS, Thinking, levels_with
from heartsrules.apps.table.clock import Alarm, Clock
from heartsrules.apps.table.failures import Failures
from heartsrules.apps.table.messages import Opened, Refused, TableConfig
from heartsrules.apps.table.names import told_apart
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.seats import Holder, TableSeat, address_hash, bot_name, hashed, new_token
from heartsrules.apps.table.settings import FINISHED_DAYS, Settings
from heartsrules.apps.table.storage import AT_ONCE, Kept, Storage, StorageError, UnreadableTable, stored_game
from heartsrules.apps.table.table import Table
from heartsrules.base.errors import InvalidWire, Problem
from heartsrules.formats.wire import to_json
from heartsrules.play.game import Record

_log: Final = logging.getLogger("heartsrules.apps.table")
SWEEP: Final = 6 * 3600.0
"""Seconds between two searches for old tables."""


class Rooms:
    def __init__(self, settings: Settings, store: Storage, thinkers: Thinking, clock: Clock, version: str = "") -> None:
        self.settings = settings
        self.version = version
        self.clock = clock
        self.store = store
        self.levels = levels_with(settings.players)
        self.thinkers = thinkers
        self.failures = Failures()
        self._rooms: dict[str, tuple[Room, asyncio.Task[None]]] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._sweeping: Alarm | None = None
        self._sweeps: set[asyncio.Task[None]] = set()
        self._broken: set[str] = set()
        self._count = 0

    async def start(self) -> None:
        """Open the store, and delete old tables."""
        await self.store.start()
        await self._forget_old()

    async def stop(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
        tasks = [*self._sweeps, *self._loading.values(), *[task for _, task in self._rooms.values()]]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.thinkers.stop()
        await self.store.stop()

    async def _forget_old(self) -> None:
        date, days = self.clock.date(), self.settings.keep_days
        finished_days = min(FINISHED_DAYS, days)
        before, finished_before = [date - int(each * 86_400) for each in (days, finished_days)]
        try:
            forgotten = await self.store.forget(before, finished_before, self._rooms.keys() | self._loading.keys())
        except StorageError:
            _log.exception("old tables could not be deleted")
        else:
            if forgotten:
                _log.info(
                    "%s tables were deleted: nothing had happened for %g days, or %g days after the match",
                    forgotten,
                    days,
                    finished_days,
                )

        def again() -> None:
            task = asyncio.create_task(self._forget_old())
            self._sweeps.add(task)
            task.add_done_callback(self._sweeps.discard)

        self._sweeping = self.clock.call_at(self.clock.now() + SWEEP, again)

    async def open(self, wish: Opened, address: str = "") -> tuple[str, Seat | None, str | None]:
        """Open a table, and return its name, and the host's seat and key. A table without free seats begins at once.

        Raises:
            Refused: there are too many tables.
        """
        self._make_place()
        table = new_token()
        config, players = wish.config, range(wish.config.rules.players)
        plans = [wish.plan(seat) for seat in players]
        # Without a host, nobody could begin a table with free seats.
        hosted = config.host is not None
        seats = [TableSeat("free" if hosted and plan.friend else "bot", plan.level) for plan in plans]
        token: str | None = None
        if config.host is not None:
            token = new_token()
            name = told_apart(wish.name, map(bot_name, players))
            since = 0 if config.start is None else config.start.deal_number
            holder = Holder(name, hashed(token), (address_hash(table, address),), since)
            seats[config.host] = TableSeat("person", holder=holder)
        started = not any([state.kind == "free" for state in seats])
        await self.store.open(table, config, seats, started)
        for ply, move in enumerate(wish.moves):
            await self.store.append(table, ply, move, finished=False)
        return table, config.host, token

    async def open_again(self, table: Table, host: Seat) -> str:
        """Open a table with the rules and the people of another one, and return its name.

        Raises:
            Refused: there are too many tables.
        """
        self._make_place()
        name = new_token()
        seats = [_for_next_match(state) for state in table.seats]
        alone = all([state.kind == "bot" for seat, state in enumerate(seats) if seat != host])
        config = TableConfig(table.rules, host, table.away, table.hints, table.game)
        await self.store.open(name, config, seats, alone)
        return name

    async def find(self, table_id: str) -> Room:
        """Return the room of a table.

        Raises:
            Refused: there is no such table, it cannot be read or replayed, or too many tables are in play.
        """
        if table_id in self._rooms:
            return self._rooms[table_id][0]
        loading = self._loading.get(table_id)
        if loading is None:
            loading = asyncio.create_task(self._load(table_id))
            self._loading[table_id] = loading
            loading.add_done_callback(lambda task: self._loaded(table_id, task))
        return await asyncio.shield(loading)

    def _loaded(self, table_id: str, task: asyncio.Task[Room]) -> None:
        del self._loading[table_id]
        if not task.cancelled():
            task.exception()  # mark it as retrieved: nobody may be waiting any more

    async def record(self, room: Room) -> bytes:
        """Return a table's finished match, with all hands, as a JSON document of kind `record`.

        Raises:
            Refused: the match is not over, or the table has been deleted.
        """
        table = room.table
        if not table.over:
            raise Refused("not-over", "the match is not over yet, so the hands are still secret")
        game = await stored_game(await self._kept(table.id))
        names = [(f"Seat{seat}", table.name(seat)) for seat in range(table.rules.players)]
        try:
            return to_json(Record.of(game, names))
        except InvalidState:
            raise Refused("no-record", "there is no record: this match began with a position") from None

    async def _load(self, table_id: str) -> Room:
        table = await self.read(table_id)
        self._make_place()
        room = Room(table, self)
        task = asyncio.create_task(room.run(), name=f"room {table_id}")
        task.add_done_callback(_log_failure)
        self._rooms[table_id] = (room, task)
        return room

    async def read(self, table_id: str) -> Table:
        """Read a stored table and replay its moves.

        Raises:
            Refused: there is no such table, or it cannot be read or replayed.
        """
        kept = await self._kept(table_id)
        config = kept.config
        table = Table(table_id, config.rules, self._rng())
        table.state = config.start or table.state
        table.seats[:] = kept.seats
        table.started = kept.started
        table.host, table.away, table.hints, table.game = config.host, config.away, config.hints, config.game
        try:
            for start in range(0, len(kept.moves), AT_ONCE):
                table.resume(kept.moves[start : start + AT_ONCE])
                await asyncio.sleep(0)
        except IllegalMove as error:
            which = f"move {table.ply + 1} of the {len(kept.moves)} that were kept"
            raise self._unable(table_id, f"the rules refuse {which} ({_codes(error.violations)})") from None
        table.log.merge(kept.notes)
        return table

    async def _kept(self, table_id: str) -> Kept:
        try:
            kept = await self.store.load(table_id)
        except (InvalidWire, UnreadableTable) as error:
            parts = _codes(error.problems) if isinstance(error, InvalidWire) else error
            raise self._unable(table_id, f"the stored table cannot be read ({parts})") from None
        if kept is None:
            raise Refused("no-such-table", "there is no such table")
        return kept

    def _unable(self, table_id: str, why: str) -> Refused:
        """Return the refusal of a table that cannot go on. It is logged once, and the stored table is unchanged."""
        if table_id not in self._broken:
            self._broken.add(table_id)
            _log.error("table %s cannot go on: %s", table_id, why)
        return Refused("cannot-resume", why)

    def _make_place(self) -> None:
        if len(self._rooms) < self.settings.max_rooms:
            return
        for room, task in tuple(self._rooms.values()):
            if room.vacant:
                self.give_up(room)
                task.cancel()
                return
        raise Refused("too-many-tables", "too many tables are in play: try again later")

    def give_up(self, room: Room) -> None:
        room.close()
        if self._rooms.get(room.table.id, (None,))[0] is room:
            del self._rooms[room.table.id]
        self.release_players()

    def release_players(self) -> None:
        for name in self.levels.keys() - LEVELS.keys() - self._played():
            self.thinkers.release(name)

    def _played(self) -> set[str]:
        playing = [room.table for room, _ in self._rooms.values() if not room.table.over]
        return {state.level for table in playing for state in table.seats if state.kind == "bot"}

    def _rng(self) -> random.Random:
        if self.settings.seed is None:
            return random.SystemRandom()
        self._count += 1
        return random.Random(f"{self.settings.seed} {self._count}")


def _for_next_match(state: TableSeat) -> TableSeat:
    """Return a seat for another match with the same people, whose addresses are noted when they arrive."""
    holder, owner = [
        None if person is None else Holder(person.name, person.key_hash) for person in (state.holder, state.owner)
    ]
    return TableSeat(state.kind, state.level, holder, owner)


def _codes(reasons: Iterable[Problem | Violation]) -> str:
    """Join the codes of some reasons, whose sentences could name cards of a hand."""
    return ", ".join([reason.code for reason in reasons])


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        _log.error("%s has failed", task.get_name(), exc_info=task.exception())
