"""The server of the browser table, without a browser: it trusts nobody, loses nothing and tells no secrets."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any
from unittest import mock

import attrs
import msgspec
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

import heartsrules as hearts
from heartsrules.apps.table import room
from heartsrules.apps.table.app import MAX_BODY, SECURITY
from heartsrules.apps.table.clock import Clock
from heartsrules.apps.table.connection import Connection
from heartsrules.apps.table.log import Entry, Note
from heartsrules.apps.table.messages import MAX_MESSAGE, Refused, TableConfig, view_message
from heartsrules.apps.table.protocol import AWAY, Claim, Try
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.seats import Holder, TableSeat, hashed
from heartsrules.apps.table.settings import RoomPace, Settings
from heartsrules.apps.table.storage import StorageError
from heartsrules.apps.table.store import DamagedDatabase, DatabaseInUse, Store, WrongVersion, lock_database
from heartsrules.apps.table.table import Step
from heartsrules.cards import ALL_FACES
from heartsrules.formats.wire import to_json
from heartsrules.messages import describe, letters, phrase, text
from heartsrules.pictures import svg
from heartsrules.rules import HOLD, Bonus, Doubler, Kitty, ScoreDisplay, scatter
from heartsrules.testing import strategies
from heartsrules.views import AwaitingDealView, ChoosingMoonView, PlayingView
from heartsrules.views.worlds import sample_world
from support import web_player as W
from support.bundle import PAGE
from support.commands import in_one_line, run
from support.random_play import reached
from support.rounds import examples
from support.web_knowledge import cards_in, check_message, check_messages
from support.web_loop import LoopServer

SHORT = hearts.Rules(max_deals=1, target=None)
FIVE = hearts.Rules(players=5, kitty=Kitty.FIRST_TRICK, max_deals=2, target=None)
EIGHT = hearts.Rules(players=8, decks=2, max_deals=1, target=None)
SCATTERED = hearts.Rules(pass_cycle=(scatter(players=4),), unpassable=hearts.Cards("QS"), max_deals=1, target=None)
VARIANTS = {"four": SHORT, "five": FIVE, "eight": EIGHT, "moons": W.MOONS, "scattered": SCATTERED}


def test_head_works_wherever_get_does(client: TestClient) -> None:
    table, _ = W.open_table(client, SHORT, play=False)
    paths = [route.path for route in client.app.routes if "GET" in (getattr(route, "methods", None) or ())]  # type: ignore[attr-defined]
    assert len(paths) > 10
    for path in paths:
        got, headed = [client.request(method, path.replace("{table}", table)) for method in ("GET", "HEAD")]
        assert (headed.status_code, headed.headers) == (got.status_code, got.headers), path


@pytest.mark.sampled(4)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_is_played_and_nobody_is_told_too_much(tmp_path: Path, client: TestClient, variant: str) -> None:
    rules = VARIANTS[variant]
    with W.hosted(client, rules) as (table, _, ann), W.sit(client, table, None) as watcher:
        assert ann.ask({"type": "start"})["type"] == "accepted"
        over = ann.play_on()
        seen = watcher.play_on()
    states = W.states_of(W.database_in(tmp_path), table)
    final = states[-1]
    assert isinstance(final, hearts.GameOver)
    assert over["ply"] == len(states) - 1
    assert (
        over["facts"]["totals"]
        == seen["facts"]["totals"]
        == [hearts.display_score(rules, total) for total in final.scores]
    )
    assert sum(len(standing["seats"]) for standing in over["facts"]["standings"]) == rules.players
    sheet = final.score_sheet
    assert [row["shooter"] for row in ann.sheet["rows"]] == [row.shooter for row in sheet]
    assert [each["tricks"] for each in ann.sheet["statistics"]] == [
        sum(row.tricks_won[seat] for row in sheet) for seat in range(rules.players)
    ]
    assert len([message for message in ann.received if message["type"] == "sheet"]) == len(sheet) + 1
    assert check_messages(ann.raw, states, 0) > 100 or variant == "moons"
    check_messages(watcher.raw, states, None)
    assert {message["ply"] for message in ann.received if message["type"] == "view"} == set(range(len(states)))
    assert not [message for message in ann.received if message["type"] == "refused"]


def test_a_server_deals_so_that_nobody_can_foresee_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless it is given a seed, for tests."""
    sources = []

    def spied(state: hearts.AwaitingDeal, rng: Random) -> hearts.Deal:
        sources.append(type(rng))
        return hearts.deal(state, rng=rng)

    monkeypatch.setattr("heartsrules.apps.table.table.deal", spied)
    with W.server(tmp_path, seed=Settings(tmp_path / "x").seed) as client:
        table, _ = W.open_table(client, SHORT, play=False)
        with W.sit(client, table, None) as watcher:
            watcher.play_on()
    assert set(sources) == {SystemRandom}  # after a tie more than one deal is dealt


