"""Tables with the sockets of their people, and the tasks that carry them on.

Each room has one task that does everything that changes its table, one thing after the other: what people ask for, the
deals, and the moves of the bots, at the pace of the settings.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from heartsrules.extras import needs

with needs("web", "the browser table"):
    from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from heartsrules import AwaitingDeal, Event, GameOver, IllegalMove, Playing, Rules, Seat, Violation
from heartsrules.errors import InvalidWire, Problem
from heartsrules.table.messages import (
    AnyMessage,
    Choose,
    Claim,
    Hello,
    Refused,
    StandIn,
    Start,
    Try,
    accepted_message,
    refused_message,
)
from heartsrules.table.store import Store
from heartsrules.table.table import Sitter, Step, Table, hashed, new_token

T = TypeVar("T")

_log: Final = logging.getLogger("heartsrules.table")
RETRY = 1.0
"""After how many seconds the server's own move is tried again if it could not be kept."""
_WAITING: Final = 256
"""How many messages may wait for a page that does not read them, and how many requests for a room."""


@attrs.frozen
class RoomPace:
    """How long the server waits, in seconds, so that people can follow."""

    play: float = 0.7
    """Before a bot makes a move."""
    trick: float = 1.3
    """Before a bot leads to the next trick, in addition."""
    deal: float = 5.0
    """Before the next deal."""

    def times(self, factor: float) -> RoomPace:
        """The same pace, `factor` times as slow; 0: no waiting at all."""
        return RoomPace(factor * self.play, factor * self.trick, factor * self.deal)


@attrs.frozen
class Proposal:
    """A rule set that the person who runs the server proposes."""

    name: str
    rules: Rules


@attrs.frozen
class Settings:
    """What the person who runs the server decides."""

    database: Path
    pace: RoomPace = RoomPace()
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    """The names under which the server may be addressed. A page of any other origin is refused."""
    max_rooms: int = 1000
    """How many tables may be in play at once."""
    max_sockets: int = 64
    """How many sockets a table may have."""
    message_rate: float = 10
    """How many messages a socket may send each second, on average."""
    message_burst: float = 40
    """How many of them at once; a page that sends as many again while they are refused is disconnected."""
    request_rate: float = 1
    """How many tables an address may open, and seats it may take, each second, on average."""
    request_burst: float = 30
    """How many of them at once."""
    hello_seconds: float = 10
    """How long a new socket may be silent."""
    proposal: Proposal | None = None
    """What the form that opens a table starts with; None: the usual game."""
    seed: str | None = None
    """What deals and bots draw on, so that tests can be repeated; None: the randomness of the operating system."""


class Connection:
    """One socket of a room, and what waits to be sent on it."""

    def __init__(self, socket: WebSocket, seat: Seat | None, language: str = "en") -> None:
        self.seat = seat
        self.language = language
        self._socket = socket
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_WAITING)
        self.broken = False

    def send(self, message: bytes) -> None:
        """Send a message, later. A page that does not read is cut off; it can come back and is told everything."""
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            self.broken = True

    def end(self) -> None:
        """Close the socket once all that waits has been sent."""
        try:
            self._queue.put_nowait(None)
        except asyncio.QueueFull:
            self.broken = True

    async def write(self) -> None:
        """Send what waits, until the end."""
        while (message := await self._queue.get()) is not None and not self.broken:
            try:
                await self._socket.send_text(message.decode())
            except (WebSocketDisconnect, RuntimeError):
                return  # the page has gone; its reader notices too
        await close(self._socket, 1013 if self.broken else 1000)


async def close(socket: WebSocket, code: int) -> None:
    """Close a socket, whether or not the page was quicker."""
    if socket.application_state is WebSocketState.CONNECTED:
        try:
            await socket.close(code)
        except (WebSocketDisconnect, RuntimeError):
            return


