"""Tables with the sockets of their people, and the tasks that carry them on.

Each room has one task that does everything that changes its table, one thing after the other: what people ask for, the
deals, and the moves of the bots, at the pace of the settings. Nothing goes on where nobody is: a room
that everybody has left is given up after a while, and made anew from the store when somebody comes.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from heartsrules import (
    AwaitingDeal,
    Deal,
    Event,
    GameOver,
    IllegalMove,
    Move,
    Playing,
    Rules,
    Seat,
    View,
    Violation,
    to_act,
)
from heartsrules.apps.table.bots import LEVELS, USUAL, Thinkers, levels_with
from heartsrules.apps.table.clock import Alarm, Clock
from heartsrules.apps.table.messages import (
    AWAY,
    Again,
    AnyMessage,
    AskHint,
    Back,
    Choose,
    Claim,
    Fill,
    GoOn,
    Hello,
    Leave,
    Opened,
    Person,
    Refused,
    StandIn,
    Start,
    Try,
    Undo,
    Vote,
    accepted_message,
    check_level,
    hint_message,
    refused_message,
)
from heartsrules.apps.table.names import told_apart
from heartsrules.apps.table.store import Store
from heartsrules.apps.table.table import Sitter, Step, Table, bot_sitter, hashed, new_token
from heartsrules.base.errors import InvalidWire, Problem
from heartsrules.bots import Named
from heartsrules.bots.failures import ProgramError
from heartsrules.formats.wire import to_json
from heartsrules.play.game import Record, replay_strict
from heartsrules.search.analysis import Assessment

T = TypeVar("T")

_log: Final = logging.getLogger("heartsrules.apps.table")
GONE: Final = (WebSocketDisconnect, RuntimeError, OSError)
"""What sending to a page raises that has gone."""
SWEEP: Final = 6 * 3600.0
"""After how many seconds the server looks again for tables to delete."""
FINISHED_DAYS: Final = 7
"""For how many days a table is kept at most whose match is over: so long people can look at it and save the record."""
_AT_ONCE: Final = 200
"""How many kept moves are made again before other tables have their turn."""
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
    """Before a bot leads to the next trick, in addition, and on pages before the result of a deal is shown."""
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
    linger_seconds: float = 60
    """How long a room is kept that everybody has left."""
    idle_seconds: float = 3600
    """How long a room is kept in which nothing happens, though pages are open."""
    unattended_deals: int = 50
    """How many deals are played on while no person does anything; then the bots wait until somebody says a word."""
    max_deals: int = 1000
    """How many deals a table may have. Some rules never end."""
    keep_days: float = 30
    """For how many days a table is kept in which nothing happens; one whose match is over, at most `FINISHED_DAYS`."""
    message_rate: float = 10
    """How many messages a socket may send each second, on average."""
    message_burst: float = 40
    """How many of them at once; a page that sends as many again while they are refused is disconnected."""
    request_rate: float = 1
    """How many tables an address may open, and seats it may take, each second, on average."""
    request_burst: float = 30
    """How many of them at once."""
    check_rate: float = 10
    """How many rule sets an address may have checked, and how many tables it may ask about, each second, on average."""
    hello_seconds: float = 10
    """How long a new socket may be silent."""
    reached_at: tuple[str, ...] = ()
    """The addresses of the page in the network, for invitations; empty: only what the browser itself says."""
    bot_processes: int | None = None
    """How many processes bots and hints are thought out in; None: all cores but one."""
    hint_worlds: int = 200
    """How many worlds are drawn for a hint."""
    hint_seconds: float | None = 1.0
    """How long a hint is thought about at most, roughly; None: until all worlds are drawn."""
    players: tuple[Named, ...] = ()
    """Players that hosts can choose beside our own bots, such as programs."""
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

    def refuse(self, refused: Refused, number: int | None = None, ply: int | None = None) -> None:
        """Say, later, why something is refused, in the language of the page."""
        self.send(refused_message(refused, number, ply, self.language))

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
            except GONE:
                return  # the page has gone; its reader notices too
        await close(self._socket, 1013 if self.broken else 1000)


async def close(socket: WebSocket, code: int) -> None:
    """Close a socket, whether or not the page was quicker."""
    if socket.application_state is WebSocketState.CONNECTED:
        try:
            await socket.close(code)
        except GONE:
            return


@attrs.frozen
class _Hint:
    """The last hint of a seat."""

    seen: View
    thought: asyncio.Task[Assessment]


class Room:
    """A table, its sockets and its task."""

    def __init__(self, table: Table, rooms: Rooms) -> None:
        self.table = table
        self._rooms = rooms
        self._connections: list[Connection] = []
        self._jobs: deque[Callable[[], Awaitable[None]]] = deque()
        self._answers: set[asyncio.Future[Any]] = set()
        self._wake = asyncio.Event()
        self._closed = False
        self._move_at: float | None = None
        """When the server makes its next move; None: nobody has looked yet."""
        self.next: str | None = None
        """The table at which the people of this one play on, once somebody has wanted it."""
        self.failed: list[tuple[Seat, str]] = []
        """The players that gave no legal move, each with the seat on which a usual bot plays on."""
        self._waiting_since = rooms.clock.now()
        """Since when the position waits for a move."""
        self._thought: asyncio.Task[Move] | None = None
        """What a bot thinks that is to move next."""
        self._hints: dict[Seat, _Hint] = {}
        """The last hint of each seat that has asked for one."""
        now = rooms.clock.now()
        self._left_at: dict[Seat, float] = dict.fromkeys(self._persons(), now)
        """Of the persons who are away, since when."""
        self._asked_at: dict[Seat, float] = {}
        """Of the persons who are to move, since when."""
        self._told_votable: list[Seat] = []
        """For which seats the pages were told last that the others may want a bot."""
        self._votes: dict[Seat, set[Seat]] = {}
        """By seat for which a bot is to play, the seats that want it."""
        self._acted_at = now
        """When something has happened last."""
        self._unattended = 0
        """How many deals have begun since a person did something."""

    # ---------------------------------------------------------------------------------------------------- the task

    async def run(self) -> None:
        """Carry the table on until nobody has been here for a while, or nothing has happened for long."""
        try:
            await self._run()
        finally:
            # Nothing is awaited between the last look for work and this, so that no work can get lost.
            self._rooms.give_up(self)
            self._forget_thought()
            for each in self._hints.values():
                each.thought.cancel()
            for future in tuple(self._answers):
                if not future.done():
                    future.set_exception(Refused("busy", "the table has stopped: try again"))
            for connection in self._connections:
                asyncio.get_running_loop().call_soon(connection.end)  # after the answers

    async def _run(self) -> None:
        clock = self._rooms.clock
        while True:
            if self._jobs:
                await self._jobs.popleft()()
                continue
            now = clock.now()
            self._replace_who_is_away(now)
            await self._find_host(now)
            if self._connections and self._votable() != self._told_votable:
                self.describe()
            settings = self._rooms.settings
            ends = self._acted_at + (settings.idle_seconds if self._connections else settings.linger_seconds)
            if self._jobs:
                continue
            if now >= ends:
                asleep = Refused("asleep", "nothing has happened at this table for a long time")
                for connection in self._connections:
                    connection.refuse(asleep)
                return
            times = [ends, *self._deadlines()]
            if self._connections and self.table.due and self.paused is None:
                if self._move_at is None:
                    self._move_at = self._waiting_since + self.pause()
                    self._think()
                if now < self._move_at:
                    times.append(self._move_at)
                elif self._thought is None or self._thought.done():
                    await self._make_due_move()
                    continue
            await self._sleep_until(min(times))

    async def _sleep_until(self, when: float) -> None:
        alarm = self._rooms.clock.call_at(when, self._wake.set)
        await self._wake.wait()
        self._wake.clear()
        alarm.cancel()

    def pause(self) -> float:
        """How long to wait before the server's next move."""
        pace = self._rooms.settings.pace
        state = self.table.state
        if isinstance(state, AwaitingDeal):
            return pace.deal if state.deal_number else 0
        new_trick = isinstance(state, Playing) and not state.trick and state.trick_number
        return pace.play + (pace.trick if new_trick else 0)

    @property
    def paused(self) -> str | None:
        """Why the server makes no move though it could: `limit` or `unattended`; None: it does."""
        if not isinstance(self.table.state, AwaitingDeal):
            return None
        if self.table.state.deal_number >= self._rooms.settings.max_deals:
            return "limit"
        return "unattended" if self._unattended >= self._rooms.settings.unattended_deals else None

    def _think(self) -> None:
        """Have a bot that thinks for long begin to, while the others look at the last card."""
        seat = self.table.acting_bot
        level = self._rooms.levels.get("" if seat is None else self.table.sitters[seat].plays_as)
        if seat is not None and level is not None and level.slow:
            self._thought = asyncio.create_task(self._rooms.thinkers.choose(self.table.question(seat)))
            self._thought.add_done_callback(lambda _: self._wake.set())

    def _forget_thought(self) -> None:
        """What a bot thinks, or will, is about a position that is not there any more."""
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None
        self._move_at = None
        self._waiting_since = self._rooms.clock.now()

    async def _make_due_move(self) -> None:
        thought = self._thought
        try:
            step = self.table.next_due() if thought is None else self.table.answered(thought.result())
            await self._make(step)
        except sqlite3.Error:
            _log.exception("table %s: a move could not be kept: it is tried again", self.table.id)
            self._move_at = self._rooms.clock.now() + RETRY
        except ProgramError as error:
            await self._replace_program(error)

    async def _replace_program(self, error: ProgramError) -> None:
        """A player that is a program gives no legal move: one of our bots plays on in its place."""
        seat = self.table.acting_bot
        assert seat is not None
        sitter = self.table.sitters[seat]
        _log.warning("table %s: a usual bot replaces %s: %s", self.table.id, sitter.level, error)
        self.failed.append((seat, sitter.level))
        self.table.sitters[seat] = attrs.evolve(sitter, level=USUAL)
        self._forget_thought()
        self.describe()

    async def _make(self, step: Step) -> None:
        """Keep a move, make it, and tell everybody."""
        finished = isinstance(step.state, GameOver)
        await self._rooms.store.append(self.table.id, self.table.ply, step.move, finished)
        self.table.take(step)
        if isinstance(step.move, Deal):
            self._unattended += 1
        self._moved()
        self.tell(step.events)
        if finished or self.paused is not None:
            self.describe()
        if finished:
            self._rooms.release_players()

    def _moved(self) -> None:
        """The position is another one."""
        now = self._rooms.clock.now()
        self._acted_at = now
        self._forget_thought()
        acting = self._persons(to_act(self.table.state))
        self._asked_at = {seat: self._asked_at.get(seat, now) for seat in acting}

    # ------------------------------------------------------------------------------------------------ who is away

    def _persons(self, seats: Iterable[Seat] | None = None) -> list[Seat]:
        """The seats of persons for whom no bot plays, of all or of some."""
        sitters = self.table.sitters
        chosen = range(len(sitters)) if seats is None else seats
        return [seat for seat in chosen if sitters[seat].kind == "person" and not sitters[seat].stand_in]

    def _deadlines(self) -> list[float]:
        """When somebody will have been away, or done nothing, for too long."""
        table = self.table
        if not self._connections or table.over:
            return []
        now = self._rooms.clock.now()
        times = [self._left_at[seat] + self._patience for seat in self._persons() if seat in self._left_at]
        if table.started:
            times += [asked + self._patience for asked in self._asked_at.values()]
        return [when for when in times if when > now]

    @property
    def _patience(self) -> float:
        """How many seconds somebody may be away, or do nothing, before the others may do something about it."""
        return AWAY if self.table.away is None else self.table.away

    def _replace_who_is_away(self, now: float) -> None:
        """Have bots play for the persons who have been away for the time that the host chose."""
        table = self.table
        if not self._connections or not table.started or table.over or table.away is None:
            return
        late = [seat for seat in self._persons() if self._left_at.get(seat, now) + table.away <= now]
        if late:
            self._put_bots_on(late)

    def _put_bots_on(self, seats: Iterable[Seat]) -> None:
        """Have bots play on these seats until their persons are back."""
        for seat in seats:
            self.table.sitters[seat].stand_in = True
            self._votes.pop(seat, None)
            self._asked_at.pop(seat, None)
        self._forget_thought()
        self.describe()

    async def _find_host(self, now: float) -> None:
        """Make somebody else the host if the host has left, or has been away for too long."""
        table = self.table
        if table.host is None or table.over:
            return
        sitter = table.sitters[table.host]
        away = self._left_at.get(table.host, now) + self._patience <= now
        if sitter.kind == "person" and not sitter.stand_in and not away:
            return
        host = table.next_host(self._here())
        if host is None or host == table.host:
            return
        try:
            await self._rooms.store.host(table.id, host)
        except sqlite3.Error:
            _log.exception("table %s: the new host could not be kept", table.id)
        table.host = host
        self.describe()

    def _may_be_voted_on(self, seat: Seat) -> bool:
        """Whether the others may want a bot for a seat: its person is away, or has done nothing for long."""
        if not self.table.started or self.table.over or seat not in self._persons():
            return False
        asked = self._asked_at.get(seat)
        idle = asked is not None and asked + self._patience <= self._rooms.clock.now()
        return idle or seat not in self._here()

    def _voters(self, seat: Seat) -> set[Seat]:
        """The persons who are here and may vote on a seat: all others."""
        here = self._here()
        return {each for each in self._persons() if each in here and each != seat}

    # -------------------------------------------------------------------------------------------------- the work

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

        if self._closed or len(self._jobs) >= _WAITING:
            raise Refused("busy", "the table has too much to do: try again")
        self._jobs.append(job)
        self._wake.set()
        self._answers.add(future)
        future.add_done_callback(self._answers.discard)
        return await future

    # -------------------------------------------------------------------------------------------------- the people

    def _here(self) -> list[Seat | None]:
        return [connection.seat for connection in self._connections]

    def close(self) -> None:
        """Let nobody in any more."""
        self._closed = True

    @property
    def vacant(self) -> bool:
        """Whether nobody is here, and nobody waits for anything."""
        return not self._connections and not self._answers

    def enter(self, connection: Connection) -> None:
        """A page connects: it is told who sits where, and how things stand.

        Raises:
            Refused: there are too many already, or the room is about to end.
        """
        if self._closed:
            raise Refused("busy", "the table has stopped: try again")
        if len(self._connections) >= self._rooms.settings.max_sockets:
            raise Refused("too-many-sockets", "too many pages are at this table")
        if not self._connections:
            self._forget_thought()  # nobody has waited for it
        self._connections.append(connection)
        if connection.seat is not None:
            self._come_back(connection.seat)
        self._attend()
        self.describe()
        connection.send(self.table.told(connection.seat, (), connection.language))

    def leave(self, connection: Connection) -> None:
        """A page has gone."""
        self._connections.remove(connection)
        self._note_who_left()
        self._attend()
        self.describe()

    def _note_who_left(self) -> None:
        """Remember since when the persons are away who are."""
        here, now = self._here(), self._rooms.clock.now()
        away = [seat for seat in self._persons() if seat not in here]
        self._left_at = {seat: self._left_at.get(seat, now) for seat in away}
        for votes in self._votes.values():
            votes.intersection_update(here)

    def _come_back(self, seat: Seat) -> None:
        """Somebody is here who may play on a seat."""
        self._left_at.pop(seat, None)
        self._votes.pop(seat, None)
        if self.table.sitters[seat].stand_in:
            self.table.sitters[seat].stand_in = False
            self._forget_thought()
        if seat in to_act(self.table.state):
            self._asked_at[seat] = self._rooms.clock.now()

    def _attend(self) -> None:
        """A person has done something."""
        self._acted_at = self._rooms.clock.now()
        self._unattended = 0
        self._wake.set()

    def _votable(self) -> list[Seat]:
        return [seat for seat in self._persons() if self._may_be_voted_on(seat)]

    def describe(self) -> None:
        """Tell everybody who sits where."""
        here = self._here()
        self._told_votable = self._votable()
        more = {
            "paused": self.paused,
            "look": self._rooms.settings.pace.trick,
            "next": self.next,
            "failed": self.failed,
            "votes": {seat: sorted(self._votes.get(seat, ())) for seat in self._told_votable},
            "needed": {seat: len(self._voters(seat)) // 2 + 1 for seat in self._told_votable},
        }
        told: dict[tuple[Seat | None, str], bytes] = {}
        for connection in self._connections:
            to = connection.seat, connection.language
            if to not in told:
                told[to] = self.table.described(connection.seat, here, more, connection.language)
            connection.send(told[to])

    @property
    def people(self) -> list[Person]:
        """Who sits where."""
        return self.table.people(self._here())

    def tell(self, events: tuple[Event, ...]) -> None:
        """Tell everybody what has happened: each seat what it may know."""
        told: dict[tuple[Seat | None, str], bytes] = {}
        for connection in self._connections:
            to = connection.seat, connection.language
            if to not in told:
                told[to] = self.table.told(connection.seat, events, connection.language)
            connection.send(told[to])

    async def sit(self, name: str, wanted: Seat | None = None) -> tuple[Seat, str]:
        """Somebody takes a free seat, or takes over from a bot: which, and its token."""

        async def work() -> tuple[Seat, str]:
            seat = self.table.seat_for(wanted, self._here())
            token = new_token()
            called = told_apart(name, self.table.names_taken)
            await self._seat(seat, self.table.taken_over(seat, called, hashed(token)))
            self._attend()
            return seat, token

        return await self.do(work)

    async def reclaim(self, seat: Seat, token: str) -> None:
        """The owner of a seat that somebody else has taken over is back, and gets it back."""

        async def work() -> None:
            if self.table.is_owner(seat, token):
                await self._seat(seat, self.table.given_back(seat), "its owner is back: this seat is yours no more")

        await self.do(work)

    async def _seat(self, seat: Seat, sitter: Sitter, why: str = "") -> None:
        """Have somebody sit on a seat from now on; whoever did is told why not any more."""
        await self._rooms.store.seat(self.table.id, [(seat, sitter)])
        self.table.sitters[seat] = sitter
        self._votes.pop(seat, None)
        self._left_at.pop(seat, None)
        for connection in tuple(self._connections):
            if connection.seat == seat:
                connection.refuse(Refused("seat-lost", why))
                connection.seat = None
                connection.end()
        self._note_who_left()
        self._moved()
        self.describe()
        self._rooms.release_players()

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
                case AskHint():
                    self._hint(connection, message)
                case Start():
                    await self._start(connection.seat)
                case StandIn(seat=seat):
                    self._stand_in(connection.seat, seat)
                case Vote(seat=seat, wanted=wanted):
                    self._vote(connection.seat, seat, wanted)
                case Back():
                    self._back(connection.seat)
                case Leave():
                    await self._leave(connection.seat)
                case Fill():
                    await self._fill(connection.seat, message)
                case Undo():
                    await self._undo(connection.seat)
                case Again():
                    await self._again(connection.seat)
                case GoOn():
                    self.describe()
                case Hello():
                    raise Refused("malformed", "hello must be the first message, and comes only once")
            return None

        number = None if isinstance(message, Hello) else message.id
        paused = self.paused
        self._attend()
        if paused is not None:
            self.describe()
        try:
            answer = await self.do(work)
        except Refused as refused:
            connection.refuse(refused, number, self.table.ply)
        except sqlite3.Error:
            _log.exception("table %s: what a page asked for could not be kept", self.table.id)
            unavailable = Refused("unavailable", "the server could not keep what you asked for: try again")
            connection.refuse(unavailable, number, self.table.ply)
        else:
            if number is not None:
                connection.send(answer or accepted_message(number, self.table.ply))

    def _hint(self, connection: Connection, asked: AskHint) -> None:
        """Have a hint thought out for a seat; its page is told when it is ready. The same question is thought about
        once."""
        settings, thinkers = self._rooms.settings, self._rooms.thinkers
        question = self.table.hint_question(connection.seat, asked, settings.hint_worlds, settings.hint_seconds)
        seat, seen = connection.seat, question.seen
        assert seat is not None
        last = self._hints.get(seat)
        if last is not None and not last.thought.done():
            raise Refused("hint-coming", "a hint is on its way: wait for it")
        if last is None or last.seen != seen or last.thought.cancelled() or last.thought.exception() is not None:
            if thinkers.full_of_hints:
                raise Refused("too-many-hints", "too many people ask for hints: try again in a moment")
            last = self._hints[seat] = _Hint(seen, asyncio.create_task(thinkers.assess(question)))

        def tell(thought: asyncio.Task[Assessment]) -> None:
            if thought.cancelled() or connection.seat != seat or connection not in self._connections:
                return  # nobody is there any more who may know it
            error = thought.exception()
            if error is None:
                connection.send(hint_message(asked.id, asked.ply, thought.result(), connection.language))
            else:
                _log.error("table %s: a hint could not be thought out", self.table.id, exc_info=error)
                failed = Refused("no-hint", "the hint could not be thought out: try again")
                connection.refuse(failed, asked.id, self.table.ply)

        last.thought.add_done_callback(tell)

    def _check_host(self, seat: Seat | None, what: str) -> None:
        if seat is None or seat != self.table.host:
            raise Refused("not-the-host", f"only the host may {what}")

    async def _start(self, seat: Seat | None) -> None:
        table = self.table
        self._check_host(seat, "begin the game")
        if table.started:
            raise Refused("already-started", "the game has begun")
        bots = [(at, bot_sitter(at, sitter.level)) for at, sitter in enumerate(table.sitters) if sitter.kind == "free"]
        await self._rooms.store.seat(table.id, bots, started=True)
        for at, sitter in bots:
            table.sitters[at] = sitter
        table.started = True
        self._moved()
        self.describe()

    async def _again(self, seat: Seat | None) -> None:
        """Open another table for the people of this one, at which each has the same seat with the same token."""
        if seat is None:
            raise Refused("spectator", "only those who have played may open another game")
        if not self.table.over:
            raise Refused("not-over", "the match is not over")
        if self.next is None:
            self.next = await self._rooms.open_again(self.table, seat)
        self.describe()

    def _stand_in(self, asker: Seat | None, seat: Seat) -> None:
        table = self.table
        self._check_host(asker, "ask a bot to stand in")
        if not table.started or seat >= table.rules.players or table.sitters[seat].kind != "person":
            raise Refused("no-such-person", "a bot can stand in only for a person who plays")
        if seat in self._here():
            raise Refused("not-away", "this person is here: a bot stands in only for one who is away")
        self._put_bots_on([seat])

    def _vote(self, voter: Seat | None, seat: Seat, wanted: bool) -> None:
        if seat >= self.table.rules.players or not self._may_be_voted_on(seat):
            raise Refused("no-vote", "a bot can be wanted only for somebody who is away, or does nothing for long")
        voters = self._voters(seat)
        if voter is None or voter not in voters:
            raise Refused("not-a-voter", "only the others who play themselves can want a bot for somebody")
        votes = self._votes.setdefault(seat, set())
        if wanted:
            votes.add(voter)
        else:
            votes.discard(voter)
        if 2 * len(votes) > len(voters):
            self._put_bots_on([seat])
        else:
            self.describe()

    def _back(self, seat: Seat | None) -> None:
        if seat is None or not self.table.sitters[seat].stand_in:
            raise Refused("no-stand-in", "no bot plays for you")
        self._come_back(seat)
        self.describe()

    async def _leave(self, seat: Seat | None) -> None:
        if seat is None:
            raise Refused("spectator", "you have no seat to give up")
        if self.table.over:
            raise Refused("game-over", "the match is over: the seats stay as they are")
        await self._seat(seat, self.table.given_back(seat), "you gave it up: this seat is yours no more")

    async def _fill(self, asker: Seat | None, wish: Fill) -> None:
        table = self.table
        self._check_host(asker, "choose the bots")
        check_level(wish.level, self._rooms.levels)
        if wish.seat >= table.rules.players or table.sitters[wish.seat].kind == "person":
            raise Refused("seat-taken", "somebody sits there: bots are chosen for the other seats")
        if table.started and wish.friend:
            raise Refused("already-started", "the game has begun: a friend can take over from the bot")
        sitter = Sitter(level=wish.level) if wish.friend else bot_sitter(wish.seat, wish.level)
        await self._seat(wish.seat, sitter)

    async def _undo(self, seat: Seat | None) -> None:
        table = self.table
        ply, state = table.undo(seat)
        await self._rooms.store.take_back(table.id, ply, state.deal_number)
        table.take_back(ply)
        self._moved()
        self.tell(())


class Rooms:
    """All rooms: those that somebody is in, or where the server has something to do. The others wait in the store."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock = Clock() if clock is None else clock
        self.store = Store(settings.database, self.clock.date)
        self.levels = levels_with(settings.players)
        self.thinkers = Thinkers(settings.bot_processes, settings.players)
        self._rooms: dict[str, tuple[Room, asyncio.Task[None]]] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._sweeping: Alarm | None = None
        self._sweeps: set[asyncio.Task[None]] = set()
        self._broken: set[str] = set()
        self._count = 0

    async def start(self) -> None:
        """Open the store. The games that a server before this one has not finished go on when somebody comes."""
        await self.store.start()
        await self._forget_old()

    async def stop(self) -> None:
        """Stop all rooms; their moves are kept."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        tasks = [*self._sweeps, *self._loading.values(), *[task for _, task in self._rooms.values()]]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.thinkers.stop()
        await self.store.stop()

    async def _forget_old(self) -> None:
        """Delete the tables where nothing has happened for long, now and every few hours."""
        date, days = self.clock.date(), self.settings.keep_days
        finished_days = min(FINISHED_DAYS, days)
        before, finished_before = [date - int(each * 86_400) for each in (days, finished_days)]
        try:
            forgotten = await self.store.forget(before, finished_before, self._rooms.keys() | self._loading.keys())
        except sqlite3.Error:
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

    async def open(self, wish: Opened) -> tuple[str, Seat | None, str | None]:
        """Open a table: its name, and the host's seat and token. A host who watches, and one who plays against bots
        alone, need not begin the game.

        Raises:
            Refused: there are too many.
        """
        self._make_place()
        table = new_token()
        players = range(wish.rules.players)
        sitters = [
            (seat, Sitter(level=plan.level) if plan.friend else bot_sitter(seat, plan.level))
            for seat in players
            for plan in [wish.plan(seat)]
        ]
        token = new_token() if wish.play else None
        if token is not None:
            bots = [bot_sitter(seat).name for seat in players]
            sitters[0] = (0, Sitter(told_apart(wish.name, bots), "person", hashed(token)))
        host: Seat | None = None if token is None else 0
        started = not any([sitter.kind == "free" for _, sitter in sitters])
        if host is None and not started:
            # Nobody could begin it.
            sitters = [(seat, bot_sitter(seat, sitter.level)) for seat, sitter in sitters]
            started = True
        await self.store.open(table, wish.rules, sitters, started, host, wish.away, wish.hints, wish.game)
        return table, host, token

    async def open_again(self, table: Table, host: Seat) -> str:
        """Open a table with the rules and the people of another one, for one of them to begin: its name.

        Raises:
            Refused: there are too many.
        """
        self._make_place()
        name = new_token()
        sitters = [(seat, attrs.evolve(sitter, stand_in=False)) for seat, sitter in enumerate(table.sitters)]
        alone = all([sitter.kind == "bot" for seat, sitter in sitters if seat != host])
        await self.store.open(name, table.rules, sitters, alone, host, table.away, table.hints, table.game)
        return name

    async def find(self, table_id: str) -> Room:
        """The room of a table.

        Raises:
            Refused: there is no such table, what was kept of it cannot be read or played again, or too many tables are
                in play.
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
            task.exception()  # whoever waits for it is told; if nobody does any more, nobody misses it

    async def record(self, table_id: str, players: Sequence[str]) -> bytes:
        """The match of a table, as it is kept, as a JSON document of kind `record`; `players` are the names by seat.

        Raises:
            Refused: nothing is kept of it any more.
        """
        kept = await self.store.load(table_id)
        if kept is None:
            raise Refused("no-such-table", "there is no such table")
        game = await asyncio.to_thread(replay_strict, kept.rules, kept.moves)
        return to_json(Record.of(game, [(f"Seat{seat}", name) for seat, name in enumerate(players)]))

    async def _load(self, table_id: str) -> Room:
        try:
            kept = await self.store.load(table_id)
        except InvalidWire as error:
            raise self._unable(table_id, f"what was kept cannot be read ({_codes(error.problems)})") from None
        if kept is None:
            raise Refused("no-such-table", "there is no such table")
        self._make_place()
        table = Table(table_id, kept.rules, self._rng())
        for seat, sitter in kept.sitters:
            table.sitters[seat] = sitter
        table.started, table.host, table.away = kept.started, kept.host, kept.away
        table.undone_deal, table.hints, table.game = kept.undone_deal, kept.hints, kept.game
        try:
            for start in range(0, len(kept.moves), _AT_ONCE):
                table.resume(kept.moves[start : start + _AT_ONCE])
                await asyncio.sleep(0)  # others have their turn
        except IllegalMove as error:
            which = f"move {table.ply + 1} of the {len(kept.moves)} that were kept"
            raise self._unable(table_id, f"the rules refuse {which} ({_codes(error.violations)})") from None
        room = Room(table, self)
        task = asyncio.create_task(room.run(), name=f"room {table_id}")
        task.add_done_callback(_log_failure)
        self._rooms[table_id] = (room, task)
        return room

    def _unable(self, table_id: str, why: str) -> Refused:
        """Why a table cannot go on; it is logged once. What is kept of it stays as it is."""
        if table_id not in self._broken:
            self._broken.add(table_id)
            _log.error("table %s cannot go on: %s", table_id, why)
        return Refused("cannot-resume", why)

    def _make_place(self) -> None:
        """Make place for one more room: one that everybody has left is given up.

        Raises:
            Refused: somebody is in each of them.
        """
        if len(self._rooms) < self.settings.max_rooms:
            return
        for room, task in tuple(self._rooms.values()):
            if room.vacant:
                self.give_up(room)
                task.cancel()
                return
        raise Refused("too-many-tables", "too many tables are in play: try again later")

    def give_up(self, room: Room) -> None:
        """Forget a room whose task has ended, or is about to."""
        room.close()
        if self._rooms.get(room.table.id, (None,))[0] is room:
            del self._rooms[room.table.id]
        self.release_players()

    def release_players(self) -> None:
        """End the programs that nobody plays with any more."""
        for name in self.levels.keys() - LEVELS.keys() - self._played():
            self.thinkers.release(name)

    def _played(self) -> set[str]:
        """The levels of all bots that play somewhere."""
        playing = [room.table for room, _ in self._rooms.values() if not room.table.over]
        return {sitter.level for table in playing for sitter in table.sitters if sitter.kind == "bot"}

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
