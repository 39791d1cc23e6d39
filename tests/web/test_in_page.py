"""The server that runs in the page itself, over its messages: whole matches, hints, reloads, and positions."""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import attrs
import pytest

from heartsrules import Playing, Rules, new_game, presets, view
from heartsrules.apps.table.in_page import PageServer
from heartsrules.apps.table.settings import RoomPace, Settings
from heartsrules.formats.notation import format_position
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.game import Record, verify
from heartsrules.rules import Tie
from heartsrules.setup import set_up
from support.random_play import reached
from support.web_player import MOST_MESSAGES, Player, play_deal, rules_document, shown

T = TypeVar("T")
SHORT = Rules(max_deals=2, target=None, tie=Tie.SHARED)

SETTINGS = Settings(
    pace=RoomPace(0, 0, 0), seed="in page", hint_worlds=20, hint_seconds=None,
    review_worlds=20, forecast_worlds=40, average_deals=100,
)  # fmt: skip
BOTS = [{}, *[{"level": "usual", "friend": False}] * 3]


class Page:
    """A page with its server in the same process. What it keeps stays when the server is stopped."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.texts: dict[int, list[str]] = {}
        """The texts that each socket has still to read."""
        self.closed: list[int] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self.numbers = itertools.count(1)
        self._arrived = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._server: PageServer | None = None
        self.load()

    def load(self, settings: Settings = SETTINGS) -> None:
        """Load the page, or load it again."""
        self.stop()
        self.texts.clear()
        self._server = PageServer(self._take, settings, tuple(self.kept.items()))
        self._run(self._server.start())

    def stop(self) -> None:
        if self._server is not None:
            self._run(self._server.stop())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(work, 60))

    def _take(self, text: str) -> None:
        message = json.loads(text)
        match message["type"]:
            case "answer":
                self._answers[message["id"]] = message
            case "text":
                self.texts[message["socket"]].append(message["text"])
            case "close":
                self.closed.append(message["code"])
            case "keep" if message["document"] is None:
                del self.kept[message["table"]]
            case "keep":
                self.kept[message["table"]] = message["document"]
        self._arrived.set()

    def send(self, message: dict[str, Any]) -> None:
        async def receive() -> None:
            assert self._server is not None
            self._server.receive(json.dumps(message))

        self._run(receive())

    def until(self, found: Callable[[], T | None]) -> T:
        """Let the server work until something is found, and return it."""

        async def wait() -> T:
            for _ in range(MOST_MESSAGES):
                if result := found():
                    return result
                self._arrived.clear()
                await self._arrived.wait()
            raise AssertionError("it was not found")

        return self._run(wait())

    def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request, and return the status and the body of the answer."""
        number = next(self.numbers)
        self.send({"type": "ask", "id": number, "path": path, **({} if body is None else {"body": body})})
        answer = self.until(lambda: self._answers.pop(number, None))
        return answer["status"], answer["body"]

    def sit(self, table: str, token: str | None) -> Player:
        """Open a socket, and wait for the first view or a refusal."""
        player = Player(PageSocket(self, table))
        player.send({"type": "hello", "token": token})
        while player.receive()["type"] not in ("view", "refused"):
            pass
        return player


class PageSocket:
    """A socket of a page."""

    def __init__(self, page: Page, table: str) -> None:
        self._page = page
        self._number = next(page.numbers)
        page.texts[self._number] = []
        page.send({"type": "open", "socket": self._number, "table": table})

    def send_text(self, data: str) -> None:
        self._page.send({"type": "text", "socket": self._number, "text": data})

    def receive_text(self) -> str:
        texts = self._page.texts[self._number]
        self._page.until(lambda: texts)
        return texts.pop(0)


@pytest.fixture
def page() -> Iterator[Page]:
    page = Page()
    yield page
    page.stop()
    page._loop.close()


def opened(page: Page, rules: Rules = SHORT, **more: Any) -> tuple[str, str]:
    """Open a table: its name, and the key of the host's seat."""
    wish = {"rules": rules_document(rules), "name": "Ann", "seats": BOTS, **more}
    status, body = page.ask("api/tables", wish)
    assert (status, body["seat"]) == (201, 0)
    return body["table"], body["token"]


