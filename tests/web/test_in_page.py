"""The server that runs in the page itself, over its messages: whole matches, hints, reloads, and positions."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import pytest

from heartsrules import AwaitingDeal, Playing, Rules, State, View, apply, deal, legal_moves, new_game, presets, view
from heartsrules.apps.table.in_page import PageServer
from heartsrules.apps.table.settings import RoomPace, Settings
from heartsrules.formats.notation import format_position
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.game import Record, verify
from heartsrules.rules import Tie
from heartsrules.setup import set_up
from support.web_player import TINY, first_move, rules_document

SHORT = Rules(max_deals=2, target=None, tie=Tie.SHARED)

SETTINGS = Settings(
    pace=RoomPace(0, 0, 0), seed="in page", hint_worlds=20, hint_seconds=None,
    review_worlds=20, forecast_worlds=40, average_deals=100,
)  # fmt: skip
BOTS = [{}, *[{"level": "usual", "friend": False}] * 3]


@attrs.define
class Page:
    """A page with its server in the same process. What it keeps stays when the server is stopped."""

    kept: dict[str, str] = attrs.Factory(dict)
    server: PageServer | None = None
    messages: dict[int, list[dict[str, Any]]] = attrs.Factory(dict)
    """By socket."""
    closed: dict[int, int] = attrs.Factory(dict)
    answers: dict[int, dict[str, Any]] = attrs.Factory(dict)
    ready: bool = False
    arrived: asyncio.Event = attrs.Factory(asyncio.Event)
    number: int = 0

    async def load(self, settings: Settings = SETTINGS) -> None:
        """Load the page, or load it again."""
        if self.server is not None:
            await self.server.stop()
        self.messages.clear()
        self.server = PageServer(self.take, settings, tuple(self.kept.items()))
        await self.server.start()
        assert self.ready

    def take(self, text: str) -> None:
        message = json.loads(text)
        match message["type"]:
            case "ready":
                self.ready = True
            case "answer":
                self.answers[message["id"]] = message
            case "text":
                self.messages[message["socket"]].append(json.loads(message["text"]))
            case "close":
                self.closed[message["socket"]] = message["code"]
            case "keep" if message["document"] is None:
                del self.kept[message["table"]]
            case "keep":
                self.kept[message["table"]] = message["document"]
        self.arrived.set()

    def send(self, message: dict[str, Any]) -> None:
        assert self.server is not None
        self.server.receive(json.dumps(message))

    async def until(self, found: Callable[[], Any]) -> Any:
        async with asyncio.timeout(60):
            while not (result := found()):
                self.arrived.clear()
                await self.arrived.wait()
        return result

    async def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        """A request: the status and the body of the answer."""
        self.number += 1
        number = self.number
        self.send({"type": "ask", "id": number, "path": path, **({} if body is None else {"body": body})})
        answer = await self.until(lambda: self.answers.pop(number, None))
        return answer["status"], answer["body"]

    async def sit(self, table: str, token: str | None) -> Seated:
        """Open a socket, and wait for the first view."""
        self.number += 1
        seated = Seated(self, self.number)
        self.messages[seated.socket] = []
        self.send({"type": "open", "socket": seated.socket, "table": table})
        seated.send({"type": "hello", "token": token})
        await self.until(lambda: seated.last("view") or seated.last("refused"))
        return seated


@attrs.define
class Seated:
    """A socket of a page."""

    page: Page
    socket: int
    number: int = 0

    def send(self, message: dict[str, Any]) -> None:
        self.page.send({"type": "text", "socket": self.socket, "text": json.dumps(message)})

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.page.messages[self.socket]

    def last(self, kind: str) -> dict[str, Any] | None:
        return next((message for message in reversed(self.messages) if message["type"] == kind), None)

    @property
    def now(self) -> dict[str, Any]:
        seen = self.last("view")
        assert seen is not None
        return seen

    async def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        self.send({"id": self.number, **message})
        number = self.number
        answer: dict[str, Any] = await self.page.until(
            lambda: next((each for each in self.messages if each.get("id") == number), None)
        )
        return answer

    async def asked(self) -> bool:
        """Wait until this seat is to act, or the match is over: whether it is to act."""
        over = await self.page.until(
            lambda: (self.now["choice"]["mine"] and "act") or (self.now["view"]["phase"] == "game-over" and "over")
        )
        return bool(over == "act")

    async def play_one(self) -> None:
        now = self.now
        answer = await self.ask({"type": "move", "ply": now["ply"], "move": first_move(now)})
        assert answer["type"] == "accepted", answer
        await self.page.until(lambda: self.now["ply"] > now["ply"])

    async def play_on(self, deals: int = 1000) -> None:
        while await self.asked() and len(self.now["view"]["score_sheet"]) < deals:
            await self.play_one()


def run(work: Callable[[Page], Awaitable[None]]) -> None:
    """Run a test with a page, whose server is stopped in the end."""

    async def whole() -> None:
        page = Page()
        await page.load()
        await work(page)
        assert page.server is not None
        await page.server.stop()

    asyncio.run(whole())


async def opened(page: Page, rules: Rules = SHORT, **more: Any) -> tuple[str, str]:
    """Open a table: its name, and the key of the host's seat."""
    wish = {"rules": rules_document(rules), "name": "Ann", "seats": BOTS, **more}
    status, body = await page.ask("api/tables", wish)
    assert (status, body["seat"]) == (201, 0)
    return body["table"], body["token"]