class Room:
    """A table, its sockets and its task."""

    def __init__(self, table: Table, rooms: Rooms) -> None:
        self.table = table
        self._rooms = rooms
        self._connections: list[Connection] = []
        self._jobs: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(_WAITING)
        self._answers: set[asyncio.Future[Any]] = set()
        self._due_at: float | None = None
        self._closed = False

    # ---------------------------------------------------------------------------------------------------- the task

    async def run(self) -> None:
        """Carry the table on until there is nothing to do and nobody here."""
        try:
            await self._run()
        finally:
            # Nothing is awaited between the last look for work and this, so that no work can get lost.
            self._closed = True
            self._rooms.give_up(self.table.id)
            for future in tuple(self._answers):
                if not future.done():
                    future.set_exception(Refused("busy", "the table has stopped: try again"))
            for connection in self._connections:
                asyncio.get_running_loop().call_soon(connection.end)  # after the answers

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._connections or not self._jobs.empty() or self.table.due:
            if not self.table.due:
                self._due_at = None
                await (await self._jobs.get())()
                continue
            if self._due_at is None:
                self._due_at = loop.time() + self.pause()
            try:
                async with asyncio.timeout_at(self._due_at):
                    job = await self._jobs.get()
            except TimeoutError:
                try:
                    await self._make(self.table.next_due())
                except sqlite3.Error:
                    _log.exception("table %s: a move could not be kept: it is tried again", self.table.id)
                    self._due_at = loop.time() + RETRY
            else:
                await job()

    def pause(self) -> float:
        """How long to wait before the server's next move."""
        pace = self._rooms.settings.pace
        state = self.table.state
        if isinstance(state, AwaitingDeal):
            return pace.deal if state.deal_number else 0
        new_trick = isinstance(state, Playing) and not state.trick and state.trick_number
        return pace.play + (pace.trick if new_trick else 0)

    async def _make(self, step: Step) -> None:
        """Keep a move, make it, and tell everybody."""
        finished = isinstance(step.state, GameOver)
        await self._rooms.store.append(self.table.id, self.table.ply, step.move, finished)
        self.table.take(step)
        self._due_at = None
        self.tell(step.events)

    async def do(self, work: Callable[[], Awaitable[T]]) -> T:
        """Have the task of the room do something when its turn comes, and wait for the result.

        Raises:
            Refused: `work` refused it, or the room has too much to do.
            sqlite3.Error: it could not be kept.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def job() -> None:
            try:
                result = await work()
            except (Refused, sqlite3.Error) as error:
                # Any other error ends the room, which answers those who wait and is made anew from the store.
                if not future.done():
                    future.set_exception(error)
            else:
                if not future.done():
                    future.set_result(result)

        try:
            if self._closed:
                raise asyncio.QueueFull
            self._jobs.put_nowait(job)
        except asyncio.QueueFull:
            raise Refused("busy", "the table has too much to do: try again") from None
        self._answers.add(future)
        future.add_done_callback(self._answers.discard)
        return await future

    # -------------------------------------------------------------------------------------------------- the people

    def _here(self) -> list[Seat | None]:
        return [connection.seat for connection in self._connections]

    def enter(self, connection: Connection) -> None:
        """A page connects: it is told who sits where, and how things stand.

        Raises:
            Refused: there are too many already.
        """
        if len(self._connections) >= self._rooms.settings.max_sockets:
            raise Refused("too-many-sockets", "too many pages are at this table")
        self._connections.append(connection)
        if connection.seat is not None:
            self.table.sitters[connection.seat].stand_in = False
        self.describe()
        connection.send(self.table.told(connection.seat, (), connection.language))

    def leave(self, connection: Connection) -> None:
        """A page has gone."""
        self._connections.remove(connection)
        self.describe()
        if self._jobs.empty():
            self._jobs.put_nowait(_look_again)

    def describe(self) -> None:
        """Tell everybody who sits where."""
        here = self._here()
        for connection in self._connections:
            connection.send(self.table.described(connection.seat, here, connection.language))

    def tell(self, events: tuple[Event, ...]) -> None:
        """Tell everybody what has happened: each seat what it may know."""
        told: dict[tuple[Seat | None, str], bytes] = {}
        for connection in self._connections:
            to = connection.seat, connection.language
            if to not in told:
                told[to] = self.table.told(connection.seat, events, connection.language)
            connection.send(told[to])

    async def sit(self, name: str) -> tuple[Seat, str]:
        """Somebody takes a free seat: which, and its token."""

        async def work() -> tuple[Seat, str]:
            seat = self.table.free_seat()
            token = new_token()
            sitter = Sitter(name, "person", hashed(token))
            await self._rooms.store.seat(self.table.id, [(seat, sitter)])
            self.table.sitters[seat] = sitter
            self.describe()
            return seat, token

        return await self.do(work)

    async def handle(self, connection: Connection, message: AnyMessage) -> None:
        """Do what a page asks for, or say why not."""

        async def work() -> bytes | None:
            match message:
                case Try():
                    step = self.table.judge(connection.seat, message)
                    await self._make(step)
                case Claim():
                    self.table.claim(connection.seat, message)
                case Choose():
                    return self.table.options(connection.seat, message, connection.language)
                case Start():
                    await self._start(connection.seat)
                case StandIn(seat=seat):
                    self._stand_in(connection.seat, seat)
                case Hello():
                    raise Refused("malformed", "hello must be the first message, and comes only once")
            return None

        number = None if isinstance(message, Hello) else message.id
        try:
            answer = await self.do(work)
        except Refused as refused:
            connection.send(refused_message(refused, number, self.table.ply))
        except sqlite3.Error:
            _log.exception("table %s: what a page asked for could not be kept", self.table.id)
            unavailable = Refused("unavailable", "the server could not keep what you asked for: try again")
            connection.send(refused_message(unavailable, number, self.table.ply))
        else:
            if number is not None:
                connection.send(answer or accepted_message(number, self.table.ply))

    async def _start(self, seat: Seat | None) -> None:
        table = self.table
        if seat != 0:
            raise Refused("not-the-host", "only the host may begin the game")
        if table.started:
            raise Refused("already-started", "the game has begun")
        bots = bot_sitters([at for at, sitter in enumerate(table.sitters) if sitter.kind == "free"])
        await self._rooms.store.seat(table.id, bots, started=True)
        for at, sitter in bots:
            table.sitters[at] = sitter
        table.started = True
        self.describe()

    def _stand_in(self, asker: Seat | None, seat: Seat) -> None:
        table = self.table
        if asker != 0:
            raise Refused("not-the-host", "only the host may ask a bot to stand in")
        if not table.started or seat >= table.rules.players or table.sitters[seat].kind != "person":
            raise Refused("no-such-person", "a bot can stand in only for a person who plays")
        if seat in self._here():
            raise Refused("not-away", "this person is here: a bot stands in only for one who is away")
        table.sitters[seat].stand_in = True
        self.describe()


async def _look_again() -> None:
    """A job that only wakes the task of a room."""


def bot_sitters(seats: list[Seat]) -> list[tuple[Seat, Sitter]]:
    """Bots for these seats."""
    return [(seat, Sitter(f"Bot {seat + 1}", "bot")) for seat in seats]


class Rooms:
    """All rooms: those that somebody is in, or where the server has something to do. The others wait in the store."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        self._rooms: dict[str, tuple[Room, asyncio.Task[None]]] = {}
        self._loading = asyncio.Lock()
        self._count = 0

    async def start(self) -> None:
        """Open the store, and go on with the games that a server before this one has not finished."""
        await self.store.start()
        for table in await self.store.unfinished():
            try:
                await self.find(table)
            except Refused as refused:
                # What is kept of it stays as it is, and the other tables go on.
                _log.error("table %s cannot go on: %s", table, refused)

    async def stop(self) -> None:
        """Stop all rooms; their moves are kept."""
        tasks = [task for _, task in self._rooms.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.store.stop()

    async def open(self, rules: Rules, name: str, play: bool) -> tuple[str, Seat | None, str | None]:
        """Open a table: its name, and the host's seat and token. A host who watches is given a table of bots.

        Raises:
            Refused: there are too many.
        """
        if len(self._rooms) >= self.settings.max_rooms:
            raise Refused("too-many-tables", "too many tables are in play: try again later")
        table = new_token()
        if play:
            token = new_token()
            await self.store.open(table, rules, [(0, Sitter(name, "person", hashed(token)))], started=False)
            return table, 0, token
        await self.store.open(table, rules, bot_sitters(list(range(rules.players))), started=True)
        await self.find(table)
        return table, None, None

    async def find(self, table_id: str) -> Room:
        """The room of a table. Use it before awaiting anything else: a room that has nothing to do is given up.

        Raises:
            Refused: there is no such table, or what was kept of it cannot be read or played again.
        """
        async with self._loading:
            if table_id in self._rooms:
                return self._rooms[table_id][0]
            try:
                kept = await self.store.load(table_id)
            except InvalidWire as error:
                raise Refused("cannot-resume", f"what was kept cannot be read ({_codes(error.problems)})") from None
            if kept is None:
                raise Refused("no-such-table", "there is no such table")
            table = Table(table_id, kept.rules, self._rng())
            for seat, sitter in kept.sitters:
                table.sitters[seat] = sitter
            table.started = kept.started
            try:
                table.resume(kept.moves)
            except IllegalMove as error:
                which = f"move {table.ply + 1} of the {len(kept.moves)} that were kept"
                raise Refused("cannot-resume", f"the rules refuse {which} ({_codes(error.violations)})") from None
            room = Room(table, self)
            task = asyncio.create_task(room.run(), name=f"room {table_id}")
            task.add_done_callback(_log_failure)
            self._rooms[table_id] = (room, task)
            return room

    def give_up(self, table_id: str) -> None:
        """Forget a room whose task has ended."""
        self._rooms.pop(table_id, None)

    def _rng(self) -> random.Random:
        if self.settings.seed is None:
            return random.SystemRandom()
        self._count += 1
        return random.Random(f"{self.settings.seed} {self._count}")


def _codes(reasons: Iterable[Problem | Violation]) -> str:
    """Reasons without their sentences, which may name cards of a hand."""
    return ", ".join([reason.code for reason in reasons])


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        _log.error("%s has failed", task.get_name(), exc_info=task.exception())
