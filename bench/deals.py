"""Four-player deals without passing, of 52 plays each: the work for measuring the speed of a play.

What is here plays them in any build of this package; `openspiel` plays the same deals in OpenSpiel.
"""

from __future__ import annotations

import random
from typing import Any

import heartsrules
from builds import Build

__all__ = ["all_states", "loop_ours", "our_starts", "packs", "play_out", "single_deal", "step_ours"]


def single_deal(build: Build, **fields: Any) -> Any:
    """A rule set without passing whose matches are one deal."""
    rules = build.rules
    return rules.Rules(pass_cycle=(rules.HOLD,), target=None, max_deals=1, tie=rules.Tie.SHARED, **fields)


def packs(count: int, seed: int) -> list[list[str]]:
    """Shuffled packs, each card as a text."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        pack = [str(card) for card in heartsrules.Rules().deck]
        rng.shuffle(pack)
        found.append(pack)
    return found


def our_starts(build: Build, decks: list[list[str]]) -> list[Any]:
    """The deals as states of this package, at the first lead."""
    start = build.new_game(single_deal(build))
    return [build.apply(start, build.deal_cards(start, [build.Card(text) for text in pack])) for pack in decks]


def loop_ours(build: Build, starts: list[Any], seed: int) -> int:
    """Play the 52 plays of each deal in the usual loop."""
    rnd = random.Random(seed)
    legal_moves, apply = build.legal_moves, build.apply
    for start in starts:
        s = start
        for _ in range(52):
            m = legal_moves(s)
            s = apply(s, m[int(rnd.random() * len(m))])
    return 52 * len(starts)


def step_ours(build: Build, starts: list[Any], seed: int) -> int:
    """Play each deal to its end by `legal_moves`, a random choice and `apply`."""
    plays = 0
    draw = random.Random(seed).random
    legal_moves, apply, playing = build.legal_moves, build.apply, build.Playing
    for start in starts:
        state = start
        while type(state) is playing:
            moves = legal_moves(state)
            state = apply(state, moves[int(draw() * len(moves))])
            plays += 1
    return plays


def play_out(build: Build, starts: list[Any], seed: int, plays: int) -> int:
    """Play out each deal by `playout`; return the number of plays."""
    stream = build.chance.RandomStream(seed)
    playout = build.analysis.playout.playout
    for start in starts:
        playout(start, stream)
    return plays * len(starts)


def all_states(build: Build, starts: list[Any], seed: int) -> list[Any]:
    """All states of all deals before a play."""
    kept = []
    draw = random.Random(seed).random
    for start in starts:
        state = start
        while type(state) is build.Playing:
            kept.append(state)
            moves = build.legal_moves(state)
            state = build.apply(state, moves[int(draw() * len(moves))])
    return kept