def test_nothing_that_is_said_or_kept_tells_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not what pages receive, nor what is logged when a move fails, nor the database: a seed tells every hand."""
    seed = "the-secret-of-this-server"
    make = Room._make
    failed: list[Step] = []

    async def fail_once(self: Room, step: Step) -> None:
        if self.table.ply == 5 and not failed:
            failed.append(step)
            raise StorageError("disk I/O error")
        await make(self, step)

    monkeypatch.setattr(Room, "_make", fail_once)
    monkeypatch.setattr(room, "RETRY", 0)
    with W.server(tmp_path, seed=seed) as client:
        table, _ = W.open_table(client, SHORT, play=False)
        with W.sit(client, table, None) as watcher:
            watcher.play_on()
    assert f"table {table}: a move could not be kept" in caplog.text
    kept = b"".join([path.read_bytes() for path in tmp_path.iterdir()])
    assert table.encode() in kept
    assert seed.encode() not in kept
    said = capfd.readouterr()
    assert seed not in "".join([*watcher.raw, caplog.text, said.out, said.err])


def test_a_page_draws_its_cards_from_the_drawings_of_the_package() -> None:
    script = (PAGE / "cards.ts").read_text("utf-8")
    (named,) = re.findall(r'import drawings from "(.+?)"', script)
    assert (PAGE / named).resolve().read_bytes() == svg.DRAWINGS.read_bytes()
    assert not [part for part in json.loads(svg.DRAWINGS.read_bytes())["suits"].values() if part["path"] in script]


JACK_AND_TEN: dict[str, Any] = {"bonuses": [Bonus(hearts.Card("JD"), 10)], "doubler": Doubler(hearts.Card("TC"), 2)}
FACTS: list[tuple[hearts.Rules, int, type[hearts.State]]] = [
    (hearts.Rules(**JACK_AND_TEN, pass_cycle=(HOLD,)), -1, hearts.AwaitingDeal),
    (hearts.presets.dicegamedepot_cancellation(8), 0, hearts.AwaitingDeal),
    *[
        (attrs.evolve(W.MOONS, **JACK_AND_TEN, target=100, score_display=each), 0, hearts.ChoosingMoon)
        for each in ScoreDisplay
    ],
]
"""Rule sets, which of the legal moves is always made, and how the deal ends then."""


@pytest.mark.parametrize(("rules", "choice", "end"), FACTS)
def test_a_page_is_told_who_is_winning_and_what_was_taken(
    rules: hearts.Rules, choice: int, end: type[hearts.State]
) -> None:
    marked = hearts.Cards("QS QS JD TC" if rules.bonuses else "QS QS")
    turn = 1 if rules.score_display is ScoreDisplay.PENALTY else -1

    def facts_of(state: hearts.State) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(view_message(0, 0, hearts.view(state, 0), ()))["facts"]
        return told

    def check(state: hearts.State) -> tuple[int, int]:
        """Check what is told of a state; how many points and hearts it is about."""
        seen, facts = hearts.view(state, 0), facts_of(state)
        if isinstance(seen, PlayingView) and seen.trick:
            cards = [play.card for play in seen.trick]
            plays = [
                {"seat": play.seat, "card": str(play.card), "cancelled": cards.count(play.card) == rules.decks == 2}
                for play in seen.trick
            ]
            assert facts["lying"] == {"plays": plays, "winner": seen.winning_seat, "complete": False}
        played = seen if isinstance(seen, PlayingView) else seen.last_deal  # type: ignore[union-attr]
        assert played is not None
        points = seen.score_sheet[-1].points if isinstance(seen, AwaitingDealView) else played.card_points
        assert [each["points"] for each in facts["taken"]] == [turn * each for each in points]
        aside = [(facts["aside"], seen.set_aside)] if isinstance(seen, PlayingView) else []
        for told, pile in [*zip(facts["taken"], played.captured, strict=True), *aside]:
            assert told["hearts"] == sum(card.suit is hearts.Suit.HEARTS for card in pile)
            assert hearts.Cards(" ".join(told["cards"])) == pile & marked
        assert [hearts.Cards(" ".join(told["pile"])) for told in facts["taken"]] == list(played.captured)
        assert [told["tricks"] for told in facts["taken"]] == list(played.tricks_won)
        bonus = {"sign": "−10" if turn > 0 else "+10", "kind": "bonus", "worth": 10}
        doubler = {"sign": "×2", "kind": "doubler", "worth": 2}
        assert facts["marks"] == ({"JD": bonus, "TC": doubler} if rules.bonuses else {})
        if isinstance(seen, ChoosingMoonView):
            for effect in ("others_up", "shooter_down"):
                assert facts["moon"][effect] == [turn * each for each in getattr(seen, effect).points]
        return sum(played.card_points), sum(told["hearts"] for told, _ in aside)

    start = hearts.new_game(rules)
    assert facts_of(start)["taken"] == []
    state: hearts.State = hearts.apply(start, hearts.deal(start, seed="facts"))
    found = []
    while not isinstance(state, (hearts.AwaitingDeal, hearts.ChoosingMoon)):
        if isinstance(state, hearts.Playing):
            found.append(check(state))
        state = hearts.apply(state, hearts.legal_moves(state)[choice])
    assert isinstance(state, end)
    found.append(check(state))
    assert len({points for points, _ in found}) > 1
    assert any(aside for _, aside in found) == (rules.decks == 2), "of hearts that nobody won"


def test_a_page_is_told_in_its_language_what_the_rules_say(client: TestClient) -> None:
    rules = hearts.Rules(pass_cycle=(HOLD,))
    table, token = W.open_table(client, rules)
    for language, spoken in (("en", "en"), ("de", "de"), ("tlh", "en")):
        told = W.first_message(client, table, token, language=language)["rules"]
        assert tuple(map(W.plain, told)) == describe(rules, letters(spoken))
    start = hearts.new_game(rules)
    state = hearts.apply(start, hearts.deal(start, seed="words"))
    assert isinstance(state, hearts.Playing)
    seen = hearts.view(state, state.turn)
    (card, reasons) = next((card, against) for card, against in hearts.why_illegal_cards(seen) if against)
    choice = json.loads(view_message(0, 0, seen, (), language="de"))["choice"]
    against = [W.plain(choice["reasons"][number]["sentence"]) for number in choice["cards"][str(card)]]
    german = phrase("term.card", "de", rank=card.rank.letter, suit=card.suit.letter)
    assert against == [text(reason, "de").replace(german, str(card)) for reason in reasons]


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])
@given(rules=strategies.rules(), seed=st.integers(0, 2**32))
def test_what_a_seat_is_told_depends_on_nothing_that_it_may_not_know(rules: hearts.Rules, seed: int) -> None:
    """By random rules: each message names only what the seat may know, and is the same, to the byte, in another world
    that looks the same to the seat."""
    rng = Random(seed)
    table = W.begun_table(rules, seed)
    others = 0
    for _ in range(2 * rules.players * rules.cards_per_hand):
        if not table.due or table.state.deal_number > 1:
            break
        step = table.next_due()
        table.take(step)
        for seat in (*range(rules.players), None):
            check_message(table.told(seat, step.events).decode(), table.state, seat)
        seat = rng.choice([*range(rules.players), None])
        told = table.told(seat)
        true = table.state
        table.state = sample_world(hearts.public_view(true) if seat is None else hearts.view(true, seat), rng)
        others += table.state != true
        assert table.told(seat) == told
        table.state = true
    event("the other world was another" if others else "no other world")


def tried(ply: int, move: dict[str, Any]) -> dict[str, Any]:
    return {"type": "move", "id": 1, "ply": ply, "move": {"heartsrules": 1, "kind": "move", **move}}


def choosing(ply: int, seat: int, gifts: list[str], **more: Any) -> dict[str, Any]:
    return tried(ply, {"move": "pass", "seat": seat, "cards": gifts, **more}) | {"type": "choose"}


HOSTILE: dict[str, tuple[object, str]] = {
    "a claim of one who is not on lead": ({"type": "claim", "id": 1, "ply": 1}, "cannot-claim"),
    "no JSON": ("{", "malformed"),
    "deeply nested": ("[" * 2000, "malformed"),
    "unknown type": ({"type": "shutdown", "id": 1}, "malformed"),
    "a key too many": ({"type": "start", "id": 1, "x": 1}, "malformed"),
    "hello again": ({"type": "hello", "token": None}, "malformed"),
    "too long": ({"type": "move", "id": 1, "ply": 1, "move": "x" * MAX_MESSAGE}, "too-long"),
    "start again": ({"type": "start", "id": 1}, "not-the-host"),
    "no stand-in": ({"type": "stand-in", "id": 1, "seat": 0}, "not-the-host"),
    "no move": ({"type": "move", "id": 1, "ply": 1, "move": {}}, "malformed"),
    "a strange card": (tried(1, {"move": "play", "seat": 1, "card": "1X"}), "malformed"),
    "a forged seat": (tried(1, {"move": "pass", "seat": 0, "cards": []}), "not-your-seat"),
    "another phase": (tried(1, {"move": "play", "seat": 1, "card": "2C"}), "illegal-move"),
    "a choice of another seat": (choosing(1, 0, ["QS"]), "not-your-seat"),
    "a choice that is not a pass": (choosing(1, 1, ["QS"], move="expose", cards="2C"), "not-passing"),
    "a play card by card": (tried(1, {"move": "play", "seat": 1, "card": "2C"}) | {"type": "choose"}, "not-passing"),
    "too many gifts": (choosing(1, 1, ["", ""]), "not-a-pass"),
    "before the deal": (tried(0, {"move": "pass", "seat": 1, "cards": []}), "stale"),
}


def test_hostile_messages_are_refused_with_reasons_and_the_table_plays_on(tmp_path: Path) -> None:
    with W.server(tmp_path, message_burst=1000) as client:
        table, token = W.open_table(client, SHORT)
        with W.sit(client, table, W.take_seat(client, table)) as bob, W.sit(client, table, token) as ann:
            assert bob.move(0, move="pass", seat=1, cards=[])["code"] == "not-started"
            ann.ask({"type": "start"})
            bob.until_turn()
            for name, (message, code) in HOSTILE.items():
                bob.send(message)
                refused = bob.until("refused")
                assert refused["code"] == code, name
                assert refused["message"], name
                assert not cards_in(json.dumps(refused)) - {"2C"}, name
            ann.until("view")
            W.play_together(ann, bob)
    states = W.states_of(W.database_in(tmp_path), table)
    assert isinstance(states[-1], hearts.GameOver)
    check_messages(ann.raw, states, 0)
    check_messages(bob.raw, states, 1)


def test_a_pass_is_chosen_card_by_card(client: TestClient) -> None:
    with (
        W.hosted(client, hearts.Rules(max_deals=1, target=None, unpassable="2C 3C 4C 5C")) as (table, token, ann),
        W.sit(client, table, None) as watcher,
    ):
        ann.ask({"type": "start"})
        ann.until_turn()
        ply, hand = ann.now["ply"], ann.now["view"]["hand"].split()
        options = ann.now["choice"]["options"]
        assert (options["missing"], options["complete"]) == ([3], False)
        assert list(options["cards"][0]) == hand
        free = [card for card, reasons in options["cards"][0].items() if not reasons]
        assert free == [card for card in hand if card not in ("2C", "3C", "4C", "5C")]
        for count in (0, 1, 3, 2):
            answer = ann.choose(ply, [" ".join(free[:count])])
            left = answer["options"]
            assert (answer["type"], left["missing"], left["complete"]) == ("options", [3 - count], count == 3)
            assert list(left["cards"][0]) == [card for card in hand if card not in free[:count]]
            last = [left["reasons"][number] for number in left["cards"][0][free[3]]]
            assert [(each["code"], each["kind"]) for each in last] == [("wrong-number-of-cards", "full")] * (count == 3)
        foreign = next(card for card in map(str, ALL_FACES[13:]) if card not in hand)
        with client.websocket_connect(f"/api/tables/{table}/socket", headers=W.HEADERS) as socket:
            german = W.Player(socket)
            german.send({"type": "hello", "token": token, "language": "de"})
            refused = german.choose(ply, [f"{foreign} {' '.join(free[:3])}"])
        assert refused["code"] == "not-a-pass"
        codes = [(each["code"], each["fields"]) for each in refused["problems"]]
        assert codes[:2] == [("wrong-number-of-cards", ["cards[0]"]), ("not-in-hand", ["cards[0]"])]
        assert "4 Karten" in W.plain(refused["problems"][0]["sentence"])
        assert watcher.choose(ply, [""])["code"] == "spectator"
        violation, *_ = ann.move(ply, move="pass", seat=0, cards=[f"{' '.join(free[:2])} {foreign}"])["violations"]
        assert (violation["code"], violation["sentence"][0]) == ("not-in-hand", {"type": "card", "card": foreign})
        gifts = [" ".join(free[:3])]
        assert ann.move(ply, move="pass", seat=0, cards=gifts)["type"] == "accepted"
        # The same again, as from a page that had not seen the answer: nothing is passed twice.
        assert ann.move(ply, move="pass", seat=0, cards=gifts)["code"] in ("illegal-move", "stale")
        ann.play_on()


def test_a_pass_answers_the_deal_whoever_has_passed_meanwhile_and_an_old_play_is_stale() -> None:
    table = W.begun_table(SHORT, 3, people=(0, 1))

    def told(seat: int) -> dict[str, Any]:
        while table.due:
            table.take(table.next_due())
        message: dict[str, Any] = json.loads(table.told(seat))
        return message

    def refusal(seat: int, ply: int, move: bytes) -> tuple[str, str]:
        with pytest.raises(Refused) as refused:
            table.judge(seat, attempt(ply, move))
        return refused.value.code, next((reason.code for reason in refused.value.violations), "")

    first = told(0)
    assert (table.ply, first["since"], first["choice"]["to_act"]) == (3, 1, [0, 1]), "two bots have passed"
    for seat in (1, 0):
        move = json.dumps(W.first_move(told(seat))).encode()
        table.take(table.judge(seat, attempt(1, move)))
        if seat == 1:
            assert refusal(seat, 1, move) == ("illegal-move", "already-passed")
    told(0)
    (seat,) = hearts.to_act(table.state)
    asked, move = table.asked[seat], json.dumps(W.first_move(told(seat))).encode()
    assert asked == table.ply
    assert refusal(seat, asked - 1, move) == ("stale", "")
    table.take(table.judge(seat, attempt(asked, move)))
    assert refusal(seat, asked, move)[1] in ("not-your-turn", "not-in-hand")


def attempt(ply: int, move: bytes) -> Try:
    return Try(1, ply, msgspec.Raw(move))


def test_a_flood_is_refused_and_then_cut_off(tmp_path: Path) -> None:
    with W.server(tmp_path, message_burst=5, message_rate=0.001) as client:
        table, _ = W.open_table(client, SHORT)
        with W.sit(client, table, W.take_seat(client, table)) as bob:
            for _ in range(20):
                bob.send({"type": "start", "id": 1})
            with pytest.raises(WebSocketDisconnect):
                bob.until("the end")
            codes = [message["code"] for message in bob.received if message["type"] == "refused"]
    assert codes[:5] == ["not-the-host"] * 5
    assert set(codes[5:]) == {"too-many-messages"}


def test_bytes_are_refused_silence_is_cut_off_and_who_goes_at_once_does_no_harm(tmp_path: Path) -> None:
    with W.server(tmp_path, hello_seconds=0.01) as client:
        table, _ = W.open_table(client, SHORT)
        path = f"/api/tables/{table}/socket"
        with client.websocket_connect(path) as socket, pytest.raises(WebSocketDisconnect):
            socket.receive_json()
        with client.websocket_connect(path):
            pass
    with W.server(tmp_path) as client, client.websocket_connect(path) as socket, W.sit(client, table, None) as watcher:
        socket.send_bytes(b'{"type": "hello", "token": null}')
        assert socket.receive_json()["code"] == "malformed"
        with client.websocket_connect(path) as other:
            other.send_json({"type": "start", "id": 1})
            assert other.receive_json()["message"] == "the first message must be `hello`"
        assert isinstance(watcher.socket, WebSocketTestSession)
        watcher.socket.send_bytes(b"{}")
        assert watcher.until("refused")["code"] == "malformed"
        assert watcher.move(0, move="play", seat=0, card="2C")["code"] == "spectator"


def test_a_table_has_so_many_sockets(tmp_path: Path) -> None:
    with W.server(tmp_path, max_sockets=1) as client, W.hosted(client, SHORT) as (table, _, _):
        assert W.first_message(client, table, None)["code"] == "too-many-sockets"


def test_a_page_is_made_of_the_files_that_it_names_and_nothing_comes_from_elsewhere(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    files = re.findall(r'"(/static/[^"]+)"', page.text)
    assert {file.rpartition(".")[2] for file in files} == {"css", "js", "png", "svg"}
    for path in ("/", "/api/choices", *files, "/no/such/page"):
        kept = {"Cache-Control": "public, max-age=31536000, immutable"} if path in files else {}
        assert {name: client.get(path).headers.get(name) for name in SECURITY} == SECURITY | kept, path
    (script,) = [file for file in files if file.endswith("main.js")]
    assert "javascript" in client.get(script).headers["content-type"]
    for path in ("/static/main.js", *[script.replace("main.js", other) for other in ("digest.txt", "../app.py")]):
        assert client.get(path).status_code == 404
    for file in PAGE.iterdir():
        if file.suffix != ".png":
            text = file.read_text(encoding="utf-8")
            assert re.findall(r"(?:https?:)?//(?!www\.w3\.org/2000/svg)[\w-]+\.[\w./-]+", text) == [], file.name
            wrong = r"(inner|outer|Adjacent)HTML|document\.write|\beval\(| style=| on\w+=\""
            assert not re.search(wrong, text), file.name


BAD_BODIES: dict[str, tuple[Any, int, str]] = {
    "no JSON": (b"{", 400, "malformed"),
    "a key too many": (b'{"rules": {}, "name": "Ann", "x": 4}', 400, "malformed"),
    "no document": (b'{"rules": {}, "name": "Ann"}', 400, "invalid-rules"),
    "a long name": (b'{"rules": {"heartsrules": 1, "kind": "rules"}, "name": "%s"}' % (b"x" * 25), 400, "bad-name"),
    "too long": (b" " * (MAX_BODY + 1), 413, "too-long"),
    "no text": (b"\xff\xfe", 400, "malformed"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_BODIES)
def test_bad_requests_are_refused_with_reasons(client: TestClient, name: str) -> None:
    body, status, code = BAD_BODIES[name]
    answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    if code == "invalid-rules":
        assert answer.json()["problems"]
    form = client.post("/api/tables", content=body, headers={"content-type": "application/x-www-form-urlencoded"})
    assert form.status_code == 400


def test_a_server_that_is_stopped_loses_no_move(tmp_path: Path) -> None:
    with W.server(tmp_path) as client, W.hosted(client, FIVE) as (table, token, ann):
        ann.ask({"type": "start"})
        for _ in range(6):
            ann.until_turn()
            ann.play_one()
        ann.until_turn()
        before = ann.now
    with W.server(tmp_path) as client, W.sit(client, table, token) as ann:
        assert ann.now == before | {"events": []}
        assert ann.play_on()["view"]["phase"] == "game-over"


def test_bots_that_nobody_watches_wait_until_somebody_does() -> None:
    """Also those of a server before this one."""
    body = {"rules": W.rules_document(SHORT), "play": False}
    with closing(LoopServer(pace=RoomPace(play=1, trick=0, deal=0))) as loop:
        _, opened = loop.post("/api/tables", body, "192.0.2.1")

        def ply_after(seconds: int, watched: bool = True) -> int:
            watchers = [loop.visit(opened["table"], "192.0.2.1", None)] if watched else []
            for _ in range(seconds):
                loop.advance(1)
            loop.leave(*watchers)
            return max([watcher.last("view")["ply"] for watcher in watchers], default=0)  # type: ignore[index]

        ply = ply_after(3)
        ply_after(9, watched=False)
        assert 3 <= ply == ply_after(0)
        loop.restart()
        assert ply_after(0) == ply
        assert ply_after(60) > 50


def test_the_same_seat_may_have_two_pages_and_the_database_holds_no_token(tmp_path: Path, client: TestClient) -> None:
    with W.hosted(client, SHORT) as (table, token, phone), W.sit(client, table, token) as desk:
        phone.ask({"type": "start"})
        phone.until_turn()
        move = W.first_move(phone.now)
        assert phone.make_move()["type"] == "accepted"
        while desk.now["view"].get("commitment") is None:
            desk.until("view")
        assert desk.now["view"]["commitment"] == move["cards"]
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in kept
    assert hashed(token).encode() in kept


def test_the_host_has_a_bot_stand_in_for_who_is_away(tmp_path: Path) -> None:
    clock = W.SetClock()
    with W.server(tmp_path, clock) as client, W.hosted(client, SHORT, away=None) as (table, _, ann):
        bob_token = W.take_seat(client, table)
        ann.ask({"type": "start"})
        with W.sit(client, table, bob_token) as bob:
            clock.advance(AWAY)
            assert bob.ask({"type": "stand-in", "seat": 0})["code"] == "not-the-host"
        ann.until_seat(1, here=False)
        assert [ann.ask({"type": "stand-in", "seat": seat})["code"] for seat in (1, 2)] == [
            "not-away",
            "no-such-person",
        ]
        clock.advance(AWAY)
        assert ann.ask({"type": "stand-in", "seat": 1})["type"] == "accepted"
        with W.sit(client, table, bob_token) as bob:
            assert not bob.described["people"][1]["stand_in"]


def test_who_is_sure_of_every_trick_takes_the_rest_and_nobody_moves_meanwhile() -> None:
    for hands in ("3C 3D", "2C 2D", "2H 3H"), ("2C 2D", "3C 3D", "2H 3H"):
        table = W.begun_table(W.tiny("2C 3C 2D 3D 2H 3H"), people=range(3))
        table.resume([hearts.Deal([*map(hearts.Cards, hands)])])
        sure = hands[0] == "3C 3D"
        assert json.loads(table.told(0))["choice"]["claim"] is sure
        if not sure:
            with pytest.raises(Refused) as refused:
                table.claim(0, Claim(1, 1))
            assert refused.value.code == "cannot-claim"
            continue
        table.claim(0, Claim(1, 1))
        assert table.due
        lead = table.next_due()
        assert lead.move in (hearts.Play(0, hearts.Card("3C")), hearts.Play(0, hearts.Card("3D")))
        assert table.next_due() == lead, "a move that could not be kept is tried again"
        table.take(lead)
        for seat in (0, 1):
            with pytest.raises(Refused, match="a player has claimed the rest") as refused:
                table.judge(seat, attempt(2, to_json(hearts.Play(seat, hearts.Card("2C")))))
            assert refused.value.code == "claimed"
            with pytest.raises(Refused, match="a player has claimed the rest"):
                table.claim(seat, Claim(1, 2))
        while table.due:
            table.take(table.next_due())
        assert isinstance(table.state, hearts.GameOver)
        assert table.state.last_deal is not None
        assert table.state.last_deal.tricks_won == (2, 0, 0)
        assert not table.rest


def test_a_move_that_cannot_be_kept_is_not_made(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(*_: object) -> None:
        raise StorageError("database or disk is full")

    with W.hosted(client, SHORT) as (table, _, ann):
        ann.ask({"type": "start"})
        ann.until_committed(3)  # all bots have passed: it is only Ann who can make a move
        with monkeypatch.context() as patch:
            patch.setattr(Store, "append", full)
            assert ann.make_move()["code"] == "unavailable"
            assert f"table {table}: Try: the database cannot be used" in caplog.text
        assert ann.play_on()["view"]["phase"] == "game-over"


def test_who_asks_while_the_database_is_locked_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", partial(connect, timeout=0))
    with W.server(tmp_path) as client:
        table, token = W.open_table(client, SHORT)
        with closing(connect(W.database_in(tmp_path), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            opening = {"rules": W.rules_document(SHORT), "name": "Bob"}
            answers = [client.post("/api/tables", json=opening), W.ask_for_seat(client, table)]
            refused = W.first_message(client, table, token)
            other.execute("ROLLBACK")
        told = {"code": "unavailable", "message": refused["message"], "problems": []}
        assert [(answer.status_code, answer.json()) for answer in answers] == [(503, told)] * 2
        assert (refused["type"], refused["code"]) == ("refused", "unavailable")
        assert caplog.text.count("database is locked") == 3
        with W.sit(client, table, token) as ann:
            assert ann.ask({"type": "start"})["type"] == "accepted"


def test_a_move_is_stored_once_and_what_fails_undoes_nothing_else(tmp_path: Path) -> None:
    async def run() -> list[bool]:
        store = Store(W.database_in(tmp_path), Clock().date)
        await store.start()
        seats = [TableSeat("person", holder=Holder("Ann", "x", ("here",), 1)), *[TableSeat("bot") for _ in range(3)]]
        await store.open("t", TableConfig(SHORT), seats, started=True)
        move = W.begun_table(SHORT, 5).next_due().move
        store.note("t", 0, 0, Note("host", 0, "Ann"))
        jobs = [store.append("t", ply, move, finished=False) for ply in (0, 0, 1)]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        kept = await store.load("t")
        assert kept is not None
        assert (kept.moves, list(kept.seats), kept.started) == ((move, move), seats, True)
        assert kept.notes == (Entry(0, 0, note=Note("host", 0, "Ann")),)
        assert await store.load("u") is None
        await store.stop()
        return [not isinstance(result, Exception) for result in results]

    assert asyncio.run(run()) == [True, False, True]


def test_a_second_server_on_the_same_database_is_refused_at_the_start(tmp_path: Path, client: TestClient) -> None:
    table, _ = W.open_table(client, SHORT)
    with pytest.raises(DatabaseInUse, match="another server uses the database"), W.server(tmp_path):
        pass
    link = tmp_path / "link.sqlite3"
    link.symlink_to(W.database_in(tmp_path))
    with pytest.raises(DatabaseInUse):
        lock_database(link)
    with closing(sqlite3.connect(W.database_in(tmp_path))) as reader:
        assert reader.execute("SELECT id FROM tables").fetchall() == [(table,)], "a backup can be made"
    code, _, err = run("table", "--port", "0", "--database", W.database_in(tmp_path))
    assert code == 2
    assert "another server uses the database" in in_one_line(err)


DAMAGES = (
    "DROP TABLE parts",
    "CREATE TABLE t AS SELECT * FROM tables; DROP TABLE tables; ALTER TABLE t RENAME TO tables",
    "ALTER TABLE tables DROP COLUMN finished; ALTER TABLE tables ADD COLUMN finished ANY",
    "ALTER TABLE tables DROP COLUMN finished",
)


@pytest.mark.parametrize(
    ("damage", "error", "said"),
    [
        *[(damage, DamagedDatabase, "the database lacks") for damage in DAMAGES],
        ("PRAGMA user_version = 0", WrongVersion, "another version of heartsrules"),
    ],
)
def test_a_damaged_database_is_refused(tmp_path: Path, damage: str, error: type[Exception], said: str) -> None:
    with W.server(tmp_path) as client:
        W.open_table(client, SHORT)
    with closing(sqlite3.connect(W.database_in(tmp_path))) as connection:
        connection.executescript(damage)
        left = connection.execute("SELECT name FROM sqlite_schema").fetchall()
    with pytest.raises(error, match=f"{said}.*name another file"), W.server(tmp_path):
        pass
    code, _, err = run("table", "--port", "0", "--database", W.database_in(tmp_path))
    assert code == 2
    assert said in in_one_line(err)
    with closing(sqlite3.connect(W.database_in(tmp_path))) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == left, "nothing is made again"


def changed(kind: str, number: int, document: str) -> str:
    """SQL that replaces the document of a part."""
    return f"UPDATE parts SET document = x'{document.encode().hex()}' WHERE kind = '{kind}' AND number = {number}"


ILLEGAL = '{"heartsrules":1,"kind":"move","move":"play","seat":0,"card":"QS"}'
UNREADABLE = '{"heartsrules":1,"kind":"move","move":"pass","seat":0,"cards":["QQ"]}'
ODD_CHANGES = {
    changed("move", 2, ILLEGAL): "the rules refuse move 3 of the 4 ",
    changed("move", 1, UNREADABLE): "the stored table cannot be read ",
    changed("host", 0, "99"): "",
    changed("away", 0, "-5"): "",
    changed("hints", 0, '"whenever"'): "",
    changed("rules", 0, "3"): "",
    "INSERT INTO parts SELECT table_id, 'start', 0, x'7b7d' FROM parts WHERE kind = 'rules'": "",
    "DELETE FROM parts WHERE kind = 'seat' AND number = 3": "",
    "UPDATE parts SET kind = 'sheet' WHERE kind = 'hints'": "",
    "UPDATE parts SET number = 9 WHERE kind = 'seat' AND number = 3": "",
    changed("seat", 2, "[]"): "",
    "DELETE FROM parts WHERE kind = 'move' AND number = 2": "",
    changed("note", 0, '"'): "",
    changed("note", 0, '{"ply":0,"deal":0,"note":{"code":"seat-left","seat":9}}'): "",
}
"""What nobody may do to the rows of a table, in SQL, and how the log tells it."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("change", "why"), ODD_CHANGES.items())
def test_odd_rows_harm_no_other_table(tmp_path: Path, caplog: pytest.LogCaptureFixture, change: str, why: str) -> None:
    with W.server(tmp_path) as client, W.hosted(client, SHORT) as (bad, token, ann):
        ann.ask({"type": "start"})
        ann.until_committed(3)  # a deal, and the passes of three bots
    with closing(sqlite3.connect(W.database_in(tmp_path))) as connection, connection:
        note = b'{"ply":0,"deal":0,"note":{"code":"seat-left","seat":0}}'
        connection.execute("INSERT INTO parts VALUES (?, 'note', 0, ?)", (bad, note))
    with W.server(tmp_path) as client:
        assert client.get(f"/api/tables/{bad}").status_code == 200, "as it was, it goes on"
    with closing(sqlite3.connect(W.database_in(tmp_path))) as connection, connection:
        assert connection.execute(change).rowcount > 0
        before = connection.execute("SELECT * FROM parts").fetchall()
    with W.server(tmp_path) as client:
        refused = W.first_message(client, bad, token)
        assert (refused["type"], refused["code"]) == ("refused", "cannot-resume")
        answer = W.ask_for_seat(client, bad)
        assert (answer.status_code, answer.json()["code"]) == (409, "cannot-resume")
        (said,) = [record for record in caplog.records if record.name == "heartsrules.apps.table"]
        assert said.exc_info is None
        assert said.getMessage().startswith(f"table {bad} cannot go on: {why}")
        assert said.getMessage().endswith(refused["message"])
        assert "Q" not in refused["message"], "no card of a hand is told"
        with closing(sqlite3.connect(W.database_in(tmp_path))) as connection:
            assert connection.execute("SELECT * FROM parts").fetchall() == before
        good, _ = W.open_table(client, SHORT, play=False)
        with W.sit(client, good, None) as watcher:
            assert watcher.play_on()["view"]["phase"] == "game-over"


