"""The browser table under every message of its protocol, in any order and from anybody: it lives, it answers each one,
and nobody is sent the view of another seat."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from inspect import iscoroutine
from random import Random
from typing import Any, Final
from unittest import mock

import attrs
import pytest
from msgspec import inspect

from heartsrules import AwaitingDeal, Deal, GameOver, Move, legal_moves, new_game, public_view
from heartsrules.apps.table import reviews, room, table
from heartsrules.apps.table.bots import LEVELS, Question
from heartsrules.apps.table.in_page import PageThinkers
from heartsrules.apps.table.protocol import MESSAGES as DECLARED
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.seats import TableSeat, hashed
from heartsrules.apps.table.settings import RoomPace
from heartsrules.apps.table.storage import Kept, Storage
from heartsrules.apps.table.store import Store
from heartsrules.apps.table.table import Table
from heartsrules.bots import heuristic
from heartsrules.formats.notation import format_position
from heartsrules.formats.wire import to_json
from heartsrules.play.game import replay_strict
from support.rounds import SEED, rounds
from support.tables import rules_of
from support.web_loop import LoopServer, LoopStore, Page
from support.web_player import MOONS, TINY, rules_document, shown

SHORT = rules_of("players=4 first_dealer=3 pass_cycle=L1,hold max_deals=3", TINY, deck="2C 3C 4C 2D 3D 2H 3H QS")
"""Two tricks."""
RULES: Final = (
    SHORT,
    rules_of("exposable=QS,3H max_deals=2", SHORT),
    rules_of("exposable=QS,3H exposure=rounds-in-turn teams=2 max_deals=1", SHORT),
    MOONS,
    rules_of("decks=2 max_deals=1", SHORT, deck="2C 2C 3D 3D 2H 2H QS QS"),
)
"""Short matches, with every phase."""
HOMES: Final = ("192.0.2.1", "192.0.2.1", "2001:db8::1")
"""Network addresses. Most people are at the first one."""


KINDS: Final = [inspect.type_info(each) for each in DECLARED]
MESSAGES: Final = [kind for kind in KINDS if isinstance(kind, inspect.StructType)]
WEIGHTS: Final = [{"move": 6, "leave": 1, "hello": 1}.get(str(kind.tag), 3) for kind in MESSAGES]


def value(kind: inspect.Type, rng: Random) -> Any:
    """A value of a type that `msgspec` reads, mostly a small one."""
    match kind:
        case inspect.IntType(ge=int(least), le=int(most)):
            return rng.randint(0, 4) if rng.random() < 0.95 else rng.randint(least, most)
        case inspect.StrType():
            return rng.choice([*LEVELS, "", "\u0000", "no such"])
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.LiteralType(values=named):
            return rng.choice(named)
        case inspect.UnionType(types=kinds):
            return value(rng.choice(kinds), rng)
        case inspect.NoneType():
            return None
        case inspect.VarTupleType(item_type=inner):
            return [value(inner, rng)]
        case inspect.Metadata(type=inner):
            return value(inner, rng)
        case inspect.RawType():
            return rng.choice(
                [None, {}, [], {"heartsrules": 1, "kind": "move", "move": "pass", "seat": 0, "cards": []}]
            )
    raise NotImplementedError(f"a message has a field of the type {kind}")


def any_message(page: Page, moves: list[Move], rng: Random) -> dict[str, Any]:
    """Any message of the protocol; what its fields say often fits the position of the page."""
    (kind,) = rng.choices(MESSAGES, WEIGHTS)
    message: dict[str, Any] = {"type": kind.tag}
    now = page.last("view")
    for field in kind.fields:
        if field.name == "id" or (not field.required and rng.random() < 0.2):
            continue
        drawn = value(field.type, rng)
        if now is not None and rng.random() < 0.9:
            if field.name == "ply":
                drawn = max(0, now["ply"] + rng.choice([0, 0, 0, 0, -1, 1]))
            elif field.name == "deal":
                drawn = max(0, now["view"]["deal_number"] - rng.randint(0, 2))
            elif field.name == "deals":
                drawn = [max(0, now["view"]["deal_number"] - rng.randint(0, 2)) for _ in range(rng.randint(1, 2))]
            elif field.name == "move" and moves:
                own = [move for move in moves if not isinstance(move, Deal) and move.seat == now["view"]["seat"]]
                drawn = json.loads(to_json(rng.choice(own if own and rng.random() < 0.8 else moves)))
        message[field.encode_name] = drawn
    return message


class NearThinkers(PageThinkers):
    """Slow bots, hints and reviews, computed in this process after others have had their turn."""

    def __init__(self, *_: object) -> None:
        pass

    async def choose(self, question: Question) -> Move:
        for _ in range(5):
            await asyncio.sleep(0)
        return heuristic(question.seen, Random(question.seed))


@attrs.frozen
class Key:
    """A key that somebody was given."""

    table: str
    home: str
    token: str


class Crowd:
    """People who send anything that the protocol has, and who come and go."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.server = LoopServer(
            pace=RoomPace(play=1, trick=0, deal=1).times(rng.randint(0, 1)),
            message_rate=1000,
            message_burst=10**6,
            keep_days=10**5,
            request_rate=0,
            check_rate=1000,
            hint_worlds=2,
            hint_seconds=None,
            review_worlds=2,
            forecast_worlds=2,
            average_deals=2,
        )
        self.logged: list[logging.LogRecord] = []
        self.pages: list[Page] = []
        self.keys: list[Key] = []
        self.tables: list[str] = []
        self.read: dict[int, int] = {}
        self.held: dict[int, set[int | None]] = {}
        """By page, the seats that its key has had."""
        self.trace: list[object] = []
        self.asked = 0
        """Number of requests."""

    def open(self) -> None:
        rng = self.rng
        rules, play = rng.choice(RULES), rng.random() < 0.9
        level = rng.choice(sorted(LEVELS))
        plans = [{"friend": rng.random() < 0.7, "level": level} for _ in range(rules.players)]
        body = {"rules": rules_document(rules), "play": play, "seats": plans, "away": rng.choice([30, None])}
        body["hints"] = rng.choice(["alone", "always", "never"])
        self.take_key(HOMES[0], "/api/tables", {**body, "name": "Ann"} if play else body)
        self.enter()
        for _ in range(rng.randint(0, 3)):
            self.ask_for_a_seat()
        if self.pages and rng.random() < 0.7:
            self.say(self.pages[0], {"type": "start"})

    def take_key(self, home: str, path: str, body: dict[str, Any]) -> bool:
        status, answer = self.server.post(path, body, home)
        self.trace.append((path, body, status))
        self.check_status(status)
        if status == 201:
            table = answer.get("table") or path.split("/")[3]
            if table not in self.tables:
                self.tables.append(table)
            if answer["token"] is not None:
                self.keys.append(Key(table, home, answer["token"]))
        self.check()
        return status == 201

    def step(self) -> None:
        """Somebody does something, or time goes by."""
        acts = {
            self.say_something: 20,
            self.play: 5,
            self.wait: 4,
            self.ask_for_a_seat: 3,
            self.enter: 3,
            self.reload: 3,
            self.ask: 1,
        }
        (act,) = self.rng.choices(list(acts), list(acts.values()))
        act()
        self.check_stores()

    def ask_for_a_seat(self) -> None:
        home, name = self.rng.choice(HOMES), self.rng.choice(["Bob", "Bo b", "Bruno"])
        seat = self.rng.choice([None, None, 0, 1, 2, 3, 11])
        if self.take_key(home, f"/api/tables/{self.table()}/seats", {"name": name, "seat": seat}):
            self.visit(self.keys[-1])

    def table(self) -> str:
        return self.tables[-1] if self.rng.random() < 0.7 else self.rng.choice(self.tables)

    def enter(self) -> None:
        """Somebody opens a page, or one more, or watches."""
        if self.keys and self.rng.random() < 0.8:
            self.visit(self.rng.choice(self.keys[-4:]))
        else:
            self.visit(Key(self.table(), self.rng.choice(HOMES), ""))

    def visit(self, key: Key) -> None:
        self.trace.append(("visit", key))
        self.pages.append(self.server.visit(key.table, key.home, key.token or None))
        self.check()

    def reload(self) -> None:
        """A page goes, and mostly comes back, perhaps from another address."""
        if self.pages:
            page = self.pages.pop(self.rng.randrange(len(self.pages)))
            self.trace.append(("gone", page.token))
            page.close()
            if self.rng.random() < 0.2:
                self.server.settle()
            if self.rng.random() < 0.7:
                home = page.address if self.rng.random() < 0.8 else self.rng.choice(HOMES)
                self.visit(Key(page.table, home, page.token or ""))
            self.check()

    def say_something(self) -> None:
        """People send any messages: one, or several before the server does anything."""
        for _ in range(self.rng.choice([1, 1, 1, 2, 5])):
            if self.pages:
                seated = [page for page in self.pages if page.token is not None]
                page = self.rng.choice(seated if seated and self.rng.random() < 0.7 else self.pages)
                self.say(page, any_message(page, self.moves(page), self.rng), False)
        self.check()

    def say(self, page: Page, message: dict[str, Any], wait: bool = True) -> None:
        self.asked += 1
        self.trace.append((self.pages.index(page), message))
        page.send(message)
        if wait:
            self.check()

    def play(self) -> None:
        """Whoever is to move moves."""
        for _ in range(self.rng.choice([1, 1, 5])):
            for page in tuple(self.pages):
                now, moves = page.last("view"), self.moves(page)
                seat = None if now is None else now["view"]["seat"]
                own = [move for move in moves if not isinstance(move, Deal) and move.seat == seat]
                if own and now is not None and now["choice"]["mine"] and not page.closed:
                    move = json.loads(to_json(self.rng.choice(own)))
                    self.say(page, {"type": "move", "ply": now["ply"], "move": move})
            self.pass_time(1)

    def wait(self) -> None:
        seconds = self.rng.choice([0.3, 1, 1, 2, 31, 121, 121, 4000, None])
        if seconds is None:
            self.restart()
        else:
            self.pass_time(seconds)

    def pass_time(self, seconds: float) -> None:
        self.trace.append(("wait", seconds))
        self.server.advance(seconds)
        self.check()

    def restart(self) -> None:
        self.trace.append("restart")
        self.server.restart(*self.pages)
        self.pages.clear()

    def ask(self) -> None:
        """Somebody asks for something over HTTP, of the right table or of another one."""
        table, home = self.table(), self.rng.choice(HOMES)
        path = self.rng.choice(["", "/record", "/code.svg", "/key", "on"])
        self.trace.append(path)
        playing = self.server.rooms._rooms.get(table)
        if path == "on":
            if playing is not None and len(self.tables) < 4:
                position = {"position": format_position(playing[0].table.state), "name": "Dora"}
                self.take_key(
                    home, "/api/positions", position | self.rng.choice([{}, {"seat": self.rng.randint(0, 4)}])
                )
        elif path == "/key":
            token = self.rng.choice(self.keys).token if self.keys else "x"
            self.check_status(self.server.post(f"/api/tables/{table}{path}", {"token": token}, home)[0])
        else:
            self.check_status(self.server.ask("GET", f"/api/tables/{table}{path}", home).status_code)
        self.check()

    def moves(self, page: Page) -> list[Move]:
        """Some moves that are allowed at the table of a page, of all seats that are to act."""
        playing = self.server.rooms._rooms.get(page.table)
        if playing is None or isinstance(playing[0].table.state, (AwaitingDeal, GameOver)):
            return []
        state = playing[0].table.state
        return [move for seat in range(state.rules.players) for move in legal_moves(state, seat)[:12]]

    def check(self) -> None:
        """Let the server do all that it has to, and look at it."""
        self.server.settle()
        self.look()

    def look(self) -> None:
        """Look at all that was sent since the last time, and at the rooms."""
        self.check_log()
        for page in self.pages:
            self.check_page(page)
        self.pages = [page for page in self.pages if not page.closed]
        for name, (_, task) in self.server.rooms._rooms.items():
            assert not task.done(), f"the room of {name} has ended"

    def check_log(self) -> None:
        told = [logging.Formatter().format(record) for record in self.logged]
        assert not told, "\n".join(told)

    def check_page(self, page: Page) -> None:
        """Each request is answered, unless the page was cut off, and the views are those of its own seat."""
        held = self.held.setdefault(id(page), {None})
        playing = self.server.rooms._rooms.get(page.table)
        if playing is not None and page.token is not None:
            key = hashed(page.token)
            held |= {
                seat for seat, each in enumerate(playing[0].table.seats) if each.holder and each.holder.key_hash == key
            }
        for message in page.messages[self.read.get(id(page), 0) :]:
            if message["type"] == "view":
                assert message["view"]["seat"] in held
            if message["type"] == "refused":
                self.check_refusal(message)
        self.read[id(page)] = len(page.messages)
        answered = {message.get("id") for message in page.messages}
        assert page.closed or not [number for number in page.sent if number not in answered]

    def check_status(self, status: int) -> None:
        assert status < 500

    def check_refusal(self, refused: dict[str, Any]) -> None:
        assert refused["code"] not in ("internal", "busy"), refused
        assert refused["message"]

    def check_promises(self, page: Page) -> None:
        """Hints, reviews and drills have come, or it was said why not."""
        ends = {"hint": ("hint",), "review": ("reviewed",), "drill": ("drill",)}
        for number, kind in page.sent.items():
            got = [message["type"] for message in page.messages if message.get("id") == number]
            if kind in ends and got[0] == "accepted":
                assert got[-1] in (*ends[kind], "refused"), (kind, got)

    async def load(self, table: str) -> Kept | None:
        """A table as it is stored now."""
        with mock.patch.object(LoopStore, "lag", 0):
            return await self.server.rooms.store.load(table)

    def check_stores(self) -> None:
        """What is stored is what is played."""
        for playing, _ in self.server.rooms._rooms.values():
            table = playing.table
            kept = self.server.run(self.load(table.id))
            assert kept is not None
            assert len(kept.moves) == table.ply
            assert [self.lasting(state) for state in kept.seats] == [self.lasting(state) for state in table.seats]
            assert (kept.started, kept.config.host) == (table.started, table.host)

    def lasting(self, state: TableSeat) -> TableSeat:
        """What is stored of a seat."""
        return attrs.evolve(state, stand_in=False)

    def check_replay(self, table: str, page: Page) -> None:
        """Who comes sees where things stand, which is what was stored."""
        now, kept = page.last("view"), self.server.run(self.load(table))
        assert now is not None
        assert kept is not None
        states = replay_strict(kept.config.start or new_game(kept.config.rules), kept.moves).states
        assert self.server.rooms._rooms[table][0].table.state == states[-1]
        assert now["view"] == shown(public_view(states[now["ply"]]))

    def finish(self) -> None:
        """All tables go on, and whatever was promised has come."""
        self.check()
        for page in self.pages:
            self.check_promises(page)
        for name in self.tables:
            page = self.server.visit(name, "192.0.2.99", None)
            self.pages.append(page)
            self.check()
            self.check_replay(name, page)


