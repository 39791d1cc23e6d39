"""Players of whoever runs the server at the browser table, which may be programs: they are chosen like bots, and none
can stop a table."""

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
from starlette.testclient import TestClient
from typer.testing import CliRunner

from heartsrules import Rules
from heartsrules.apps.command_line import app
from heartsrules.bots import Named, bot_named
from heartsrules.bots.external import External
from support import fake_player
from support.web_knowledge import check_messages
from support.web_player import TINY, Player, rules_document, server, sit, states_of, visitor


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


def opened(client: TestClient, rules: Rules = TINY) -> Any:
    plans = [{"level": "guest", "friend": False}] * 3
    return client.post("/api/tables", json={"rules": rules_document(rules), "name": "Ann", "seats": plans})


def failures(player: Player) -> list[Any]:
    """The players that were said to have failed, with their seats."""
    notes = [message["note"] for message in player.received if message["type"] == "note"]
    return [(note["seat"], note["name"]) for note in notes if note["code"] == "player-failed"]


def test_a_program_is_chosen_like_a_bot_and_ends_with_the_match(tmp_path: Path) -> None:
    guest = program(tmp_path, "good")
    with server(tmp_path, players=(guest,)) as client:
        levels = client.get("/api/choices").json()["levels"]
        assert [level["name"] for level in levels] == ["beginner", "usual", "strong", "expert", "guest"]
        assert [level["name"] for level in levels if not level["ours"]] == ["guest"]
        answer = opened(client).json()
        table, token = answer["table"], answer["token"]
        with sit(client, table, token) as ann:
            assert ann.play_on()["view"]["phase"] == "game-over"
        assert failures(ann) == []
    asked = [json.loads(line) for each in tmp_path.glob("*.jsonl") for line in each.read_text().splitlines()]
    seats = {each["view"]["seat"] for each in asked if each["op"] == "choose"}
    assert seats
    assert seats <= {1, 2}, "it is asked where there is something to choose"
    assert not processes_of(guest)
    check_messages(ann.raw, states_of(tmp_path / "tables.sqlite3", table), 0)


def test_a_program_ends_when_people_have_taken_its_seats(tmp_path: Path) -> None:
    guest = program(tmp_path, "good")
    with server(tmp_path, players=(guest,)) as client:
        answer = opened(client, attrs.evolve(TINY, max_deals=2)).json()
        table = answer["table"]
        with sit(client, table, answer["token"]) as ann:
            ann.until_turn()
            ann.play_one()
            until(lambda: bool(processes_of(guest)))
            with ExitStack() as stack:
                for seat in (1, 2):
                    elsewhere = visitor(client, f"192.0.2.{seat}")
                    answer = elsewhere.post(f"/api/tables/{table}/seats", json={"name": "Bob", "seat": seat})
                    stack.enter_context(sit(elsewhere, table, answer.json()["token"]))
                assert processes_of(guest), "it plays until the next deal"
                while ann.now["view"]["deal_number"] == 0:
                    if ann.asked:
                        ann.play_one()
                    else:
                        ann.until("view")
                until(lambda: not processes_of(guest))


@pytest.mark.parametrize("how", ["crash", "illegal", "garbage"])
def test_a_program_that_fails_is_said_to_and_replaced(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    guest = program(tmp_path, how)
    with server(tmp_path, players=(guest,)) as client:
        answer = opened(client).json()
        with sit(client, answer["table"], answer["token"]) as ann:
            assert ann.play_on()["view"]["phase"] == "game-over"
            ann.ask({"type": "go-on"})
            told = failures(ann)
    assert told
    assert all([seat in (1, 2) and name == "guest" for seat, name in told])
    assert "a usual bot replaces guest" in caplog.text
    assert not processes_of(guest)


def test_a_table_whose_player_is_not_named_any_more_goes_on_with_a_usual_bot(tmp_path: Path) -> None:
    with server(tmp_path, players=(program(tmp_path, "good"),)) as client:
        answer = opened(client).json()
    with server(tmp_path) as client:
        assert opened(client).json()["code"] == "no-such-level"
        with sit(client, answer["table"], answer["token"]) as ann:
            assert ann.play_on()["view"]["phase"] == "game-over"


@pytest.mark.parametrize(
    ("texts", "code", "told"),
    [
        (["nobody"], 2, "there is no bot"),
        (["sampling:20"], 2, "give it a name of its own, NAME=BOT"),
        (["usual=heuristic"], 2, "there is a player of that name: choose another"),
        (["a=heuristic", "a=uniform"], 2, "there is a player of that name: choose another"),
        (["a=external:"], 2, "external needs a command"),
        (["a=external:/no/such/program"], 1, "/no/such/program"),
    ],
)
def test_players_that_cannot_be_named_so_are_refused(tmp_path: Path, texts: list[str], code: int, told: str) -> None:
    named = [part for text in texts for part in ("--player", text)]
    arguments = ["table", "--port", "0", "--database", str(tmp_path / "kept"), *named]
    result = CliRunner().invoke(app, arguments, prog_name="heartsrules", env={"COLUMNS": "200"})
    assert result.exit_code == code
    assert told in " ".join(result.stderr.split())