def test_a_match_is_played_to_its_record(page: Page) -> None:
    table, token = opened(page)
    assert page.ask(f"api/tables/{table}/record")[0] == 409
    ann = page.sit(table, token)
    ann.play_on()
    status, document = page.ask(f"api/tables/{table}/record")
    record = from_json(json.dumps(document), Record)
    judged = verify(record)
    assert (status, judged.finished, judged.valid) == (200, True, True)
    assert dict(record.tags)["Seat0"] == "Ann"
    assert len(record.points) == 2
    assert ann.ask({"type": "again"})["type"] == "accepted"
    while not ann.described["next"]:
        ann.until("table")
    page.sit(ann.described["next"], token).until_turn()


def test_a_reload_goes_on_where_the_match_was(page: Page) -> None:
    table, token = opened(page)
    ann = page.sit(table, token)
    play_deal(ann)
    for _ in range(3):
        ann.until_turn()
        ann.play_one()
    ann.until_turn()
    before = ann.now
    page.load()
    ann = page.sit(table, token)
    assert (ann.now["view"], ann.now["ply"]) == (before["view"], before["ply"])
    ann.play_on()
    assert len(ann.sheet["rows"]) == 2
    # Damaged documents are left alone, and old ones deleted.
    page.kept["damaged"] = "{"
    page.load(attrs.evolve(SETTINGS, keep_days=-1))
    page.until(lambda: set(page.kept) == {"damaged"})
    assert page.ask(f"api/tables/{table}")[0] == 404


def test_what_is_refused_says_why(page: Page) -> None:
    for path, sent, code, expected in (
        ("api/none", None, "no-such-request", 400),
        ("api/tables/x", None, "no-such-table", 404),
        ("api/positions", {"position": "hearts/1", "name": "Ann"}, "bad-position", 400),
    ):
        status, body = page.ask(path, sent)
        assert (status, body["code"]) == (expected, code), path
    assert page.sit("nowhere", None).received[0]["code"] == "no-such-table"
    assert page.closed == [1008]


def a_position(tricks: int, deals: int = 0) -> Playing:
    """A state after so many tricks and deals, with the first move that is allowed each time."""
    state: Playing = reached(
        new_game(presets.microsoft()),
        lambda state: isinstance(state, Playing) and (len(state.score_sheet), state.trick_number) == (deals, tricks),
        seed=7,
    )
    return state


@pytest.mark.parametrize("deals", [0, 1])
def test_a_position_is_played_on(page: Page, deals: int) -> None:
    state = a_position(4, deals)
    seat = (state.turn + 1) % 4
    for position, wanted in ((format_position(state), None), (to_json(state).decode(), seat)):
        status, body = page.ask("api/positions", {"position": position, "name": "Ann", "seat": wanted})
        assert (status, body["seat"]) == (201, state.turn if wanted is None else seat)
        ann = page.sit(body["table"], body["token"])
        assert ann.now["view"] == shown(view(state, body["seat"]))
        assert ann.now["choice"]["mine"] is (wanted is None)
        play_deal(ann)
        page.load()
        ann = page.sit(body["table"], body["token"])
        assert len(ann.sheet["rows"]) == deals + 1
    wrong = page.ask("api/positions", {"position": position, "name": "Ann", "seat": 4})
    assert (wrong[0], wrong[1]["code"]) == (400, "no-such-seat")


def test_a_position_without_history_is_played_on_but_has_no_record(page: Page) -> None:
    whole = a_position(9)
    rules = attrs.evolve(whole.rules, max_deals=1)
    state = set_up(rules, hands=whole.hands, captured=whole.captured, leader=whole.turn)
    status, body = page.ask("api/positions", {"position": format_position(state), "name": "Ann"})
    assert (status, body["seat"]) == (201, state.turn)
    ann = page.sit(body["table"], body["token"])
    assert ann.play_on()["view"]["phase"] == "game-over"
    assert page.ask(f"api/tables/{body['table']}/record")[1]["code"] == "no-record"


def test_nothing_that_a_page_has_not_is_imported() -> None:
    missing = ("_multiprocessing", "segno", "sqlite3", "starlette", "uvicorn", "websockets")
    code = f"import sys; sys.modules.update(dict.fromkeys({missing!r})); import heartsrules.apps.table.in_page"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_mistake_in_the_program_answers_the_request(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("heartsrules.apps.table.answering.picture_of", fails)
    status, body = page.ask("api/rules", rules_document(SHORT))
    assert (status, body["code"]) == (500, "internal")
