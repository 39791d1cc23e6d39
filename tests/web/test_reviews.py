"""Reviews and drills at the browser table: who is told what of which deal, and limits of what is asked."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import attrs
import pytest
from starlette.testclient import TestClient

from heartsrules import Rules, State, view
from heartsrules.analysis import Cause, Theme, drills, review
from heartsrules.apps.table.bots import HandQuestion, MistakeQuestion, ReviewQuestion, Studied, T
from heartsrules.apps.table.messages import drill_shown
from heartsrules.apps.table.protocol import PersonPart
from heartsrules.apps.table.thinkers import Thinkers
from heartsrules.formats.notation import parse_position
from heartsrules.pictures.facts import cards_in_move
from heartsrules.play.game import Game, replay_strict
from support import web_player as W

BOTS = [{"level": "usual", "friend": False}] * 3
TWO: Rules = attrs.evolve(W.TINY, max_deals=2)
"""Two deals of three tricks."""


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> list[ReviewQuestion]:
    """Has moves reviewed in this process; what was asked."""
    asked: list[ReviewQuestion] = []

    async def study(_: Thinkers, question: ReviewQuestion | MistakeQuestion | HandQuestion) -> Any:
        if isinstance(question, HandQuestion):
            return attrs.evolve(question, worlds=6, deals=10).answer()
        asked.append(question.about if isinstance(question, MistakeQuestion) else question)
        return question.answer()

    monkeypatch.setattr(Thinkers, "study", study)
    return asked


def against_bots(client: TestClient, rules: Rules = W.TINY) -> tuple[str, str]:
    return W.open_table(client, rules, seats=BOTS)


def reviewed(player: W.Player, deal: int = 0) -> list[dict[str, Any]]:
    """Ask for a review, and wait for the end of it: the decisions."""
    answer = player.ask({"type": "review", "deals": [deal]})
    assert answer["type"] in ("accepted", "decision", "reviewed"), answer
    found = [answer] if answer["type"] == "decision" else []
    while answer["type"] != "reviewed":
        answer = player.receive()
        found += [answer] if answer["type"] == "decision" else []
    return found


def game_of(database: Path, table: str) -> Game:
    states = W.states_of(database, table)
    return replay_strict(states[0], Game.of(states[-1]).moves)


def test_a_review_is_that_of_the_library_with_the_position_as_the_seat_saw_it(tmp_path: Path) -> None:
    with W.server(tmp_path, review_worlds=6) as client:
        table, token = against_bots(client)
        with W.sit(client, table, token) as ann:
            ann.play_on()
            found = reviewed(ann)
        game = game_of(W.settings(tmp_path).database, table)
        ended = ann.received[-1]
        parts = ended["luck"]
        assert parts["points"] == game.state.score_sheet[0].points[0]
        assert sum([parts[name] for name in ("average", "cards", "play", "others")]) == parts["points"]
        assert ended["turns"]
        assert {turn["cause"] for turn in ended["turns"]} <= set(Cause)
        whole = review(game, 0, worlds=6)
        decisions = whole.decisions
        assert ended["accuracy"] == whole.accuracy(0)
        assert ended["counts"] == whole.count(0)
        assert [(each["decision"]["ply"], each["decision"]["trick"]) for each in found] == [
            (each.ply, each.trick) for each in decisions
        ]
        for each in found:
            ply = each["decision"]["ply"]
            # The command line, which reviews the whole record, gives a decision the same class and cost.
            alone = attrs.evolve(whole, decisions=tuple([one for one in whole.decisions if one.ply == ply]))
            told = json.loads(json.dumps(alone.data("en")))["decisions"][0]
            expected = {**told, "ply": ply, "sentence": each["decision"]["sentence"]}
            assert {name: expected[name] for name in each["decision"]} == each["decision"]
            assert each["view"] == W.shown(view(game.at(ply), 0))
            # The match is over, and with it every secret.
            state: State = parse_position(each["position"])
            assert each["view"] == W.shown(view(state, 0))


def test_until_the_match_is_over_a_review_names_no_card_that_the_seat_has_not_seen(tmp_path: Path) -> None:
    with W.server(tmp_path, review_worlds=2) as client:
        table, token = W.open_table(client, TWO)
        keys = [W.take_seat(client, table, name) for name in ("Bob", "Cleo")]
        with (
            W.sit(client, table, token) as ann,
            W.sit(client, table, keys[0]) as bob,
            W.sit(client, table, keys[1]) as cleo,
        ):
            ann.ask({"type": "start"})
            W.play_while(lambda: not ann.sheet["rows"], ann, bob, cleo)
            states = W.states_of(W.settings(tmp_path).database, table)
            for told in reviewed(ann):
                assert told["position"] is None
                assert told["view"] == W.shown(view(states[told["decision"]["ply"]], 0))
                for move in (told["decision"]["move"], *told["decision"]["best"]):
                    assert move["card"] in told["view"]["hand"].split()
            refused = ann.ask({"type": "review", "deals": [1]})
            assert (refused["type"], refused["code"]) == ("refused", "deal-not-over")


def test_who_takes_a_seat_reviews_the_deals_from_then_on_and_a_spectator_none(tmp_path: Path) -> None:
    with W.server(tmp_path, review_worlds=2) as client:
        table, token = against_bots(client, TWO)
        with W.sit(client, table, token) as ann:
            W.play_a_card(ann)
            assert ann.leave()["code"] == "seat-lost"
        token = W.ask_for_seat(client, table, 0, "Bob").json()["token"]
        with W.sit(client, table, token) as bob, W.sit(client, table, None) as watcher:
            bob.play_on()
            assert bob.described["seat"] == 0
            assert bob.ask({"type": "review", "deals": [0]})["code"] == "not-your-deal"
            for kind in ({"type": "review", "deals": [1]}, {"type": "drill", "deal": 1, "ply": 1}):
                assert watcher.ask(kind)["code"] == "spectator"
            reviewed(bob, 1)


def test_one_review_at_a_time_and_not_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = asyncio.Event()
    held: list[Any] = []

    async def hold(_: Thinkers, question: Studied[T]) -> T:
        held.append(question)
        await gate.wait()
        return question.answer()

    with (
        W.server(tmp_path, W.SetClock(), review_worlds=2, message_burst=1000) as client,
        W.hosted(client, W.TINY, seats=BOTS) as (_, _, ann),
    ):
        ann.play_on()
        with monkeypatch.context() as patch:
            patch.setattr(Thinkers, "study", hold)
            for _ in range(2):
                ann.ask({"type": "review", "deals": [0]})
            assert len(held) == 1
            assert client.portal is not None
            client.portal.call(gate.set)
            for _ in range(2):
                ann.until("reviewed")
        assert len(held) == len(set(held)), "what is known is not computed again"
        for _ in range(38):
            assert reviewed(ann)
        assert ann.ask({"type": "review", "deals": [0]})["code"] == "too-many-reviews"


def test_a_worker_that_dies_is_told_to_the_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def dies(_: Thinkers, question: ReviewQuestion) -> None:
        raise RuntimeError(f"it was asked about {question.move}")

    monkeypatch.setattr(Thinkers, "study", dies)
    with W.hosted(client, W.TINY, seats=BOTS) as (_, _, ann):
        ann.play_on()
        answer = ann.ask({"type": "review", "deals": [0]})
        refused = answer if answer["type"] == "refused" else ann.until("refused")
        assert refused["code"] == "no-review"
        assert "asked" not in refused["message"]


def test_a_mistake_becomes_a_drill(tmp_path: Path) -> None:
    with W.server(tmp_path, review_worlds=4) as client, W.hosted(client, W.TINY, seats=BOTS) as (_, _, ann):
        ann.play_on()
        for each in reviewed(ann):
            decision = each["decision"]
            answer = ann.ask({"type": "drill", "deal": 0, "ply": decision["ply"]})
            drill = (answer if answer["type"] == "drill" else ann.until("drill"))["drill"]
            if decision["quality"] not in ("mistake", "blunder"):
                assert drill is None
            if drill is not None:
                assert not next(one for one in drill["choices"] if one["move"] == decision["move"])["right"]


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_name_of_a_person_is_taken_for_a_card(language: str) -> None:
    names = ["JD", "AC", "QS", "⟦2⟧"]
    told = [
        part
        for drill in drills()
        for choice in drill_shown(drill, language, names[: drill.view.rules.players]).choices
        for part in (*choice.verdict, *choice.reason, *choice.costs)
    ]
    assert not [part for part in told if isinstance(part, str) and re.search("JD|AC|QS|⟦", part)]
    assert len({part.seat for part in told if isinstance(part, PersonPart)}) > 1


NUMBERS = ("200", "x", "-1", "1_0", "+1", " 1", "1 ", "1.0", "٣", "", "9" * 5000, "0" * 5000 + "1")
"""What is not the number of a drill: only plain digits are."""


def test_shipped_drills_are_told_with_their_answers(client: TestClient) -> None:
    for theme, number in (("", 0), ("queen", 3), ("passing", 1)):
        answer = client.get(f"/api/drills?theme={theme}&number={number}&language=de").json()
        wanted = drills(Theme(theme) if theme else None)
        drill = wanted[number]
        assert answer["count"] == len(wanted)
        assert answer["drill"]["seat"] == drill.seat
        points = [row["points"] for row in answer["drill"]["rows"]]
        assert tuple(map(sum, zip(*points, strict=True))) == drill.view.scores[: 4 * bool(points)]
        assert len(answer["drill"]["choices"]) == len(drill.choices)
        for told, choice in zip(answer["drill"]["choices"], drill.choices, strict=True):
            assert told["right"] == drill.is_right(choice.move)
            named = cards_in_move(choice.move if told["right"] else drill.best[0])
            assert [each["card"] for each in told["verdict"] if isinstance(each, dict)] == str(named).split()
        assert answer["drill"]["view"] == W.shown(drill.view)
    for wrong in ("theme=none", *[f"number={quote(number)}" for number in NUMBERS]):
        answer = client.get(f"/api/drills?{wrong}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no-such-drill")
