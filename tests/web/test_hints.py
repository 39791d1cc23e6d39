"""Hints at the browser table: who may have them, that they come from a view alone, and that nobody stops a server by
asking for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from starlette.testclient import TestClient

from heartsrules import Move, Rules, State, apply, deal, legal_moves, new_game, presets, to_act, view
from heartsrules.analysis import Assessment
from heartsrules.analysis.policies import Watchful
from heartsrules.apps.table.bots import HintQuestion, assess_for
from heartsrules.apps.table.messages import Refused, hint_message
from heartsrules.apps.table.protocol import AskHint
from heartsrules.apps.table.table import Table
from heartsrules.apps.table.thinkers import HINTS_AT_ONCE, Thinkers
from heartsrules.bots import Learned
from heartsrules.formats.wire import from_json
from heartsrules.rules import HOLD, scatter
from heartsrules.views.worlds import sample_world
from support import web_player as W
from support.web_knowledge import check_message

BOTS = [{"level": "usual", "friend": False}] * 3
ALONE, ALWAYS, NEVER = "alone", "always", "never"


@contextmanager
def playing(directory: Path, **changes: Any) -> Iterator[tuple[TestClient, str, str, W.Player]]:
    """Ann plays against bots: a server, the name of her table, her key, and her."""
    with (
        W.server(directory, hint_worlds=4, hint_seconds=None, **changes) as client,
        W.hosted(client, W.TINY, seats=BOTS) as (table, token, ann),
    ):
        yield client, table, token, ann


def ask(player: W.Player) -> dict[str, Any]:
    """Ask for a hint for what is asked now."""
    return player.ask({"type": "hint", "ply": player.until_turn()})


def hint_for(player: W.Player) -> dict[str, Any]:
    """The hint for what is asked now. If it is known already, it may come before the word that it will."""
    answer = ask(player)
    return answer if answer["type"] == "hint" else player.until("hint")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[asyncio.Future[None]]]:
    """Has each hint wait until its future is done."""
    waiting: list[asyncio.Future[None]] = []

    async def assess(_: Thinkers, question: HintQuestion) -> Assessment:
        waiting.append(asyncio.get_running_loop().create_future())
        await waiting[-1]
        return assess_for(question)

    monkeypatch.setattr(Thinkers, "assess", assess)
    yield waiting
    assert waiting


def release(future: asyncio.Future[None]) -> None:
    """Let a hint be thought out."""
    future.get_loop().call_soon_threadsafe(future.set_result, None)


def test_the_server_says_who_plays_deals_on(tmp_path: Path, at_once: list[HintQuestion]) -> None:
    with playing(tmp_path, policy=Learned()) as (_, _, _, ann):
        assert hint_for(ann)
    (asked,) = at_once
    assert asked.policy == Learned()
    start = new_game(presets.microsoft())
    seen = view(apply(start, deal(start, seed=1)), 0)
    hints = [assess_for(attrs.evolve(asked, seen=seen, policy=policy)) for policy in (Learned(), Watchful())]
    assert hints[0].moves != hints[1].moves


def test_who_plays_against_bots_is_given_a_hint_that_is_thought_out_elsewhere(tmp_path: Path) -> None:
    with playing(tmp_path, bot_processes=1) as (client, table, _, ann), W.sit(client, table, None) as watcher:
        ply = ann.until_turn()
        assert ann.now["choice"]["hint"]
        assert not watcher.now["choice"]["hint"]
        assert ann.ask({"type": "hint", "ply": ply})["type"] == "accepted"
        told = ann.until("hint")
        assert told["ply"] == ply
        assert told["move"]["card"] in ann.now["view"]["hand"].split()
        assert told["sentence"][0] == {"type": "card", "card": told["move"]["card"]}
        watcher.catch_up(ann.play_on()["ply"])
    assert "hint" not in {message["type"] for message in watcher.received}


@pytest.mark.parametrize(
    ("hints", "others", "allowed"),
    [({}, 1, False), ({"hints": ALONE}, 0, True), ({"hints": ALWAYS}, 1, True), ({"hints": NEVER}, 0, False)],
)
def test_the_host_chooses_who_may_have_hints_and_everybody_is_told(
    tmp_path: Path, at_once: list[HintQuestion], hints: dict[str, str], others: int, allowed: bool
) -> None:
    with W.server(tmp_path, hint_worlds=4, hint_seconds=None) as client:
        table, token = W.open_table(client, W.TINY, **hints)
        tokens = [token, *(W.take_seat(client, table) for _ in range(others))]
    # It is kept.
    with W.server(tmp_path) as client, W.sit(client, table, token) as ann, W.sit(client, table, tokens[-1]) as other:
        chosen = hints.get("hints", ALONE)
        assert client.get(f"/api/tables/{table}").json()["hints"] == other.received[0]["hints"] == chosen
        ann.ask({"type": "start"})
        ann.until_turn()
        assert ann.now["choice"]["hint"] is allowed
        if allowed:
            assert hint_for(ann)
            # Whoever is told something after the hint has been told none.
            other.ask({"type": "go-on"})
            assert other is ann or "hint" not in {message["type"] for message in other.received}
        else:
            assert ask(ann)["code"] == "no-hints"
        if not others:
            ann.play_on()
            ann.ask({"type": "again"})
            following = next(each["next"] for each in ann.received if each["type"] == "table" and each["next"])
            assert client.get(f"/api/tables/{following}").json()["hints"] == chosen
    assert len(at_once) == allowed


def test_only_whoever_is_to_do_something_may_ask(client: TestClient, at_once: list[HintQuestion]) -> None:
    table, token = W.open_table(client, W.TINY, hints=ALWAYS)
    other = W.take_seat(client, table)
    with W.sit(client, table, token) as ann, W.sit(client, table, other) as bob, W.sit(client, table, None) as watcher:
        assert ann.ask({"type": "hint", "ply": 0})["code"] == "not-started"
        ann.ask({"type": "start"})
        ply = ann.until_turn()
        bob.catch_up(ply)
        asked = [(bob, ply), (watcher, ply), (ann, ply + 1), (ann, ply - 1)]
        codes = [player.ask({"type": "hint", "ply": wanted})["code"] for player, wanted in asked]
        assert codes == ["nothing-to-do", "spectator", "stale", "stale"]
    assert not at_once


def test_a_seat_has_one_hint_at_a_time(tmp_path: Path, held: list[asyncio.Future[None]]) -> None:
    with playing(tmp_path) as (client, table, token, ann), W.sit(client, table, token) as second:
        assert ask(ann)["type"] == "accepted"
        assert ask(ann)["code"] == "hint-coming"
        assert ask(second)["code"] == "hint-coming", "another page of the same seat is no other seat"
        assert ann.ask({"type": "go-on"})["type"] == "accepted", "the room does something else meanwhile"
        release(held[0])
        first = ann.until("hint")
        assert hint_for(second)["sentence"] == first["sentence"]
        assert len(held) == 1
        ann.play_one()
        assert ask(ann)["type"] == "accepted"
        assert len(held) == 2
        release(held[1])
        assert ann.until("hint")["ply"] > first["ply"]


def test_a_server_that_is_asked_for_many_hints_refuses_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[Future[Assessment]] = []

    def submit(*_: object) -> Future[Assessment]:
        waiting.append(Future())
        return waiting[-1]

    async def many() -> None:
        thinkers, asked = Thinkers(2), question(table_of(W.TINY))
        hints = []
        for _ in range(2 * HINTS_AT_ONCE):
            assert not thinkers.full_of_hints
            hints.append(asyncio.create_task(thinkers.assess(asked)))
            await asyncio.sleep(0)
        assert thinkers.full_of_hints
        waiting[0].set_result(assess_for(asked))
        assert (await hints[0]).worlds == 6
        assert not thinkers.full_of_hints
        for each in hints:
            each.cancel()

    monkeypatch.setattr(Thinkers, "_started", lambda _: SimpleNamespace(submit=submit))
    asyncio.run(many())
    monkeypatch.setattr(Thinkers, "full_of_hints", True)
    with playing(tmp_path) as (_, _, _, ann):
        assert ask(ann)["code"] == "too-many-hints"


def test_a_hint_that_could_not_be_thought_out_is_refused_and_may_be_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, at_once: list[HintQuestion]
) -> None:
    async def assess(*_: object) -> Assessment:
        raise RuntimeError("died")

    with playing(tmp_path) as (_, _, _, ann):
        with monkeypatch.context() as patch:
            patch.setattr(Thinkers, "assess", assess)
            assert ask(ann)["type"] == "accepted"
            assert ann.until("refused")["code"] == "no-hint"
        assert hint_for(ann)
    assert at_once
    assert "a hint could not be thought out" in caplog.text


def test_who_has_lost_a_seat_is_told_no_hint_for_it(tmp_path: Path, held: list[asyncio.Future[None]]) -> None:
    with playing(tmp_path) as (client, table, _, ann), W.sit(client, table, None) as watcher:
        assert ask(ann)["type"] == "accepted"
        assert ann.leave()["code"] == "seat-lost"
        release(held[0])
        watcher.play_on()
        assert "hint" not in {message["type"] for message in ann.received}


def table_of(rules: Rules, seed: int = 1) -> Table:
    """A table where seat 0 plays against bots, after the first deal."""
    table = W.begun_table(rules, seed, people=(0,))
    table.take(table.next_due())
    return table


def moved(table: Table, move: Move) -> None:
    table.take(table.step_of(move))


def question(table: Table) -> HintQuestion:
    return table.hint_question(0, AskHint(id=1, ply=table.ply), 6, None)


def in_another_world(state: State, seed: int) -> State:
    """A state that seat 0 cannot tell from this one."""
    return sample_world(view(state, 0), rng=Random(seed))


RULES = {
    "passing": Rules(max_deals=1, target=None),
    "scattered": Rules(pass_cycle=(scatter(players=4),), max_deals=1, target=None),
    "playing": Rules(pass_cycle=(HOLD,), max_deals=1, target=None),
    "two-decks": attrs.evolve(presets.dicegamedepot_cancellation(8), pass_cycle=(HOLD,)),
    "showing": presets.gong_zhu(4),
}


@pytest.mark.parametrize("variant", RULES)
def test_a_hint_depends_on_the_view_alone(variant: str) -> None:
    table = table_of(RULES[variant])
    while 0 not in to_act(table.state):
        moved(table, legal_moves(table.state, min(to_act(table.state)))[0])
    asked = question(table)
    told = hint_message(1, table.ply, assess_for(asked))
    truth = table.state
    worlds = [in_another_world(truth, seed) for seed in range(3)]
    assert any([world != truth for world in worlds])
    for world in worlds:
        table.state = world
        assert question(table) == asked
        assert hint_message(1, table.ply, assess_for(question(table))) == told
        check_message(told.decode(), world, 0)
    document = {"heartsrules": 1, "kind": "move", **json.loads(told)["move"]}
    move = from_json(json.dumps(document), Move)
    assert move in legal_moves(view(truth, 0))


def test_a_hint_is_told_in_the_language_of_the_page() -> None:
    table = table_of(RULES["playing"])
    while 0 not in to_act(table.state):
        moved(table, legal_moves(table.state)[0])
    found = assess_for(question(table))
    told = json.loads(hint_message(1, table.ply, found, "de"))
    assert "Punkte erwartet" in W.plain(told["sentence"])


def test_there_are_no_hints_while_a_bot_plays_or_somebody_else_has_a_right_to_the_seat() -> None:
    table = table_of(W.TINY)
    assert question(table).seen == view(table.state, 0)
    table.seats[0].stand_in = True
    assert not json.loads(table.told(0))["choice"]["hint"]
    with pytest.raises(Refused, match="a bot is playing for you"):
        question(table)
    table.seats[0].stand_in = False
    table.seats[1].kind = "person"
    table.seats[1].stand_in = True
    with pytest.raises(Refused, match="you cannot have hints"):
        question(table)
