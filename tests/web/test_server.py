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
from random import seed as seed_everything
from typing import Any

import attrs
import msgspec
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    Deal,
    GameOver,
    Phase,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    apply,
    deal,
    display_score,
    legal_moves,
    new_game,
    presets,
    public_view,
    to_act,
    view,
    why_illegal_cards,
)
from heartsrules.apps.request_limits import Bucket, Buckets
from heartsrules.apps.table import room
from heartsrules.apps.table.app import MAX_BODY, SECURITY
from heartsrules.apps.table.clock import Clock
from heartsrules.apps.table.connection import Connection
from heartsrules.apps.table.log import Entry, Note
from heartsrules.apps.table.messages import MAX_MESSAGE, Opened, Refused, TableConfig, view_message
from heartsrules.apps.table.protocol import AWAY, Claim, Try
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.rooms import Rooms
from heartsrules.apps.table.seats import Holder, TableSeat, hashed
from heartsrules.apps.table.settings import RoomPace, Settings
from heartsrules.apps.table.storage import StorageError, note_document
from heartsrules.apps.table.store import DamagedDatabase, DatabaseInUse, Store, WrongVersion, lock_database
from heartsrules.apps.table.table import Step, Table
from heartsrules.apps.table.thinkers import Thinkers
from heartsrules.formats.wire import from_json, to_json
from heartsrules.messages import describe, phrase, text
from heartsrules.pictures import svg
from heartsrules.rules import HOLD, Bonus, Doubler, Kitty, ScoreDisplay, scatter
from heartsrules.testing import strategies as hearts
from heartsrules.views import AwaitingDealView, ChoosingMoonView, PlayingView
from heartsrules.views.worlds import sample_world
from support.bundle import PAGE
from support.commands import in_one_line, run
from support.random_play import reached
from support.rounds import examples
from support.web_knowledge import cards_in, check_message, check_messages, known_to
from support.web_player import (
    HEADERS,
    MOONS,
    Player,
    SetClock,
    begun_table,
    database_in,
    first_message,
    first_move,
    hosted,
    open_table,
    plain,
    play_together,
    rules_document,
    server,
    shown,
    sit,
    states_of,
    take_seat,
    tiny,
)
from support.web_player import settings as server_settings

SHORT = Rules(max_deals=1, target=None)
FIVE = Rules(players=5, kitty=Kitty.FIRST_TRICK, max_deals=2, target=None)
EIGHT = Rules(players=8, decks=2, max_deals=1, target=None)
SCATTERED = Rules(pass_cycle=(scatter(players=4),), unpassable=Cards("QS"), max_deals=1, target=None)
VARIANTS = {"four": SHORT, "five": FIVE, "eight": EIGHT, "moons": MOONS, "scattered": SCATTERED}