def test_a_page_that_does_not_read_is_cut_off() -> None:
    carrier = mock.AsyncMock()
    connection = Connection(carrier)
    for _ in range(1000):
        connection.send(b"{}")
    connection.end()
    asyncio.run(asyncio.wait_for(connection.write(), 5))
    assert connection.broken
    carrier.send.assert_not_called()
    carrier.close.assert_called_once_with(1013)


def test_the_pace_is_the_servers() -> None:
    assert RoomPace().times(0) == RoomPace(0, 0, 0)
    assert RoomPace(1, 2, 3).times(2) == RoomPace(2, 4, 6)
    with closing(LoopServer(pace=RoomPace(1, 10, 100))) as loop:
        _, opened = loop.post("/api/tables", {"rules": W.rules_document(SHORT), "play": False}, "192.0.2.1")
        page = loop.visit(opened["table"], "192.0.2.1", None)
        plies = []
        for _ in range(200):
            plies.append(page.last("view")["ply"])  # type: ignore[index]
            loop.advance(1)
        loop.leave(page)
    seconds = [plies.count(ply) for ply in range(1, max(plies))]
    # Passes, and within a trick; the lead to each of twelve further tricks.
    assert seconds.count(11) == 12
    assert set(seconds) == {1, 11}


def test_a_position_is_played_on_and_kept(tmp_path: Path) -> None:
    start = hearts.new_game(SHORT)
    state = reached(start, lambda state: isinstance(state, hearts.Playing) and bool(state.trick))
    with W.server(tmp_path) as client:
        wish = {"position": to_json(state).decode(), "name": "Ann"}
        opened = client.post("/api/positions", json=wish).json()
    with W.server(tmp_path) as client, W.sit(client, opened["table"], opened["token"]) as ann:
        assert ann.now["view"] == W.shown(hearts.view(state, state.turn))
        assert ann.play_on()["view"]["phase"] == "game-over"
