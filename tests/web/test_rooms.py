"""Rooms of the browser table: nobody can stop one, seats change hands, what nobody needs ends, and moves taken back."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import attrs
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from heartsrules import Move, Rules, apply, deal, new_game, presets, to_act, view
from heartsrules.apps.table import bots
from heartsrules.apps.table.addresses import qr_rows
from heartsrules.apps.table.app import make_app
from heartsrules.apps.table.bots import LEVELS, Question, choose_for
from heartsrules.apps.table.games import GAMES
from heartsrules.apps.table.messages import Refused
from heartsrules.apps.table.protocol import AWAY
from heartsrules.apps.table.rooms import SWEEP
from heartsrules.apps.table.settings import RoomPace
from heartsrules.apps.table.table import Table
from heartsrules.apps.table.thinkers import Thinkers
from heartsrules.bots import Learned, Sampling, heuristic
from heartsrules.formats.wire import from_json
from heartsrules.play.game import Record, verify
from heartsrules.rules import HOLD
from support import web_player as W
from support.web_loop import LoopServer
from support.web_player import server

SHORT = Rules(max_deals=1, target=None)
TINY = W.tiny("2C 3C 2D 3D 2S 3S")
"""Two tricks of three cards."""
THREE = Rules(players=3, removed="2D", max_deals=1, target=None, pass_cycle=(HOLD,))
ENDLESS = attrs.evolve(TINY, max_deals=1000)


@contextmanager
def seated(
    client: TestClient, names: str, rules: Rules = SHORT, **more: Any
) -> Iterator[tuple[str, list[str], list[W.Player], list[ExitStack]]]:
    """A table whose game has begun, with these people: its name, their tokens, their pages, and how each leaves.

    They come from different addresses: the first from that of the client."""
    table, token = W.open_table(client, rules, **more)
    guests = [(W.visitor(client, f"198.51.100.{number}"), name) for number, name in enumerate(names.split()[1:])]
    tokens = [token, *(W.take_seat(guest, table, name) for guest, name in guests)]
    with ExitStack() as stacks:
        exits = [stacks.enter_context(ExitStack()) for _ in tokens]
        clients = [client, *[guest for guest, _ in guests]]
        players = [
            leave.enter_context(W.sit(at, table, token))
            for leave, at, token in zip(exits, clients, tokens, strict=True)
        ]
        assert players[0].ask({"type": "start"})["type"] == "accepted"
        yield table, tokens, players, exits


@pytest.mark.parametrize("readings", range(12))
def test_nobody_is_forgotten_whose_time_is_up_while_the_server_looks(readings: int) -> None:
    with closing(LoopServer(idle_seconds=10**6)) as server:
        body = {"rules": W.rules_document(ENDLESS), "name": "Ann", "away": 30}
        _, opened = server.post("/api/tables", body, "192.0.2.1")
        _, taken = server.post(f"/api/tables/{opened['table']}/seats", {"name": "Bob"}, "192.0.2.2")
        ann = server.visit(opened["table"], "192.0.2.1", opened["token"])
        bob = server.visit(opened["table"], "192.0.2.2", taken["token"])
        ann.send({"type": "start"})
        server.settle()
        bob.close()
        server.settle()
        server.clock.creep = 0.001
        server.clock.seconds += 30 - (readings + 0.5) * server.clock.creep
        ann.send({"type": "go-on"})
        server.settle()
        server.clock.creep = 0
        server.advance(1)
        table = ann.last("table")
        assert table is not None
        assert table["people"][1]["stand_in"]


def test_a_host_who_leaves_before_the_game_is_followed_by_another(tmp_path: Path) -> None:
    clock = W.SetClock()
    with server(tmp_path, clock) as client:
        table, token = W.open_table(client, SHORT, away=30)
        others = [W.take_seat(client, table, name) for name in ("Bob", "Cid")]
        with W.sit(client, table, others[0]) as bob, W.sit(client, table, others[1]) as cid:
            assert bob.described["host"] == 0
            assert bob.ask({"type": "start"})["code"] == "not-the-host"
            clock.advance(30)
            cid.until_table(host=1)
            assert cid.ask({"type": "start"})["code"] == "not-the-host"
            with W.sit(client, table, token) as ann:
                assert ann.described["host"] == 1, "it stays so when the first host comes back"
            assert bob.ask({"type": "start"})["type"] == "accepted"
    with server(tmp_path, clock) as client, W.sit(client, table, token) as ann:
        assert ann.described["host"] == 1, "it is kept"


def test_a_host_who_gives_the_seat_up_is_followed_at_once(client: TestClient) -> None:
    with seated(client, "Ann Bob Cid") as (table, tokens, players, _):
        ann, bob, cid = players
        ann.send({"type": "leave", "id": 7})
        lost = ann.until("refused")
        assert (lost["code"], lost["message"]) == ("seat-lost", "you have given up this seat")
        bob.until_table(host=1)
        assert cid.until_seat(0, kind="bot")["name"] == "Alma"
        with pytest.raises(WebSocketDisconnect):
            ann.until("the end")
        assert W.first_message(client, table, tokens[0])["code"] == "unknown-token"


def test_the_others_vote_for_a_bot(tmp_path: Path) -> None:
    clock = W.SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob Cid Dora", away=None) as (table, _, players, exits):
        ann, bob, cid, _ = players

        def vote(voter: W.Player, seat: int = 3, wanted: bool = True) -> str:
            answer = voter.ask({"type": "vote", "seat": seat, "wanted": wanted})
            return str(answer.get("code", answer["type"]))

        assert [vote(ann), vote(ann, 9)] == ["no-vote", "no-vote"], "she is here"
        exits[3].close()
        bob.until_seat(3, here=False)
        clock.advance(AWAY - 1)
        assert vote(ann) == "no-vote", "she is given the time"
        clock.advance(1)
        while 3 not in bob.absent:
            bob.until("table")
        assert bob.absent[3]["needed"] == 2
        with W.sit(client, table, None) as watcher:
            assert vote(watcher) == "not-a-voter"
        assert [vote(bob), vote(bob)] == ["accepted"] * 2, "a vote counts once"
        while ann.absent.get(3, {"votes": []})["votes"] != [1]:
            ann.until("table")
        assert vote(bob, wanted=False) == "accepted"
        while cid.absent.get(3, {"votes": [1]})["votes"]:
            cid.until("table")
        assert [vote(cid), vote(bob)] == ["accepted"] * 2
        ann.until_seat(3, stand_in=True)
        (note,) = [each["note"] for each in ann.received if each["type"] == "note"]
        assert (note["code"], note["name"], note["why"]) == ("stand-in", "Dora", "vote")


def test_the_others_vote_on_who_is_here_and_does_nothing_and_who_may_be_back_at_once(tmp_path: Path) -> None:
    clock = W.SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob", away=30) as (_, _, players, _):
        ann, bob = players
        bob.until_turn()
        clock.advance(29)
        assert ann.ask({"type": "vote", "seat": 1})["code"] == "no-vote"
        clock.advance(1)
        ann.until_table(absent=[{"seat": seat, "votes": [], "needed": 1} for seat in (0, 1)])
        assert ann.ask({"type": "vote", "seat": 1})["type"] == "accepted"
        assert bob.move(bob.now["ply"], **W.first_move(bob.now))["code"] == "stand-in"
        assert bob.until_seat(1, stand_in=True)["here"]
        assert bob.ask({"type": "back"})["type"] == "accepted"
        assert bob.ask({"type": "back"})["code"] == "no-stand-in"
        ann.until_seat(1, stand_in=False)


def test_somebody_who_watches_takes_over_from_a_bot_and_gives_the_seat_back(client: TestClient) -> None:
    with seated(client, "Ann", attrs.evolve(TINY, max_deals=2)) as (table, _, (ann,), _):
        ann.until_seat(2, kind="bot", takeable=True)
        W.play_a_card(ann)
        elsewhere, gone = [W.visitor(client, f"192.0.2.{number}") for number in (1, 2)]
        for seat, status, code in ((0, 409, "seat-taken"), (9, 400, "no-such-seat")):
            answer = W.ask_for_seat(client, table, seat)
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert W.ask_for_seat(gone, table, 1, "Max").json()["waits"], "who has gone with the next deal has to ask again"
        taken = W.ask_for_seat(elsewhere, table, 2).json()
        assert (taken["seat"], taken["waits"]) == (2, True)
        with W.sit(elsewhere, table, taken["token"]) as eve:
            assert (eve.described["seat"], eve.described["waits_for"]) == (None, 2)
            assert eve.now["view"]["seat"] is None
            assert eve.described["newcomers"][-1] == {"seat": 2, "name": "Eve", "near": [], "asked": []}
            assert W.ask_for_seat(client, table, 2, "Mallory").json()["code"] == "seat-taken"
            W.play_deal(ann)
            eve.until_table(seat=2, waits_for=None)
            while eve.now["view"]["seat"] is None or eve.now["view"]["phase"] != "playing":
                eve.until("view")
            assert eve.now["view"]["deal_number"] == 1
            assert ann.until_seat(2, kind="person", here=True)["name"] == "Eve"
            assert eve.leave()["code"] == "seat-lost"
        ann.until_seat(2, kind="bot")
        notes = [each["note"] for each in ann.received if each["type"] == "note"]
        assert [(note["code"], note["name"], note["why"]) for note in notes] == [
            ("seat-asked", "Max", ""),
            ("seat-asked", "Eve", ""),
            ("seat-withdrawn", "Max", ""),
            ("seat-taken", "Eve", "open"),
            ("seat-left", "Carla", ""),
        ]
        assert ann.play_on()["view"]["phase"] == "game-over"
        assert W.ask_for_seat(client, table, 2).json()["code"] == "game-over"
        assert ann.ask({"type": "leave"})["code"] == "game-over"


def test_whoever_follows_a_link_gets_the_first_seat_of_a_bot(client: TestClient) -> None:
    table, _ = W.open_table(client, ENDLESS, seats=[{"friend": False}] * 3)
    friends = [W.visitor(client, f"198.51.100.{number}") for number in range(3)]
    answers = [W.ask_for_seat(friend, table) for friend in friends]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert [(answer.json()["seat"], answer.json()["waits"]) for answer in answers[:2]] == [(1, True), (2, True)]
    assert answers[2].json()["code"] == "table-full"


def test_whose_seat_was_taken_over_gets_it_back_and_the_other_is_told(tmp_path: Path) -> None:
    clock = W.SetClock()
    with (
        server(tmp_path, clock) as client,
        seated(client, "Ann Bob", ENDLESS, away=30) as (table, tokens, (ann, owner), exits),
    ):
        W.play_a_card(ann, owner)
        elsewhere = W.visitor(client, "192.0.2.1")
        exits[1].close()
        ann.until_seat(1, here=False)
        assert W.ask_for_seat(client, table, 1).json()["code"] == "seat-taken", "nobody plays for him yet"

        def taken_over() -> str:
            clock.advance(30)
            ann.until_seat(1, takeable=True)
            return str(W.ask_for_seat(elsewhere, table, 1, "Bob").json()["token"])

        token = taken_over()
        with W.sit(elsewhere, table, token) as eve:
            W.play_deal(ann)
            person = ann.until_seat(1, name="Bob (2)")
            assert (person["owner"], person["takeable"]) == ("Bob", False)
            with W.sit(client, table, tokens[1]) as bob:
                lost = eve.until("refused")
                assert (lost["code"], lost["message"]) == ("seat-lost", "you have lost this seat: its owner is back")
                person = bob.described["people"][1]
                assert (person["name"], person["owner"], person["stand_in"]) == ("Bob", None, False)
                assert bob.described["seat"] == 1
                assert W.first_message(client, table, token)["code"] == "unknown-token"
        # Who gives up a seat that is somebody else's leaves it to a bot until the owner is back, after a restart too.
        ann.until_seat(1, here=False)
        token = taken_over()
        with W.sit(elsewhere, table, token):
            W.play_deal(ann)
            ann.until_seat(1, name="Bob (2)")
    with server(tmp_path, W.SetClock()) as client, W.sit(client, table, token) as eve:
        assert eve.leave()["code"] == "seat-lost"
        with W.sit(client, table, tokens[1]) as bob:
            assert bob.described["people"][1]["name"] == "Bob"


def test_the_host_chooses_who_plays_where_nobody_sits(client: TestClient) -> None:
    plans = [{}, {"level": "beginner", "friend": False}, {"level": "beginner"}]
    table, token = W.open_table(client, SHORT, seats=plans)
    guest = W.take_seat(client, table)
    with W.sit(client, table, token) as ann, W.sit(client, table, guest) as bob:

        def fill(seat: int, level: str = "usual", player: W.Player = ann, **more: bool) -> str:
            answer = player.ask({"type": "fill", "seat": seat, "level": level, **more})
            return str(answer.get("code", answer["type"]))

        assert bob.described["seat"] == 2, "the second seat is a bot's"
        people = [(each["kind"], each["level"]) for each in ann.described["people"]]
        assert people == [("person", "usual"), ("bot", "beginner"), ("person", "beginner"), ("free", "usual")]
        codes = [fill(2), fill(9), fill(3, "champion"), fill(3, player=bob)]
        assert codes == ["seat-taken", "seat-taken", "no-such-level", "not-the-host"]
        assert fill(1, friend=True) == "accepted"
        assert bob.until_seat(1, kind="free")["level"] == "usual"
        assert fill(3, "beginner") == "accepted"
        ann.ask({"type": "start"})
        assert [each["level"] for each in bob.until_table(started=True)["people"][1::2]] == ["usual", "beginner"]
        assert (fill(3, friend=True), fill(3)) == ("already-started", "accepted")
        assert bob.until_seat(3, level="usual")["kind"] == "bot"
    bad = {"rules": W.rules_document(SHORT), "name": "Ann", "seats": [{"level": "champion"}]}
    assert client.post("/api/tables", json=bad).json()["code"] == "no-such-level"


def test_the_server_does_something_else_while_a_bot_thinks(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Question] = []
    answers: list[asyncio.Future[None]] = []

    async def think(_: Thinkers, question: Question) -> Move:
        asked.append(question)
        answers.append(asyncio.get_running_loop().create_future())
        await answers[-1]
        return choose_for(attrs.evolve(question, level="usual"))

    def answer(future: asyncio.Future[None]) -> None:
        if not future.done():
            future.set_result(None)

    monkeypatch.setattr(Thinkers, "choose", think)
    with seated(client, "Ann", TINY) as (_, _, (ann,), _):
        assert ann.ask({"type": "fill", "seat": 1, "level": "expert"})["type"] == "accepted"
        ann.until_turn()
        ann.make_move()
        for _ in range(2):
            assert ann.ask({"type": "go-on"})["type"] == "accepted", "the room answers"
        assert [(each.seen.seat, each.level) for each in asked] == [(1, "expert")], "it thinks at once"
        # What was thought of another position is thrown away.
        ann.ask({"type": "undo"})
        ann.until_turn()
        ann.make_move()
        for _ in range(1000):
            if ann.now["view"]["phase"] == "game-over":
                break
            for future in answers:
                future.get_loop().call_soon_threadsafe(answer, future)
            if ann.asked:
                ann.answered = ann.now["ply"]
                ann.send({"type": "move", "id": 0, "ply": ann.now["ply"], "move": W.first_move(ann.now)})
            ann.ask({"type": "go-on"})
        assert ann.now["choice"]["undo"] is False
        assert ann.ask({"type": "undo"})["code"] == "cannot-undo", "the match is over"


def test_bots_think_in_another_process_and_one_that_dies_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    table = W.begun_table(TINY, level="strong")
    table.take(table.next_due())
    seat = table.acting_bot
    assert seat is not None
    question = table.question(seat)

    async def chosen(killed: bool) -> Move:
        thinkers = Thinkers(1)
        thought = asyncio.create_task(thinkers.choose(question))
        await asyncio.sleep(0)
        assert thinkers._processes is not None
        for worker in thinkers._processes.workers if killed else ():
            worker.kill()
        move = await thought
        thinkers.stop()
        return move

    assert asyncio.run(chosen(killed=False)) == choose_for(question)
    assert asyncio.run(chosen(killed=True)) == choose_for(attrs.evolve(question, level="usual"))
    assert "a bot's process has died" in caplog.text
    assert [level.slow for level in LEVELS.values()] == [False, False, True, True], "who thinks there"


def test_an_expert_searches_with_the_network_where_it_knows_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, other = [apply(start, deal(start, seed=1)) for start in map(new_game, (Rules(), presets.black_maria(4)))]
    search = mock.Mock(side_effect=heuristic)
    monkeypatch.setattr(bots, "_SEARCHING", search)
    monkeypatch.setattr(bots, "_NETWORK", attrs.evolve(bots._NETWORK, worlds=2))
    seen, unknown = [view(state, min(to_act(state))) for state in (usual, other)]
    assert choose_for(Question(seen, "expert", 1)) == Sampling(2, policy=Learned())(seen, Random(1))
    choose_for(Question(unknown, "expert", 1))
    monkeypatch.setattr(bots, "find_spec", {}.get)
    choose_for(Question(seen, "expert", 1))
    assert [call.args[0] for call in search.call_args_list] == [unknown, seen]


def test_a_move_is_taken_back_against_bots(client: TestClient) -> None:
    with seated(client, "Ann", attrs.evolve(SHORT, max_deals=2)) as (table, _, (ann,), _):
        passed = ann.until_turn()
        assert not ann.now["choice"]["undo"]
        assert ann.ask({"type": "undo"})["code"] == "cannot-undo", "there is nothing to take back"
        hand = ann.now["view"]["hand"]
        with W.sit(client, table, None) as watcher:
            assert watcher.ask({"type": "undo"})["code"] == "spectator"
            for _ in range(3):  # the pass and two cards
                ann.play_one()
                ann.until_turn()
                assert ann.now["choice"]["undo"]
            for _ in range(3):
                assert ann.ask({"type": "undo"})["type"] == "accepted"
            ply = ann.now["ply"]
            assert ply <= passed + 3, "passes of bots that came before stay"
            back = 0
            while back < 3:
                before = watcher.now["ply"]
                back += watcher.until("view")["ply"] < before
            assert watcher.now["ply"] == ply
        seen = ann.now["view"]
        assert (seen["phase"], seen["hand"], seen["commitment"]) == ("passing", hand, None)
        ann.answered = -1
        W.play_a_card(ann)
        elsewhere = W.visitor(client, "192.0.2.1")
        token = W.ask_for_seat(elsewhere, table, 2).json()["token"]
        with W.sit(elsewhere, table, token) as eve:
            assert eve.now["view"]["seat"] is None, "who watched may have seen too much"
            W.play_deal(ann)
            ann.until_seat(2, name="Eve")
            assert ann.ask({"type": "undo"})["code"] == "cannot-undo", "she is not alone any more"


def test_the_score_sheet_is_taken_back_with_the_last_card_of_a_deal(tmp_path: Path) -> None:
    rules = attrs.evolve(TINY, max_deals=2)
    with server(tmp_path, pace=RoomPace(0, 0, 1000)) as client, seated(client, "Ann", rules) as (_, _, (ann,), _):
        while not ann.now["facts"]["scored"] or not ann.sheet["rows"]:
            if ann.asked:
                ann.play_one()
            else:
                ann.until("view")
        assert ann.ask({"type": "undo"})["type"] == "accepted"
        assert ann.sheet["rows"] == []


def test_bots_know_nothing_of_what_was_taken_back() -> None:
    """They are asked by the view alone, and that is the one of a match in which nothing was taken back."""
    one, other = [W.begun_table(SHORT, 3, people=(0,)) for _ in range(2)]

    def go_on(table: Table) -> None:
        while table.due:
            table.take(table.next_due())

    go_on(one)
    go_on(other)
    ply = one.ply
    one.take(one.step_of(from_json(json.dumps(W.first_move(json.loads(one.told(0)))), Move)))
    go_on(one)
    back, state = one.undo(0)
    assert (back, state) == (ply, other.state)
    one.take_back(back)
    assert (one.ply, one.asked, one.state) == (other.ply, other.asked, other.state)
    with pytest.raises(Refused):
        one.undo(0)


def test_a_room_that_everybody_has_left_ends_and_a_full_server_recovers() -> None:
    with closing(LoopServer(max_rooms=1)) as server:
        body = {"rules": W.rules_document(SHORT), "name": "Ann"}
        _, opened = server.post("/api/tables", body, "192.0.2.1")
        path = f"/api/tables/{opened['table']}"
        ann = server.visit(opened["table"], "192.0.2.1", opened["token"])
        assert server.post("/api/tables", body, "192.0.2.2")[0] == 503
        # As soon as she has left, there is place for another table; and hers is not lost.
        server.leave(ann)
        _, other = server.post("/api/tables", body, "192.0.2.2")
        bob = server.visit(other["table"], "192.0.2.2", other["token"])
        assert server.ask("GET", path, "192.0.2.1").json()["code"] == "too-many-tables"
        server.leave(bob)
        assert server.ask("GET", path, "192.0.2.1").status_code == 200


def test_nothing_goes_on_for_ever_where_nothing_happens(tmp_path: Path) -> None:
    clock = W.SetClock()
    with server(tmp_path, clock, idle_seconds=100, linger_seconds=10) as client:
        table, token = W.open_table(client, SHORT)
        with W.sit(client, table, token) as ann:
            clock.advance(99)
            assert ann.ask({"type": "go-on"})["type"] == "accepted"
            clock.advance(99)
            ann.send({"type": "ping"})
            ann.until("pong")  # a sign of life keeps no table awake
            clock.advance(1)
            assert ann.until("refused")["code"] == "asleep"
            with pytest.raises(WebSocketDisconnect):
                ann.until("the end")
        with W.sit(client, table, token) as ann:
            assert ann.ask({"type": "start"})["type"] == "accepted", "it can be woken up"


def test_bots_stop_after_many_deals_that_nobody_cares_for_and_rules_that_never_end_do(tmp_path: Path) -> None:
    with server(tmp_path, unattended_deals=3, max_deals=8) as client:
        table, _ = W.open_table(client, ENDLESS, play=False)
        with W.sit(client, table, None) as watcher:
            for paused, deal in (("unattended", 3), ("unattended", 6), ("limit", 8)):
                watcher.until_table(paused=None)
                watcher.until_table(paused=paused)
                assert watcher.now["view"]["deal_number"] == deal
                assert watcher.ask({"type": "go-on"})["type"] == "accepted"
            assert watcher.described["paused"] == "limit"


def test_tables_where_nothing_has_happened_for_long_are_deleted() -> None:
    with closing(LoopServer(keep_days=1, idle_seconds=10**7)) as server:
        body = {"rules": W.rules_document(SHORT), "name": "Ann"}

        def opened() -> dict[str, Any]:
            return server.post("/api/tables", body, "192.0.2.1")[1]

        old, played = opened(), opened()
        ann = server.visit(played["table"], "192.0.2.1", played["token"])
        ann.send({"type": "start"})
        server.advance(86_000)
        tables = [each["table"] for each in (old, played, opened())]
        server.advance(SWEEP)
        found = [server.ask("GET", f"/api/tables/{table}", "192.0.2.1").status_code for table in tables]
        assert found == [404, 200, 200], "where somebody is, nothing is deleted"
        with closing(sqlite3.connect(W.database_in(Path(server._directory.name)))) as connection:
            for query in ("SELECT id FROM tables", "SELECT table_id FROM parts"):
                assert {table for (table,) in connection.execute(query)} == {*tables[1:]}
        server.leave(ann)


@pytest.mark.parametrize(
    ("days", "kept", "there"), [(6, 30, [200, 200]), (6, 5, [404, 404]), (8, 30, [404, 200]), (31, 30, [404, 404])]
)
def test_a_table_whose_match_is_over_is_kept_for_a_week(tmp_path: Path, days: int, kept: int, there: list[int]) -> None:
    clock = W.SetClock()
    with server(tmp_path, clock) as client:
        going, _ = W.open_table(client, SHORT)
        with W.hosted(client, TINY, seats=[{"friend": False}] * 3) as (over, _, ann):
            assert ann.play_on()["view"]["phase"] == "game-over"
    clock.seconds += days * 86_400
    # A server that is started looks for old tables at once.
    with server(tmp_path, clock, keep_days=kept) as client:
        assert [client.get(f"/api/tables/{table}").status_code for table in (over, going)] == there
        assert client.get(f"/api/tables/{over}/record").status_code == there[0]


def test_an_invitation_says_whose_table_it_is_and_what_is_played(client: TestClient) -> None:
    table, token = W.open_table(client, SHORT, seats=[{}, {"level": "beginner", "friend": False}])
    told = client.get(f"/api/tables/{table}").json()
    assert (told["host"], told["started"], told["over"]) == ("Ann", False, False)
    assert [person["kind"] for person in told["people"]] == ["person", "bot", "free", "free"]
    assert "4 players use a deck of 52 cards; each is dealt 13 cards." in map(W.plain, told["sentences"])
    assert token not in json.dumps(told)
    with W.sit(client, table, None) as watcher:
        assert watcher.received[0]["link"] == f"http://testserver/#t/{table}"
    code = client.get(f"/api/tables/{table}/code.svg")
    assert code.headers["content-type"] == "image/svg+xml"
    assert code.content.startswith(b"<svg ")
    assert b"style=" not in code.content
    for path in ("/api/tables/nowhere", "/api/tables/nowhere/code.svg"):
        assert (client.get(path).status_code, client.get(path).json()["code"]) == (404, "no-such-table")


@pytest.mark.parametrize(
    ("game", "rules", "told"),
    [
        ("gong_zhu", presets.gong_zhu(4), {"preset": "gong_zhu", "changed": False}),
        ("gong_zhu", SHORT, {"preset": "gong_zhu", "changed": True}),
        ("partner_hearts", presets.gong_zhu(5), {"preset": "partner_hearts", "changed": True}),
        ("x", SHORT, None),
    ],
)
def test_from_which_game_a_table_was_opened(tmp_path: Path, game: str, rules: Rules, told: object) -> None:
    with server(tmp_path) as client:
        table, token = W.open_table(client, rules, game=game)
    with server(tmp_path) as client:
        assert client.get(f"/api/tables/{table}").json()["game"] == told
        assert W.first_message(client, table, token)["game"] == told


def test_the_key_to_a_seat_is_told_to_nobody_else(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    table, token = W.open_table(client, SHORT)
    other, _ = W.open_table(client, SHORT)
    bob = W.take_seat(client, table, "Bob")

    def ask(at: str, key: object, **headers: str) -> Any:
        return client.post(f"/api/tables/{at}/key", json={"token": key}, headers=headers)

    for key in (token, bob):
        link = f"http://testserver/#t/{table}/{key}"
        assert ask(table, key).json() == {"link": link, "code": qr_rows(link)}
    wrong = [ask(other, token), ask(table, "forged"), ask(table, None), ask("nowhere", token)]
    assert [each.json()["code"] for each in wrong] == ["unknown-token", "unknown-token", "malformed", "no-such-table"]
    assert ask(table, token, origin="http://evil.example").status_code == 403
    assert client.get(f"/api/tables/{table}/key").status_code == 405
    with W.sit(client, table, bob) as guest, W.sit(client, table, None) as watcher:
        told = [guest.received, watcher.received, client.get(f"/api/tables/{table}").json()]
    assert token not in json.dumps(told) + caplog.text + "".join([each.text for each in wrong])


def test_in_a_network_the_link_is_for_the_others(tmp_path: Path) -> None:
    page = "http://192.168.1.20:8000/"
    with server(tmp_path, hosts=("127.0.0.1", "192.168.1.20"), reached_at=(page,)) as client:
        client.headers["host"] = "127.0.0.1:8000"
        client.headers["origin"] = "http://127.0.0.1:8000"
        table, _ = W.open_table(client, SHORT)
        with client.websocket_connect(f"/api/tables/{table}/socket") as socket:
            socket.send_json({"type": "hello", "token": None})
            assert socket.receive_json()["link"] == f"{page}#t/{table}"
        phone = {"host": "192.168.1.20:8000", "origin": "http://192.168.1.20:8000"}
        seat = client.post(f"/api/tables/{table}/seats", json={"name": "Bob"}, headers=phone)
        assert seat.status_code == 201


@pytest.mark.parametrize(("said", "fails"), [(True, False), (True, True), (False, False)])
def test_who_leaves_is_not_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture, said: bool, fails: bool) -> None:
    hello = {"type": "websocket.receive", "text": '{"type": "hello", "token": null}'}
    gone = {"type": "websocket.disconnect", "code": 1006}
    receive = mock.AsyncMock(side_effect=[{"type": "websocket.connect"}, *([hello] if said else []), gone])

    async def send(message: dict[str, Any]) -> None:
        if fails or message["type"] != "websocket.accept":
            raise OSError("the page has gone")

    async def visit() -> None:
        app = make_app(W.settings(tmp_path))
        scope = {"type": "websocket", "path": "/api/tables/x/socket", "headers": [(b"host", b"testserver")]}
        async with app.router.lifespan_context(app):
            await app(scope | {"query_string": b"", "subprotocols": [], "client": ("127.0.0.1", 1)}, receive, send)  # type: ignore[arg-type]

    asyncio.run(visit())
    assert not caplog.records


def test_rules_are_checked_and_told_in_sentences_before_a_table_is_opened(tmp_path: Path) -> None:
    good, wrong = W.rules_document(SHORT), {**W.rules_document(SHORT), "players": 5}
    with server(tmp_path, W.SetClock(), check_rate=1) as client:
        checked = client.post("/api/rules", json=good).json()
        assert "The game ends after 1 deal." in map(W.plain, checked["sentences"])
        assert checked["picture"]["players"] == 4
        answer = client.post("/api/rules?language=de", json=wrong)
        assert answer.status_code == 200, "the request has not failed"
        (problem,) = answer.json()["problems"]
        assert problem["fields"][0] == "/removed"
        assert "52 Karten" in W.plain(problem["sentence"])
        assert {"type": "option", "option": "removed", "value": None} in problem["sentence"]
        opened = client.post("/api/tables?language=de", json={"rules": wrong, "name": "Ann"})
        assert (opened.status_code, opened.json()["problems"]) == (400, [problem])
        for origin, status in (("http://testserver", 200), ("http://evil.example", 403)):
            answers = [client.post("/api/rules", json={}, headers={"origin": origin}) for _ in range(100)]
            assert {answer.status_code for answer in answers} <= {status, 429}
            assert answers[-1].json()["code"] == "too-many-requests"


def test_the_form_offers_games_levels_and_rule_sets(client: TestClient) -> None:
    choices = client.get("/api/choices").json()
    assert list(choices["defaults"]) == [str(count) for count in range(3, 12)]
    offered = {preset["name"]: preset["rules"] for preset in choices["presets"]}
    assert [each["named"] for each in choices["presets"]] == [[*presets.ALL[name].players] for name in offered]

    def rules(preset: str, count: int) -> Rules:
        return from_json(json.dumps({"heartsrules": 1, "kind": "rules", **offered[preset][str(count)]}), Rules)

    for game in GAMES:
        assert rules(game.preset, game.players) == game.rules
    for name, preset in presets.ALL.items():
        assert {count: rules(name, count) for count in preset.players} == {n: preset(n) for n in preset.players}
    assert [level["name"] for level in choices["levels"]] == list(LEVELS)
    assert [level["name"] for level in choices["levels"] if level["usual"]] == ["usual"]


def test_bots_think_while_the_others_look_at_the_last_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = W.SetClock()
    thought: list[Question] = []

    async def noted(_: Thinkers, question: Question) -> Move:
        thought.append(question)
        return choose_for(attrs.evolve(question, level="usual"))

    monkeypatch.setattr(Thinkers, "choose", noted)
    experts = [{"level": "expert", "friend": False}] * 3
    pace = RoomPace(play=5, trick=0, deal=0)
    with server(tmp_path, clock, pace=pace) as client, W.hosted(client, TINY, seats=experts) as (_, _, ann):
        ply = ann.until_turn()
        ann.make_move()
        for _ in range(2):
            assert ann.ask({"type": "go-on"})["type"] == "accepted"
        assert (len(thought), ann.now["ply"]) == (1, ply + 1), "it thinks at once, and plays in time"
        clock.advance(5)
        ann.catch_up(ply + 2)


def test_what_somebody_says_is_one_of_a_few_phrases_and_not_too_often(tmp_path: Path) -> None:
    clock = W.SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob") as (table, _, (ann, bob), _):
        assert ann.ask({"type": "say", "phrase": "nice"})["type"] == "accepted"
        assert bob.until("phrase") == {"type": "phrase", "seat": 0, "phrase": "nice"}
        assert ann.ask({"type": "say", "phrase": "<b>mine</b>"})["code"] == "malformed"
        assert [ann.ask({"type": "say", "phrase": "ouch"})["type"] for _ in range(2)] == ["accepted"] * 2
        assert ann.ask({"type": "say", "phrase": "ouch"})["code"] == "too-many-phrases"
        assert bob.ask({"type": "say", "phrase": "thanks"})["type"] == "accepted", "each has a limit of their own"
        clock.advance(4)
        assert ann.ask({"type": "say", "phrase": "bye"})["type"] == "accepted"
        with W.sit(client, table, None) as watcher:
            assert watcher.ask({"type": "say", "phrase": "hello"})["code"] == "spectator"


def test_bots_play_at_the_pace_of_the_slowest_person(tmp_path: Path) -> None:
    clock = W.SetClock()
    pace = RoomPace(play=10, trick=20, deal=0)
    with server(tmp_path, clock, pace=pace) as client, seated(client, "Ann Bob") as (table, _, (ann, bob), _):
        assert ann.described["look"] == 20
        for page, wanted, look in ((ann, "fast", 20), (bob, "fast", 7), (ann, "slow", 40), (ann, "usual", 20)):
            assert page.ask({"type": "pace", "pace": wanted})["type"] == "accepted"
            ann.until_table(look=look)
        with W.sit(client, table, None) as watcher:
            watcher.ask({"type": "pace", "pace": "slow"})
            assert watcher.described["look"] == 20, "whoever watches does not hold the others up"


def test_a_deal_in_which_no_point_can_change_is_played_out_for_whoever_is_to_act(tmp_path: Path) -> None:
    with server(tmp_path) as client, seated(client, "Ann Bob", W.tiny("2C 3C 4C 2D 3D 4H")) as (_, _, (ann, bob), _):
        ann.until_turn()
        assert not ann.now["choice"]["settled"], "the heart has not been taken"
        assert ann.ask({"type": "claim", "ply": ann.now["ply"]})["code"] == "cannot-claim"
    with server(tmp_path) as client, seated(client, "Ann Bob", TINY) as (_, _, (ann, bob), _):
        ann.until_turn()
        assert ann.now["choice"]["settled"], "no card of this deck counts"
        assert bob.ask({"type": "claim", "ply": ann.now["ply"]})["code"] == "cannot-claim", "it is not his turn"
        assert ann.ask({"type": "claim", "ply": ann.now["ply"]})["type"] == "accepted"
        for page in (ann, bob):
            while page.now["view"]["phase"] != "game-over":
                page.until("view")


def test_the_record_of_a_match_is_a_file_once_it_is_over(tmp_path: Path, client: TestClient) -> None:
    with W.hosted(client, THREE) as (table, _, ann):
        ann.ask({"type": "start"})
        refused = client.get(f"/api/tables/{table}/record")
        assert (refused.status_code, refused.json()["code"]) == (409, "not-over")
        ann.play_on()
    answer = client.get(f"/api/tables/{table}/record")
    assert client.get("/api/tables/nowhere/record").status_code == 404
    assert answer.headers["content-disposition"] == 'attachment; filename="hearts.json"'
    record = from_json(answer.content, Record)
    judged = verify(record)
    assert (judged.valid, judged.finished) == (True, True)
    assert record.tags == (("Seat0", "Ann"), ("Seat1", "Bruno"), ("Seat2", "Carla"))
    sheet = W.states_of(W.database_in(tmp_path), table)[-1].score_sheet
    assert record.points == tuple([score.points for score in sheet])


def test_the_same_people_play_again_with_the_same_tokens(client: TestClient) -> None:
    table, token = W.open_table(client, THREE)
    other = W.take_seat(client, table)
    with W.sit(client, table, token) as ann, W.sit(client, table, other) as bob, W.sit(client, table, None) as watcher:
        assert ann.ask({"type": "again"})["code"] == "not-over"
        ann.ask({"type": "start"})
        W.play_together(ann, bob)
        assert watcher.ask({"type": "again"})["code"] == "spectator"
        # Whoever asks first is the host of the next game; to ask again opens no other one.
        assert bob.ask({"type": "again"})["type"] == "accepted"
        assert ann.ask({"type": "again"})["type"] == "accepted"
        (following,) = {message["next"] for message in ann.received if message.get("next")}
    with W.sit(client, following, other) as bob, W.sit(client, following, token) as ann:
        told = bob.described
        assert (told["seat"], told["host"], told["started"]) == (1, 1, False)
        assert [person["name"] for person in told["people"]] == ["Ann", "Bob", "Carla"]
        assert bob.ask({"type": "start"})["type"] == "accepted"
        assert ann.until("view")["view"]["phase"] == "playing"


def test_the_next_deal_waits_while_a_review_is_open_unless_the_others_want_a_bot(tmp_path: Path) -> None:
    clock = W.SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob", ENDLESS) as (_, _, (ann, bob), exits):

        def to_the_end_of_a_deal() -> None:
            W.play_while(lambda: ann.now["view"]["phase"] != "awaiting-deal", ann, bob)
            ann.until_table(paused="review", reviewing=[1])

        def goes_on() -> bool:
            while ann.now["view"]["phase"] == "awaiting-deal":
                ann.until("view")
            return bool(ann.described["reviewing"] == [])

        assert goes_on()
        assert bob.ask({"type": "reviewing", "open": True})["type"] == "accepted"
        to_the_end_of_a_deal()
        assert ann.ask({"type": "go-on"})["type"] == "accepted"
        assert ann.described["paused"] == "review"
        assert bob.ask({"type": "reviewing", "open": False})["type"] == "accepted"
        assert goes_on()
        bob.ask({"type": "reviewing", "open": True})
        to_the_end_of_a_deal()
        clock.advance(AWAY)
        ann.until_table(absent=[{"seat": 1, "votes": [], "needed": 1}])
        assert ann.ask({"type": "vote", "seat": 1})["type"] == "accepted"
        assert goes_on()
        bob.ask({"type": "back"})
        to_the_end_of_a_deal()
        exits[1].close()
        assert goes_on()