def test_head_works_wherever_get_does(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, _ = open_table(client, SHORT, play=False)
        paths = [route.path for route in client.app.routes if "GET" in (getattr(route, "methods", None) or ())]  # type: ignore[attr-defined]
        assert len(paths) > 10
        for path in paths:
            got, headed = [client.request(method, path.replace("{table}", table)) for method in ("GET", "HEAD")]
            assert (headed.status_code, headed.headers) == (got.status_code, got.headers), path


# ------------------------------------------------------------------------------------------------------------ matches


@pytest.mark.sampled(4)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_is_played_to_its_end_and_nobody_is_told_too_much(tmp_path: Path, variant: str) -> None:
    rules = VARIANTS[variant]
    with server(tmp_path) as client, hosted(client, rules) as (table, _, ann), sit(client, table, None) as watcher:
        assert ann.ask({"type": "start"})["type"] == "accepted"
        over = ann.play_on()
        seen = watcher.play_on()
    states = states_of(database_in(tmp_path), table)
    final = states[-1]
    assert isinstance(final, GameOver)
    assert over["ply"] == len(states) - 1
    assert over["facts"]["totals"] == seen["facts"]["totals"] == [display_score(rules, total) for total in final.scores]
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
    """Unless it is given a seed, for tests: two deals of 52 cards agree once in 5 * 10**28 times."""
    assert Settings(tmp_path / "x").seed is None
    deals = []
    sources = []

    def spied(state: AwaitingDeal, rng: Random) -> Deal:
        sources.append(type(rng))
        return deal(state, rng=rng)

    monkeypatch.setattr("heartsrules.apps.table.table.deal", spied)
    for name in ("one", "two"):
        directory = tmp_path / name
        directory.mkdir()
        seed_everything(1)
        with server(directory, seed=None) as client:
            table, _ = open_table(client, SHORT, play=False)
            with sit(client, table, None) as watcher:
                watcher.play_on()
        deals.append(states_of(database_in(directory), table)[1])
    assert deals[0] != deals[1]
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
    with server(tmp_path, seed=seed) as client:
        table, _ = open_table(client, SHORT, play=False)
        with sit(client, table, None) as watcher:
            watcher.play_on()
    assert f"table {table}: a move could not be kept" in caplog.text
    kept = b"".join([path.read_bytes() for path in tmp_path.iterdir()])
    assert table.encode() in kept
    assert seed.encode() not in kept
    said = capfd.readouterr()
    assert seed not in "".join([*watcher.raw, caplog.text, said.out, said.err])


@pytest.mark.sampled(10)
@pytest.mark.parametrize("preset", sorted(presets.ALL))
def test_bots_play_every_preset_and_a_spectator_sees_no_hand(tmp_path: Path, preset: str) -> None:
    options = presets.ALL[preset]
    with server(tmp_path) as client:
        offered = {each["name"]: each for each in client.get("/api/choices").json()["presets"]}[preset]
        document = offered["rules"][str(options.default_players)]
        assert offered["named"] == list(options.players)
        limited = {**document, "heartsrules": 1, "kind": "rules", "max_deals": 1, "tie": "shared"}
        answer = client.post("/api/tables", json={"rules": limited, "name": "Ann", "play": False})
        assert answer.status_code == 201, answer.text
        with sit(client, answer.json()["table"], None) as watcher:
            assert watcher.play_on()["view"]["deal_number"] == 0
    check_messages(watcher.raw, states_of(database_in(tmp_path), answer.json()["table"]), None)


@pytest.mark.long
def test_the_form_starts_from_the_rules_of_each_preset(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        for offered in client.get("/api/choices").json()["presets"]:
            for count, options in offered["rules"].items():
                if int(count) not in offered["named"]:
                    continue  # its rules may need a change first
                opening = {"rules": {**options, "heartsrules": 1, "kind": "rules"}, "name": "Ann"}
                answer = client.post("/api/tables", json=opening)
                assert answer.status_code == 201, (offered["name"], count)
                assert from_json(json.dumps(opening["rules"]), Rules) == presets.ALL[offered["name"]](int(count))


def test_a_page_draws_its_cards_from_the_drawings_of_the_package() -> None:
    script = (PAGE / "cards.js").read_text("utf-8")
    (named,) = re.findall(r'import drawings from "(.+?)"', script)
    assert (PAGE / named).resolve().read_bytes() == svg.DRAWINGS.read_bytes()
    assert not [part for part in json.loads(svg.DRAWINGS.read_bytes())["suits"].values() if part["path"] in script]


JACK_AND_TEN: dict[str, Any] = {"bonuses": [Bonus(Card("JD"), 10)], "doubler": Doubler(Card("TC"), 2)}
FACTS: list[tuple[Rules, int, type[State]]] = [
    (Rules(**JACK_AND_TEN, pass_cycle=(HOLD,)), -1, AwaitingDeal),
    (presets.dicegamedepot_cancellation(8), 0, AwaitingDeal),
    *[(attrs.evolve(MOONS, **JACK_AND_TEN, target=100, score_display=each), 0, ChoosingMoon) for each in ScoreDisplay],
]
"""Rule sets, which of the legal moves is always made, and how the deal ends then."""


@pytest.mark.parametrize(("rules", "choice", "end"), FACTS)
def test_a_page_is_told_who_is_winning_and_what_was_taken_and_counts(
    rules: Rules, choice: int, end: type[State]
) -> None:
    marked = Cards("QS QS JD TC" if rules.bonuses else "QS QS")
    turn = 1 if rules.score_display is ScoreDisplay.PENALTY else -1

    def facts_of(state: State) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(view_message(0, 0, view(state, 0), ()))["facts"]
        return told

    def check(state: State) -> tuple[int, int]:
        """Check what is told of a state; how many points and hearts it is about."""
        seen, facts = view(state, 0), facts_of(state)
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
            assert told["hearts"] == sum(card.suit is Suit.HEARTS for card in pile)
            assert Cards(" ".join(told["cards"])) == pile & marked
        assert [Cards(" ".join(told["pile"])) for told in facts["taken"]] == list(played.captured)
        assert [told["tricks"] for told in facts["taken"]] == list(played.tricks_won)
        if isinstance(seen, ChoosingMoonView):
            assert facts["marks"]["JD"]["sign"] == ("−10" if turn > 0 else "+10")
            for effect in ("others_up", "shooter_down"):
                assert facts["moon"][effect] == [turn * each for each in getattr(seen, effect).points]
        return sum(played.card_points), sum(told["hearts"] for told, _ in aside)

    start = new_game(rules)
    assert facts_of(start)["taken"] == []
    state: State = apply(start, deal(start, seed="facts"))
    found = []
    while not isinstance(state, (AwaitingDeal, ChoosingMoon)):
        if isinstance(state, Playing):
            found.append(check(state))
        state = apply(state, legal_moves(state)[choice])
    assert isinstance(state, end)
    found.append(check(state))
    assert len({points for points, _ in found}) > 1
    assert any(hearts for _, hearts in found) == (rules.decks == 2), "of hearts that nobody won"


def test_a_page_is_told_in_its_language_what_the_rules_say(tmp_path: Path) -> None:
    rules = Rules(pass_cycle=(HOLD,))
    with server(tmp_path) as client:
        table, token = open_table(client, rules)
        said = {}
        for language in ("en", "de", "tlh"):
            told = first_message(client, table, token, language=language)["rules"]
            said[language] = tuple(map(plain, told))
    assert said == {"en": describe(rules), "de": describe(rules, "de"), "tlh": describe(rules)}
    start = new_game(rules)
    state = apply(start, deal(start, seed="words"))
    assert isinstance(state, Playing)
    seen = view(state, state.turn)
    (card, reasons) = next((card, against) for card, against in why_illegal_cards(seen) if against)
    choice = json.loads(view_message(0, 0, seen, (), language="de"))["choice"]
    against = [plain(choice["reasons"][number]["sentence"]) for number in choice["cards"][str(card)]]
    german = phrase("term.card", "de", rank=card.rank.letter, suit=card.suit.letter)
    assert against == [text(reason, "de").replace(german, str(card)) for reason in reasons]


def test_a_page_is_told_what_to_write_on_bonus_cards_and_the_doubler() -> None:
    def marks(rules: Rules) -> dict[str, dict[str, Any]]:
        told = json.loads(view_message(0, 0, view(new_game(rules), 0), ()))
        found: dict[str, dict[str, Any]] = told["facts"]["marks"]
        return found

    assert marks(Rules()) == {}
    rules = Rules(bonuses=[Bonus(Card("JD"), 10), Bonus(Card("TD"), 5)], doubler=Doubler(Card("TC"), 3, 20))
    assert marks(rules) == {
        "JD": {"sign": "−10", "kind": "bonus", "worth": 10},
        "TD": {"sign": "−5", "kind": "bonus", "worth": 5},
        "TC": {"sign": "×3", "kind": "doubler", "worth": 3},
    }


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])
@given(rules=hearts.rules(), seed=st.integers(0, 2**32))
def test_what_a_seat_is_told_depends_on_nothing_that_it_may_not_know(rules: Rules, seed: int) -> None:
    """By random rules: each message names only what the seat may know, and is the same, to the byte, in another world
    that looks the same to the seat."""
    rng = Random(seed)
    table = begun_table(rules, seed)
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
        table.state = sample_world(public_view(true) if seat is None else view(true, seat), rng)
        others += table.state != true
        assert table.told(seat) == told
        table.state = true
    event("the other world was another" if others else "no other world")


