"""Options without effect: they are accepted, whatever their value is, and the game is the same with each value."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pytest

from heartsrules import (
    Cards,
    GameOver,
    InvalidRules,
    Playing,
    Rules,
    State,
    apply,
    legal_moves,
    new_game,
    to_act,
    view,
    why_illegal_cards,
)
from heartsrules.analysis.endings import is_settled
from heartsrules.rules import Moon
from heartsrules.testing import random_rules
from support.effects import ALWAYS, IDLE, VALUES, idle
from support.rounds import rounds
from support.strategies import choose, random_table

NAMED = ({"not-in-the-deck"}, {"no-queen"})
"""The codes of the only problems of an option without effect: it names a card that is not in play."""

AIMS: tuple[dict[str, Any], ...] = (
    {},
    {"moon": Moon.OFF},
    {"heart_values": (0,) * 13, "queen_points": 0, "extra_penalties": (), "max_deals": 1},
    {"compulsory_cards": Cards(), "teams": 0},
    {"target": None, "bonus_target": None, "max_deals": 2},
)
"""Options under which others have no effect."""


def test_every_option_is_sometimes_without_effect_or_never() -> None:
    assert {*IDLE, *ALWAYS} == {option.name for option in Rules.OPTIONS}
    assert ALWAYS.isdisjoint(IDLE)


def idle_values(rules: Rules, rng: Random, most: int) -> list[Rules]:
    """The rule set with other values of some options that have no effect under it."""
    options = [name for name in IDLE if idle(name, rules)]
    others: list[Rules] = []
    for name in rng.sample(options, min(most, len(options))):
        for value in VALUES[name]:
            try:
                others.append(attrs.evolve(rules, **{name: value}))
            except InvalidRules as refusal:
                if {problem.code for problem in refusal.problems} not in NAMED:
                    raise
    return [other for other in others if other != rules]


@pytest.mark.once_compiled
def test_an_option_without_effect_is_accepted_and_changes_nothing() -> None:
    """HR-ruling.35: of random rule sets, each option that has no effect under them, with each of its values."""
    rng = Random("idle")
    tried: set[str] = set()
    for number in range(rounds(400, interpreted=120)):
        rules = random_rules(rng, **AIMS[number % len(AIMS)])
        others = idle_values(rules, rng, 4)
        for other in others:
            tried |= {name for name in IDLE if getattr(rules, name) != getattr(other, name)}
        play_alike([rules, *rng.sample(others, min(3, len(others)))], rng)
    assert len(tried) > 25, IDLE.keys() - tried


def play_alike(tables: list[Rules], rng: Random) -> None:
    """Make the same moves under all these rule sets, and compare what may be done, why not, and what it leads to."""
    states: list[State] = [new_game(rules) for rules in tables]
    policies = random_table(rng, tables[0])
    while not isinstance(states[0], GameOver) and states[0].deal_number < 2:
        move = choose(states[0], policies, rng)
        states = [apply(state, move) for state in states]
        first = told(states[0])
        for state in states[1:]:
            assert told(state) == first, (state.rules, tables[0], move)


def told(state: State) -> tuple[object, ...]:
    """All about a state but its rules."""
    known: list[object] = [type(state), state.scores, state.score_sheet]
    if to_act(state):
        moves = legal_moves(state)
        known.append([len(moves), moves[0], moves[-1]])
    if isinstance(state, GameOver):
        known.append(state.winners)
    if isinstance(state, Playing):
        known += [why_illegal_cards(state), is_settled(view(state, state.turn))]
    return tuple(known)