def test_a_match_is_played_to_its_record() -> None:
    async def match(page: Page) -> None:
        table, token = await opened(page)
        assert (await page.ask(f"api/tables/{table}/record"))[0] == 409
        ann = await page.sit(table, token)
        await ann.play_on()
        status, document = await page.ask(f"api/tables/{table}/record")
        record = from_json(json.dumps(document), Record)
        assert status == 200
        assert verify(record).finished
        assert verify(record).valid
        assert dict(record.tags)["Seat0"] == "Ann"
        assert len(record.points) == 2
        again = await ann.ask({"type": "again"})
        assert again["type"] == "accepted"
        described = ann.last("table")
        assert described is not None
        second = await page.sit(described["next"], token)
        assert second.now["view"]["phase"] == "passing" or await second.asked()

    run(match)


def test_hints_come_and_moves_are_taken_back() -> None:
    async def match(page: Page) -> None:
        table, token = await opened(page, seats=[{}, {"level": "strong", "friend": False}, *BOTS[2:]])
        ann = await page.sit(table, token)
        await ann.asked()
        await ann.play_one()
        await ann.asked()
        ply = ann.now["ply"]
        assert (await ann.ask({"type": "hint", "ply": ply}))["type"] in ("accepted", "hint")
        hint = await page.until(lambda: ann.last("hint"))
        assert hint["sentence"]
        assert hint["move"]["seat"] == 0
        await ann.play_one()
        await ann.asked()
        assert (await ann.ask({"type": "undo"}))["type"] == "accepted"
        assert ann.now["ply"] == ply

    run(match)


def test_a_reload_goes_on_where_the_match_was() -> None:
    async def match(page: Page) -> None:
        table, token = await opened(page)
        ann = await page.sit(table, token)
        await ann.play_on(1)
        for _ in range(3):
            await ann.asked()
            await ann.play_one()
        await ann.asked()
        before = ann.now
        await page.load()
        ann = await page.sit(table, token)
        assert ann.now["view"] == before["view"]
        assert ann.now["ply"] == before["ply"]
        await ann.play_on()
        assert len(ann.now["view"]["score_sheet"]) == 2
        # Damaged documents are left alone, and old ones deleted.
        page.kept["damaged"] = "{"
        await page.load(attrs.evolve(SETTINGS, keep_days=-1))
        await page.until(lambda: set(page.kept) == {"damaged"})
        assert (await page.ask(f"api/tables/{table}"))[0] == 404

    run(match)


def test_watching_bots_and_sitting_down_among_them() -> None:
    async def match(page: Page) -> None:
        await page.load(attrs.evolve(SETTINGS, pace=RoomPace(60, 0, 0)))
        status, body = await page.ask(
            "api/tables", {"rules": rules_document(SHORT), "play": False, "seats": [{"friend": False}] * 4}
        )
        assert (status, body["token"]) == (201, None)
        watcher = await page.sit(body["table"], None)
        assert watcher.now["view"]["seat"] is None
        status, taken = await page.ask(f"api/tables/{body['table']}/seats", {"name": "Ann", "seat": 2})
        assert (status, taken["seat"], taken["waits"]) == (201, 2, True)
        _, told = await page.ask(f"api/tables/{body['table']}?language=de")
        assert told["sentences"][0] != (await page.ask(f"api/tables/{body['table']}"))[1]["sentences"][0]

    run(match)