def test_the_search_for_what_may_not_be_known_finds_it() -> None:
    table = begun_table(SHORT, 1)
    table.take(table.next_due())
    told = table.told(1).decode()
    assert cards_in(told) == known_to(table.state, 1)
    with pytest.raises(AssertionError, match="seat 0 was told of"):
        check_message(told, table.state, 0)


# ----------------------------------------------------------------------------------------------------- who is refused


def playing(client: TestClient) -> tuple[str, str, str]:
    """A table of two persons and two bots: its name and the tokens."""
    table, ann = open_table(client, SHORT)
    return table, ann, take_seat(client, table)


def tried(ply: int, move: dict[str, Any]) -> dict[str, Any]:
    return {"type": "move", "id": 1, "ply": ply, "move": {"heartsrules": 1, "kind": "move", **move}}


def choosing(ply: int, seat: int, gifts: list[str], **more: Any) -> dict[str, Any]:
    return tried(ply, {"move": "pass", "seat": seat, "cards": gifts, **more}) | {"type": "choose"}


HOSTILE: dict[str, tuple[object, str]] = {
    "a claim of one who is not on lead": ({"type": "claim", "id": 1, "ply": 1}, "cannot-claim"),
    "a claim of long ago": ({"type": "claim", "id": 1, "ply": 0}, "stale"),
    "a claim without a ply": ({"type": "claim", "id": 1}, "malformed"),
    "no JSON": ("{", "malformed"),
    "empty": ("", "malformed"),
    "a number": ("17", "malformed"),
    "deeply nested": ("[" * 2000, "malformed"),
    "no type": ({"id": 1}, "malformed"),
    "unknown type": ({"type": "shutdown", "id": 1}, "malformed"),
    "a key too many": ({"type": "start", "id": 1, "x": 1}, "malformed"),
    "a negative id": ({"type": "start", "id": -1}, "malformed"),
    "a float for a ply": ({"type": "move", "id": 1, "ply": 1.5, "move": {}}, "malformed"),
    "hello again": ({"type": "hello", "token": None}, "malformed"),
    "too long": ({"type": "move", "id": 1, "ply": 1, "move": "x" * MAX_MESSAGE}, "too-long"),
    "start again": ({"type": "start", "id": 1}, "not-the-host"),
    "no stand-in": ({"type": "stand-in", "id": 1, "seat": 0}, "not-the-host"),
    "no move": ({"type": "move", "id": 1, "ply": 1, "move": {}}, "malformed"),
    "a move that is null": ({"type": "move", "id": 1, "ply": 1, "move": None}, "malformed"),
    "a strange card": (tried(1, {"move": "play", "seat": 1, "card": "1X"}), "malformed"),
    "a forged seat": (tried(1, {"move": "pass", "seat": 0, "cards": []}), "not-your-seat"),
    "no such seat": (tried(1, {"move": "pass", "seat": 9, "cards": []}), "not-your-seat"),
    "a deal": (tried(1, {"move": "deal", "hands": [], "kitty": ""}), "not-your-seat"),
    "another phase": (tried(1, {"move": "play", "seat": 1, "card": "2C"}), "illegal-move"),
    "declining": (tried(1, {"move": "pass", "seat": 1, "cards": []}), "illegal-move"),
    "a choice of another seat": (choosing(1, 0, ["QS"]), "not-your-seat"),
    "a choice that is not a pass": (choosing(1, 1, ["QS"], move="expose", cards="2C"), "not-passing"),
    "a play card by card": (tried(1, {"move": "play", "seat": 1, "card": "2C"}) | {"type": "choose"}, "not-passing"),
    "too many gifts": (choosing(1, 1, ["", ""]), "not-a-pass"),
    "a choice to come": (choosing(99, 1, [""]), "stale"),
    "a choice of a strange card": (choosing(1, 1, ["1X"]), "malformed"),
    "a ply to come": (tried(99, {"move": "pass", "seat": 1, "cards": []}), "stale"),
    "before the deal": (tried(0, {"move": "pass", "seat": 1, "cards": []}), "stale"),
}


def test_hostile_messages_are_refused_with_reasons_and_the_table_plays_on(tmp_path: Path) -> None:
    with server(tmp_path, message_burst=1000) as client:
        table, ann_token, bob_token = playing(client)
        with sit(client, table, ann_token) as ann, sit(client, table, bob_token) as bob:
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
            play_together(ann, bob)
    states = states_of(database_in(tmp_path), table)
    assert isinstance(states[-1], GameOver)
    check_messages(ann.raw, states, 0)
    check_messages(bob.raw, states, 1)


