"""Views with too many worlds to count: whatever draws worlds goes on without them, or raises the documented error.

No such view is known, so the limit is set to ten table entries.
"""

from __future__ import annotations

import io
import json
import pickle
from random import Random
from typing import Final

import pyspiel
import pytest

from heartsrules import InvalidWire, Playing, Rules, advance, legal_moves, redact, transition, view
from heartsrules.analysis import assess, drills_of, review
from heartsrules.analysis.policies import Watchful
from heartsrules.apps.serve.answering import Service
from heartsrules.apps.table.bots import (
    LEVELS,
    HintQuestion,
    MistakeQuestion,
    Question,
    ReviewQuestion,
    assess_for,
    choose_for,
)
from heartsrules.apps.terminal.screen import Screen
from heartsrules.apps.terminal.seating import seat_players
from heartsrules.apps.terminal.session import Session
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.base.errors import TooManyWorlds
from heartsrules.bots import BOTS, Bot, Learned, Sampling, heuristic
from heartsrules.bridges.openspiel.game import game_string
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import parse_position
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.game import Game
from heartsrules.simulation.batch_analysis import assess_all
from heartsrules.testing.laws import check_indistinguishable
from heartsrules.views import PlayingView, View, view_of
from heartsrules.views.worlds import consistent, sample_world
from heartsrules.views.worlds.hidden_cards import PlayingWorlds

LIMIT: Final = 10
STATE: Final = parse_position(
    "hearts/1; rules default; phase play; deal 0; hands D7S8TQH56QK CTS367KH9TA D4JS9H234J C3459D5H78; "
    "passes 0:S367 1:DASJH4 2:C34H7 3:H56K; tricks 2:2C7C6CKC:1 1:QCTDJC8C:1 1:2S4SAS5S:3 3:2D8D6D9D:2 2:AD3DKDAC:2; "
    "trick 2:JSQD"
)
"""Seat 0 can play either of two spades; its view takes 15 entries."""
assert isinstance(STATE, Playing)
SEEN: Final = view(STATE, 0)
GAME: Final = Game.of(STATE)


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartsrules.views.worlds.PlayingWorlds", lambda seen: PlayingWorlds(seen, LIMIT))
    monkeypatch.setattr("heartsrules.views.worlds._last", ())


def test_no_world_is_drawn_but_states_are_still_compared_with_the_view() -> None:
    assert isinstance(SEEN, PlayingView)
    assert PlayingWorlds(SEEN).sampler.entries > LIMIT
    for _ in range(2):
        with pytest.raises(TooManyWorlds) as caught:
            sample_world(SEEN, Random(1))
        (problem,) = caught.value.problems
        assert (problem.code, problem.fields, dict(problem.params)) == ("too-many-worlds", ("view",), {"most": LIMIT})
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value) == problem.message
    assert consistent(SEEN, STATE)
    made = transition(STATE, legal_moves(STATE)[0])
    assert advance(SEEN, redact(made.events, 0)) == view(made.state, 0)
    assert consistent(view(STATE, 3), sample_world(view(STATE, 3), Random(1)))


@pytest.mark.parametrize(
    "bot", [*BOTS.values(), Sampling(10, Learned()), Sampling(3200, Learned())], ids=[*BOTS, "learned", "many worlds"]
)
def test_bots_that_draw_worlds_play_as_the_heuristic_bot(bot: Bot) -> None:
    move = bot(SEEN, RandomStream("a bot"))
    assert move in legal_moves(STATE)
    if isinstance(bot, Sampling):
        assert move == heuristic(SEEN, RandomStream("a bot"))


@pytest.mark.parametrize("policy", [Watchful(), Learned(), None], ids=["watchful", "learned", "uniform"])
def test_moves_are_not_assessed(policy: Watchful | Learned | None) -> None:
    with pytest.raises(TooManyWorlds):
        assess(SEEN, RandomStream("a hint"), worlds=2, policy=policy)
    with pytest.raises(TooManyWorlds):
        list(assess_all([SEEN], "hints", worlds=2, policy=policy))


def test_reviews_and_drills_leave_the_move_out() -> None:
    game = GAME.play(legal_moves(STATE)[0])
    found = review(game, 0, worlds=2)
    plies = [decision.ply for decision in found.decisions]
    assert GAME.ply not in plies
    assert len(plies) > 2
    assert not [drill for drill in drills_of(found, worlds=2) if drill.view == SEEN]


def test_documents_of_the_view_are_refused() -> None:
    with pytest.raises(InvalidWire) as caught:
        from_json(to_json(SEEN), View)
    assert [(problem.code, problem.fields) for problem in caught.value.problems] == [("too-many-worlds", ("",))]
    assert from_json(to_json(STATE), Playing) == STATE


def test_the_protocol_refuses_the_view_and_plays_on_with_the_state() -> None:
    def answer(**request: object) -> dict[str, object]:
        found: dict[str, object] = json.loads(Service().answer(json.dumps({"id": 1, **request}).encode()).body)
        return found

    document = json.loads(to_json(SEEN))
    refused = answer(op="sample-world", view=document, seed=1)
    assert not refused["ok"]
    assert [(each["place"], each["code"]) for each in refused["problems"]] == [("/view", "too-many-worlds")]  # type: ignore[attr-defined]
    assert answer(op="legal-moves", state=json.loads(to_json(STATE)))["ok"]


def test_openspiel_draws_no_other_state() -> None:
    state = pyspiel.load_game(game_string(Rules(), deals=1)).new_initial_state()
    for move in GAME.moves:
        for action in state.actions_for(move):
            state.apply_action(action)
    assert state.position == STATE
    with pytest.raises(TooManyWorlds):
        state.resample_from_infostate(0, Random(1))


def test_the_checks_of_secrecy_raise_the_error() -> None:
    with pytest.raises(TooManyWorlds):
        check_indistinguishable(view_of, Rules(players=8, decks=2), games=1, positions=40)


def test_the_browser_table_plays_on_and_reviews_the_other_moves() -> None:
    for level in LEVELS:
        assert choose_for(Question(SEEN, level, 1)) in legal_moves(STATE)
    with pytest.raises(TooManyWorlds):
        assess_for(HintQuestion(SEEN, "a hint", 2, None))
    question = ReviewQuestion(STATE, legal_moves(STATE)[0], 2)  # type: ignore[arg-type]
    assert question.answer().decisions == ()
    assert MistakeQuestion(question).answer() is None


def sitting() -> Sitting:
    return Sitting(GAME, seat_players(Rules(), ["You"], ["uniform"]), "a table")


REFUSED: Final = (
    "No: the hidden cards have too many arrangements to sample a world: counting them takes more than 10 entries."
)


def test_the_lines_of_a_game_say_that_there_is_no_hint() -> None:
    out = io.StringIO()
    Session(sitting(), Screen(stdin=io.StringIO("hint\nhint TS\nmoves\nTS\n"), stdout=out)).run()
    assert " ".join(out.getvalue().split()).count(REFUSED) == 3
