"""The deals of `deals` in OpenSpiel, whose Hearts is written in C++: dealt in the same order, and played."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
from measuring import timed

import heartsrules

__all__ = [
    "all_clones",
    "evaluate_bots",
    "loop_children",
    "loop_in_place",
    "peer_action",
    "peer_starts",
    "play_children",
    "play_in_place",
]


def peer_starts(decks: list[list[str]]) -> list[Any]:
    """The deals as states of OpenSpiel, dealt in the same order."""
    game = pyspiel.load_game("hearts(pass_cards=false)")
    states = []
    for pack in decks:
        state = game.new_initial_state()
        state.apply_action(0)
        for text in pack:
            state.apply_action(peer_action(heartsrules.Card(text)))
        states.append(state)
    return states


def peer_action(card: Any) -> int:
    """The number of a card in OpenSpiel."""
    return int((card.rank - 2) * 4 + (0, 1, 3, 2)[card.suit])


def loop_in_place(starts: list[Any], seed: int) -> int:
    """Play the 52 plays of each deal in OpenSpiel's usual loop, in place on a copy of the deal."""
    rnd = random.Random(seed)
    for start in starts:
        s = start.clone()
        for _ in range(52):
            a = s.legal_actions()
            s.apply_action(a[int(rnd.random() * len(a))])
    return 52 * len(starts)


def loop_children(starts: list[Any], seed: int) -> int:
    """Play the 52 plays of each deal in OpenSpiel's usual loop, with a new state for each play."""
    rnd = random.Random(seed)
    for start in starts:
        s = start
        for _ in range(52):
            a = s.legal_actions()
            s = s.child(a[int(rnd.random() * len(a))])
    return 52 * len(starts)


def play_in_place(starts: list[Any], seed: int) -> int:
    """Play each deal by `legal_actions`, a random choice and `apply_action`, in place on a copy."""
    plays = 0
    draw = random.Random(seed).random
    for start in starts:
        state = start.clone()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            plays += 1
    return plays


def play_children(starts: list[Any], seed: int) -> int:
    """Play each deal by `legal_actions`, a random choice and `child`, with a new state for each play."""
    plays = 0
    draw = random.Random(seed).random
    for start in starts:
        state = start
        while not state.is_terminal():
            actions = state.legal_actions()
            state = state.child(actions[int(draw() * len(actions))])
            plays += 1
    return plays


def evaluate_bots(starts: list[Any], seed: int) -> float:
    """Run OpenSpiel's rollout in C++; making the copies and the bots is not timed."""
    copies = [start.clone() for start in starts]
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(4)]

    def work() -> int:
        for state in copies:
            pyspiel.evaluate_bots(state, bots, seed)
        return 52 * len(copies)

    return timed(work)


def all_clones(starts: list[Any], seed: int) -> list[Any]:
    """Clone all states of all deals before a play."""
    kept = []
    draw = random.Random(seed).random
    for start in starts:
        state = start.clone()
        while not state.is_terminal():
            kept.append(state.clone())
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
    return kept
