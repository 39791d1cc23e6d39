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

import attrs
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from heartsrules import Move, Rules, View, apply, deal, new_game, presets, to_act, view
from heartsrules.apps.table import bots
from heartsrules.apps.table.addresses import qr_rows
from heartsrules.apps.table.app import make_app
from heartsrules.apps.table.bots import LEVELS, Question, choose_for
from heartsrules.apps.table.games import GAMES
from heartsrules.apps.table.messages import Refused
from heartsrules.apps.table.protocol import AWAY
from heartsrules.apps.table.rooms import SWEEP
from heartsrules.apps.table.settings import RoomPace
from heartsrules.apps.table.thinkers import Thinkers
from heartsrules.bots import Learned, Sampling, heuristic
from heartsrules.chance import Bits
from heartsrules.formats.wire import from_json
from support.web_knowledge import check_messages
from support.web_loop import LoopServer
from support.web_player import (
    Player,
    SetClock,
    ask_for_seat,
    begun_table,
    database_in,
    first_message,
    first_move,
    open_table,
    plain,
    play_a_card,
    play_deal,
    play_while,
    rules_document,
    server,
    settings,
    sit,
    states_of,
    take_seat,
    tiny,
    visitor,
)

SHORT = Rules(max_deals=1, target=None)
TINY = tiny("2C 3C 2D 3D 2S 3S")
"""Two tricks of three cards."""
ENDLESS = attrs.evolve(TINY, max_deals=1000)


@contextmanager
def seated(
    client: TestClient, names: str, rules: Rules = SHORT, **more: Any
) -> Iterator[tuple[str, list[str], list[Player], list[ExitStack]]]:
    """A table whose game has begun, with these people: its name, their tokens, their pages, and how each leaves.

    They come from different addresses: the first from that of the client."""
    table, token = open_table(client, rules, **more)
    guests = [(visitor(client, f"198.51.100.{number}"), name) for number, name in enumerate(names.split()[1:])]
    tokens = [token, *(take_seat(guest, table, name) for guest, name in guests)]
    with ExitStack() as stacks:
        exits = [stacks.enter_context(ExitStack()) for _ in tokens]
        clients = [client, *[guest for guest, _ in guests]]
        players = [
            leave.enter_context(sit(at, table, token)) for leave, at, token in zip(exits, clients, tokens, strict=True)
        ]
        assert players[0].ask({"type": "start"})["type"] == "accepted"
        yield table, tokens, players, exits


# ------------------------------------------------------------------------------------------------ nobody can stop it