def test_the_rules_refuse_with_their_typed_reasons(tmp_path: Path) -> None:
    with server(tmp_path) as client, hosted(client, SHORT) as (_, _, ann):
        ann.ask({"type": "start"})
        ann.until_turn()
        hand = ann.now["view"]["hand"].split()
        ply = ann.now["ply"]
        strange = next(card for card in ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC") if card not in hand)
        refused = ann.move(ply, move="pass", seat=0, cards=[f"{hand[0]} {hand[1]} {strange}"])
        assert [reason["code"] for reason in refused["violations"]] == ["not-in-hand"]
        assert refused["violations"][0]["sentence"][0] == {"type": "card", "card": strange}
        refused = ann.move(ply, move="pass", seat=0, cards=[f"{hand[0]} {hand[1]}"])
        assert [reason["code"] for reason in refused["violations"]] == ["wrong-number-of-cards"]
        gifts = [" ".join(hand[:3])]
        assert ann.move(ply, move="pass", seat=0, cards=gifts)["type"] == "accepted"
        # The same again, as from a page that had not seen the answer: nothing is passed twice.
        again = ann.move(ply, move="pass", seat=0, cards=gifts)
        assert again["code"] in ("illegal-move", "stale")
        over = ann.play_on()
    assert over["view"]["phase"] == "game-over"


def test_a_pass_is_chosen_card_by_card(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, Rules(max_deals=1, target=None, unpassable="2C 3C 4C 5C"))
        with sit(client, table, token) as ann, sit(client, table, None) as watcher:
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
                assert [(each["code"], each["kind"]) for each in last] == [("wrong-number-of-cards", "full")] * (
                    count == 3
                )
            foreign = next(card for card in ("QS", "QH", "QD", "QC", "KC") if card not in hand)
            refused = ann.choose(ply, [f"{foreign} {' '.join(free[:3])}"])
            assert refused["code"] == "not-a-pass"
            assert [(each["code"], each["fields"]) for each in refused["problems"]] == [
                ("wrong-number-of-cards", ["cards[0]"]),
                ("not-in-hand", ["cards[0]"]),
            ]
            with client.websocket_connect(f"/api/tables/{table}/socket", headers=HEADERS) as socket:
                german = Player(socket)
                german.send({"type": "hello", "token": token, "language": "de"})
                told = german.choose(ply, [f"{foreign} {' '.join(free[:3])}"])["problems"]
            assert [each["code"] for each in told] == [each["code"] for each in refused["problems"]]
            assert "4 Karten" in plain(told[0]["sentence"])
            assert watcher.choose(ply, [""])["code"] == "spectator"
            assert ann.move(ply, move="pass", seat=0, cards=[" ".join(free[:3])])["type"] == "accepted"
            ann.play_on()


def test_a_pass_answers_the_deal_whoever_has_passed_meanwhile_and_an_old_play_is_stale() -> None:
    table = begun_table(SHORT, 3, people=(0, 1))
    while table.due:
        table.take(table.next_due())
    assert table.ply == 3, "the deal and the passes of two bots"
    told = json.loads(table.told(0))
    assert (told["since"], told["choice"]["to_act"]) == (1, [0, 1])
    for seat in (1, 0):
        move = json.dumps(first_move(json.loads(table.told(seat)))).encode()
        table.take(table.judge(seat, attempt(1, move)))
        if seat == 1:
            with pytest.raises(Refused) as refusal:
                table.judge(seat, attempt(1, move))
            assert [reason.code for reason in refusal.value.violations] == ["already-passed"]
    while table.due:
        table.take(table.next_due())
    (seat,) = to_act(table.state)
    asked = table.asked[seat]
    assert asked == table.ply
    move = json.dumps(first_move(json.loads(table.told(seat)))).encode()
    with pytest.raises(Refused) as refusal:
        table.judge(seat, attempt(asked - 1, move))
    assert refusal.value.code == "stale"
    table.take(table.judge(seat, attempt(asked, move)))
    with pytest.raises(Refused) as refusal:
        table.judge(seat, attempt(asked, move))
    assert [reason.code for reason in refusal.value.violations][:1] in (["not-your-turn"], ["not-in-hand"])


def attempt(ply: int, move: bytes) -> Try:
    return Try(1, ply, msgspec.Raw(move))


def test_a_flood_is_refused_and_then_cut_off_and_the_table_plays_on(tmp_path: Path) -> None:
    with server(tmp_path, message_burst=5, message_rate=0.001) as client:
        table, ann_token, bob_token = playing(client)
        with sit(client, table, bob_token) as bob:
            for _ in range(20):
                bob.send({"type": "start", "id": 1})
            with pytest.raises(WebSocketDisconnect):
                bob.until("the end")
            codes = [message["code"] for message in bob.received if message["type"] == "refused"]
        assert codes[:5] == ["not-the-host"] * 5
        assert set(codes[5:]) == {"too-many-messages"}
    with server(tmp_path) as client, sit(client, table, ann_token) as ann, sit(client, table, bob_token) as bob:
        ann.ask({"type": "start"})
        play_together(ann, bob)


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "hello", "token": "x" * 22}, "unknown-token"),
        ({"type": "hello", "token": "x" * 100}, "malformed"),
        ({"type": "hello"}, "malformed"),
        ({"type": "start", "id": 1}, "malformed"),
        ("{", "malformed"),
    ],
)
def test_who_does_not_say_hello_properly_is_told_so_and_cut_off(tmp_path: Path, first: object, code: str) -> None:
    with server(tmp_path) as client:
        table, _ = open_table(client, SHORT)
        with client.websocket_connect(f"/api/tables/{table}/socket") as socket:
            socket.send_text(first if isinstance(first, str) else json.dumps(first))
            assert socket.receive_json()["code"] == code
            with pytest.raises(WebSocketDisconnect):
                socket.receive_json()


def test_bytes_are_refused_silence_is_cut_off_and_who_goes_at_once_does_no_harm(tmp_path: Path) -> None:
    with server(tmp_path, hello_seconds=0.01) as client:
        table, _ = open_table(client, SHORT)
        path = f"/api/tables/{table}/socket"
        with client.websocket_connect(path) as socket, pytest.raises(WebSocketDisconnect):
            socket.receive_json()
        with client.websocket_connect(path):
            pass
    with server(tmp_path) as client:
        with client.websocket_connect(path) as socket:
            socket.send_bytes(b'{"type": "hello", "token": null}')
            assert socket.receive_json()["code"] == "malformed"
        with sit(client, table, None) as watcher:
            assert isinstance(watcher.socket, WebSocketTestSession)
            watcher.socket.send_bytes(b"{}")
            assert watcher.until("refused")["code"] == "malformed"
            assert watcher.move(0, move="play", seat=0, card="2C")["code"] == "spectator"


def test_a_table_has_so_many_sockets_and_a_server_so_many_tables(tmp_path: Path) -> None:
    with server(tmp_path, max_sockets=1, max_rooms=1) as client:
        table, token = open_table(client, SHORT)
        with sit(client, table, token):
            assert first_message(client, table, None)["code"] == "too-many-sockets"
            answer = client.post("/api/tables", json={"rules": rules_document(SHORT), "name": "Bob"})
            assert (answer.status_code, answer.json()["code"]) == (503, "too-many-tables")


