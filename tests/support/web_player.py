"""A person at a table, for tests of the server: a socket and the messages received on it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import attrs
from starlette.testclient import TestClient

from heartsrules import Move, Rules, Seat, State, View, new_game
from heartsrules.apps.table.app import make_app
from heartsrules.apps.table.clock import Alarm, Clock
from heartsrules.apps.table.positions import view_shown
from heartsrules.apps.table.settings import RoomPace, Settings
from heartsrules.apps.table.table import Table
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import write_part
from heartsrules.play.game import replay_strict
from support.tables import rules_of

HEADERS = {"origin": "http://testserver"}


def tiny(cards: str) -> Rules:
    """A deal of three players with these cards, in which seat 0 leads."""
    short = "players=3 first_dealer=2 pass_cycle=hold target=none max_deals=1 tie=shared"
    return rules_of(f"{short} opening_leader=dealer-left opening_card=any moon=off", deck=cards)


TINY = tiny("2C 3C 4C 2D 3D 4D 2S 3S 4S")
"""Three tricks of three cards."""
# The Q♠ is the only penalty card: who takes it has shot the moon.
MOONS = rules_of(
    "players=3 hand_size=2 kitty=last-trick pass_cycle=hold opening_leader=dealer-left opening_card=any "
    f"heart_values={'0,' * 12}0 moon=choice target=none max_deals=2"
)
"""Two deals of two tricks, in which someone mostly shoots the moon."""


def settings(directory: Path, **changes: Any) -> Settings:
    """The settings of a test: no waiting, and no chance that is not drawn from a seed."""
    fixed: dict[str, Any] = {
        "pace": RoomPace().times(0),
        "hosts": ("testserver",),
        "seed": "tests",
        "request_burst": 1000,
    }
    return Settings(directory / "tables.sqlite3", **(fixed | changes))


def database_in(directory: Path) -> Path:
    """The database of a server in a folder."""
    return settings(directory).database


class SetAlarm:
    """Something that a `SetClock` will call."""

    def __init__(self, when: float, callback: Callable[[], None]) -> None:
        self.when = when
        self.callback = callback
        self.loop = asyncio.get_running_loop()
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class SetClock(Clock):
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.seconds: float = 1_000.0
        self._alarms: list[SetAlarm] = []
        self._lock = threading.Lock()

    def now(self) -> float:
        return self.seconds

    def date(self) -> int:
        return int(self.seconds)

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        alarm = SetAlarm(when, callback)
        with self._lock:
            if when <= self.seconds:
                alarm.loop.call_soon(callback)
            else:
                self._alarms.append(alarm)
        return alarm

    def advance(self, seconds: float) -> None:
        """Let time go by. The server does what is due then, as if it had waited; the test waits for what it does."""
        with self._lock:
            self.seconds += seconds
            due = [alarm for alarm in self._alarms if alarm.when <= self.seconds]
            self._alarms = [alarm for alarm in self._alarms if alarm.when > self.seconds and not alarm.cancelled]
        for alarm in due:
            if not alarm.cancelled:
                alarm.loop.call_soon_threadsafe(alarm.callback)


def visitor(client: TestClient, address: str) -> TestClient:
    """A visitor of the same server from another network address."""
    other = TestClient(client.app, headers=HEADERS, client=(address, 50000))
    other.portal = client.portal
    return other


@contextmanager
def server(directory: Path, clock: Clock | None = None, **changes: Any) -> Iterator[TestClient]:
    """A server in this process."""
    with TestClient(make_app(settings(directory, **changes), clock), headers=HEADERS) as client:
        yield client


def rules_document(rules: Rules) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(rules))
    return document


def open_table(client: TestClient, rules: Rules, **more: Any) -> tuple[str, str]:
    """Open a table, and return its name and the token of seat 0, where Ann plays if anyone does."""
    answer = client.post("/api/tables", json={"rules": rules_document(rules), "name": "Ann", **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["table"], answer.json()["token"]


def ask_for_seat(client: TestClient, table: str, seat: int | None = None, name: str = "Eve") -> Any:
    """Ask for a seat, by default for the first that can be taken, and return the response."""
    return client.post(f"/api/tables/{table}/seats", json={"name": name, "seat": seat})


def take_seat(client: TestClient, table: str, name: str = "Bob") -> str:
    """Take the first seat that can be taken, and return its token."""
    answer = ask_for_seat(client, table, None, name)
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["token"]
    return token


def plain(wording: Sequence[Any]) -> str:
    """The text of a sentence in parts."""
    return "".join([each if isinstance(each, str) else each.get("card") or str(each) for each in wording])


def shown(seen: View) -> dict[str, Any]:
    """A view as a message has it."""
    told: dict[str, Any] = json.loads(write_part(view_shown(seen)))
    return told


class Socket(Protocol):
    """What a page sends and receives texts by."""

    def send_text(self, data: str) -> None:
        """Send a text."""

    def receive_text(self) -> str:
        """Wait for the next text, and return it."""
        ...


MOST_MESSAGES: Final = 5000
"""More than any test needs."""


@attrs.define
class Player:
    """One socket."""

    socket: Socket
    raw: list[str] = attrs.Factory(list)
    received: list[dict[str, Any]] = attrs.Factory(list)
    next_id: int = 1
    answered: int = -1
    """The ply of the last view that was answered with a move."""

    def receive(self) -> dict[str, Any]:
        """The next message. Whoever waits for one that does not come gives up after `MOST_MESSAGES`."""
        assert len(self.received) < MOST_MESSAGES, self.received[-1]
        text = self.socket.receive_text()
        message: dict[str, Any] = json.loads(text)
        self.raw.append(text)
        self.received.append(message)
        return message

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def send(self, message: object) -> None:
        self.socket.send_text(message if isinstance(message, str) else json.dumps(message))

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request, and wait for the response."""
        number = self.next_id
        self.next_id += 1
        self.send({"id": number, **message})
        while True:
            answer = self.receive()
            if answer.get("id") == number or (answer["type"] == "refused" and answer["id"] is None):
                return answer

    def move(self, ply: int, **move: Any) -> dict[str, Any]:
        """Try a move, and wait for the response."""
        return self.ask({"type": "move", "ply": ply, "move": {"heartsrules": 1, "kind": "move", **move}})

    def choose(self, ply: int, gifts: list[str]) -> dict[str, Any]:
        """Ask how a pass of seat 0 may go on, and wait for the answer."""
        move = {"heartsrules": 1, "kind": "move", "move": "pass", "seat": 0, "cards": gifts}
        return self.ask({"type": "choose", "ply": ply, "move": move})

    @property
    def now(self) -> dict[str, Any]:
        """The last view that was received."""
        return next(message for message in reversed(self.received) if message["type"] == "view")

    @property
    def described(self) -> dict[str, Any]:
        """The last message that was received of who plays."""
        return next(message for message in reversed(self.received) if message["type"] == "table")

    @property
    def sheet(self) -> dict[str, Any]:
        """The last score sheet that was received."""
        return next(message for message in reversed(self.received) if message["type"] == "sheet")

    @property
    def absent(self) -> dict[int, dict[str, Any]]:
        """By seat, who has been away or idle for long."""
        return {each["seat"]: each for each in self.described["absent"]}

    @property
    def asked(self) -> bool:
        """Whether the last view asks for a move, and none was sent yet."""
        return bool(self.now["choice"]["mine"]) and self.now["since"] > self.answered

    def until_turn(self) -> int:
        """Wait until this seat is asked for a move, and return the number of moves so far."""
        while not self.asked:
            self.until("view")
        ply: int = self.now["ply"]
        return ply

    def until_committed(self, count: int) -> None:
        """Wait until so many seats have passed."""
        while len(self.now["view"].get("committed", ())) < count:
            self.until("view")

    def until_table(self, **wanted: Any) -> dict[str, Any]:
        """Wait until the last description of the table has these values, and return it."""
        while any(self.described[key] != value for key, value in wanted.items()):
            self.until("table")
        return self.described

    def until_seat(self, seat: int, **wanted: Any) -> dict[str, Any]:
        """Wait until the last description of a seat has these values, and return it."""
        while any(self.described["people"][seat][key] != value for key, value in wanted.items()):
            self.until("table")
        person: dict[str, Any] = self.described["people"][seat]
        return person

    def leave(self) -> dict[str, Any]:
        """Give up the seat, and return the message that it is lost."""
        self.send({"type": "leave", "id": 0})
        return self.until("refused")

    def make_move(self) -> dict[str, Any]:
        """Make the first move that is allowed, and return the response."""
        return self.ask({"type": "move", "ply": self.now["ply"], "move": first_move(self.now)})

    def play_one(self) -> None:
        """Make the first move that is allowed, and wait until it is seen."""
        now = self.now
        self.answered = now["ply"]
        self.send({"type": "move", "id": 0, "ply": now["ply"], "move": first_move(now)})
        self.until("view")

    def catch_up(self, ply: int) -> None:
        """Wait for how things stand after so many moves."""
        while self.now["ply"] < ply:
            self.until("view")

    def play_on(self) -> dict[str, Any]:
        """Play, always the first that is allowed, to the end of the match: the last view."""
        while (now := self.now)["view"]["phase"] != "game-over":
            if self.asked:
                self.play_one()
            else:
                self.until("view")
        return now