def test_a_bot_plays_for_who_is_away_after_the_time_that_the_host_chose(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob", away=30) as (table, tokens, players, exits):
        ann = players[0]
        assert ann.received[0]["away"] == 30
        exits[1].close()
        ann.until_seat(1, here=False)
        clock.advance(29)
        assert ann.ask({"type": "go-on"})["type"] == "accepted"
        assert not ann.described["people"][1]["stand_in"]
        clock.advance(1)
        ann.until_seat(1, stand_in=True, here=False)
        with sit(client, table, tokens[1]) as bob:
            assert not bob.described["people"][1]["stand_in"], "whoever comes back plays on"
        clock.advance(30)
        assert ann.play_on()["view"]["phase"] == "game-over"


@pytest.mark.parametrize("readings", range(12))
def test_nobody_is_forgotten_whose_time_is_up_while_the_server_looks(readings: int) -> None:
    with closing(LoopServer(idle_seconds=10**6)) as server:
        body = {"rules": rules_document(ENDLESS), "name": "Ann", "away": 30}
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
    clock = SetClock()
    with server(tmp_path, clock) as client:
        table, token = open_table(client, SHORT, away=30)
        others = [take_seat(client, table, name) for name in ("Bob", "Cid")]
        with sit(client, table, others[0]) as bob, sit(client, table, others[1]) as cid:
            assert bob.described["host"] == 0
            assert bob.ask({"type": "start"})["code"] == "not-the-host"
            clock.advance(30)
            cid.until_table(host=1)
            assert cid.ask({"type": "start"})["code"] == "not-the-host"
            with sit(client, table, token) as ann:
                assert ann.described["host"] == 1, "it stays so when the first host comes back"
            assert bob.ask({"type": "start"})["type"] == "accepted"
    with server(tmp_path, clock) as client, sit(client, table, token) as ann:
        assert ann.described["host"] == 1, "it is kept"


def test_a_host_who_gives_the_seat_up_is_followed_at_once(tmp_path: Path) -> None:
    with server(tmp_path) as client, seated(client, "Ann Bob Cid") as (table, tokens, players, _):
        ann, bob, cid = players
        ann.send({"type": "leave", "id": 7})
        lost = ann.until("refused")
        assert (lost["code"], lost["message"]) == ("seat-lost", "you gave it up: this seat is yours no more")
        bob.until_table(host=1)
        assert cid.until_seat(0, kind="bot")["name"] == "Alma"
        with pytest.raises(WebSocketDisconnect):
            ann.until("the end")
        assert first_message(client, table, tokens[0])["code"] == "unknown-token"


def test_the_others_vote_for_a_bot(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob Cid Dora", away=None) as (table, _, players, exits):
        ann, bob, cid, _ = players
        assert ann.ask({"type": "vote", "seat": 3})["code"] == "no-vote", "she is here"
        assert ann.ask({"type": "vote", "seat": 9})["code"] == "no-vote"
        exits[3].close()
        bob.until_seat(3, here=False)
        clock.advance(AWAY - 1)
        assert ann.ask({"type": "vote", "seat": 3})["code"] == "no-vote", "she is given the time"
        clock.advance(1)
        while 3 not in bob.absent:
            bob.until("table")
        assert bob.absent[3]["needed"] == 2
        with sit(client, table, None) as watcher:
            assert watcher.ask({"type": "vote", "seat": 3})["code"] == "not-a-voter"
        assert bob.ask({"type": "vote", "seat": 3})["type"] == "accepted"
        assert bob.ask({"type": "vote", "seat": 3})["type"] == "accepted", "a vote counts once"
        while ann.absent.get(3, {"votes": []})["votes"] != [1]:
            ann.until("table")
        assert bob.ask({"type": "vote", "seat": 3, "wanted": False})["type"] == "accepted"
        while cid.absent.get(3, {"votes": [1]})["votes"]:
            cid.until("table")
        for voter in (cid, bob):
            voter.ask({"type": "vote", "seat": 3})
        ann.until_seat(3, stand_in=True)
        (note,) = [each["note"] for each in ann.received if each["type"] == "note"]
        assert (note["code"], note["name"], note["why"]) == ("stand-in", "Dora", "vote")


def test_the_others_vote_on_who_is_here_and_does_nothing_and_who_may_be_back_at_once(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob", away=30) as (_, _, players, _):
        ann, bob = players
        bob.until_turn()
        clock.advance(29)
        assert ann.ask({"type": "vote", "seat": 1})["code"] == "no-vote"
        clock.advance(1)
        ann.until_table(absent=[{"seat": seat, "votes": [], "needed": 1} for seat in (0, 1)])
        assert ann.ask({"type": "vote", "seat": 1})["type"] == "accepted"
        assert bob.move(bob.now["ply"], **first_move(bob.now))["code"] == "stand-in"
        assert bob.until_seat(1, stand_in=True)["here"]
        assert bob.ask({"type": "back"})["type"] == "accepted"
        assert bob.ask({"type": "back"})["code"] == "no-stand-in"
        ann.until_seat(1, stand_in=False)


# ------------------------------------------------------------------------------------------------- seats change hands


def test_somebody_who_watches_takes_over_from_a_bot_and_gives_the_seat_back(tmp_path: Path) -> None:
    rules = attrs.evolve(TINY, max_deals=2)
    with server(tmp_path) as client, seated(client, "Ann", rules) as (table, _, (ann,), _):
        ann.until_seat(2, kind="bot", takeable=True)
        play_a_card(ann)
        for seat, status, code in ((0, 409, "seat-taken"), (9, 400, "no-such-seat")):
            answer = client.post(f"/api/tables/{table}/seats", json={"name": "Eve", "seat": seat})
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        elsewhere = visitor(client, "192.0.2.1")
        taken = ask_for_seat(elsewhere, table, 2)
        assert (taken.status_code, taken.json()["seat"], taken.json()["waits"]) == (201, 2, True)
        with sit(elsewhere, table, taken.json()["token"]) as eve:
            assert (eve.described["seat"], eve.described["waits_for"]) == (None, 2)
            assert eve.now["view"]["seat"] is None
            assert eve.described["newcomers"] == [{"seat": 2, "name": "Eve", "near": [], "asked": []}]
            assert ask_for_seat(client, table, 2, "Mallory").json()["code"] == "seat-taken"
            play_deal(ann)
            eve.until_table(seat=2, waits_for=None)
            while eve.now["view"]["seat"] is None or eve.now["view"]["phase"] != "playing":
                eve.until("view")
            assert eve.now["view"]["deal_number"] == 1
            assert ann.until_seat(2, kind="person", here=True)["name"] == "Eve"
            assert eve.leave()["code"] == "seat-lost"
        ann.until_seat(2, kind="bot")
        assert ann.play_on()["view"]["phase"] == "game-over"
        assert ask_for_seat(client, table, 2).json()["code"] == "game-over"
        assert ann.ask({"type": "leave"})["code"] == "game-over"


def test_whoever_follows_a_link_gets_the_first_seat_of_a_bot(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, _ = open_table(client, ENDLESS, seats=[{"friend": False}] * 3)
        friends = [visitor(client, f"198.51.100.{number}") for number in range(3)]
        answers = [ask_for_seat(friend, table) for friend in friends]
        assert [answer.status_code for answer in answers] == [201, 201, 409]
        assert [(answer.json()["seat"], answer.json()["waits"]) for answer in answers[:2]] == [(1, True), (2, True)]
        assert answers[2].json()["code"] == "table-full"


def test_whose_seat_was_taken_over_gets_it_back_and_the_other_is_told(tmp_path: Path) -> None:
    clock = SetClock()
    with (
        server(tmp_path, clock) as client,
        seated(client, "Ann Bob", ENDLESS, away=30) as (table, tokens, players, exits),
    ):
        ann = players[0]
        play_a_card(*players)
        exits[1].close()
        ann.until_seat(1, here=False)
        assert ask_for_seat(client, table, 1).json()["code"] == "seat-taken", "nobody plays for him yet"
        clock.advance(30)
        ann.until_seat(1, takeable=True)
        elsewhere = visitor(client, "192.0.2.1")
        token = ask_for_seat(elsewhere, table, 1).json()["token"]
        with sit(elsewhere, table, token) as eve:
            play_deal(ann)
            person = ann.until_seat(1, name="Eve")
            assert (person["owner"], person["takeable"]) == ("Bob", False)
            with sit(client, table, tokens[1]) as bob:
                lost = eve.until("refused")
                assert (lost["code"], lost["message"]) == ("seat-lost", "its owner is back: this seat is yours no more")
                person = bob.described["people"][1]
                assert (person["name"], person["owner"], person["stand_in"]) == ("Bob", None, False)
                assert bob.described["seat"] == 1
                assert first_message(client, table, token)["code"] == "unknown-token"
        # Who gives up a seat that is somebody else's leaves it to a bot until the owner is back, after a restart too.
        ann.until_seat(1, here=False)
        clock.advance(30)
        ann.until_seat(1, takeable=True)
        token = ask_for_seat(elsewhere, table, 1).json()["token"]
        with sit(elsewhere, table, token):
            play_deal(ann)
            ann.until_seat(1, name="Eve")
    with server(tmp_path, SetClock()) as client, sit(client, table, token) as eve:
        assert eve.leave()["code"] == "seat-lost"
        with sit(client, table, tokens[1]) as bob:
            assert bob.described["people"][1]["name"] == "Bob"


def test_who_may_come_back_keeps_the_name(tmp_path: Path) -> None:
    clock = SetClock()
    rules = attrs.evolve(SHORT, max_deals=100)
    with (
        server(tmp_path, clock) as client,
        seated(client, "Ann Bob", rules, away=30) as (table, tokens, players, exits),
    ):
        ann = players[0]
        exits[1].close()
        ann.until_seat(1, here=False)
        clock.advance(30)
        ann.until_seat(1, takeable=True)
        wishes = [(1, "Bob"), (2, "Bob"), (3, "Dario")]
        with ExitStack() as stack:
            for seat, name in wishes:
                elsewhere = visitor(client, f"192.0.2.{seat}")
                answer = ask_for_seat(elsewhere, table, seat, name)
                stack.enter_context(sit(elsewhere, table, answer.json()["token"]))
            play_deal(ann)
            ann.until_seat(1, name="Bob (2)", owner="Bob")
            ann.until_seat(3, kind="person")
            with sit(client, table, tokens[1]) as bob:
                names = [each["name"] for each in bob.described["people"]]
    assert names == ["Ann", "Bob", "Bob (3)", "Dario (2)"]


def test_a_guest_who_leaves_before_the_game_frees_the_seat(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        guest = take_seat(client, table)
        with sit(client, table, token) as ann, sit(client, table, guest) as bob:
            bob.send({"type": "leave", "id": 7})
            bob.until("refused")
            ann.until_seat(1, kind="free")
            with sit(client, table, None) as watcher:
                assert watcher.ask({"type": "leave"})["code"] == "spectator"
        take_seat(client, table, "Cid")


# --------------------------------------------------------------------------------------------------------------- bots


def test_the_host_chooses_who_plays_where_nobody_sits(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        plans = [{}, {"level": "beginner", "friend": False}, {"level": "beginner"}]
        table, token = open_table(client, SHORT, seats=plans)
        guest = take_seat(client, table)
        with sit(client, table, token) as ann, sit(client, table, guest) as bob:
            assert bob.described["seat"] == 2, "the second seat is a bot's"
            people = ann.described["people"]
            assert [(each["kind"], each["level"]) for each in people] == [
                ("person", "usual"),
                ("bot", "beginner"),
                ("person", "beginner"),
                ("free", "usual"),
            ]
            wishes: list[tuple[dict[str, Any], str]] = [
                ({"seat": 2, "level": "usual"}, "seat-taken"),
                ({"seat": 9, "level": "usual"}, "seat-taken"),
                ({"seat": 3, "level": "champion"}, "no-such-level"),
            ]
            for wish, code in wishes:
                assert ann.ask({"type": "fill", **wish})["code"] == code
            assert bob.ask({"type": "fill", "seat": 3, "level": "usual"})["code"] == "not-the-host"
            assert ann.ask({"type": "fill", "seat": 1, "level": "usual", "friend": True})["type"] == "accepted"
            assert bob.until_seat(1, kind="free")["level"] == "usual"
            assert ann.ask({"type": "fill", "seat": 3, "level": "beginner"})["type"] == "accepted"
            ann.ask({"type": "start"})
            assert [each["level"] for each in bob.until_table(started=True)["people"][1::2]] == ["usual", "beginner"]
            again = {"type": "fill", "seat": 3, "level": "usual"}
            assert ann.ask(again | {"friend": True})["code"] == "already-started"
            assert ann.ask(again)["type"] == "accepted"
            assert bob.until_seat(3, level="usual")["kind"] == "bot"
        bad = {"rules": rules_document(SHORT), "name": "Ann", "seats": [{"level": "champion"}]}
        assert client.post("/api/tables", json=bad).json()["code"] == "no-such-level"


def test_who_plays_against_bots_alone_begins_at_once(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        bots = [{"level": "beginner", "friend": False}] * 4
        table, token = open_table(client, SHORT, seats=bots)
        with sit(client, table, token) as ann:
            assert ann.described["started"]
            assert ann.play_on()["view"]["phase"] == "game-over"
        # A host who watches begins nothing, so nobody is waited for.
        friends = [{"level": "usual", "friend": True}] * 4
        watched, _ = open_table(client, SHORT, seats=friends, play=False)
        with sit(client, watched, None) as watcher:
            assert watcher.play_on()["view"]["phase"] == "game-over"
    check_messages(ann.raw, states_of(database_in(tmp_path), table), 0)


def test_the_server_does_something_else_while_a_bot_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Question] = []
    answers: list[asyncio.Future[None]] = []

    async def think(_: Thinkers, question: Question) -> Move:
        future = asyncio.get_running_loop().create_future()
        asked.append(question)
        answers.append(future)
        await future
        return choose_for(attrs.evolve(question, level="usual"))

    def answer(future: asyncio.Future[None]) -> None:
        if not future.done():
            future.set_result(None)

    def let_think() -> None:
        for future in answers:
            future.get_loop().call_soon_threadsafe(answer, future)

    monkeypatch.setattr(Thinkers, "choose", think)
    with server(tmp_path) as client, seated(client, "Ann", TINY) as (table, _, (ann,), _):
        assert ann.ask({"type": "fill", "seat": 1, "level": "expert"})["type"] == "accepted"
        ann.until_turn()
        ann.answered = ann.now["ply"]
        ann.make_move()
        for _ in range(2):
            assert ann.ask({"type": "go-on"})["type"] == "accepted", "the room answers"
        assert len(asked) == 1
        assert (asked[0].seen.seat, asked[0].level) == (1, "expert")
        # What was thought of another position is thrown away.
        ann.ask({"type": "undo"})
        ann.answered = -1
        ann.until_turn()
        ann.make_move()
        while ann.now["view"]["phase"] != "game-over":
            let_think()
            if ann.asked:
                ann.answered = ann.now["ply"]
                ann.send({"type": "move", "id": 0, "ply": ann.now["ply"], "move": first_move(ann.now)})
            ann.ask({"type": "go-on"})
    assert states_of(database_in(tmp_path), table)


def test_bots_that_think_long_do_so_in_another_process_and_one_that_dies_is_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with server(tmp_path, bot_processes=1) as client:
        table, token = open_table(client, TINY, seats=[{"level": "strong", "friend": False}] * 3)
        with sit(client, table, token) as ann:
            assert ann.play_on()["view"]["phase"] == "game-over"

    async def killed() -> Move:
        thinkers = Thinkers(1)
        table = begun_table(TINY, level="strong")
        table.take(table.next_due())
        seat = table.acting_bot
        assert seat is not None
        question = table.question(seat)
        thought = asyncio.create_task(thinkers.choose(question))
        await asyncio.sleep(0)
        assert thinkers._processes is not None
        for worker in thinkers._processes.workers:
            worker.kill()
        move = await thought
        thinkers.stop()
        assert move == choose_for(attrs.evolve(question, level="usual"))
        return move

    asyncio.run(killed())
    assert "a bot's process has died" in caplog.text


def test_the_levels_are_bots_from_weak_to_strong() -> None:
    table = begun_table(TINY)
    table.take(table.next_due())
    seat = table.acting_bot
    assert seat is not None
    for name in LEVELS:
        question = Question(view(table.state, seat), name, 5)
        assert choose_for(question) == choose_for(question), "by the same seed it is the same"
    assert [level.slow for level in LEVELS.values()] == [False, False, True, True]


def test_an_expert_searches_with_the_network_where_it_knows_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, other = [apply(start, deal(start, seed=1)) for start in map(new_game, (Rules(), presets.black_maria(4)))]
    searched = []

    def search(seen: View, rng: Bits, /) -> Move:
        searched.append(seen)
        return heuristic(seen, rng)

    monkeypatch.setattr(bots, "_SEARCHING", search)
    monkeypatch.setattr(bots, "_NETWORK", attrs.evolve(bots._NETWORK, worlds=2))
    seen, unknown = [view(state, min(to_act(state))) for state in (usual, other)]
    assert choose_for(Question(seen, "expert", 1)) == Sampling(2, policy=Learned())(seen, Random(1))
    choose_for(Question(unknown, "expert", 1))
    assert searched == [unknown]
    monkeypatch.setattr(bots, "find_spec", {}.get)
    choose_for(Question(seen, "expert", 1))
    assert searched == [unknown, seen]


# --------------------------------------------------------------------------------------------- taking moves back


def test_a_move_is_taken_back_against_bots(tmp_path: Path) -> None:
    rules = Rules(max_deals=2, target=None)
    with server(tmp_path) as client, seated(client, "Ann", rules) as (table, _, (ann,), _):
        ann.until_turn()
        assert not ann.now["choice"]["undo"]
        assert ann.ask({"type": "undo"})["code"] == "cannot-undo", "there is nothing to take back"
        passed = ann.now
        plies = []
        with sit(client, table, None) as watcher:
            assert watcher.ask({"type": "undo"})["code"] == "spectator"
            for _ in range(3):  # the pass and two cards
                ann.answered = ann.now["ply"]
                plies.append(ann.now["ply"])
                ann.make_move()
                ann.until_turn()
                assert ann.now["choice"]["undo"]
            for _ in range(3):
                assert ann.ask({"type": "undo"})["type"] == "accepted"
            ply = ann.now["ply"]
            assert ply <= plies[0] + 3, "passes of bots that came before stay"
            back = 0
            while back < 3:
                before = watcher.now["ply"]
                back += watcher.until("view")["ply"] < before
            assert watcher.now["ply"] == ply
        assert ann.now["view"]["phase"] == "passing"
        assert ann.now["view"]["hand"] == passed["view"]["hand"]
        assert ann.now["view"]["commitment"] is None
        ann.answered = -1
        play_a_card(ann)
        elsewhere = visitor(client, "192.0.2.1")
        token = ask_for_seat(elsewhere, table, 2).json()["token"]
        with sit(elsewhere, table, token) as eve:
            assert eve.now["view"]["seat"] is None, "who watched may have seen too much"
            play_deal(ann)
            ann.until_seat(2, name="Eve")
            assert ann.ask({"type": "undo"})["code"] == "cannot-undo", "she is not alone any more"
    with server(tmp_path) as client:
        assert client.get(f"/api/tables/{table}").status_code == 200, "what is kept can be played again"


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


def test_no_move_of_a_match_that_is_over_is_taken_back(tmp_path: Path) -> None:
    with server(tmp_path) as client, seated(client, "Ann", TINY) as (_, _, (ann,), _):
        assert ann.play_on()["choice"]["undo"] is False
        assert ann.ask({"type": "undo"})["code"] == "cannot-undo"


def test_bots_know_nothing_of_what_was_taken_back() -> None:
    """They are asked by the view alone, and that is the one of a match in which nothing was taken back."""
    tables = [begun_table(SHORT, 3, people=(0,)) for _ in range(2)]
    for table in tables:
        while table.due:
            table.take(table.next_due())
    one, other = tables
    before = [view(one.state, seat) for seat in range(4)]
    move = json.loads(one.told(0))
    ply = one.ply
    step = one.step_of(from_json(json.dumps(first_move(move)).encode(), Move))
    one.take(step)
    while one.due:
        one.take(one.next_due())
    back, state = one.undo(0)
    assert (back, state) == (ply, other.state)
    one.take_back(back)
    assert [view(one.state, seat) for seat in range(4)] == before
    assert (one.ply, one.asked, one.state) == (other.ply, other.asked, other.state)
    with pytest.raises(Refused):
        one.undo(0)


# ----------------------------------------------------------------------------------------------------- what ends


def test_a_room_that_everybody_has_left_ends_and_a_full_server_recovers(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock, max_rooms=1) as client:
        table, token = open_table(client, SHORT)
        with sit(client, table, token):
            answer = client.post("/api/tables", json={"rules": rules_document(SHORT), "name": "Bob"})
            assert (answer.status_code, answer.json()["code"]) == (503, "too-many-tables")
        # As soon as she has left, there is place for another table; and hers is not lost.
        other = None
        while other is None:
            answer = client.post("/api/tables", json={"rules": rules_document(SHORT), "name": "Bob"})
            other = answer.json().get("token") and answer.json()
        with sit(client, other["table"], other["token"]):
            assert client.get(f"/api/tables/{table}").json()["code"] == "too-many-tables"
        while client.get(f"/api/tables/{table}").status_code != 200:
            pass


def test_nothing_goes_on_for_ever_where_nothing_happens(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock, idle_seconds=100, linger_seconds=10) as client:
        table, token = open_table(client, SHORT)
        with sit(client, table, token) as ann:
            clock.advance(99)
            assert ann.ask({"type": "go-on"})["type"] == "accepted"
            clock.advance(99)
            assert ann.ask({"type": "go-on"})["type"] == "accepted"
            clock.advance(100)
            assert ann.until("refused")["code"] == "asleep"
            with pytest.raises(WebSocketDisconnect):
                ann.until("the end")
        with sit(client, table, token) as ann:
            assert ann.ask({"type": "start"})["type"] == "accepted", "it can be woken up"


def test_bots_stop_after_many_deals_that_nobody_cares_for_and_rules_that_never_end_do(tmp_path: Path) -> None:
    with server(tmp_path, unattended_deals=3, max_deals=8) as client:
        table, _ = open_table(client, ENDLESS, play=False)
        with sit(client, table, None) as watcher:
            assert watcher.described["paused"] is None
            watcher.until_table(paused="unattended")
            assert watcher.now["view"]["deal_number"] == 3
            assert watcher.ask({"type": "go-on"})["type"] == "accepted"
            watcher.until_table(paused=None)
            watcher.until_table(paused="unattended")
            assert watcher.now["view"]["deal_number"] == 6
            watcher.ask({"type": "go-on"})
            watcher.until_table(paused="limit")
            assert watcher.now["view"]["deal_number"] == 8
            watcher.ask({"type": "go-on"})
            assert watcher.described["paused"] == "limit"


def test_tables_where_nothing_has_happened_for_long_are_deleted(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock, keep_days=1, idle_seconds=10**7) as client:
        old, _ = open_table(client, SHORT)
        played, token = open_table(client, SHORT)
        with sit(client, played, token) as ann:
            ann.ask({"type": "start"})
            clock.advance(86_000)
            young, _ = open_table(client, SHORT)
            clock.advance(SWEEP)
            while client.get(f"/api/tables/{old}").status_code != 404:
                pass
            assert client.get(f"/api/tables/{young}").status_code == 200
            assert ann.play_on()["view"]["phase"] == "game-over", "where somebody is, nothing is deleted"
    with closing(sqlite3.connect(database_in(tmp_path))) as connection:
        rest = [
            {table for (table,) in connection.execute(f"SELECT DISTINCT {key} FROM {name}")}
            for name, key in (("tables", "id"), ("seats", "table_id"), ("moves", "table_id"))
        ]
    assert rest == [{played, young}, {played, young}, {played}]


def test_a_table_whose_match_is_over_is_kept_for_a_week(tmp_path: Path) -> None:
    with server(tmp_path, SetClock()) as client:
        over, token = open_table(client, TINY, seats=[{"friend": False}] * 3)
        going, _ = open_table(client, SHORT)
        with sit(client, over, token) as ann:
            assert ann.play_on()["view"]["phase"] == "game-over"
    for days, kept, there in ((6, 30, [200, 200]), (6, 5, [404, 404]), (8, 30, [404, 200]), (31, 30, [404, 404])):
        later = SetClock()
        later.seconds += days * 86_400
        folder = tmp_path / f"{days} {kept}"
        folder.mkdir()
        with (
            closing(sqlite3.connect(database_in(tmp_path))) as all_tables,
            closing(sqlite3.connect(database_in(folder))) as copy,
        ):
            all_tables.backup(copy)
        # A server that is started looks for old tables at once.
        with server(folder, later, keep_days=kept) as client:
            assert [client.get(f"/api/tables/{table}").status_code for table in (over, going)] == there
            assert client.get(f"/api/tables/{over}/record").status_code == there[0]


# -------------------------------------------------------------------------------------------------------- joining


def test_an_invitation_says_whose_table_it_is_and_what_is_played(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT, seats=[{}, {"level": "beginner", "friend": False}])
        told = client.get(f"/api/tables/{table}").json()
        assert (told["host"], told["started"], told["over"]) == ("Ann", False, False)
        assert [person["kind"] for person in told["people"]] == ["person", "bot", "free", "free"]
        assert "4 players use a deck of 52 cards; each is dealt 13 cards." in map(plain, told["sentences"])
        assert told["link"] == f"http://testserver/#t/{table}"
        assert token not in json.dumps(told)
        code = client.get(f"/api/tables/{table}/code.svg")
        assert code.headers["content-type"] == "image/svg+xml"
        assert code.content.startswith(b"<svg ")
        assert b"style=" not in code.content
        for path in ("/api/tables/nowhere", "/api/tables/nowhere/code.svg"):
            assert (client.get(path).status_code, client.get(path).json()["code"]) == (404, "no-such-table")


def test_everybody_is_told_from_which_game_a_table_was_opened(tmp_path: Path) -> None:
    games = [
        ("gong_zhu", presets.gong_zhu(4)),
        ("gong_zhu", SHORT),
        ("partner_hearts", presets.gong_zhu(5)),
        ("x", SHORT),
    ]
    told: list[dict[str, object] | None] = [
        {"preset": "gong_zhu", "changed": False},
        {"preset": "gong_zhu", "changed": True},
    ]
    told += [{"preset": "partner_hearts", "changed": True}, None]
    with server(tmp_path) as client:
        tables = [open_table(client, rules, game=game) for game, rules in games]
    with server(tmp_path) as client:
        for (table, token), game in zip(tables, told, strict=True):
            assert client.get(f"/api/tables/{table}").json()["game"] == game
            with sit(client, table, token) as ann:
                assert ann.received[0]["game"] == game


def test_the_key_to_a_seat_is_told_to_nobody_but_who_has_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        other, _ = open_table(client, SHORT)
        bob = take_seat(client, table, "Bob")

        def ask(at: str, key: object, **headers: str) -> Any:
            return client.post(f"/api/tables/{at}/key", json={"token": key}, headers=headers)

        for key in (token, bob):
            told = ask(table, key)
            link = f"http://testserver/#t/{table}/{key}"
            assert (told.status_code, told.json()) == (200, {"link": link, "code": qr_rows(link)})
        refusals: tuple[tuple[str, str | None, str], ...] = (
            (other, token, "unknown-token"),
            (table, "forged", "unknown-token"),
            (table, None, "malformed"),
            ("nowhere", token, "no-such-table"),
        )
        for at, given, code in refusals:
            refused = ask(at, given)
            assert refused.json()["code"] == code
            assert token not in refused.text
        assert ask(table, token, origin="http://evil.example").status_code == 403
        assert client.get(f"/api/tables/{table}/key").status_code == 405
        with sit(client, table, bob) as guest, sit(client, table, None) as watcher:
            said = json.dumps([guest.received, watcher.received, client.get(f"/api/tables/{table}").json()])
    assert token not in said
    assert token not in caplog.text


def test_an_invitation_of_nobody_names_no_host(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        with sit(client, table, token) as ann:
            assert ann.leave()["code"] == "seat-lost"
        assert client.get(f"/api/tables/{table}").json()["host"] is None
        token = take_seat(client, table, "Eve")
        with sit(client, table, token) as eve:
            eve.until_table(host=0)
            assert client.get(f"/api/tables/{table}").json()["host"] == "Eve"
            eve.ask({"type": "start"})
            assert eve.leave()["code"] == "seat-lost"
        told = client.get(f"/api/tables/{table}").json()
        assert told["host"] is None
        assert {person["kind"] for person in told["people"]} == {"bot"}


def test_who_only_watches_needs_no_name(tmp_path: Path) -> None:
    rules = rules_document(SHORT)
    with server(tmp_path) as client:
        for named in ({}, {"name": ""}, {"name": "An\u200bn"}):
            assert client.post("/api/tables", json={"rules": rules, "play": False, **named}).status_code == 201
            refused = client.post("/api/tables", json={"rules": rules, **named})
            assert (refused.status_code, refused.json()["code"]) == (400, "bad-name")


def test_in_a_network_the_link_is_for_the_others(tmp_path: Path) -> None:
    page = "http://192.168.1.20:8000/"
    with server(tmp_path, hosts=("127.0.0.1", "192.168.1.20"), reached_at=(page,)) as client:
        client.headers["host"] = "127.0.0.1:8000"
        client.headers["origin"] = "http://127.0.0.1:8000"
        table, _ = open_table(client, SHORT)
        told = client.get(f"/api/tables/{table}").json()
        assert told["link"] == f"{page}#t/{table}"
        phone = {"host": "192.168.1.20:8000", "origin": "http://192.168.1.20:8000"}
        seat = client.post(f"/api/tables/{table}/seats", json={"name": "Bob"}, headers=phone)
        assert seat.status_code == 201


def test_who_leaves_while_being_refused_leaves_no_traceback(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def visit(first: list[dict[str, Any]], send_fails: bool) -> None:
        app = make_app(settings(tmp_path))
        incoming = [{"type": "websocket.connect"}, *first, {"type": "websocket.disconnect", "code": 1006}]

        async def receive() -> dict[str, Any]:
            return incoming.pop(0)

        async def send(message: dict[str, Any]) -> None:
            if send_fails or message["type"] != "websocket.accept":
                raise OSError("the page has gone")

        scope = {
            "type": "websocket",
            "path": "/api/tables/x/socket",
            "headers": [(b"host", b"testserver")],
            "query_string": b"",
            "subprotocols": [],
            "client": ("127.0.0.1", 1),
        }
        async with app.router.lifespan_context(app):
            await app(scope, receive, send)  # type: ignore[arg-type]

    hello = {"type": "websocket.receive", "text": '{"type": "hello", "token": null}'}
    for first, fails in (([hello], False), ([hello], True), ([], False)):
        asyncio.run(visit(first, fails))
    assert not caplog.records


# -------------------------------------------------------------------------------------------------------- the form


def test_rules_are_checked_and_told_in_sentences_before_a_table_is_opened(tmp_path: Path) -> None:
    with server(tmp_path, SetClock(), check_rate=1) as client:
        good = client.post("/api/rules", json=rules_document(SHORT))
        assert good.status_code == 200
        assert "The game ends after 1 deal." in map(plain, good.json()["sentences"])
        assert good.json()["picture"]["players"] == 4
        bad = client.post("/api/rules", json={**rules_document(SHORT), "players": 5})
        assert bad.status_code == 200, "the request has not failed"
        assert [problem["fields"][0] for problem in bad.json()["problems"]] == ["/removed"]
        assert client.post("/api/rules", content=b"{}").status_code == 400
        german = client.post("/api/rules?language=de", json=rules_document(SHORT))
        assert "4 Personen spielen" in plain(german.json()["sentences"][0])
        wrong = {**rules_document(SHORT), "players": 5}
        checked = client.post("/api/rules?language=de", json=wrong).json()
        opened = client.post("/api/tables?language=de", json={"rules": wrong, "name": "Ann"})
        assert (opened.status_code, opened.json()["problems"]) == (400, checked["problems"])
        assert "52 Karten" in plain(checked["problems"][0]["sentence"])
        assert {"type": "option", "option": "removed", "value": None} in checked["problems"][0]["sentence"]
        foreign: dict[str, Any] = {"headers": {"origin": "http://evil.example"}}
        assert client.post("/api/rules", json={}, **foreign).status_code == 403
        for more in ({}, foreign):
            while (answer := client.post("/api/rules", json={}, **more)).status_code != 429:
                pass
            assert answer.json()["code"] == "too-many-requests"


def test_the_form_offers_games_levels_and_every_option_in_its_section(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        choices = client.get("/api/choices").json()
    listed = [name for section in choices["sections"] for name in section["options"]]
    assert listed == [option.name for option in Rules.OPTIONS]
    assert [section["title"] for section in choices["sections"]] == list(
        dict.fromkeys(option.section for option in Rules.OPTIONS)
    )
    assert list(choices["defaults"]) == [str(count) for count in range(3, 12)]
    assert choices["defaults"]["4"]["pass_cycle"] == [[[1, 3]], [[-1, 3]], [["across", 3]], []]
    offered = {preset["name"]: preset["rules"] for preset in choices["presets"]}
    for game in GAMES:
        rules = {"heartsrules": 1, "kind": "rules", **offered[game.preset][str(game.players)]}
        assert from_json(json.dumps(rules), Rules) == game.rules
    assert [level["name"] for level in choices["levels"]] == list(LEVELS)
    assert [level["name"] for level in choices["levels"] if level["usual"]] == ["usual"]


def test_bots_think_while_the_others_look_at_the_last_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SetClock()
    thought: list[Question] = []

    async def noted(_: Thinkers, question: Question) -> Move:
        thought.append(question)
        return choose_for(attrs.evolve(question, level="usual"))

    monkeypatch.setattr(Thinkers, "choose", noted)
    with server(tmp_path, clock, pace=RoomPace(play=5, trick=0, deal=0)) as client:
        table, token = open_table(client, TINY, seats=[{"level": "expert", "friend": False}] * 3)
        with sit(client, table, token) as ann:
            ann.until_turn()
            ply = ann.now["ply"]
            ann.ask({"type": "move", "ply": ply, "move": first_move(ann.now)})
            for _ in range(2):
                assert ann.ask({"type": "go-on"})["type"] == "accepted"
            assert len(thought) == 1, "it thinks at once"
            assert ann.now["ply"] == ply + 1, "it plays in time"
            clock.advance(5)
            while ann.now["ply"] == ply + 1:
                ann.until("view")


def test_what_somebody_says_is_one_of_a_few_phrases_and_not_too_often(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob") as (table, _, (ann, bob), _):
        assert ann.ask({"type": "say", "phrase": "nice"})["type"] == "accepted"
        assert bob.until("phrase") == {"type": "phrase", "seat": 0, "phrase": "nice"}
        assert ann.ask({"type": "say", "phrase": "<b>mine</b>"})["code"] == "malformed"
        assert [ann.ask({"type": "say", "phrase": "ouch"})["type"] for _ in range(2)] == ["accepted"] * 2
        assert ann.ask({"type": "say", "phrase": "ouch"})["code"] == "too-many-phrases"
        assert bob.ask({"type": "say", "phrase": "thanks"})["type"] == "accepted", "each has a limit of their own"
        clock.advance(4)
        assert ann.ask({"type": "say", "phrase": "bye"})["type"] == "accepted"
        with sit(client, table, None) as watcher:
            assert watcher.ask({"type": "say", "phrase": "hello"})["code"] == "spectator"


def test_bots_play_at_the_pace_of_the_slowest_person(tmp_path: Path) -> None:
    clock = SetClock()
    pace = RoomPace(play=10, trick=20, deal=0)
    with server(tmp_path, clock, pace=pace) as client, seated(client, "Ann Bob") as (table, _, (ann, bob), _):
        assert ann.described["look"] == 20
        for page, wanted, look in ((ann, "fast", 20), (bob, "fast", 7), (ann, "slow", 40), (ann, "usual", 20)):
            assert page.ask({"type": "pace", "pace": wanted})["type"] == "accepted"
            ann.until_table(look=look)
        with sit(client, table, None) as watcher:
            watcher.ask({"type": "pace", "pace": "slow"})
            assert watcher.described["look"] == 20, "whoever watches does not hold the others up"


def test_the_next_deal_waits_while_a_review_is_open_unless_the_others_want_a_bot(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock) as client, seated(client, "Ann Bob", ENDLESS) as (_, _, (ann, bob), exits):

        def to_the_end_of_a_deal() -> None:
            play_while(lambda: ann.now["view"]["phase"] != "awaiting-deal", ann, bob)
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


def test_a_deal_in_which_no_point_can_change_is_played_out_for_whoever_is_to_act(tmp_path: Path) -> None:
    with server(tmp_path) as client, seated(client, "Ann Bob", tiny("2C 3C 4C 2D 3D 4H")) as (_, _, (ann, bob), _):
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
