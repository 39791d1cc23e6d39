"""A room: one table, its sockets, and the task that runs it.

The task makes every change to the table, one after the other: people's requests, deals, and bots' moves, at the pace of
the settings. An empty room is closed after a while, and loaded again on demand.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, Protocol, TypeVar

import attrs

from heartsrules import AwaitingDeal, Event, GameOver, Move, Playing, Seat, to_act
from heartsrules.analysis import Assessment
from heartsrules.apps.request_limits import Buckets
from heartsrules.apps.table import protocol as P
from heartsrules.apps.table.bots import USUAL, HintQuestion, Level
from heartsrules.apps.table.connection import Connection
from heartsrules.apps.table.log import Note, NoteCode
from heartsrules.apps.table.messages import Refused, check_level, encoded, hint_message
from heartsrules.apps.table.names import told_apart
from heartsrules.apps.table.reviews import Reviews, ReviewServer
from heartsrules.apps.table.seats import (
    Holder,
    PlayerKind,
    TableSeat,
    address_hash,
    bot_name,
    count_people,
    hashed,
    new_token,
)
from heartsrules.apps.table.settings import RoomPace
from heartsrules.apps.table.storage import StorageError
from heartsrules.apps.table.table import Role, Step, Table
from heartsrules.bots.failures import ProgramError

T = TypeVar("T")

_log: Final = logging.getLogger("heartsrules.apps.table")
RETRY = 1.0
"""Seconds until the server retries its own move after a failure."""
_MOST_JOBS: Final = 256
"""Maximum number of requests waiting for a room."""
_PHRASE_RATE: Final = 0.25
"""Average number of phrases per second from a player."""
_PHRASE_BURST: Final = 3
"""Number of phrases that a player can say at once."""
_PACES: Final[Mapping[P.Pace, float]] = {"slow": 2.0, "usual": 1.0, "fast": 0.35}
"""Factors of the delays before the server's moves."""


class RoomServer(ReviewServer, Protocol):
    """The parts of a server that its rooms use."""

    levels: Mapping[str, Level]
    version: str
    """The version of the server's page, or empty if the page is its own server."""

    def give_up(self, room: Room) -> None:
        """Forget a room whose task ends."""

    def release_players(self) -> None:
        """End the programs that no table uses any more."""

    async def open_again(self, table: Table, host: Seat) -> str: ...

    async def read(self, table_id: str) -> Table:
        """Return a stored table."""
        ...