# --------------------------------------------------------------------------------------------------------------- HTTP


def test_every_answer_has_the_security_headers_and_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        page = client.get("/")
        assert page.headers["content-type"].startswith("text/html")
        files = re.findall(r'"(/static/[^"]+)"', page.text)
        assert {file.rpartition(".")[2] for file in files} == {"css", "js", "png", "svg"}
        for path in ("/", "/api/choices", *files, "/no/such/page"):
            answer = client.get(path)
            kept = {"Cache-Control": "public, max-age=31536000, immutable"} if path in files else {}
            assert {name: answer.headers.get(name) for name in SECURITY} == SECURITY | kept, path
        (script,) = [file for file in files if file.endswith("main.js")]
        assert "javascript" in client.get(script).headers["content-type"]
        for path in (
            "/static/main.js",
            script.replace("main.js", "digest.txt"),
            script.replace("main.js", "../app.py"),
        ):
            assert client.get(path).status_code == 404
    for file in PAGE.iterdir():
        if file.suffix == ".png":
            continue
        text = file.read_text(encoding="utf-8")
        assert re.findall(r"(?:https?:)?//(?!www\.w3\.org/2000/svg)[\w-]+\.[\w./-]+", text) == [], file.name
        assert not re.search(r"(inner|outer|Adjacent)HTML|document\.write|\beval\(| style=| on\w+=\"", text), file.name


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://testserver.evil.example", "null", "http://testserver:81"]
)
def test_pages_of_other_origins_are_refused(tmp_path: Path, origin: str) -> None:
    with server(tmp_path) as client:
        table, _ = open_table(client, SHORT)
        headers = {"origin": origin}
        opening = {"rules": rules_document(SHORT), "name": "Eve"}
        assert client.post("/api/tables", json=opening, headers=headers).status_code == 403
        assert client.post(f"/api/tables/{table}/seats", json={"name": "Eve"}, headers=headers).status_code == 403
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"/api/tables/{table}/socket", headers=headers),
        ):
            pass


