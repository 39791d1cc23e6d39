"""The engine against the naive model, move by move, over random rule sets."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import event, given

from heartsrules import Card, Cards, Deal, Expose, GameOver, Move, Play, Rules
from heartsrules.rules import Exposure
from support.against_model import Disagreement, Lockstep, play_in_lockstep
from support.naive import Model
from support.rounds import SEED, laws, rounds
from support.strategies import generators, random_rules, rules_sets
from support.tables import rules_of

pytestmark = pytest.mark.long

ROUNDS = rounds(1200, interpreted=300)
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_random_matches_agree(part: int) -> None:
    """The rounds are numbered; a failure names its own, which is a test by itself: `round_of(seed, number)`."""
    finished = 0
    for number in range(part, ROUNDS, PARTS):
        finished += round_of(SEED, number)
    assert finished > ROUNDS // PARTS // 2


def round_of(seed: str, number: int) -> bool:
    """Play one random match of one random rule set; whether it came to its end."""
    rng = Random(f"{seed} {number}")
    try:
        game = play_in_lockstep(random_rules(rng), rng, max_deals=3)
    except Disagreement as error:
        error.add_note(f"HEARTSRULES_SEED={seed!r}, round {number}")
        raise
    return isinstance(game.state, GameOver)


@laws(250)
@given(rules_sets(), generators())
def test_random_matches_agree_and_shrink(rules: Rules, rng: Random) -> None:
    game = play_in_lockstep(rules, rng, max_deals=2)
    event(f"{rules.players} players, {rules.decks} decks")
    event("the match is over" if isinstance(game.state, GameOver) else "the match is unfinished")
    event(f"{len(game.state.score_sheet)} deals")


PILES = (Cards("2C 3D"), Cards("3C QS"), Cards("4C 2H"))
TINY = rules_of("players=3 pass_cycle=hold max_deals=1", deck="2C 3C 4C 3D QS 2H")


def test_a_difference_is_reported_with_everything_needed_to_repeat_it() -> None:
    game = Lockstep(TINY)
    game.make(Deal(PILES))
    game.make(Play(0, Card("2C")))
    game.make(Play(1, Card("3C")))
    game.model.captured[2] = ["AS"]
    with pytest.raises(Disagreement) as caught:
        game.make(Play(2, Card("4C")))
    report = str(caught.value)
    assert f"rules = {TINY!r}" in report
    assert "Play(1, Card('3C'))" in report
    assert (
        "captured: the engine has [[], [], ['2C', '3C', '4C']], the model [[], [], ['2C', '3C', '4C', 'AS']]" in report
    )


@pytest.mark.parametrize("changes", [{"queen_points": 5}, {"heart_values": (4,) * 13}, {"no_tricks_bonus": 5}])
def test_a_model_of_other_rules_is_told_apart(changes: dict[str, object]) -> None:
    game = Lockstep(TINY)
    game.model = Model(Rules(**{**TINY.changes(), **changes}))
    moves: list[Move] = [
        Deal(PILES),
        Play(0, Card("2C")),
        Play(1, Card("3C")),
        Play(2, Card("4C")),
        Play(2, Card("2H")),
        Play(0, Card("3D")),
        Play(1, Card("QS")),
    ]
    for move in moves[:-1]:
        game.make(move)
    with pytest.raises(Disagreement, match="points"):
        game.make(moves[-1])


SHOWING = Rules(**{**TINY.changes(), "exposable": Cards("QS 2H"), "exposure": Exposure.IN_TURN})


def test_what_is_shown_is_compared() -> None:
    """Each of these differs from what the engine does, and is reported at the move after which it shows."""
    game = Lockstep(SHOWING)
    game.make(Deal(PILES))
    game.make(Expose(1, Cards("QS")))
    game.model.exposed[1] = ()
    with pytest.raises(Disagreement, match="exposed: the engine has"):
        game.make(Expose(2, Cards()))
    game = Lockstep(SHOWING)
    game.make(Deal(PILES))
    game.model.rules = Rules(**{**SHOWING.changes(), "exposure": Exposure.TOGETHER})
    with pytest.raises(Disagreement, match="to_act: the engine has"):
        game.make(Expose(1, Cards("QS")))
    game = Lockstep(SHOWING)
    game.model.rules = Rules(**{**SHOWING.changes(), "exposable": Cards("2H")})
    with pytest.raises(
        Disagreement, match=r"exposures of seat 1: the engine has .*, the model \[\('expose', 1, \(\)\)\]"
    ):
        game.make(Deal(PILES))
    game = Lockstep(SHOWING)
    game.model.rules = TINY
    with pytest.raises(Disagreement, match="phase: the engine has 'expose', the model 'play'"):
        game.make(Deal(PILES))