def first_move(message: dict[str, Any]) -> dict[str, Any]:
    """The document of a move that a view allows its seat, by what the message itself says."""
    seen = message["view"]
    move: dict[str, Any] = {"heartsrules": 1, "kind": "move", "seat": seen["seat"]}
    if seen["phase"] == "playing":
        card = next(card for card, reasons in message["choice"]["cards"].items() if not reasons)
        return move | {"move": "play", "card": card}
    if seen["phase"] == "choosing-moon":
        return move | {"move": "choose-moon", "effect": "others-up"}
    free = [card for card in seen["hand"].split() if not message["choice"]["cards"][card]]
    gifts = []
    for _, count in message["facts"]["plan"]:
        gifts.append(" ".join(free[:count]))
        free = free[count:]
    return move | {"move": "pass", "cards": gifts}


def play_while(going: Callable[[], bool], *players: Player) -> None:
    """Play with everyone who is asked, as long as a condition holds; in the end all have seen every move."""
    while going():
        ply = max(player.now["ply"] for player in players)
        for player in players:
            player.catch_up(ply)
        mover = next((player for player in players if player.asked), None)
        if not going():
            return
        if mover is None:
            players[0].until("view")
        else:
            mover.play_one()


def play_a_card(*players: Player) -> None:
    """Play with everyone who is asked, until a card of the match has been played."""

    def unplayed() -> bool:
        seen = players[0].now["view"]
        return seen["deal_number"] == 0 and not (seen.get("trick") or seen.get("trick_number"))

    play_while(unplayed, *players)