BAD_BODIES: dict[str, tuple[Any, int, str]] = {
    "no JSON": (b"{", 400, "malformed"),
    "no rules": (b'{"name": "Ann"}', 400, "malformed"),
    "a key too many": (b'{"rules": {}, "name": "Ann", "seats": 4}', 400, "malformed"),
    "no document": (b'{"rules": {}, "name": "Ann"}', 400, "invalid-rules"),
    "bad rules": (b'{"name": "A", "rules": {"heartsrules": 1, "kind": "rules", "players": 5}}', 400, "invalid-rules"),
    "no name": (b'{"rules": {"heartsrules": 1, "kind": "rules"}, "name": " \\u0000 "}', 400, "bad-name"),
    "a long name": (b'{"rules": {"heartsrules": 1, "kind": "rules"}, "name": "%s"}' % (b"x" * 25), 400, "bad-name"),
    "too long": (b" " * (MAX_BODY + 1), 413, "too-long"),
    "no text": (b"\xff\xfe", 400, "malformed"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_BODIES)
def test_bad_requests_are_refused_with_reasons(tmp_path: Path, name: str) -> None:
    body, status, code = BAD_BODIES[name]
    with server(tmp_path) as client:
        answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        if code == "invalid-rules":
            assert answer.json()["problems"]
        form = client.post("/api/tables", content=body, headers={"content-type": "application/x-www-form-urlencoded"})
        assert form.status_code == 400


def test_seats_are_taken_in_turn_until_the_table_is_full_or_the_game_begins(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        tokens = [take_seat(client, table, name) for name in ("Bob", "Cid", "Dora")]
        assert len({token, *tokens}) == 4
        full = client.post(f"/api/tables/{table}/seats", json={"name": "Eve"})
        assert (full.status_code, full.json()["code"]) == (409, "table-full")
        for seat, each in enumerate(tokens, 1):
            with sit(client, table, each) as person:
                described = next(message for message in person.received if message["type"] == "table")
                assert described["seat"] == seat
                assert [sitter["name"] for sitter in described["people"]] == ["Ann", "Bob", "Cid", "Dora"]
                assert [sitter["here"] for sitter in described["people"]] == [at == seat for at in range(4)]
        with sit(client, table, token) as ann:
            ann.ask({"type": "start"})
            assert ann.ask({"type": "start"})["code"] == "already-started"
        late = client.post(f"/api/tables/{table}/seats", json={"name": "Eve"})
        assert (late.status_code, late.json()["code"]) == (409, "table-full")
        nowhere = client.post("/api/tables/nowhere/seats", json={"name": "Eve"})
        assert (nowhere.status_code, nowhere.json()["code"]) == (404, "no-such-table")


def test_a_bucket_fills_again_and_each_address_has_its_own() -> None:
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.take(10) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(11) for _ in range(3)] == [True, True, False]
    assert [bucket.take(1000) for _ in range(4)] == [True, True, True, False]
    buckets = Buckets(rate=1, burst=1)
    assert [buckets.take(address, 0) for address in ("a", "b", "a", "b", "c")] == [True, True, False, False, True]


# ------------------------------------------------------------------------------------------------- away and back again


def test_a_server_that_is_stopped_loses_no_move(tmp_path: Path) -> None:
    with server(tmp_path) as client, hosted(client, FIVE) as (table, token, ann):
        ann.ask({"type": "start"})
        for _ in range(6):
            ann.until_turn()
            ann.answered = ann.now["ply"]
            assert ann.make_move()["type"] == "accepted"
        ann.until_turn()
        before = ann.now
    with server(tmp_path) as client:
        with sit(client, table, token) as ann:
            after = ann.now
            assert after["events"] == []
            assert after | {"events": None} == before | {"events": None}
            ann.play_on()
        with sit(client, table, token) as ann:
            assert ann.now["view"]["phase"] == "game-over"
    states = states_of(database_in(tmp_path), table)
    assert isinstance(states[-1], GameOver)


def test_bots_that_nobody_watches_wait_until_somebody_does(tmp_path: Path) -> None:
    """Also those of a server before this one."""
    clock = SetClock()
    with server(tmp_path, clock, pace=RoomPace(play=1, trick=0, deal=0)) as client:
        table, _ = open_table(client, SHORT, play=False)
        with sit(client, table, None) as watcher:
            for ply in range(1, 4):
                clock.advance(1)
                while watcher.now["ply"] < ply:
                    watcher.until("view")
        for _ in range(9):
            clock.advance(1)
        with sit(client, table, None) as watcher:
            assert watcher.now["ply"] == 3
    with server(tmp_path, clock) as client, sit(client, table, None) as watcher:
        assert watcher.now["ply"] == 3
        assert watcher.play_on()["view"]["phase"] == "game-over"


def test_the_same_seat_may_have_two_pages_and_the_database_holds_no_token(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        assert token is not None
        with sit(client, table, token) as phone, sit(client, table, token) as desk:
            phone.ask({"type": "start"})
            phone.until_turn()
            move = first_move(phone.now)
            assert phone.ask({"type": "move", "ply": phone.now["ply"], "move": move})["type"] == "accepted"
            while desk.now["view"].get("commitment") is None:
                desk.until("view")
            assert desk.now["view"]["commitment"] == move["cards"]
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in kept
    assert hashed(token).encode() in kept


def test_a_bot_stands_in_for_who_is_away_until_they_are_back(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock) as client:
        table, token = open_table(client, SHORT, away=None)
        bob_token = take_seat(client, table)
        with sit(client, table, token) as ann:
            assert ann.ask({"type": "stand-in", "seat": 1})["code"] == "no-such-person", "before the game"
            ann.ask({"type": "start"})
            with sit(client, table, bob_token) as bob:
                clock.advance(AWAY)
                assert ann.ask({"type": "stand-in", "seat": 1})["code"] == "not-away"
                assert bob.ask({"type": "stand-in", "seat": 0})["code"] == "not-the-host"
            for seat, code in ((2, "no-such-person"), (7, "no-such-person"), (0, "not-away")):
                assert ann.ask({"type": "stand-in", "seat": seat})["code"] == code
            ann.until_seat(1, here=False)
            clock.advance(AWAY - 1)
            assert ann.ask({"type": "stand-in", "seat": 1})["code"] == "not-away", "he is given the time"
            clock.advance(1)
            assert ann.ask({"type": "stand-in", "seat": 1})["type"] == "accepted"
            with sit(client, table, bob_token) as bob:
                people = next(message for message in bob.received if message["type"] == "table")["people"]
                assert not people[1]["stand_in"]
            ann.until_seat(1, here=False)
            clock.advance(AWAY)
            assert ann.ask({"type": "stand-in", "seat": 1})["type"] == "accepted"
            over = ann.play_on()
    assert over["view"]["phase"] == "game-over"


CLAIMED = tiny("2C 3C 2D 3D 2H 3H")
"""Seat 0 leads. It is sure of both tricks with two threes, among other hands."""


def test_who_is_sure_of_every_trick_takes_the_rest(tmp_path: Path) -> None:
    claims: set[bool] = set()
    with server(tmp_path, message_burst=10_000) as client:
        while len(claims) < 2:
            table, token = open_table(client, CLAIMED)
            with sit(client, table, token) as ann, sit(client, table, None) as watcher:
                assert ann.ask({"type": "claim", "ply": 0})["code"] == "not-started"
                ann.ask({"type": "start"})
                ann.until_turn()
                claim = ann.now["choice"]["claim"]
                claims.add(claim)
                ply = ann.now["ply"]
                assert watcher.ask({"type": "claim", "ply": ply})["code"] == "spectator"
                assert ann.ask({"type": "claim", "ply": ply + 1})["code"] == "stale"
                answer = ann.ask({"type": "claim", "ply": ply})
                if claim:
                    assert answer["type"] == "accepted"
                    while ann.now["view"]["phase"] != "game-over":
                        ann.until("view")
                    assert [taken["tricks"] for taken in ann.now["facts"]["taken"]] == [2, 0, 0]
                else:
                    assert answer["code"] == "cannot-claim"
                    assert ann.play_on()["view"]["phase"] == "game-over"
            assert [state.phase for state in states_of(database_in(tmp_path), table)][-1] == Phase.OVER


def test_nobody_moves_while_a_claim_is_played_out() -> None:
    table = begun_table(CLAIMED, people=range(3))
    hands = [Cards("3C 3D"), Cards("2C 2D"), Cards("2H 3H")]
    table.resume([Deal(hands)])
    table.claim(0, Claim(1, 1))
    assert table.due
    lead = table.next_due()
    assert lead.move in (Play(0, Card("3C")), Play(0, Card("3D")))
    assert table.next_due() == lead, "a move that could not be kept is tried again"
    table.take(lead)
    for seat in (0, 1):
        with pytest.raises(Refused, match="somebody has taken the rest") as refused:
            table.judge(seat, attempt(2, to_json(Play(seat, Card("2C")))))
        assert refused.value.code == "claimed"
        with pytest.raises(Refused, match="somebody has taken the rest"):
            table.claim(seat, Claim(1, 2))
    while table.due:
        table.take(table.next_due())
    assert table.over
    assert not table.rest


def test_a_move_that_cannot_be_kept_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with server(tmp_path) as client, hosted(client, SHORT) as (table, _, ann):
        ann.ask({"type": "start"})
        ann.until_committed(3)  # all bots have passed: it is only Ann who can make a move

        async def full(*_: object) -> None:
            raise StorageError("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Store, "append", full)
            move = first_move(ann.now)
            answer = ann.ask({"type": "move", "ply": ann.now["ply"], "move": move})
            assert answer["code"] == "unavailable"
            assert f"table {table}: Try: the database cannot be used" in caplog.text
        assert ann.play_on()["view"]["phase"] == "game-over"
    with server(tmp_path) as client:

        async def full_once(*_: object) -> None:
            patch.undo()
            raise StorageError("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(room, "RETRY", 0.0)
            patch.setattr(Store, "append", full_once)
            table, _ = open_table(client, SHORT, play=False)
            with sit(client, table, None) as watcher:
                assert watcher.play_on()["view"]["phase"] == "game-over", "the server tries its own moves again"


def test_who_asks_while_the_database_is_locked_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", partial(connect, timeout=0))
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        with closing(connect(database_in(tmp_path), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answers = [
                client.post("/api/tables", json={"rules": rules_document(SHORT), "name": "Bob"}),
                client.post(f"/api/tables/{table}/seats", json={"name": "Bob"}),
                client.get(f"/api/tables/{table}"),
                client.get(f"/api/tables/{table}/code.svg"),
            ]
            with client.websocket_connect(f"/api/tables/{table}/socket", headers=HEADERS) as socket:
                socket.send_json({"type": "hello", "token": token})
                refused = socket.receive_json()
                with pytest.raises(WebSocketDisconnect):
                    socket.receive_json()
            other.execute("ROLLBACK")
        said = "the server cannot read or keep anything now: try again"
        told = {"code": "unavailable", "message": said, "problems": []}
        assert [(answer.status_code, answer.json()) for answer in answers] == [(503, told)] * 4
        assert (refused["type"], refused["code"], refused["message"]) == ("refused", "unavailable", said)
        assert caplog.text.count("database is locked") == 5
        take_seat(client, table)
        with sit(client, table, token) as ann:
            assert ann.ask({"type": "start"})["type"] == "accepted"


def test_a_table_that_fails_is_made_anew_from_its_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with server(tmp_path) as client, hosted(client, SHORT) as (_, _, ann):
        ann.ask({"type": "start"})
        ann.until_committed(3)

        def broken(*_: object) -> None:
            patch.undo()
            raise RuntimeError("a mistake in the server")

        with monkeypatch.context() as patch:
            patch.setattr(Table, "take", broken)
            ann.send({"type": "move", "id": 7, "ply": ann.now["ply"], "move": first_move(ann.now)})
            assert ann.until("refused")["code"] == "internal"
        # The move had been kept, so it was made.
        seen = ann.until("view")["view"]
        assert seen["phase"] == "playing" or seen["commitment"]
        assert ann.play_on()["view"]["phase"] == "game-over"
    assert "a mistake in the server" in caplog.text


@pytest.mark.parametrize(
    ("ply", "document", "why"),
    [
        (2, b'{"heartsrules":1,"kind":"move","move":"play","seat":0,"card":"QS"}', "the rules refuse move 3 of the 4 "),
        (1, b'{"heartsrules":1,"kind":"move","move":"pass","seat":0,"cards":["QQ"]}', "what was kept cannot be read "),
    ],
    ids=["illegal", "unreadable"],
)
def test_a_table_that_cannot_go_on_keeps_no_other_from_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, ply: int, document: bytes, why: str
) -> None:
    def rows() -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(database_in(tmp_path))) as connection:
            return connection.execute("SELECT * FROM moves WHERE table_id = ? ORDER BY ply", (bad,)).fetchall()

    with server(tmp_path) as client, hosted(client, SHORT) as (bad, token, ann):
        ann.ask({"type": "start"})
        ann.until_committed(3)  # a deal, and the passes of three bots
    with server(tmp_path, pace=RoomPace(play=60, trick=0, deal=0)) as client:
        good, _ = open_table(client, SHORT, play=False)
    with closing(sqlite3.connect(database_in(tmp_path))) as connection, connection:
        connection.execute("UPDATE moves SET move = ? WHERE table_id = ? AND ply = ?", (document, bad, ply))
    before = rows()
    assert len(before) == 4
    with server(tmp_path) as client:
        refused = first_message(client, bad, token)
        assert (refused["type"], refused["code"]) == ("refused", "cannot-resume")
        seat = client.post(f"/api/tables/{bad}/seats", json={"name": "Bob"})
        assert (seat.status_code, seat.json()["code"]) == (409, "cannot-resume")
        (said,) = [record.getMessage() for record in caplog.records if record.name == "heartsrules.apps.table"]
        assert said.startswith(f"table {bad} cannot go on: {why}")
        assert "Q" not in said.removeprefix(f"table {bad}"), "no card of a hand is told"
        assert said.endswith(refused["message"])
        with sit(client, good, None) as watcher:
            assert watcher.play_on()["view"]["phase"] == "game-over"
    assert rows() == before


def test_a_move_is_stored_once_and_what_fails_undoes_nothing_else(tmp_path: Path) -> None:
    async def run() -> list[bool]:
        store = Store(database_in(tmp_path), Clock().date)
        await store.start()
        seats = [TableSeat("person", holder=Holder("Ann", "x", ("here",), 1)), *[TableSeat("bot") for _ in range(3)]]
        await store.open("t", TableConfig(SHORT), seats, started=True)
        move = begun_table(SHORT, 5).next_due().move
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


def test_a_second_server_on_the_same_database_is_refused_at_the_start(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, _ = open_table(client, SHORT)
        with pytest.raises(DatabaseInUse, match="another server uses the database"), server(tmp_path):
            pass
        with closing(sqlite3.connect(database_in(tmp_path))) as reader:
            assert reader.execute("SELECT id FROM tables").fetchall() == [(table,)], "a backup can be made"
        code, _, err = run("table", "--port", "0", "--database", database_in(tmp_path))
        assert code == 2
        assert "another server uses the database" in in_one_line(err)
    with server(tmp_path) as client:
        assert client.get(f"/api/tables/{table}").status_code == 200


def test_links_to_a_database_lead_to_one_lock(tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite3"
    link.symlink_to(database_in(tmp_path))
    with server(tmp_path), pytest.raises(DatabaseInUse):
        lock_database(link)


DAMAGES = (
    "DROP TABLE moves",
    "CREATE TABLE t AS SELECT * FROM tables; DROP TABLE tables; ALTER TABLE t RENAME TO tables",
    "ALTER TABLE tables DROP COLUMN host; ALTER TABLE tables ADD COLUMN host ANY",
    "ALTER TABLE tables DROP COLUMN hints; ALTER TABLE tables ADD COLUMN hints TEXT",
    "DROP TABLE notes",
    "DROP TABLE seats",
    "ALTER TABLE tables DROP COLUMN host",
)


@pytest.mark.parametrize(
    ("damage", "error", "said"),
    [
        *[(damage, DamagedDatabase, "the database lacks") for damage in DAMAGES],
        ("PRAGMA user_version = 0", WrongVersion, "another version of heartsrules"),
    ],
)
def test_a_database_that_lacks_a_part_or_is_of_another_version_is_refused(
    tmp_path: Path, damage: str, error: type[Exception], said: str
) -> None:
    with server(tmp_path) as client:
        open_table(client, SHORT)
    with closing(sqlite3.connect(database_in(tmp_path))) as connection:
        connection.executescript(damage)
        left = connection.execute("SELECT name FROM sqlite_schema").fetchall()
    with pytest.raises(error, match=f"{said}.*name another file"), server(tmp_path):
        pass
    code, _, err = run("table", "--port", "0", "--database", database_in(tmp_path))
    assert code == 2
    assert said in in_one_line(err)
    with closing(sqlite3.connect(database_in(tmp_path))) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == left, "nothing is made again"


ODD_SEATS = ('{"kind": "person"}', '{"kind": "robot"}', "[]", "\udcff")
ODD_CHANGES = [
    "UPDATE tables SET host = 99",
    "UPDATE tables SET host = -1",
    "UPDATE tables SET away = -5",
    "UPDATE tables SET hints = 'whenever'",
    "UPDATE tables SET rules = x'ff'",
    "UPDATE tables SET start = x'7b7d'",
    "DELETE FROM seats WHERE seat = 1",
    "DELETE FROM seats WHERE seat = 3",
    "UPDATE seats SET seat = 9 WHERE seat = 3",
    *[
        f"UPDATE seats SET state = x'{text.encode('utf-8', 'surrogateescape').hex()}' WHERE seat = 2"
        for text in ODD_SEATS
    ],
    "DELETE FROM moves WHERE ply = 0",
    "DELETE FROM moves WHERE ply = 2",
    "UPDATE moves SET ply = 90 WHERE ply = (SELECT max(ply) FROM moves)",
    "UPDATE moves SET move = x'00' WHERE ply = 1",
    "UPDATE notes SET entry = x'22'",
    "UPDATE notes SET entry = CAST(replace(CAST(entry AS TEXT), '\"seat\":', '\"seat\":9') AS BLOB)",
]
"""What nobody may do to the rows of a table, in SQL."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("change", ODD_CHANGES)
def test_a_table_with_odd_rows_cannot_go_on(tmp_path: Path, caplog: pytest.LogCaptureFixture, change: str) -> None:
    with server(tmp_path) as client, hosted(client, SHORT) as (table, _, ann):
        ann.ask({"type": "start"})
        ann.until_committed(3)
    with closing(sqlite3.connect(database_in(tmp_path))) as connection, connection:
        note = note_document(0, 0, Note("seat-left", 0, "Ann"))
        connection.execute("INSERT INTO notes (table_id, entry) VALUES (?, ?)", (table, note))
    with server(tmp_path) as client:
        assert client.get(f"/api/tables/{table}").status_code == 200, "as it was, it goes on"
    with closing(sqlite3.connect(database_in(tmp_path))) as connection, connection:
        assert connection.execute(change).rowcount > 0
    with server(tmp_path) as client:
        for _ in range(2):
            answer = client.get(f"/api/tables/{table}")
            assert (answer.status_code, answer.json()["code"]) == (409, "cannot-resume")
    (said,) = [record for record in caplog.records if record.name == "heartsrules.apps.table"]
    assert said.exc_info is None
    assert said.getMessage().startswith(f"table {table} cannot go on: ")


def test_a_page_that_does_not_read_is_cut_off() -> None:
    closed = []

    class Deaf:
        async def receive(self) -> None:
            return None

        async def send(self, text: str) -> None:
            raise AssertionError(text)

        async def close(self, code: int) -> None:
            closed.append(code)

    connection = Connection(Deaf())
    for _ in range(1000):
        connection.send(b"{}")
    connection.end()
    asyncio.run(asyncio.wait_for(connection.write(), 5))
    assert connection.broken
    assert closed == [1013]


def test_the_pace_is_the_servers(tmp_path: Path) -> None:
    assert RoomPace().times(0) == RoomPace(0, 0, 0)
    assert RoomPace(1, 2, 3).times(2) == RoomPace(2, 4, 6)

    async def run() -> list[float]:
        settings = server_settings(tmp_path, pace=RoomPace(1, 10, 100))
        all_rooms = Rooms(settings, Store(settings.database, Clock().date), Thinkers(1), Clock())
        await all_rooms.start()
        table, _, _ = await all_rooms.open(Opened(TableConfig(SHORT, host=None), "Ann"))
        found = await all_rooms.find(table)
        pauses = [found.pause()]
        while not isinstance(found.table.state, GameOver):
            found.table.take(found.table.next_due())
            pauses.append(found.pause())
            if isinstance(found.table.state, AwaitingDeal):
                break
        await all_rooms.stop()
        return pauses

    pauses = asyncio.run(run())
    # The deal at once; passes, and within a trick; the lead to each of twelve further tricks.
    assert pauses[0] == 0
    assert pauses[1:-1].count(11) == 12
    assert set(pauses[1:-1]) == {1, 11}


def test_a_position_is_played_on_and_kept(tmp_path: Path) -> None:
    state = reached(new_game(SHORT), lambda state: isinstance(state, Playing) and bool(state.trick))
    position = to_json(state).decode()
    with server(tmp_path) as client:
        answer = client.post("/api/positions", json={"position": position, "name": "Ann"})
        table, token = answer.json()["table"], answer.json()["token"]
        assert (answer.status_code, answer.json()["seat"]) == (201, state.turn)
    with server(tmp_path) as client, sit(client, table, token) as ann:
        assert ann.now["view"] == shown(view(state, state.turn))
        assert ann.play_on()["view"]["phase"] == "game-over"
