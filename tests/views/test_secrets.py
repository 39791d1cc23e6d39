"""A view holds what everybody knows and its seat's own part: nothing in it leads to the secrets of its state."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from heartsrules import Cards, State, apply, deal, new_game
from heartsrules.play.state import DealingBack, Exposing, GameOver, Passing, PlayedDeal, Playing, Secrets
from heartsrules.testing.rule_sets import random_rules
from heartsrules.views import view_of
from support.random_play import random_move

_NOT_DATA = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""What an object does not hold as its own: by way of a class or a module, everything can be reached."""


def reachable(value: object) -> Iterator[object]:
    """Everything that a value refers to, directly or not."""
    seen = {id(value)}
    waiting: list[Any] = [value]
    while waiting:
        each = waiting.pop()
        yield each
        for other in gc.get_referents(each):
            if id(other) not in seen and not isinstance(other, _NOT_DATA):
                seen.add(id(other))
                waiting.append(other)


def secrets_of(state: State, seat: int | None) -> Iterator[object]:
    """The objects of a state that a seat may not reach."""
    yield state
    if isinstance(state, (Passing, DealingBack, Exposing, Playing)):
        # What a state in play returns as its hands is made each time.
        hands = state._before if isinstance(state, Playing) else state.hands
        yield hands
        for other, hand in enumerate(hands):
            if other != seat and hand:
                yield hand
    if isinstance(state, (Passing, DealingBack, Exposing)):
        yield state.commitments
        for other, commitment in enumerate(state.commitments):
            # What is shown openly is everybody's.
            if other != seat and commitment is not None and not isinstance(state, Exposing):
                yield commitment


def test_no_view_reaches_a_secret() -> None:
    rng = Random("secrets")
    looked: set[type] = set()
    for _ in range(25):
        rules = random_rules(rng)
        state: State = new_game(rules)
        for _ in range(150):
            if isinstance(state, GameOver):
                break
            state = apply(state, random_move(state, rng))
            if rng.random() < 0.1:
                looked.add(type(state))
                for seat in (None, rng.randrange(rules.players)):
                    hidden = {id(each) for each in secrets_of(state, seat)}
                    for each in reachable(view_of(state, seat)):
                        assert not isinstance(each, (Secrets, Playing, PlayedDeal))
                        assert id(each) not in hidden
    assert len(looked) >= 4


def test_the_walk_finds_what_is_there() -> None:
    """A planted secret is found, wherever it is."""
    start = new_game(random_rules(Random(4)))
    state: State = apply(start, deal(start, seed=1))
    assert isinstance(state, (Passing, Exposing))
    hand = state.hands[1]
    assert any(each is hand for each in reachable({"view": view_of(state, 0), "leak": [(state.hands,)]}))
    assert any(isinstance(each, Cards) for each in reachable(view_of(state, 0)))