class Mistake(Exception):
    """What a function raises that has been made to fail."""


def functions_of(owner: object, names: Iterable[str]) -> list[tuple[object, str]]:
    """The functions of a class or module that may fail."""
    return [
        (owner, name)
        for name in names
        if callable(vars(owner)[name])
        and not isinstance(vars(owner)[name], type)
        and not name.startswith("__")
        and (vars(owner)[name].__module__ or "").startswith("heartsrules")
    ]


CARRIED: Final = {"run", "_run", "_whole", "_keep", "_sleep", "_read_again", "do", "close", "enter", "leave", "handle"}
"""What a room does with the work of others: it has no mistake."""
FALLIBLE: Final = [
    *functions_of(Table, vars(Table)),
    *functions_of(Room, sorted(vars(Room).keys() - CARRIED)),
    *functions_of(room, vars(room)),
    *functions_of(table, vars(table)),
    *functions_of(reviews, vars(reviews)),
    *functions_of(NearThinkers, ("choose",)),
    *functions_of(PageThinkers, ("assess", "study")),
    *functions_of(Storage, ("open", "seat", "host", "append", "note", "load")),
    *functions_of(Store, ("write", "read", "take_back")),
]


class Unlucky(Crowd):
    """The same people, with a server whose functions fail now and then."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.mistakes = 0
        """How many mistakes were made."""
        self.looking = False

    def step(self) -> None:
        owner, name = self.rng.choice(FALLIBLE)
        late = self.rng.random() < 0.5
        function = vars(owner)[name]
        made = self.mistakes

        def fail() -> None:
            if self.mistakes == made and not self.looking:
                self.mistakes += 1
                self.trace.append(f"{owner} {name} fails, {late=}")
                raise Mistake(f"{name} {self.mistakes}")

        async def do_late(pending: Awaitable[Any]) -> Any:
            result = await pending
            fail()
            return result

        def fallible(*given: Any, **more: Any) -> Any:
            if not late:
                fail()
                return function(*given, **more)
            result = function(*given, **more)
            if iscoroutine(result):
                return do_late(result)
            fail()
            return result

        with mock.patch.object(owner, name, fallible):
            super().step()

    def look(self) -> None:
        with mock.patch.object(self, "looking", True):
            super().look()

    def check_stores(self) -> None:
        with mock.patch.object(self, "looking", True):
            super().check_stores()

    def check_status(self, status: int) -> None:
        assert status < 500 or self.mistakes

    def lasting(self, state: TableSeat) -> TableSeat:
        return attrs.evolve(state, stand_in=False, level="")  # a usual bot replaces one that fails

    def check_log(self) -> None:
        """Each mistake is logged once."""
        told = [record for record in self.logged if record.exc_info is not None]
        assert len(told) == len(self.logged) <= self.mistakes
        assert {type(record.exc_info[1]) for record in told if record.exc_info} <= {Mistake}

    def check_refusal(self, refused: dict[str, Any]) -> None:
        assert refused["code"] != "busy"
        assert refused["code"] != "internal" or self.mistakes


@contextmanager
def crowd(rng: Random, logged: pytest.LogCaptureFixture, kind: type[Crowd]) -> Iterator[Crowd]:
    thinkers = mock.patch("heartsrules.apps.table.app.Thinkers", NearThinkers)
    lag = mock.patch.object(LoopStore, "lag", rng.choice([0, 0, 3]))  # others may do something while it is written
    with thinkers, lag:
        logged.set_level(logging.WARNING)
        people = kind(rng)
        people.logged = logged.records
        try:
            yield people
        except BaseException:
            print("\n".join(str(each) for each in people.trace))
            raise
        finally:
            people.server.close(*people.pages)


def walk(number: int, logged: pytest.LogCaptureFixture, kind: type[Crowd] = Crowd) -> None:
    with crowd(Random(f"{SEED} {number}"), logged, kind) as people:
        people.open()
        for _ in range(40):
            people.step()
        people.finish()


@pytest.mark.parametrize("number", range(rounds(30)))
def test_no_message_and_no_order_of_messages_harms_a_table(number: int, caplog: pytest.LogCaptureFixture) -> None:
    walk(number, caplog)


@pytest.mark.parametrize("number", range(rounds(30)))
def test_a_mistake_in_the_program_ends_no_table(number: int, caplog: pytest.LogCaptureFixture) -> None:
    walk(number, caplog, Unlucky)