class Room:
    def __init__(self, table: Table, server: RoomServer) -> None:
        now = server.clock.now()
        self.table = table
        self.next: str | None = None
        """The table of the next match with the same people, or None until someone asks for it."""
        self._server = server
        self._connections: list[Connection] = []
        self._jobs: deque[Callable[[], Awaitable[None]]] = deque()
        self._answers: set[asyncio.Future[Any]] = set()
        self._wake = asyncio.Event()
        self._closed = False
        self._move_at: float | None = None
        """The time of the server's next move, or None until it is computed."""
        self._position_since = now
        """The time of the last move."""
        self._thought: asyncio.Task[Move] | None = None
        """A slow bot's pending move."""
        self._hints: dict[Seat | None, tuple[HintQuestion, asyncio.Task[Assessment]]] = {}
        self._reviews = Reviews(lambda: self.table, server, self._connections.__contains__)
        self._left_at: dict[Seat, float] = dict.fromkeys(self._persons(), now)
        """The time at which each absent person left."""
        self._asked_at: dict[Seat, float] = {}
        """The time at which each person to act was asked."""
        self._announced_votable: list[Seat] = []
        self._votes: dict[Seat, set[Seat]] = {}
        """The votes for a bot, by the seat that they are about."""
        self._agreed: dict[Seat, set[Seat]] = {}
        """The seats that have agreed to a newcomer, by the newcomer's seat."""
        self._phrases = Buckets(_PHRASE_RATE, _PHRASE_BURST)
        """The limit of each seat's phrases."""
        self._acted_at = now
        """The time of the last activity."""
        self._unattended = 0
        """Number of deals since the last human action."""
        self._stored = False
        """True if the current piece of work has stored a change."""
        self._stale = False
        """True if the table may not match a change in the store."""

    # ---------------------------------------------------------------------------------------------------- the task

    async def run(self) -> None:
        """Run the table until it has been empty or inactive for a while."""
        try:
            await self._run()
        finally:
            # Nothing is awaited between the last look for jobs and this, so that no job can get lost.
            self._server.give_up(self)
            for future in tuple(self._answers):
                if not future.done():
                    future.set_exception(Refused("busy", "the table has stopped: try again"))
            for connection in self._connections:
                asyncio.get_running_loop().call_soon(connection.end)  # after the answers
            self._forget_thought()
            for _, thought in self._hints.values():
                thought.cancel()
            self._reviews.stop()

    async def _run(self) -> None:
        """Do one thing after the other. A failure does not stop the others."""
        over = False
        while not over:
            if self._stale:
                await self._read_again()
            if self._jobs:
                await self._jobs.popleft()()
                continue
            try:
                over = await self._whole(self._tend)
            except Exception as error:
                self._server.failures.log(error, f"table {self.table.id}")
                if not self._jobs and not self._stale:
                    await self._sleep(self._server.clock.now() + RETRY)

    async def _tend(self) -> bool:
        """Do the next thing, or wait for one. Return True if the room ends."""
        clock, settings = self._server.clock, self._server.settings
        now = clock.now()
        self._replace_who_is_away(now)
        await self._find_host(now)
        await self._start_together()
        if self._connections and self._votable() != self._announced_votable:
            self.describe()
        ends = self._acted_at + (settings.idle_seconds if self._connections else settings.linger_seconds)
        if self._jobs:
            return False
        if now >= ends:
            asleep = Refused("asleep", "nothing has happened at this table for a long time")
            for connection in self._connections:
                connection.refuse(asleep)
            return True
        times = [ends, *self._deadlines(now)]
        if self._connections and self.table.due and self.paused is None:
            if self._move_at is None:
                self._move_at = self._position_since + self.pause()
                self._think()
            if now < self._move_at:
                times.append(self._move_at)
            elif self._thought is None or self._thought.done():
                await self._make_due_move()
                return False
        await self._sleep(min(times))
        return False

    async def _sleep(self, until: float) -> None:
        alarm = self._server.clock.call_at(until, self._wake.set)
        await self._wake.wait()
        self._wake.clear()
        alarm.cancel()

    async def _whole(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do a piece of work. If it fails after storing a change, read the table again."""
        self._stored = False
        try:
            return await work()
        except (Refused, StorageError):
            raise
        except Exception:
            self._stale = self._stored
            raise

    async def _keep(self, change: Awaitable[None]) -> None:
        self._stored = True
        await change

    async def _read_again(self) -> None:
        """Replace the table by the stored one.

        Pages whose key has another role there are cut off; they reconnect by themselves.
        """
        table, self._stale = await self._server.read(self.table.id), False
        for before, state in zip(self.table.seats, table.seats, strict=True):
            state.stand_in = before.stand_in and _same(before.holder, state.holder)
        self.table = table
        self._votes.clear()
        self._agreed.clear()
        for connection in self._connections:
            try:
                unchanged = self._places(connection.token) == (connection.seat, connection.waits_for)
            except Refused:
                unchanged = False
            if not unchanged:
                connection.seat = connection.waits_for = None
                connection.end()
        self._update_absences()
        self._moved()
        self.describe()
        self.send_views(())

    def pause(self) -> float:
        """Return the delay of the server's next move, in seconds."""
        pace = self._pace
        state = self.table.state
        if isinstance(state, AwaitingDeal):
            return pace.deal if state.deal_number else 0
        new_trick = isinstance(state, Playing) and not state.trick and state.trick_number
        return pace.play + (pace.trick if new_trick else 0)

    @property
    def _pace(self) -> RoomPace:
        wanted = [_PACES[connection.pace] for connection in self._connections if connection.seat is not None]
        return self._server.settings.pace.times(max(wanted, default=1.0))

    @property
    def paused(self) -> Literal["limit", "unattended", "review"] | None:
        """Return the reason why no further deal is dealt, or None."""
        if not isinstance(self.table.state, AwaitingDeal):
            return None
        if self.table.state.deal_number >= self._server.settings.max_deals:
            return "limit"
        if self._unattended >= self._server.settings.unattended_deals:
            return "unattended"
        return "review" if self._reviewing() else None

    def _reviewing(self) -> list[Seat]:
        open_at = {connection.seat for connection in self._connections if connection.reviewing}
        return [seat for seat in self._persons() if seat in open_at]

    def _think(self) -> None:
        """Start a slow bot while people look at the last card."""
        seat = self.table.acting_bot
        level = None if seat is None else self._server.levels.get(self.table.seats[seat].plays_as)
        if seat is not None and level is not None and level.slow:
            self._thought = asyncio.create_task(self._server.thinkers.choose(self.table.question(seat)))
            self._thought.add_done_callback(lambda _: self._wake.set())

    def _forget_thought(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None
        self._move_at = None
        self._position_since = self._server.clock.now()

    async def _make_due_move(self) -> None:
        thought = self._thought
        try:
            if self.table.between_deals:
                await self._admit()
            try:
                step = self.table.next_due() if thought is None else self.table.step_of(thought.result())
            except Exception as error:
                self._replace_bot(error)
                return
            await self._make(step)
        except StorageError:
            _log.exception("table %s: a move could not be kept: it is tried again", self.table.id)
            self._move_at = self._server.clock.now() + RETRY

    def _replace_bot(self, error: Exception) -> None:
        """Replace a bot that returned no legal move by a usual one. Raise the error if it is a usual one."""
        seat = self.table.acting_bot
        if seat is None or self.table.seats[seat].plays_as == USUAL:
            raise error
        state = self.table.seats[seat]
        if isinstance(error, ProgramError):
            _log.warning("table %s: a usual bot replaces %s: %s", self.table.id, state.level, error)
        else:
            self._server.failures.log(error, f"table {self.table.id}: a usual bot replaces {state.level}")
        self._note(Note("player-failed", seat, state.level))
        self.table.seats[seat] = attrs.evolve(state, level=USUAL)
        self._forget_thought()
        self.describe()

    async def _make(self, step: Step) -> None:
        finished = isinstance(step.state, GameOver)
        await self._keep(self._server.store.append(self.table.id, self.table.ply, step.move, finished))
        between = self.table.between_deals
        self.table.take(step)
        if between:
            self._unattended += 1
        self._moved()
        self.send_views(step.events)
        if finished or self.paused is not None:
            self.describe()
        if finished:
            self._server.release_players()

    def _moved(self) -> None:
        now = self._server.clock.now()
        self._acted_at = now
        self._forget_thought()
        self._ask()

    def _ask(self) -> None:
        """Record when each person was asked to act, or between deals to close a review."""
        now, state = self._server.clock.now(), self.table.state
        awaited = self._reviewing() if isinstance(state, AwaitingDeal) else self._persons(to_act(state))
        self._asked_at = {seat: self._asked_at.get(seat, now) for seat in awaited}

    # ------------------------------------------------------------------------------------------- absent people

    def _persons(self, seats: Iterable[Seat] | None = None) -> list[Seat]:
        states = self.table.seats
        chosen = range(len(states)) if seats is None else seats
        return [seat for seat in chosen if states[seat].kind == "person" and not states[seat].stand_in]

    @property
    def _patience(self) -> float:
        return P.AWAY if self.table.away is None else self.table.away

    def _long_gone(self, seat: Seat, now: float) -> bool:
        return seat in self._left_at and self._left_at[seat] + self._patience <= now

    def _deadlines(self, now: float) -> list[float]:
        table = self.table
        if not self._connections or table.over:
            return []
        times = [self._left_at[seat] + self._patience for seat in self._persons() if seat in self._left_at]
        if table.started:
            times += [asked + self._patience for asked in self._asked_at.values()]
        return [when for when in times if when > now]

    def _replace_who_is_away(self, now: float) -> None:
        """Let bots play for long-absent persons, if the host chose so."""
        table = self.table
        if not self._connections or not table.started or table.over or table.away is None:
            return
        late = [seat for seat in self._persons() if self._long_gone(seat, now)]
        if late:
            self._put_bots_on(late, "away")

    def _put_bots_on(self, seats: Iterable[Seat], why: str) -> None:
        for seat in seats:
            self.table.seats[seat].stand_in = True
            self._votes.pop(seat, None)
            self._asked_at.pop(seat, None)
            self._note(Note("stand-in", seat, self.table.name(seat), why=why))
        self._forget_thought()
        self.describe()

    async def _find_host(self, now: float) -> None:
        table = self.table
        if table.host is None or table.over:
            return
        if table.host in self._persons() and not self._long_gone(table.host, now):
            return
        host = table.next_host(self._here())
        if host is None or host == table.host:
            return
        try:
            await self._keep(self._server.store.host(table.id, host))
        except StorageError:
            _log.exception("table %s: the new host could not be kept", table.id)
        table.host = host
        self._note(Note("host", host, table.name(host)))
        self.describe()

    def _may_be_voted_on(self, seat: Seat) -> bool:
        if not self.table.started or self.table.over or seat not in self._persons():
            return False
        now = self._server.clock.now()
        asked = self._asked_at.get(seat)
        return self._long_gone(seat, now) or (asked is not None and asked + self._patience <= now)

    def _voters(self, seat: Seat) -> set[Seat]:
        """Return the voters about a seat: persons who are here, and were when the deal began."""
        here, deal = self._here(), self.table.state.deal_number
        holders = {each: self.table.seats[each].holder for each in self._persons() if each in here and each != seat}
        return {each for each, holder in holders.items() if holder is not None and holder.since <= deal}

    def _people_among(self, seats: Iterable[Seat]) -> int:
        return count_people([holder for seat in seats if (holder := self.table.seats[seat].holder) is not None])

    # -------------------------------------------------------------------------------------------------- the jobs

    async def do(self, work: Callable[[], Awaitable[T]]) -> T:
        """Have the room's task do some work in turn, and return the result.

        Raises:
            Refused: the work was refused, or the room has too many jobs.
            Exception: the work has failed; the room goes on.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def job() -> None:
            try:
                result = await self._whole(work)
            except Exception as error:  # it is raised where the job is awaited
                if not future.done():
                    future.set_exception(error)
            else:
                if not future.done():
                    future.set_result(result)

        if self._closed or len(self._jobs) >= _MOST_JOBS:
            raise Refused("busy", "too many requests are waiting at this table: try again")
        self._jobs.append(job)
        self._wake.set()
        self._answers.add(future)
        future.add_done_callback(self._answers.discard)
        return await future

    # -------------------------------------------------------------------------------------------------- sockets

    def _here(self) -> list[Seat | None]:
        return [connection.seat for connection in self._connections]

    def close(self) -> None:
        self._closed = True

    @property
    def vacant(self) -> bool:
        """True if no one is here or waits for an answer."""
        return not self._connections and not self._answers

    async def recognize(self, token: str, address: str) -> None:
        """Record the address that a key is used from, and return a seat that was taken over to its owner.

        Raises:
            Refused: the key is unknown here.
        """

        async def work() -> None:
            table = self.table
            seat, role, person = table.find_key(token)
            if role is Role.OWNS:
                before, returned = table.name(seat), attrs.evolve(table.given_up(seat), stand_in=False)
                note = Note("seat-returned", seat, person.name, before)
                await self._change_seat(seat, returned, "you have lost this seat: its owner is back", note)
                seat, role, person = table.find_key(token)
            near = set(table.near(seat))
            moved = person.seen_at(address_hash(table.id, address))

            def changed() -> TableSeat:
                state = table.seats[seat]
                waits = role is Role.WAITS
                return attrs.evolve(state, newcomer=moved) if waits else attrs.evolve(state, holder=moved)

            await self._keep(self._server.store.seat(table.id, [(seat, changed())]))
            table.seats[seat] = changed()  # a bot may have stopped playing for them meanwhile
            if role is not Role.WAITS and (others := set(table.near(seat)) - near):
                self._note(Note("near", seat, person.name, table.name(min(others))))

        _, role, person = self.table.find_key(token)
        if role is Role.OWNS or address_hash(self.table.id, address) not in person.addresses:
            await self.do(work)

    def enter(self, connection: Connection, token: str | None) -> None:
        """Add a socket, by its key or with None to watch, and send it the table, its view and the log.

        Raises:
            Refused: the key is unknown, there are too many sockets, or the room is about to end.
        """
        if self._closed:
            raise Refused("busy", "the table has stopped: try again")
        if len(self._connections) >= self._server.settings.max_sockets:
            raise Refused("too-many-sockets", "too many pages are open at this table: close one, and try again")
        connection.token = token
        connection.seat, connection.waits_for = self._places(token)
        if not self._connections:
            self._forget_thought()  # the time without anybody does not count
        if connection.seat is not None:
            self._come_back(connection.seat)
        welcome = encoded(self.table.welcome(self._server.version, connection.link, connection.language))
        messages = self._situation(connection)
        connection.send(welcome)
        self._connections.append(connection)
        self._attend()
        self.describe()
        self._send_sheets()
        for message in messages:
            connection.send(message)

    def _places(self, token: str | None) -> tuple[Seat | None, Seat | None]:
        if token is None:
            return None, None
        seat, role, _ = self.table.find_key(token)
        return seat if role is Role.PLAYS else None, seat if role is Role.WAITS else None

    def _situation(self, connection: Connection) -> tuple[bytes, bytes]:
        return self.table.told(connection.seat, (), connection.language), self.table.logged(connection.seat)

    def leave(self, connection: Connection) -> None:
        self._connections.remove(connection)
        self._update_absences()
        self._attend()
        self.describe()

    def _update_absences(self) -> None:
        here, now = self._here(), self._server.clock.now()
        away = [seat for seat in self._persons() if seat not in here]
        self._left_at = {seat: self._left_at.get(seat, now) for seat in away}
        for votes in self._votes.values():
            votes.intersection_update(here)

    def _come_back(self, seat: Seat) -> None:
        self._left_at.pop(seat, None)
        self._votes.pop(seat, None)
        if self.table.seats[seat].stand_in:
            self.table.seats[seat].stand_in = False
            self._note(Note("back", seat, self.table.name(seat)))
            self._forget_thought()
        if seat in to_act(self.table.state):
            self._asked_at[seat] = self._server.clock.now()

    def _attend(self) -> None:
        self._acted_at = self._server.clock.now()
        self._unattended = 0
        self._wake.set()

    # -------------------------------------------------------------------------------------------- messages to all

    def _votable(self) -> list[Seat]:
        return [seat for seat in self._persons() if self._may_be_voted_on(seat)]

    def _newcomers(self) -> Iterator[P.Newcomer]:
        for seat, state in enumerate(self.table.seats):
            if state.newcomer is not None:
                asked = self.table.consent_needed(seat) - self._agreed.get(seat, set())
                yield P.Newcomer(seat, state.newcomer.name, tuple(self.table.near(seat)), tuple(sorted(asked)))

    def _absent(self) -> Iterator[P.Absent]:
        self._announced_votable = self._votable()
        for seat in self._announced_votable:
            votes = tuple(sorted(self._votes.get(seat, ())))
            yield P.Absent(seat, votes, self._people_among(self._voters(seat)) // 2 + 1)

    def describe(self) -> None:
        """Send all pages the players, the people waiting, and the open votes."""
        table = self.table
        try:
            common: dict[str, Any] = {
                "started": table.started,
                "over": table.over,
                "host": table.host,
                "people": self.people,
                "absent": tuple(self._absent()),
                "newcomers": tuple(self._newcomers()),
                "paused": self.paused,
                "reviewing": tuple(self._reviewing()),
                "look": self._pace.trick,
                "next": self.next,
            }
        except Exception as error:  # what was done is done
            self._server.failures.log(error, f"table {table.id}")
            return
        self._send_each(lambda each: encoded(P.TableMessage(seat=each.seat, waits_for=each.waits_for, **common)))

    @property
    def people(self) -> tuple[P.Person, ...]:
        return self.table.people(self._here())

    def send_views(self, events: tuple[Event, ...]) -> None:
        """Send each page its view and its redacted events, after the score sheet if it has changed."""
        self._send_sheets()
        self._send_each(lambda connection: self.table.told(connection.seat, events, connection.language))

    def _send_sheets(self) -> None:
        sheet = self.table.state.score_sheet
        behind = [connection for connection in self._connections if connection.sheet != sheet]
        message = encoded(self.table.sheet()) if behind else b""
        for connection in behind:
            connection.send(message)
            connection.sheet = sheet

    def _send_each(self, make: Callable[[Connection], bytes]) -> None:
        """Send each page its own message, built once for all pages with the same seat and language.

        A page whose message cannot be built is cut off; the others still get theirs.
        """
        messages: dict[tuple[Seat | None, Seat | None, str], bytes] = {}
        for connection in self._connections:
            key = connection.seat, connection.waits_for, connection.language
            try:
                if key not in messages:
                    messages[key] = make(connection)
            except Exception as error:
                connection.refuse(self._server.failures.refusal_of(error, f"table {self.table.id}"))
                connection.end()
            else:
                connection.send(messages[key])

    def _note(self, note: Note) -> None:
        """Add a note to the log, store it and send it to all pages. Before the game there is no log."""
        if not self.table.started:
            return
        self.table.note(note)
        self._server.store.note(self.table.id, self.table.ply, self.table.state.deal_number, note)
        message = encoded(P.NoteMessage(note))
        self._send_each(lambda _: message)

    # -------------------------------------------------------------------------------------------------- the seats

    async def sit(self, name: str, wanted: Seat | None, address: str, former: str = "") -> tuple[Seat, str, bool]:
        """Request a seat, and return its number, its key, and whether the person has to wait for it.

        A free seat is taken at once before the game, and a bot's seat at the next deal, so that no one sees a hand
        dealt before they arrived. A newcomer whose address already has a seat also needs consent. A person who gave
        this seat up, as their former key shows, gets it back at once, in the same deal.
        """

        async def work() -> tuple[Seat, str, bool]:
            table = self.table
            seat = table.seat_for(wanted, self._here())
            here = address_hash(table.id, address)
            newcomer, token = table.returning(seat, former, here), former
            if newcomer is not None and table.has_left_now(seat, newcomer):
                note = Note("seat-taken", seat, newcomer.name, table.name(seat), "open")
                back = TableSeat("person", table.seats[seat].level, newcomer)
                await self._change_seat(seat, back, note=note)
                self._attend()
                return seat, token, False
            if newcomer is None:
                token = new_token()
                newcomer = Holder(told_apart(name, table.names), hashed(token), (here,))
            note = Note("seat-asked", seat, newcomer.name, table.name(seat))
            await self._change_seat(seat, attrs.evolve(table.seats[seat], newcomer=newcomer), note=note)
            self._attend()
            if not table.started:
                await self._admit()
            return seat, token, table.seats[seat].newcomer is not None

        return await self.do(work)

    async def _admit(self) -> None:
        """Seat the newcomers who can play now, between deals. During the game those who have gone are dismissed."""
        table = self.table
        waiting = {connection.waits_for for connection in self._connections}
        for seat, state in enumerate(table.seats):
            if state.newcomer is None:
                continue
            if table.started and seat not in waiting:
                await self._dismiss(seat, "seat-withdrawn", "you were not here when the cards were dealt: ask again")
            elif self._may_be_admitted(seat):
                await self._admit_one(seat, state.newcomer, "consent" if table.consent_needed(seat) else "open")

    def _may_be_admitted(self, seat: Seat) -> bool:
        """Return True if a seat's newcomer may play from the next deal."""
        return self.table.consent_needed(seat) <= self._agreed.get(seat, set()) and self.table.is_open(
            seat, self._here()
        )

    async def _admit_one(self, seat: Seat, newcomer: Holder, how: str) -> None:
        note = Note("seat-taken", seat, newcomer.name, self.table.name(seat), how)
        why = "you have lost this seat: another player has taken over"
        await self._change_seat(seat, self.table.admitted(seat, newcomer), why, note)

    async def _start_together(self) -> None:
        """Deal again for newcomers who are here, unless a card has been played."""
        table = self.table
        if (ply := table.first_deal) is None:
            return
        waiting = {connection.waits_for for connection in self._connections}
        newcomers = [(seat, state.newcomer) for seat, state in enumerate(table.seats) if seat in waiting]
        admitted = [(seat, each) for seat, each in newcomers if each is not None and self._may_be_admitted(seat)]
        if not admitted:
            return
        await self._keep(self._server.store.take_back(table.id, ply))
        table.undeal()
        for seat, newcomer in admitted:
            await self._admit_one(seat, newcomer, "together")
        self._moved()
        self.send_views(())
        self._send_each(lambda connection: table.logged(connection.seat))

    async def _change_seat(self, seat: Seat, state: TableSeat, why: str = "", note: Note | None = None) -> None:
        before = self.table.seats[seat]
        await self._keep(self._server.store.seat(self.table.id, [(seat, state)]))
        if _same(before.holder, state.holder):
            state.stand_in = before.stand_in  # who is back meanwhile plays on
        self.table.seats[seat] = state
        admitted = before.newcomer is not None and _same(before.newcomer, state.holder)
        if not _same(before.holder, state.holder):
            self._votes.pop(seat, None)
            self._left_at.pop(seat, None)
            for agreed in self._agreed.values():
                agreed.discard(seat)
        if not _same(before.newcomer, state.newcomer):
            self._agreed.pop(seat, None)
        promoted = []
        for connection in tuple(self._connections):
            if connection.seat == seat and not _same(before.holder, state.holder):
                connection.seat = None
            elif connection.waits_for == seat and not _same(before.newcomer, state.newcomer):
                connection.waits_for = None
                if admitted:
                    connection.seat = seat
                    promoted.append(connection)
                    continue
            else:
                continue
            connection.refuse(Refused("seat-lost", why))
            connection.end()
        self._update_absences()
        self._moved()
        if note is not None:
            self._note(note)
        self.describe()
        for connection in promoted:
            for message in self._situation(connection):
                connection.send(message)
        self._server.release_players()

    # -------------------------------------------------------------------------------------------------- requests

    async def handle(self, connection: Connection, message: P.AnyMessage) -> None:
        number = message.id if isinstance(message, P.Request) else None
        try:
            paused = self.paused
            self._attend()
            if paused is not None:
                self.describe()
            answer = await self.do(lambda: self._answer(connection, message))
            if number is not None:
                connection.send(answer or encoded(P.AcceptedMessage(number, self.table.ply)))
        except Exception as error:
            refused = self._server.failures.refusal_of(error, f"table {self.table.id}: {type(message).__name__}")
            connection.refuse(refused, number, self.table.ply)

    async def _answer(self, connection: Connection, message: P.AnyMessage) -> bytes | None:
        seat = connection.seat
        match message:
            case P.Try():
                await self._make(self.table.judge(seat, message))
            case P.Claim():
                self.table.claim(seat, message)
            case P.Choose():
                return self.table.options(seat, message, connection.language)
            case P.AskHint():
                self._hint(connection, message)
            case P.AskReview() | P.AskDrill():
                self._reviews.ask(connection, message)
            case P.Start():
                await self._start(seat)
            case P.StandIn():
                self._stand_in(seat, message.seat)
            case P.Vote():
                self._vote(seat, message.seat, message.wanted)
            case P.Back():
                self._back(seat)
            case P.Leave():
                await self._leave(connection)
            case P.Agree():
                await self._agree(seat, message.seat, message.agreed)
            case P.Fill():
                await self._fill(seat, message)
            case P.Undo():
                await self._undo(seat)
            case P.Again():
                await self._again(seat)
            case P.Say():
                self._say(seat, message.phrase)
            case P.SetPace():
                connection.pace = message.pace
                self.describe()
            case P.Reviewing():
                connection.reviewing = message.open
                self._ask()
                self.describe()
            case P.GoOn():
                self.describe()
            case P.Hello() | P.Ping():
                raise Refused("malformed", "only the first message can be `hello`")
        return None

    def _hint(self, connection: Connection, asked: P.AskHint) -> None:
        """Compute a hint for the page that asks. The same question is computed once."""
        settings, thinkers = self._server.settings, self._server.thinkers
        question = self.table.hint_question(connection.seat, asked, settings.hint_worlds, settings.hint_seconds)
        question = attrs.evolve(question, policy=settings.policy)
        seat = question.seen.seat
        last, thought = self._hints.get(seat, (None, None))
        if thought is not None and not thought.done():
            raise Refused("hint-coming", "another hint is being computed: wait for it")
        if last != question or thought is None or thought.cancelled() or thought.exception() is not None:
            if thinkers.full_of_hints:
                raise Refused("too-many-hints", "too many players are asking for hints: try again in a moment")
            thought = asyncio.create_task(thinkers.assess(question))
            self._hints[seat] = question, thought

        def send_hint(thought: asyncio.Task[Assessment]) -> None:
            if thought.cancelled() or connection.seat != seat or connection not in self._connections:
                return  # the page has gone, or may not know it any more
            try:
                connection.send(hint_message(asked.id, asked.ply, thought.result(), connection.language))
            except Exception as error:
                self._server.failures.log(error, f"table {self.table.id}: a hint could not be thought out")
                failed = Refused("no-hint", "the hint could not be computed: try again")
                connection.refuse(failed, asked.id, self.table.ply)

        thought.add_done_callback(send_hint)

    def _say(self, seat: Seat | None, phrase: P.Phrase) -> None:
        if seat is None:
            raise Refused("spectator", "spectators may not speak")
        if not self._phrases.take(seat, self._server.clock.now()):
            raise Refused("too-many-phrases", "you have sent too many phrases: wait a little")
        message = encoded(P.PhraseMessage(seat, phrase))
        self._send_each(lambda _: message)

    def _check_host(self, seat: Seat | None, what: str) -> None:
        if seat is None or seat != self.table.host:
            raise Refused("not-the-host", f"only the host may {what}")

    async def _start(self, seat: Seat | None) -> None:
        table = self.table
        self._check_host(seat, "start the game")
        if table.started:
            raise Refused("already-started", "the game has already started")
        bots = [(at, attrs.evolve(state, kind="bot")) for at, state in enumerate(table.seats) if state.kind == "free"]
        await self._keep(self._server.store.seat(table.id, bots, started=True))
        for at, state in bots:
            table.seats[at] = state
        table.started = True
        self._moved()
        self.describe()

    async def _again(self, seat: Seat | None) -> None:
        if seat is None:
            raise Refused("spectator", "only a player of this match may open another one")
        if not self.table.over:
            raise Refused("not-over", "the match is not over yet")
        if self.next is None:
            self.next = await self._server.open_again(self.table, seat)
        self.describe()

    def _stand_in(self, asker: Seat | None, seat: Seat) -> None:
        table = self.table
        self._check_host(asker, "ask a bot to stand in")
        if not table.started or seat >= table.rules.players or seat not in self._persons():
            raise Refused(
                "no-such-person", f"`seat` must be the seat of a person in a game that has started, not {seat}"
            )
        if not self._long_gone(seat, self._server.clock.now()):
            raise Refused("not-away", f"seat {seat} has not been away for {self._patience} seconds yet")
        self._put_bots_on([seat], "host")

    def _vote(self, voter: Seat | None, seat: Seat, wanted: bool) -> None:
        if seat >= self.table.rules.players or not self._may_be_voted_on(seat):
            raise Refused("no-vote", f"there is no vote on seat {seat}: its player is not away or idle for long enough")
        voters = self._voters(seat)
        if voter is None or voter not in voters:
            raise Refused(
                "not-a-voter", f"you cannot vote on seat {seat}: only others who have played since the deal began can"
            )
        votes = self._votes.setdefault(seat, set())
        if wanted:
            votes.add(voter)
        else:
            votes.discard(voter)
        if 2 * self._people_among(votes & voters) > self._people_among(voters):
            self._put_bots_on([seat], "vote")
        else:
            self.describe()

    def _back(self, seat: Seat | None) -> None:
        if seat is None or not self.table.seats[seat].stand_in:
            raise Refused("no-stand-in", "no bot is playing for you")
        self._come_back(seat)
        self.describe()

    async def _leave(self, connection: Connection) -> None:
        table, seat = self.table, connection.seat
        if connection.waits_for is not None:
            await self._dismiss(connection.waits_for, "seat-withdrawn", "you have given up this seat")
            return
        if seat is None:
            raise Refused("spectator", "you have no seat to give up")
        if table.over:
            raise Refused("game-over", "the match is over, so no seat can be given up")
        note = Note("seat-left", seat, bot_name(seat), table.name(seat))
        table.remember(seat)
        await self._change_seat(seat, table.given_up(seat), "you have given up this seat", note)
        if not table.started:
            await self._admit()

    async def _dismiss(self, seat: Seat, code: NoteCode, why: str) -> None:
        state = self.table.seats[seat]
        if state.newcomer is not None:
            note = Note(code, seat, state.newcomer.name, self.table.name(seat))
            await self._change_seat(seat, attrs.evolve(state, newcomer=None), why, note)

    async def _agree(self, asked: Seat | None, seat: Seat, agreed: bool) -> None:
        if asked is None or seat >= self.table.rules.players or asked not in self.table.consent_needed(seat):
            raise Refused("not-asked", f"your consent is not needed for seat {seat}")
        if not agreed:
            await self._dismiss(seat, "seat-declined", "the others did not agree")
            return
        self._agreed.setdefault(seat, set()).add(asked)
        if not self.table.started:
            await self._admit()
        self.describe()

    async def _fill(self, asker: Seat | None, wish: P.Fill) -> None:
        table = self.table
        self._check_host(asker, "choose the bots")
        check_level(wish.level, self._server.levels)
        if wish.seat >= table.rules.players or table.seats[wish.seat].kind == "person":
            raise Refused("seat-taken", f"`seat` must be one that no person plays, not {wish.seat}")
        if table.started and wish.friend:
            raise Refused("already-started", "the game has already started: a friend can take over from the bot")
        kind: PlayerKind = "free" if wish.friend else "bot"
        await self._change_seat(wish.seat, attrs.evolve(table.seats[wish.seat], kind=kind, level=wish.level))

    async def _undo(self, seat: Seat | None) -> None:
        table = self.table
        ply, _ = table.undo(seat)
        await self._keep(self._server.store.take_back(table.id, ply))
        table.take_back(ply)
        self._moved()
        self.send_views(())
        self._send_each(lambda connection: table.logged(connection.seat))


def _same(one: Holder | None, other: Holder | None) -> bool:
    return (one and one.key_hash) == (other and other.key_hash)
