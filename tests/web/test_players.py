"""Programs that the operator of the server offers as players: they are chosen like bots, and none can stop a table."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
import pytest

from heartsrules.bots import Named, bot_named
from heartsrules.bots.external import External
from support import fake_player
from support import web_player as W
from support.web_knowledge import check_messages


def program(folder: Path, how: str, seconds: float = 20.0) -> Named:
    """A player that is a program, and behaves so."""
    command = shlex.join([sys.executable, fake_player.__file__, how, str(folder)])
    return bot_named(f"guest=external:{command}", seconds=seconds)


def processes_of(named: Named) -> dict[Any, Any]:
    """The processes that a program has now."""
    assert isinstance(named.bot, External)
    return named.bot._running


def until(happened: Callable[[], bool]) -> None:
    """Wait until something has happened in another thread."""
    late = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < late
        time.sleep(0.01)


GUESTS: list[dict[str, Any]] = [{"level": "guest", "friend": False}] * 3


def failures(player: W.Player) -> list[Any]:
    """The players that were said to have failed, with their seats."""
    notes = [message["note"] for message in player.received if message["type"] == "note"]
    return [(note["seat"], note["name"]) for note in notes if note["code"] == "player-failed"]


def test_a_program_is_chosen_like_a_bot_and_ends_with_the_match(tmp_path: Path) -> None:
    guest = program(tmp_path, "good")
    with W.server(tmp_path, players=(guest,)) as client:
        levels = client.get("/api/choices").json()["levels"]
        assert [level["name"] for level in levels] == ["beginner", "usual", "strong", "expert", "guest"]
        assert [level["name"] for level in levels if not level["ours"]] == ["guest"]
        with W.hosted(client, W.TINY, seats=GUESTS) as (table, _, ann):
            assert ann.play_on()["view"]["phase"] == "game-over"
        assert failures(ann) == []
    asked = [json.loads(line) for each in tmp_path.glob("*.jsonl") for line in each.read_text().splitlines()]
    seats = {each["view"]["seat"] for each in asked if each["op"] == "choose"}
    assert set() < seats <= {1, 2}, "it is asked where there is something to choose"
    assert not processes_of(guest)
    check_messages(ann.raw, W.states_of(tmp_path / "tables.sqlite3", table), 0)


def test_a_program_ends_when_people_have_taken_its_seats(tmp_path: Path) -> None:
    guest = program(tmp_path, "good")
    two = attrs.evolve(W.TINY, max_deals=2)
    with W.server(tmp_path, players=(guest,)) as client, W.hosted(client, two, seats=GUESTS) as (table, _, ann):
        ann.until_turn()
        ann.play_one()
        until(lambda: bool(processes_of(guest)))
        with ExitStack() as stack:
            for seat in (1, 2):
                elsewhere = W.visitor(client, f"192.0.2.{seat}")
                token = W.ask_for_seat(elsewhere, table, seat, "Bob").json()["token"]
                stack.enter_context(W.sit(elsewhere, table, token))
            assert processes_of(guest), "it plays until the next deal"
            W.play_deal(ann)
            until(lambda: not processes_of(guest))


@pytest.mark.parametrize("how", ["crash", "illegal", "garbage"])
def test_a_program_that_fails_is_replaced(tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture) -> None:
    guest = program(tmp_path, how)
    with W.server(tmp_path, players=(guest,)) as client, W.hosted(client, W.TINY, seats=GUESTS) as (_, _, ann):
        assert ann.play_on()["view"]["phase"] == "game-over"
        ann.ask({"type": "go-on"})
        told = failures(ann)
    assert told
    assert all([seat in (1, 2) and name == "guest" for seat, name in told])
    assert "a usual bot replaces guest" in caplog.text
    assert not processes_of(guest)


def test_a_table_whose_player_is_not_named_any_more_goes_on_with_a_usual_bot(tmp_path: Path) -> None:
    with W.server(tmp_path, players=(program(tmp_path, "good"),)) as client:
        table, token = W.open_table(client, W.TINY, seats=GUESTS)
    with W.server(tmp_path) as client:
        again = {"rules": W.rules_document(W.TINY), "name": "Ann", "seats": GUESTS}
        assert client.post("/api/tables", json=again).json()["code"] == "no-such-level"
        with W.sit(client, table, token) as ann:
            assert ann.play_on()["view"]["phase"] == "game-over"