def play_deal(*players: Player) -> None:
    """Play with everyone who is asked, until the next deal is dealt."""
    first, deal = players[0], players[0].now["view"]["deal_number"]
    play_while(
        lambda: first.now["view"]["deal_number"] == deal or first.now["view"]["phase"] == "awaiting-deal", *players
    )


def play_together(*players: Player) -> None:
    """Play with everyone who is asked, to the end of the match."""
    play_while(lambda: any(player.now["view"]["phase"] != "game-over" for player in players), *players)


def begun_table(rules: Rules, seed: int = 1, people: Collection[Seat] = (), level: str = "usual") -> Table:
    """A table without a server, whose game has begun, with people on these seats and bots on the others."""
    table = Table("table", rules, Random(seed))
    for seat, state in enumerate(table.seats):
        state.kind, state.level = "person" if seat in people else "bot", level
    table.started = True
    return table


def first_message(client: TestClient, table: str, token: object, **more: Any) -> dict[str, Any]:
    """Return the first message that a page is sent after it has named its token."""
    with client.websocket_connect(f"/api/tables/{table}/socket", headers=HEADERS) as socket:
        socket.send_json({"type": "hello", "token": token, **more})
        message: dict[str, Any] = socket.receive_json()
        return message


@contextmanager
def sit(client: TestClient, table: str, token: str | None) -> Iterator[Player]:
    """Connect to a table, and receive the first view."""
    with client.websocket_connect(f"/api/tables/{table}/socket", headers=HEADERS) as socket:
        player = Player(socket)
        player.send({"type": "hello", "token": token})
        while (message := player.receive())["type"] != "view":
            assert message["type"] != "refused", message
        yield player


@contextmanager
def hosted(client: TestClient, rules: Rules, **more: Any) -> Iterator[tuple[str, str, Player]]:
    """Open a table and sit down there, and yield its name, the token of the host's seat, and the host."""
    table, token = open_table(client, rules, **more)
    with sit(client, table, token) as ann:
        yield table, token, ann


def states_of(database: Path, table: str) -> list[State]:
    """The states of a match by ply, from the moves that the server has kept."""
    with closing(sqlite3.connect(database)) as connection:
        query = "SELECT document FROM parts WHERE table_id = ? AND kind = ? ORDER BY number"
        (rules,), *_ = connection.execute(query, (table, "rules"))
        moves: list[Move] = [from_json(move, Move) for (move,) in connection.execute(query, (table, "move"))]
    return list(replay_strict(new_game(from_json(rules, Rules)), moves).states)