def test_what_is_refused_says_why() -> None:
    async def match(page: Page) -> None:
        status, body = await page.ask("api/rules?language=de", {**rules_document(SHORT), "players": 99})
        assert (status, body["problems"][0]["fields"]) == (200, ["/players"])
        assert (await page.ask("api/rules", rules_document(SHORT)))[1]["problems"] == []
        for path, sent, code, expected in (
            ("api/none", None, "no-such-request", 400),
            ("api/tables/x/code.svg", None, "no-such-request", 400),
            ("api/tables/x", None, "no-such-table", 404),
            ("api/tables", {"rules": {}}, "invalid-rules", 400),
            ("api/positions", {"position": "hearts/1", "name": "Ann"}, "bad-position", 400),
            ("api/positions", {"position": "{}", "name": "Ann"}, "bad-position", 400),
            ("api/positions", {"position": "", "name": "\n"}, "bad-name", 400),
        ):
            status, body = await page.ask(path, sent)
            assert (status, body["code"]) == (expected, code), path
        stranger = await page.sit("nowhere", None)
        assert stranger.messages[0]["code"] == "no-such-table"
        assert page.closed[stranger.socket] == 1008

    run(match)


def a_position(tricks: int, deals: int = 0) -> Playing:
    """A state after so many tricks and deals, with the first move that is allowed each time."""
    state: State = new_game(presets.ALL["microsoft"].rules())
    while True:
        if isinstance(state, Playing) and (len(state.score_sheet), state.trick_number) == (deals, tricks):
            return state
        state = apply(state, deal(state, seed=7) if isinstance(state, AwaitingDeal) else legal_moves(state)[0])


@pytest.mark.parametrize("deals", [0, 1])
def test_a_position_is_played_on(deals: int) -> None:
    async def match(page: Page) -> None:
        state = a_position(4, deals)
        seat = (state.turn + 1) % 4
        for position, wanted in ((format_position(state), None), (to_json(state).decode(), seat)):
            status, body = await page.ask("api/positions", {"position": position, "name": "Ann", "seat": wanted})
            assert (status, body["seat"]) == (201, state.turn if wanted is None else seat)
            ann = await page.sit(body["table"], body["token"])
            first = next(message for message in ann.messages if message["type"] == "view")
            assert from_json(json.dumps(first["view"]), View) == view(state, body["seat"])
            assert first["choice"]["mine"] is (wanted is None)
            await ann.play_on(deals + 1)
            await page.load()
            ann = await page.sit(body["table"], body["token"])
            assert len(ann.now["view"]["score_sheet"]) == deals + 1
        wrong = await page.ask("api/positions", {"position": position, "name": "Ann", "seat": 4})
        assert (wrong[0], wrong[1]["code"]) == (400, "no-such-seat")

    run(match)


def test_a_position_without_history_is_played_on_but_has_no_record() -> None:
    async def match(page: Page) -> None:
        whole = a_position(9)
        rules = attrs.evolve(whole.rules, max_deals=1)
        state = set_up(rules, hands=whole.hands, captured=whole.captured, leader=whole.turn)
        status, body = await page.ask("api/positions", {"position": format_position(state), "name": "Ann"})
        assert (status, body["seat"]) == (201, state.turn)
        ann = await page.sit(body["table"], body["token"])
        await ann.play_on()
        assert ann.now["view"]["phase"] == "game-over"
        assert (await page.ask(f"api/tables/{body['table']}/record"))[1]["code"] == "no-record"

    run(match)


def test_nothing_that_a_page_has_not_is_imported() -> None:
    missing = ("_multiprocessing", "segno", "sqlite3", "starlette", "uvicorn", "websockets")
    code = f"import sys; sys.modules.update(dict.fromkeys({missing!r})); import heartsrules.apps.table.in_page"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_match_is_reviewed_and_drills_are_asked_in_the_page() -> None:
    async def work(page: Page) -> None:
        opening = {"rules": rules_document(TINY), "name": "Ann", "seats": BOTS[:3]}
        _, opened = await page.ask("api/tables", opening)
        ann = await page.sit(opened["table"], opened["token"])
        await ann.play_on()
        await ann.ask({"type": "review", "deal": 0})
        await page.until(lambda: ann.last("reviewed"))
        decision = ann.last("decision")
        assert decision is not None
        assert decision["decision"]["sentence"]
        answer = await ann.ask({"type": "drill", "deal": 0, "ply": decision["decision"]["ply"]})
        assert answer["type"] in ("accepted", "drill")
        await page.until(lambda: ann.last("drill"))

    run(work)
